"""fluentd's file output: time, tag and record between tabs."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="fluentd file",
    pattern=re.compile(
        r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d))\t[\w.*/-]+\t(?P<payload>\{.*\})",
        re.DOTALL,
    ),
    samples=(
        Sample(
            '2026-09-01T12:00:00+02:00\tkube.agent\t{"level":40,"msg":"gate"}',
            message="gate",
            time="2026-09-01T10:00:00",
            level="warn",
        ),
    ),
)
