"""The name of a container before its line, as Docker Compose (`name | line`) and `kubectl logs --prefix` (`[pod/name] line`) write it."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="container prefix",
    general=True,
    pattern=re.compile(r"(?:[\w.-]{1,80}\s+\| |\[pod/[\w./-]+\] )(?P<payload>\S.*)", re.DOTALL),
    samples=(
        Sample("agent-1  | [turn] session=s-1 done outcome=response", "[turn] session=s-1 done outcome=response"),
        Sample('[pod/agent-1/agent] {"level":40,"msg":"gate"}', message="gate", level="warn"),
    ),
)
