"""winston `simple()`: the level, a colon, the message; no time."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="winston simple",
    pattern=re.compile(
        r"(?P<level>error|warn|warning|info|http|verbose|debug|silly):\s+(?P<payload>.*)", re.IGNORECASE | re.DOTALL
    ),
    samples=(
        Sample(
            '\x1b[33mwarn\x1b[39m: [SocraticStage] draft rejected {"reason":"gave the answer"}',
            message='[SocraticStage] draft rejected {"reason":"gave the answer"}',
            level="warn",
        ),
        Sample(
            'info: [SocraticStage] summary {"outcome":"silent","attempts":4}',
            '[SocraticStage] summary {"outcome":"silent","attempts":4}',
            level="info",
        ),
    ),
)
