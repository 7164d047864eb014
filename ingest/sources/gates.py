"""The honesty gate's siblings: audit events, console lines, and other writers' `<gate>_gate_fired` events.

A sibling's record names its gate, which is the check; the reason beside it is kept as logged.
A console line must have all that its gate prints, or else it was cut; an event needs its reason.
Source: the honesty gates page, *The sibling gates*.
"""

from collections.abc import Mapping
from typing import Any

from ingest.source import Event, Expected, Fire, Reject, Result, Row, Source

_PRINTED = {
    "empty-conclusion": ("reason", "toolCalls", "finalLen"),
    "half-finished": ("reason", "phrase", "planUpdateOk"),
    "plan-failure-false-claim": ("reason", "claim"),
    "output-format": ("reason", "finalLen"),
    "citation-grounding": ("reason",),
    "viability": (),
}
_GATES = "|".join(_PRINTED)
_COLUMNS: dict[str, str | tuple[str, ...]] = {
    "subject": "gate",
    "severity": "severity",
    "text": ("matchedClaim", "matchedPhrase", "claim", "phrase"),
    "ok_count": ("okCount", "ok_count"),
    "fail_count": ("failCount", "fail_count"),
    "session": ("session", "sessionId", "session_id"),
}


def _by_gate(event: Event, values: Mapping[str, Any]) -> Result:
    """The gate's name as its check spells it, which is the rule of the fire too."""
    gate = (event.subject or "").replace("-", "_")
    event.subject = gate
    event.fires = tuple(
        Fire(fire.family, gate, fire.fragment.replace("-", "_") if fire.fragment == fire.rule else fire.fragment)
        for fire in event.fires
    )
    return event


def _row(form: str, pattern: str, required: tuple[str, ...] = ()) -> Row:
    return Row(
        kind="gate_fired",
        form="console" if form == "console" else "name",
        pattern=pattern,
        required=required,
        columns=_COLUMNS,
        action="regenerate",
        family="gates",
        reasons="reason",
        one_reason=True,
        rule="=subject",
        adjust=_by_gate,
    )


SOURCE = Source(
    system="gates",
    markers=(
        b"_gate_fired",
        b"citation_grounding_fired",
        b"viability_fired",
        b"[empty-conclusion]",
        b"[half-finished]",
        b"[plan-failure-false-claim]",
        b"[output-format]",
        b"[citation-grounding]",
        b"[viability]",
    ),
    opening=rf"\[(?:{_GATES})\]",
    rows=(
        *(
            _row("console", rf"\[(?P<gate>{gate})\] session=(?P<session>\S+) fired\b", required)
            for gate, required in _PRINTED.items()
        ),
        *(
            _row("name", rf"(?P<gate>{gate.replace('-', '.')})(?:_gate)?_fired", required[:1])
            for gate, required in _PRINTED.items()
        ),
        _row("name", r"(?P<gate>(?!honesty_gate_fired)[a-z][a-z0-9_]*?)_gate_fired"),
    ),
    samples=(
        (
            "[empty-conclusion] session=s-1 fired reason=too_short_after_tools toolCalls=3 finalLen=1",
            Expected(
                "gate_fired",
                {
                    "subject": "empty_conclusion",
                    "session": "s-1",
                    "action": "regenerate",
                    "extra": {"toolCalls": "3", "finalLen": "1"},
                },
                ("too_short_after_tools",),
            ),
        ),
        (
            '[half-finished] session=s-1 fired reason=handoff phrase="over to you" planUpdateOk=0',
            Expected(
                "gate_fired",
                {"subject": "half_finished", "text": "over to you", "extra": {"planUpdateOk": "0"}},
                ("handoff",),
            ),
        ),
        (
            '[plan-failure-false-claim] session=s-1 fired reason=circuit_breaker_fired claim="all done"',
            Expected(
                "gate_fired", {"subject": "plan_failure_false_claim", "text": "all done"}, ("circuit_breaker_fired",)
            ),
        ),
        (
            '{"timestamp":1788000000123,"type":"self_domain_write","data":{"toolName":"output_format_gate_fired","sessionId":"s-2","reason":"no_user_section","finalTextLength":812}}',
            Expected("gate_fired", {"subject": "output_format", "session": "s-2"}, ("no_user_section",)),
        ),
        (
            '{"event":"citation_grounding_gate_fired","reason":"unsupported","session":"s-3"}',
            Expected("gate_fired", {"subject": "citation_grounding", "session": "s-3"}, ("unsupported",)),
        ),
        ('{"type":"viability_fired"}', Expected("gate_fired", {"subject": "viability"}, ("viability",))),
        (
            '[half-finished] session=s-1 fired reason=handoff phrase="over to you" planUpdateOk=0 {"service":"agent"}',
            Expected("gate_fired", {"text": "over to you"}, ("handoff",)),
        ),
        ("[output-format] session=s-1 fired reason=no_user_sec", Reject("gate_fired: it lacks 'finalLen'")),
        ('{"event":"half_finished_gate_fired"}', Reject("gate_fired: it lacks 'reason'")),
        ("the half_finished_gate_fired event means this", None),
    ),
)
