"""Datadog, a record as its search interface gives it: the archive's record within `attributes`."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="datadog search",
    keys=("attributes.message", "attributes.status"),
    payload=("attributes",),
    without=("data",),
    where=lambda value: isinstance(value["attributes"], dict),
    samples=(
        Sample(
            '{"id":"AA","type":"log","attributes":{"timestamp":"2026-09-01T10:00:00.123Z","status":"error","message":"gate","host":"h","tags":["a:b"],"attributes":{"sessionId":"s-1"}}}',
            message="gate",
            time="2026-09-01T10:00:00.123000",
            level="error",
            session="s-1",
            stream="h",
        ),
    ),
)
