"""The honesty gate: audit events, its console lines (the only gate that logs a pass), and other writers' events.

A console line must have all that the gate prints, or else it was cut; other writers' events need only the reason.
Source: the honesty gates page.
"""

from ingest.source import Expected, Reject, Row, Source

_COLUMNS: dict[str, str | tuple[str, ...]] = {
    "severity": "severity",
    "text": ("matchedClaim", "claim", "matched_claim"),
    "ok_count": ("okCount", "ok_count", "ok"),
    "fail_count": ("failCount", "fail_count", "fail"),
    "session": ("session", "sessionId", "session_id"),
}

SOURCE = Source(
    system="honesty",
    markers=(b"[honesty]", b"honesty_gate_fired", b"honesty_gate_passed"),
    opening=r"\[honesty\]",
    rows=(
        Row(
            kind="gate_passed",
            form="line",
            pattern=r"\[honesty\] session=(?P<session>\S+) passed(?: \((?P<ok>\d+) ok / (?P<fail>\d+) fail(?: / (?P<total>\d+) total)?\))?",
            columns={"session": "session", "ok_count": "ok", "fail_count": "fail"},
            required=("ok", "fail"),
            fixed={"subject": "honesty"},
        ),
        Row(
            kind="gate_fired",
            form="console",
            pattern=r"\[honesty\] session=(?P<session>\S+) fired\b",
            required=("severity", "reason", "failCount", "okCount", "claim"),
            columns=_COLUMNS,
            fixed={"subject": "honesty"},
            action="regenerate",
            family="honesty",
            reasons="reason",
            one_reason=True,
        ),
        Row(
            kind="gate_fired",
            form="name",
            pattern=r"honesty(?:_gate)?_fired",
            required=("reason",),
            columns=_COLUMNS,
            fixed={"subject": "honesty"},
            action="regenerate",
            family="honesty",
            reasons="reason",
            one_reason=True,
        ),
        Row(
            kind="gate_passed",
            form="name",
            pattern=r"honesty(?:_gate)?_passed",
            columns=_COLUMNS,
            fixed={"subject": "honesty"},
        ),
    ),
    samples=(
        (
            "[honesty] session=s-1 passed (3 ok / 0 fail / 3 total)",
            Expected("gate_passed", {"session": "s-1", "ok_count": 3, "fail_count": 0, "subject": "honesty"}),
        ),
        (
            '[honesty] session=s-1 fired severity=high reason=failures_with_claim failCount=2 okCount=1 claim="he said "done" → deployed"',
            Expected(
                "gate_fired",
                {
                    "session": "s-1",
                    "severity": "high",
                    "ok_count": 1,
                    "fail_count": 2,
                    "text": 'he said "done" → deployed',
                    "action": "regenerate",
                },
                ("failures_with_claim",),
            ),
        ),
        (
            '{"id":"9d0e","timestamp":1788000000123,"type":"self_domain_write","data":{"source":"honesty_gate","toolName":"honesty_gate_fired","sessionId":"s-1","severity":"high","reason":"failures_with_claim","failCount":2,"okCount":1,"matchedClaim":"deployed"}}',
            Expected("gate_fired", {"session": "s-1", "text": "deployed", "fail_count": 2}, ("failures_with_claim",)),
        ),
        (
            '{"msg":"honesty_gate_fired","reason":"unknown_results_with_claim","severity":"medium"}',
            Expected("gate_fired", {"severity": "medium"}, ("unknown_results_with_claim",)),
        ),
        ('{"event":"honesty_gate_fired","severity":"high"}', Reject("gate_fired: it lacks 'reason'")),
        (
            '[honesty] session=s-1 fired severity=high reason=failures_with_claim failCount=2 okCount=1 claim="half a',
            Reject("gate_fired: the quoted 'claim' does not end", unfinished=True),
        ),
        (
            '[honesty] session=s-1 fired severity=high reason=failures_with_claim failCount=2 okCount=1 claim="deployed" {"service":"agent"}',
            Expected("gate_fired", {"session": "s-1", "text": "deployed", "ok_count": 1}, ("failures_with_claim",)),
        ),
        ("[honesty] session=s-1 fired severity=high reason=failures_wi", Reject("gate_fired: it lacks 'failCount'")),
        ("[honesty] session=s-1 passed (3 ok / 0 fa", Reject("gate_passed: it lacks 'ok'")),
        ('{"msg":"what is honesty_gate_fired for?"}', None),
    ),
)
