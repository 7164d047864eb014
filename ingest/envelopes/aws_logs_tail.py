"""`aws logs tail`: time in UTC, the name of the log stream, the message."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="aws logs tail",
    pattern=re.compile(
        r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00) (?P<stream>[\w.-]+/[\w./\[\]$-]+) (?P<payload>.*)",
        re.DOTALL,
    ),
    samples=(
        Sample(
            "2026-09-01T10:00:00.123000+00:00 2026/09/01/[$LATEST]0123abcd hi",
            message="hi",
            time="2026-09-01T10:00:00.123000",
            stream="2026/09/01/[$LATEST]0123abcd",
        ),
        Sample(
            '2026-09-01T10:00:00+00:00 ecs/agent/0123abcd {"level":40,"msg":"gate"}',
            message="gate",
            time="2026-09-01T10:00:00",
            level="warn",
            stream="ecs/agent/0123abcd",
        ),
    ),
)
