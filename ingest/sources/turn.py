"""The end of a turn, as the chat handler logs it: what was done, how long it took, which tools succeeded."""

from ingest.source import Expected, Reject, Row, Source

SOURCE = Source(
    system="turn",
    markers=(b"[turn] session=",),
    opening=r"\[turn\] session=",
    rows=(
        Row(
            kind="turn_done",
            form="console",
            pattern=r"\[turn\] session=(?P<session>\S+) done\b",
            required=("outcome",),
            columns={"session": "session", "outcome": "outcome", "ok_count": "ok", "fail_count": "fail"},
        ),
    ),
    samples=(
        (
            "[turn] session=s-1 done outcome=response durationMs=812 auditEvents=4 tools=3 ok=2 fail=1",
            Expected(
                "turn_done",
                {
                    "session": "s-1",
                    "outcome": "response",
                    "ok_count": 2,
                    "fail_count": 1,
                    "extra": {"durationMs": "812", "auditEvents": "4", "tools": "3"},
                },
            ),
        ),
        ("[turn] session=s-1 done", Reject("turn_done: it lacks 'outcome'")),
    ),
)
