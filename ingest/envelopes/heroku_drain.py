"""What a Heroku log drain sends: syslog's new form without its structured data, perhaps with its length in front."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="heroku drain",
    pattern=re.compile(
        r"(?:\d{1,6} )?<\d{1,3}>1 (?P<time>\S+) \S+ (?:app|heroku) (?P<stream>[\w.-]+) - "
        r"(?!- |\[[^\] =]+ [^\]=]+=\")(?P<payload>.*)",
        re.DOTALL,
    ),
    samples=(
        Sample(
            "83 <190>1 2026-09-01T10:00:00.123456+00:00 host app web.1 - hi",
            message="hi",
            time="2026-09-01T10:00:00.123456",
            stream="web.1",
        ),
    ),
)
