"""Syslog as RFC 5424 has it: priority, version 1, time, host, program, process, message id, structured data, message."""

import re

from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="syslog 5424",
    pattern=re.compile(
        r"(?:\d{1,6} )?<(?P<level>\d{1,3})>1 (?P<time>\S+) \S+ \S+ \S+ \S+ (?:-|(?:\[(?:\\.|\"(?:\\.|[^\"\\])*\"|[^\]\"\\])*\])+) \ufeff?(?P<payload>.*)",
        re.DOTALL,
    ),
    scale="syslog priority",
    samples=(
        Sample(
            "<132>1 2026-09-01T10:00:00.123Z host agent 12 - - hi",
            message="hi",
            time="2026-09-01T10:00:00.123000",
            level="warn",
        ),
        Sample('<14>1 - host agent - ID47 [a@1 k="v]"][b@1] hi', message="hi", level="info"),
    ),
)
