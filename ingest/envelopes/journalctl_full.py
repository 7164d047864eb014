"""`journalctl -o short-full`: weekday, time and zone; a zone that goes by a name other than UTC is not known."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="journalctl full",
    pattern=re.compile(
        r"[A-Z][a-z]{2} (?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?: UTC)?)(?: [A-Z]{2,5}| [+-]\d\d)?"
        r" [\w.-]+ [\w./@-]+(?:\[\d+\])?: (?P<payload>.*)",
        re.DOTALL,
    ),
    samples=(
        Sample("Tue 2026-09-01 10:00:00 UTC host agent[12]: hi", message="hi", time="2026-09-01T10:00:00"),
        Sample("Tue 2026-09-01 10:00:00.5 CEST host agent[12]: hi", message="hi", time="2026-09-01T10:00:00.500000"),
    ),
)
