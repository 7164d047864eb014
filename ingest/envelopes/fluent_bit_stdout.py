"""Fluent Bit's standard output: a number, the tag, then an array of the time (or the time and its metadata) and the record."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="fluent-bit stdout",
    pattern=re.compile(
        r"\[\d+\] [\w.*/-]+: \[\[?(?P<time>\d{9,10}(?:\.\d+)?)(?:, \{[^{}]*\}\])?, (?P<payload>\{.*\})\]", re.DOTALL
    ),
    samples=(
        Sample('[0] agent.log: [1788000000.123456789, {"log":"hi"}]', message="hi", time="2026-08-29T10:40:00.123457"),
        Sample(
            '[7] kube.agent: [[1788000000.5, {}], {"log":"{\\"level\\":40,\\"msg\\":\\"gate\\"}"}]',
            message="gate",
            time="2026-08-29T10:40:00.500000",
            level="warn",
        ),
    ),
)
