"""structlog's console: time, level in brackets of one width, the message, perhaps the logger, then pairs as Python writes them."""

import re
from ast import literal_eval

from ingest.decode import compact
from ingest.envelope import Sample, TextEnvelope
from ingest.levels import WORDS

_VALUE = r"""(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\s'"]+)"""
_PAIR = re.compile(rf"([A-Za-z_][\w.]*)=({_VALUE})")
_PARTS = re.compile(rf"(?P<event>.*?)(?:\s{{2,}}\[[\w.]+\])?(?P<pairs>(?:\s+[A-Za-z_][\w.]*={_VALUE})*)\s*", re.DOTALL)


def _object(text: str) -> str:
    """The message and the pairs as the text of a JSON object."""
    found = _PARTS.fullmatch(text)
    if not found or (found["event"].startswith("[") and not found["event"].endswith("}")):
        return text  # a console line of a gate, whose pairs are its own
    pairs = {key: _value(value) for key, value in _PAIR.findall(found["pairs"])}
    return compact({**pairs, "event": found["event"].rstrip()})


def _value(text: str) -> object:
    return literal_eval(text) if text[0] in "'\"" else text


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
