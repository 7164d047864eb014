"""In-turn reflection: the same failure twice in a turn, told by its signature (`tool:class`, such as `http:http-401`).

Source: the honesty gates page, *In-turn reflection*.
"""

import re
from collections.abc import Mapping
from typing import Any

from ingest.source import Event, Expected, Fire, Reject, Result, Row, Source

_STATUS = {
    "400": "param",
    "401": "auth",
    "403": "auth",
    "404": "method",
    "422": "param",
    "405": "method",
    "429": "transient",
}
_WORDS = (
    ("transient", r"transient|network|timeout|timed.?out|etimedout|econn|enotfound|jitter|unavailable"),
    ("auth", r"auth|unauthori[sz]ed|forbidden|credential"),
    ("param", r"param|invalid.?arg|bad.?request|validation"),
    ("method", r"method|not.?found|no.?such.?(?:route|method)"),
    ("mechanical", r"mechanical|syntax|runtime|type.?error|reference.?error|name.?error|script"),
    ("unclassified", r"unclassified|unknown|other"),
)


def failure_class(signature: str) -> str | None:
    """The class of failure that the part after the tool names; None where it names none."""
    told = signature.rpartition(":")[2].lower()
    status = re.search(r"(?<!\d)([45]\d\d)(?!\d)", told)
    if status:
        return _STATUS.get(status[1], "transient" if status[1][0] == "5" else None)
    for name, words in _WORDS:
        if re.search(words, told):
            return name
    return None


def _by_class(event: Event, values: Mapping[str, Any]) -> Result:
    signature = str(values["signature"])
    event.subject = event.subject or signature.partition(":")[0]
    event.fires = tuple(Fire(fire.family, failure_class(signature), fire.fragment) for fire in event.fires)
    return event


def _row(form: str, pattern: str) -> Row:
    return Row(
        kind="reminder",
        form="console" if form == "console" else "name",
        pattern=pattern,
        required=("signature",),
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
        ("[in-turn-reflection] session=s-1 count=2", Reject("reminder: it lacks 'signature'")),
    ),
)
