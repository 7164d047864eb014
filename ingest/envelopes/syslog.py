"""Syslog: the text form of `journalctl` and of RFC 3164 files (no year, so no usable time)."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="syslog",
    pattern=re.compile(
        r"(?:<(?P<level>\d{1,3})>\d? ?)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)))"
        r" [\w.-]+ [\w./@-]+(?:\[\d+\])?: (?P<payload>.*)",
        re.DOTALL,
    ),
    scale="syslog priority",
    samples=(
        Sample("Sep  1 10:00:00 host agent[12]: hi", message="hi"),
        Sample(
            "<13>2026-09-01T10:00:00.5Z host agent[12]: hi",
            message="hi",
            time="2026-09-01T10:00:00.500000",
            level="notice",
        ),
        Sample("Sep 01 10:00:00.123456 host agent[12]: hi", message="hi"),
        Sample("<132>Sep  1 10:00:00 host agent[12]: hi", message="hi", level="warn"),
    ),
)
