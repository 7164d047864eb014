"""Loki, `logcli -o jsonl`: the line as a string, and its labels unless they were turned off."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="loki",
    keys=("line", "timestamp"),
    without=("type", "eventName", "event.name"),
    where=lambda value: isinstance(value["line"], str),
    payload=("line",),
    time=("timestamp",),
    level=("labels.level", "labels.detected_level"),
    stream=("labels.pod", "labels.instance", "labels.filename"),
    samples=(
        Sample(
            '{"labels":{"app":"agent","pod":"agent-1"},"line":"{\\"level\\":40,\\"msg\\":\\"gate\\"}","timestamp":"2026-09-01T10:00:00.123456789Z"}',
            message="gate",
            time="2026-09-01T10:00:00.123456",
            level="warn",
            stream="agent-1",
        ),
        Sample('{"line":"hi","timestamp":"2026-09-01T12:00:00+02:00"}', message="hi", time="2026-09-01T10:00:00"),
    ),
)
