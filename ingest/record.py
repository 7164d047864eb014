"""A log record after its envelopes are taken off."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Record:
    """One record.

    `message` is free of terminal escapes; `fields` are the values that stand beside it in the same JSON object (and
    one level further in, in `data`, `meta`, ...). `time` is in microseconds since 1970, UTC. `stream` is what the
    envelopes say of where it came from (a pod, a log stream). `envelopes` are their names, outermost first.
    """

    message: str
    fields: Mapping[str, Any]
    time: int | None
    time_source: str | None
    level: str | None
    session: str | None
    session_source: str | None
    agent: str | None
    version: str | None
    stream: str | None
    envelopes: tuple[str, ...]
