"""GELF, as Graylog takes it: syslog's levels, and fields of one's own behind an underscore."""

from collections.abc import Mapping
from typing import Any

from ingest.envelope import JsonEnvelope, Sample


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    plain = {key.removeprefix("_"): inner for key, inner in value.items() if key not in ("level", "version")}
    return plain | {"PRIORITY": value.get("level")}


ENVELOPE = JsonEnvelope(
    name="gelf",
    keys=("version", "host", "short_message"),
    payload=("short_message",),
    plain=_plain,
    time=("timestamp",),
    wraps=False,
    samples=(
        Sample(
            '{"version":"1.1","host":"h","short_message":"gate","timestamp":1788000000.123,"level":4,"_sessionId":"s-1","_reason":"gave the answer"}',
            message="gate",
            time="2026-08-29T10:40:00.123000",
            level="warn",
            session="s-1",
            fields=(("reason", "gave the answer"),),
        ),
    ),
)
