"""Heroku's `logs --tail`: time, then source and process as in `app[web.1]`."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="heroku",
    pattern=re.compile(
        r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (?:app|heroku)\[(?P<stream>[\w.-]+)\]: (?P<payload>.*)",
        re.DOTALL,
    ),
    samples=(
        Sample(
            "2026-09-01T10:00:00.123456+00:00 app[web.1]: hi",
            message="hi",
            time="2026-09-01T10:00:00.123456",
            stream="web.1",
        ),
    ),
)
