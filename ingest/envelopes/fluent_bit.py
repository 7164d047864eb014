"""Fluent Bit's file output: tag, then an array of the time and the record."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="fluent-bit",
    pattern=re.compile(r"[\w.*/-]+: \[(?P<time>\d{9,10}(?:\.\d+)?), (?P<payload>\{.*\})\]", re.DOTALL),
    samples=(
        Sample(
            'agent.log: [1788000000.123, {"log":"{\\"level\\":40,\\"msg\\":\\"gate\\"}"}]',
            message="gate",
            time="2026-08-29T10:40:00.123000",
            level="warn",
        ),
    ),
)
