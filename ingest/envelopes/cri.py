"""Kubernetes CRI: time, stream, P (a piece) or F (the last piece), content; pieces are joined in `ingest/pieces.py`."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="cri",
    pattern=re.compile(
        r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (?:stdout|stderr) [PF](?::\S+)? (?P<payload>.*)",
        re.DOTALL,
    ),
    samples=(
        Sample(
            '2026-09-01T10:00:00.123456789Z stdout P {"level":40,"msg":"first ha\n2026-09-01T10:00:00.123456790Z stdout F lf"}',
            message="first half",
            time="2026-09-01T10:00:00.123456",
            level="warn",
        ),
        Sample(
            "2026-09-01T12:00:00.1+02:00 stderr F [turn] session=s-1 done outcome=response",
            message="[turn] session=s-1 done outcome=response",
            time="2026-09-01T10:00:00.100000",
        ),
    ),
)
