"""Google Cloud LogEntry: the record as text or as an object."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="gcp",
    keys=(),
    where=lambda value: (
        isinstance(value.get("textPayload"), str)
        or isinstance(value.get("jsonPayload"), dict)
        or isinstance(value.get("protoPayload"), dict)
    ),
    payload=("jsonPayload", "textPayload", "protoPayload"),
    time=("timestamp", "receiveTimestamp"),
    level=("severity",),
    stream=("resource.labels.pod_name", "resource.labels.instance_id", "resource.labels.revision_name"),
    samples=(
        Sample(
            '{"insertId":"a","timestamp":"2026-09-01T10:00:00.123456789Z","severity":"WARNING","jsonPayload":{"message":"gate","event":"honesty_gate_fired"},"logName":"projects/p/logs/stdout"}',
            message="gate",
            time="2026-09-01T10:00:00.123456",
            level="warn",
            fields=(("event", "honesty_gate_fired"),),
        ),
        Sample(
            '{"insertId":"b","receiveTimestamp":"2026-09-01T10:00:01Z","textPayload":"hi","labels":{"sessionId":"s-9"}}',
            message="hi",
            time="2026-09-01T10:00:01",
            session="s-9",
        ),
    ),
)
