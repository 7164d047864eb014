"""Vector's JSON: the line as `message`, and where it came from; `file` or the pod is its stream."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="vector",
    keys=("message", "timestamp", "source_type"),
    payload=("message",),
    time=("timestamp",),
    level=("level", "severity"),
    stream=("kubernetes.pod_name", "container_name", "file"),
    wraps=False,
    samples=(
        Sample(
            '{"file":"/var/log/agent.log","host":"h","message":"{\\"level\\":40,\\"msg\\":\\"gate\\"}","source_type":"file","timestamp":"2026-09-01T10:00:00.123456789Z"}',
            message="gate",
            time="2026-09-01T10:00:00.123456",
            level="warn",
            stream="/var/log/agent.log",
        ),
        Sample(
            '{"kubernetes":{"pod_name":"agent-1"},"message":"hi","sessionId":"s-1","source_type":"kubernetes_logs","timestamp":"2026-09-01T10:00:00Z"}',
            message="hi",
            time="2026-09-01T10:00:00",
            session="s-1",
            stream="agent-1",
        ),
    ),
)
