"""structlog's console: time, level in brackets of one width, the message, perhaps the logger, then pairs as Python writes them."""

import re
from collections.abc import Mapping

from ingest.decode import compact
from ingest.envelope import Sample, TextEnvelope
from ingest.levels import WORDS

_PAIR = re.compile(r"""(?<=\s)([A-Za-z_][\w.]*)=('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\s'"]+)(?=\s|\Z)""", re.DOTALL)
_LOGGER = re.compile(r"(?<=\s\s)\[[\w.]{1,200}\]\Z")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED: Mapping[str, str] = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}


def _object(text: str) -> str:
    """The message and the pairs at its end as the text of a JSON object."""
    pairs: dict[str, str] = {}
    start = len(text)
    for found in reversed(list(_PAIR.finditer(text))):
        if text[found.end() : start].strip():
            break
        pairs[found[1]] = _value(found[2])
        start = found.start()
    event = text[:start].rstrip()
    if event.startswith("[") and not event.endswith("}"):
        return text  # a console line of a gate, whose pairs are its own
    return compact({**pairs, "event": _LOGGER.sub("", event).rstrip()})


def _value(text: str) -> str:
    """What a value stands for; an escape that is not known stays as it is."""
    if text[0] not in "'\"":
        return text
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[0]), text[1:-1])


ENVELOPE = TextEnvelope(
    name="structlog console",
    pattern=re.compile(
        rf"(?P<time>\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?) \[(?P<level>{WORDS}) +\] (?P<payload>[^:\s].*)",
        re.DOTALL,
    ),
    convert=_object,
    samples=(
        Sample(
            "2026-09-01T10:00:00.123456Z [warning  ] honesty_gate_fired             [agent] reason=failures_with_claim claim='it is done' sessionId=s-1",
            message="honesty_gate_fired",
            time="2026-09-01T10:00:00.123456",
            level="warn",
            session="s-1",
            fields=(("reason", "failures_with_claim"), ("claim", "it is done")),
        ),
    ),
)
