"""One OTLP record, its typed values already made plain by `otlp`."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="otlp record",
    keys=("otlpBody", "attributes"),
    payload=("otlpBody",),
    time=("timeUnixNano", "observedTimeUnixNano"),
    level=("severityNumber", "severityText"),
    stream=("otlpStream",),
    wraps=False,
    samples=(
        Sample(
            '{"timeUnixNano":"1788000000123456789","severityNumber":17,"otlpBody":"hi","attributes":{"sessionId":"s-1"}}',
            message="hi",
            time="2026-08-29T10:40:00.123456",
            level="error",
            session="s-1",
        ),
    ),
)
