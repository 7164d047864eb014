"""The name of a program or a logger in brackets before a line that begins with its time."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="name prefix",
    general=True,
    pattern=re.compile(
        r"\[[A-Za-z][\w.:/ -]{0,39}\]\s+(?P<payload>\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d.*)", re.DOTALL
    ),
    samples=(
        Sample(
            "[app] 2026-09-01 10:00:00 warn: hi",
            message="hi",
            time="2026-09-01T10:00:00",
            level="warn",
        ),
    ),
)
