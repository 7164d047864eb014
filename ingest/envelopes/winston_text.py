"""winston `printf` text: local time, level (coloured in development), message; also with milliseconds, ISO time or a label."""

import re

from ingest.envelope import Sample, TextEnvelope
from ingest.levels import WORDS

ENVELOPE = TextEnvelope(
    name="winston text",
    pattern=re.compile(
        r"(?P<time>\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)"
        rf"\s+(?:\[[\w.:/ -]{{1,40}}\] )?\[?(?P<level>{WORDS})\]?(?: \[[\w.:/ -]{{1,40}}\])?:\s?(?P<payload>.*)",
        re.IGNORECASE | re.DOTALL,
    ),
    samples=(
        Sample(
            '2026-09-01 10:00:00 warn: [SocraticStage] draft rejected {"reason":"gave the answer","attempt":2}',
            message='[SocraticStage] draft rejected {"reason":"gave the answer","attempt":2}',
            time="2026-09-01T10:00:00",
            level="warn",
        ),
        Sample(
            "2026-09-01 10:00:00 \x1b[33mwarn\x1b[39m: [SocraticStage] writer call failed",
            message="[SocraticStage] writer call failed",
            time="2026-09-01T10:00:00",
            level="warn",
        ),
        Sample("2026-09-01 10:00:00 [agent] warn: hi", message="hi", time="2026-09-01T10:00:00", level="warn"),
        Sample("2026-09-01 10:00:00 [WARN] [agent]: hi", message="hi", time="2026-09-01T10:00:00", level="warn"),
    ),
)
