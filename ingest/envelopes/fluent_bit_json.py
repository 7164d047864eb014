"""Fluent Bit's `json_lines`: the time as `date` (epoch, ISO, or java_sql_timestamp, which is UTC) and the raw line as `log`."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="fluent-bit json",
    keys=("date", "log"),
    without=("stream", "status"),
    where=lambda value: isinstance(value["log"], str | dict),
    payload=("log",),
    time=("date",),
    utc=True,
    stream=("kubernetes.pod_name", "file"),
    wraps=False,
    samples=(
        Sample(
            '{"date":1788000000.123,"log":"{\\"level\\":40,\\"msg\\":\\"gate\\"}\\n"}',
            message="gate",
            time="2026-08-29T10:40:00.123000",
            level="warn",
        ),
        Sample('{"date":1788000000123,"log":"hi"}', message="hi", time="2026-08-29T10:40:00.123000"),
        Sample('{"date":"2026-09-01T10:00:00.123456Z","log":"hi"}', message="hi", time="2026-09-01T10:00:00.123456"),
        Sample('{"date":"2026-09-01 10:00:00.123456","log":"hi"}', message="hi", time="2026-09-01T10:00:00.123456"),
    ),
)
