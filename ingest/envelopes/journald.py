"""journald, `-o json` or through Fluent Bit (which puts the time in `date`): MESSAGE, text or (with unprintable bytes in it) an array of byte values; null when it was too large."""

from typing import Any

from ingest.decode import text_of
from ingest.envelope import JsonEnvelope, Sample
from ingest.errors import UndecodableError

_FIELDS = frozenset(("__REALTIME_TIMESTAMP", "PRIORITY", "_SYSTEMD_UNIT", "SYSLOG_IDENTIFIER", "_PID", "_BOOT_ID"))


def _message(value: Any) -> Any:
    if value is None:
        raise UndecodableError("the payload is lost: journald left out a field that was too large")
    if isinstance(value, list):
        if value and all(isinstance(byte, int) and 0 <= byte < 256 for byte in value):
            return text_of(bytes(value))
        # A field that was given several times: each is a message, as text or again as an array of bytes.
        return [_message(inner) for inner in value]
    return value


ENVELOPE = JsonEnvelope(
    name="journald",
    keys=("MESSAGE",),
    where=lambda value: not _FIELDS.isdisjoint(value),
    payload=("MESSAGE",),
    convert=_message,
    time=("_SOURCE_REALTIME_TIMESTAMP", "__REALTIME_TIMESTAMP"),
    level=("PRIORITY",),
    stream=("_SYSTEMD_UNIT", "SYSLOG_IDENTIFIER"),
    markers=(
        b'"MESSAGE":[',
        b'"MESSAGE" : [',
        b'"MESSAGE": [',
        b'"MESSAGE":null',
        b'"MESSAGE" : null',
        b'"MESSAGE": null',
    ),
    samples=(
        Sample(
            '{"__REALTIME_TIMESTAMP":"1788000000123456","PRIORITY":"4","_SYSTEMD_UNIT":"agent.service","MESSAGE":"{\\"event\\":\\"honesty_gate_fired\\"}"}',
            message="honesty_gate_fired",
            time="2026-08-29T10:40:00.123456",
            level="warn",
            stream="agent.service",
        ),
        Sample(
            '{"date":1788000000.123,"PRIORITY":"4","_SYSTEMD_UNIT":"agent.service","MESSAGE":"hi"}',
            message="hi",
            time="2026-08-29T10:40:00.123000",
            level="warn",
            stream="agent.service",
        ),
        Sample(
            '{"__REALTIME_TIMESTAMP":"1788000000123456","MESSAGE":[27,91,51,51,109,104,105,27,91,48,109]}',
            message="hi",
            time="2026-08-29T10:40:00.123456",
        ),
        Sample(
            '{"__REALTIME_TIMESTAMP":"1788000000123456","PRIORITY":["4","3"],"_SYSTEMD_UNIT":["a.service","b.service"],"MESSAGE":"hi"}',
            message="hi",
            time="2026-08-29T10:40:00.123456",
            level="error",
            stream="b.service",
        ),
    ),
)
