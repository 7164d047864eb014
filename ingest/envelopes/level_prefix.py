"""A level and perhaps a logger's name before the message: Python's logging, log4j and their like, the time already off."""

import re

from ingest.envelope import Sample, TextEnvelope
from ingest.levels import WORDS

ENVELOPE = TextEnvelope(
    name="level prefix",
    general=True,
    pattern=re.compile(
        rf"(?:[\w.-]+ - )?\[?(?P<level>(?i:{WORDS}))\]?(?:\s*:[\w.-]+:|\s*(?::|-|\|)\s+|\s+)(?:\[[\w.:/ -]{{1,40}}\]\s+(?=\[))?(?P<payload>\S.*)",
        re.DOTALL,
    ),
    samples=(
        Sample(
            "WARNING:agent.stage:[SocraticStage] writer call failed",
            message="[SocraticStage] writer call failed",
            level="warn",
        ),
        Sample("agent - ERROR - [turn] session=s done", message="[turn] session=s done", level="error"),
        Sample("[INFO] [honesty] session=s passed", message="[honesty] session=s passed", level="info"),
    ),
)
