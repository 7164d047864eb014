"""`docker service logs`: the task and its node before each line."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="docker service",
    pattern=re.compile(r"(?P<stream>[\w.-]+\.\d+\.[a-z0-9]{8,32})@[\w.-]+\s+\| (?P<payload>.*)", re.DOTALL),
    samples=(
        Sample(
            'agent.1.0123456789abcdefghijklmno@node-1    | {"level":40,"msg":"gate"}',
            message="gate",
            level="warn",
            stream="agent.1.0123456789abcdefghijklmno",
        ),
    ),
)
