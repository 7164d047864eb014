"""logfmt: nothing but pairs, the message one of them."""

import re

import orjson

from ingest.decode import compact
from ingest.envelope import Sample, TextEnvelope

_PAIR = re.compile(r'([\w.@-]+)=("(?:\\.|[^"\\])*"|[^\s"]*)', re.DOTALL)


def _object(text: str) -> str:
    """The pairs as the text of a JSON object."""
    return compact({key: _value(value) for key, value in _PAIR.findall(text)})


def _value(text: str) -> object:
    if text[:1] != '"':
        return text
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text[1:-1]


ENVELOPE = TextEnvelope(
    name="logfmt",
    general=True,
    pattern=re.compile(
        r'(?P<payload>(?:time|ts|t|timestamp|level|lvl|severity)=(?=.*\s(?:msg|message|event)=)(?:"(?:\\.|[^"\\])*"|[^\s"]*)'
        r'(?:\s+[\w.@-]+=(?:"(?:\\.|[^"\\])*"|[^\s"]*))+)\s*',
        re.DOTALL,
    ),
    convert=_object,
    samples=(
        Sample(
            r'time=2026-09-01T10:00:00Z level=warn msg="[SocraticStage] summary {\"attempts\":2}" session=s-1',
            message='[SocraticStage] summary {"attempts":2}',
            time="2026-09-01T10:00:00",
            level="warn",
            session="s-1",
        ),
        Sample("level=info ts=1788000000.123 event=gate_passed", "gate_passed", "2026-08-29T10:40:00.123000", "info"),
    ),
)
