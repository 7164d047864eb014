"""Datadog, a record of a log archive: the record's own fields stand in `attributes`."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="datadog",
    keys=("message", "status"),
    where=lambda value: "date" in value or "timestamp" in value or "tags" in value,
    payload=("message",),
    without=("source_type",),
    time=("attributes.timestamp", "date", "timestamp"),
    level=("status",),
    stream=("host",),
    wraps=False,
    samples=(
        Sample(
            '{"_id":"AA","attributes":{"sessionId":"s-1","reason":"gave the answer"},"date":"2026-09-01T10:00:00.123Z","host":"h","message":"gate","service":"agent","source":"nodejs","status":"warn","tags":["env:prod"]}',
            message="gate",
            time="2026-09-01T10:00:00.123000",
            level="warn",
            session="s-1",
            stream="h",
            fields=(("reason", "gave the answer"),),
        ),
    ),
)
