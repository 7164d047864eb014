"""loguru: local time, level, the place in the program, between bars; the message behind a dash."""

import re

from ingest.envelope import Sample, TextEnvelope
from ingest.levels import WORDS

ENVELOPE = TextEnvelope(
    name="loguru",
    pattern=re.compile(
        rf"(?P<time>\d{{4}}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?)\s*\|\s*(?P<level>(?i:{WORDS})|SUCCESS)\s*\|\s*"
        r"(?:[\w.<>]+:[\w.<>]+:\d+ - )?(?P<payload>.*)",
        re.DOTALL,
    ),
    samples=(
        Sample(
            "2026-09-01 10:00:00.123 | WARNING  | agent.stage:run:42 - hi",
            message="hi",
            time="2026-09-01T10:00:00.123000",
            level="warn",
        ),
        Sample("2026-09-01 10:00:00 | INFO | hi", message="hi", time="2026-09-01T10:00:00", level="info"),
    ),
)
