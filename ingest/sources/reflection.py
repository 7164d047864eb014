"""In-turn reflection: the same failure twice in a turn, told by its signature (`tool:class`, such as `http:http-401`).

Source: the honesty gates page, *In-turn reflection*.
"""

from collections.abc import Mapping
from typing import Any

from checks.reflection import class_of
from ingest.source import Event, Expected, Fire, Reject, Result, Row, Source


def _by_class(event: Event, values: Mapping[str, Any]) -> Result:
    signature = str(values["signature"])
    event.subject = event.subject or signature.partition(":")[0]
    event.fires = tuple(Fire(fire.family, class_of(signature), fire.fragment) for fire in event.fires)
    return event


def _row(form: str, pattern: str) -> Row:
    return Row(
        kind="reminder",
        form="console" if form == "console" else "name",
        pattern=pattern,
        required=("signature", "count") if form == "console" else ("signature",),
        columns={"session": ("session", "sessionId", "session_id")},
        family="reflection",
        reasons="signature",
        one_reason=True,
        adjust=_by_class,
    )


SOURCE = Source(
    system="reflection",
    markers=(b"[in-turn-reflection]", b"reflection_reminder_injected"),
    opening=r"\[in-turn-reflection\]",
    rows=(
        _row("console", r"\[in-turn-reflection\] session=(?P<session>\S+)"),
        _row("name", r"reflection_reminder_injected"),
    ),
    samples=(
        (
            "[in-turn-reflection] session=s-1 signature=http:http-401 count=2",
            Expected("reminder", {"session": "s-1", "subject": "http", "extra": {"count": "2"}}, ("http:http-401",)),
        ),
        (
            '{"timestamp":1788000000123,"type":"self_domain_write","data":{"toolName":"reflection_reminder_injected","sessionId":"s-1","signature":"bash:syntax-error","count":2}}',
            Expected("reminder", {"subject": "bash", "session": "s-1", "extra": {"count": 2}}, ("bash:syntax-error",)),
        ),
        (
            "[in-turn-reflection] session=s-1 signature=http:http-4",
            Reject("reminder: it lacks 'count'"),
        ),
        ("[in-turn-reflection] session=s-1 count=2", Reject("reminder: it lacks 'signature'")),
    ),
)
