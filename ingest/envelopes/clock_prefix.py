"""A time of day without a day, then the level: such a record is undated, unless an envelope around it has the time."""

import re

from ingest.envelope import Sample, TextEnvelope
from ingest.levels import WORDS

ENVELOPE = TextEnvelope(
    name="clock prefix",
    general=True,
    pattern=re.compile(
        rf"\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?\s+\[?(?P<level>(?i:{WORDS}))\]?(?::\s*|\s+)(?:- )?(?P<payload>\S.*)",
        re.DOTALL,
    ),
    samples=(
        Sample("10:00:00 warn: hi", message="hi", level="warn"),
        Sample("[10:00:00.123] [INFO] hi", message="hi", level="info"),
    ),
)
