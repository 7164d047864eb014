"""Any logger that no other declaration knows, so long as its message goes by one of the usual names."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="json",
    general=True,
    keys=(),
    payload=(
        "message",
        "msg",
        "@message",
        "event",
        "log",
        "line",
        "text",
        "body",
        "content",
        "eventName",
        "event.name",
        "type",
    ),
    stream=("kubernetes.pod_name", "kubernetes.pod.name", "file", "log.file.path"),
    wraps=False,
    samples=(
        Sample(
            '{"ts":1788000000.123,"text":"hi"}',
            message="hi",
            time="2026-08-29T10:40:00.123000",
        ),
        Sample('{"event":"honesty_gate_fired","session":"s-1"}', message="honesty_gate_fired", session="s-1"),
    ),
)
