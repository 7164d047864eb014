"""winston's and Logstash's own JSON: `@message` and `@fields`, or the newer `@timestamp` and `@version`."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="logstash",
    keys=("@timestamp",),
    where=lambda value: "@fields" in value or "@version" in value,
    payload=("@message", "message"),
    time=("@timestamp",),
    level=("@fields.level", "level"),
    wraps=False,
    samples=(
        Sample(
            '{"@message":"gate","@timestamp":"2026-09-01T10:00:00.123Z","@fields":{"level":"warn","sessionId":"s-1"}}',
            message="gate",
            time="2026-09-01T10:00:00.123000",
            level="warn",
            session="s-1",
        ),
    ),
)
