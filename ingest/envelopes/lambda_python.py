"""Lambda's text of a Python function: level, time, request and message between tabs."""

import re

from ingest.envelope import Sample, TextEnvelope
from ingest.levels import WORDS

ENVELOPE = TextEnvelope(
    name="lambda python",
    pattern=re.compile(
        rf"\[(?P<level>(?i:{WORDS}))\]\t(?P<time>\d{{4}}-\d\d-\d\dT[\d:.]+Z)\t[0-9a-f-]{{36}}\t(?P<payload>.*)",
        re.DOTALL,
    ),
    samples=(
        Sample(
            "[WARNING]\t2026-09-01T10:00:00.123Z\t6bc28136-0000-4000-8000-000000000000\thi",
            message="hi",
            time="2026-09-01T10:00:00.123000",
            level="warn",
        ),
    ),
)
