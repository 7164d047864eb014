"""A time, a space and the raw line: CloudWatch's export to S3, `docker logs -t`, and many home-made formats."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="time prefix",
    general=True,
    pattern=re.compile(
        r"\[?(?P<time>(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d?/[A-Z][a-z]{2}/\d{4}[ :])\d\d:\d\d:\d\d(?:[.,]\d+)?\s?(?:Z|UTC|[+-]\d\d:?\d\d)?)\]?"
        r"(?::|,| -| \|)?\s+(?P<payload>\S.*)",
        re.DOTALL,
    ),
    samples=(
        Sample("2026-09-01T10:00:00.123Z hi there", message="hi there", time="2026-09-01T10:00:00.123000"),
        Sample("[2026-09-01 12:00:00,5 +0200] - hi", message="hi", time="2026-09-01T10:00:00.500000"),
        Sample("2026/09/01 10:00:00 hi", message="hi", time="2026-09-01T10:00:00"),
        Sample("01/Sep/2026:12:00:00 +0200 hi", message="hi", time="2026-09-01T10:00:00"),
    ),
)
