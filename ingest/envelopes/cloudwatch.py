"""CloudWatch, one event of FilterLogEvents, GetLogEvents or a subscription."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="cloudwatch",
    keys=("message", "timestamp"),
    where=lambda value: (
        isinstance(value["timestamp"], int)
        and (
            "ingestionTime" in value
            or "eventId" in value
            or "logStreamName" in value
            or value.keys() == {"id", "timestamp", "message"}
        )
    ),
    payload=("message",),
    time=("timestamp",),
    stream=("logStreamName",),
    samples=(
        Sample(
            '{"logStreamName":"s","timestamp":1788000000123,"message":"{\\"level\\":40}","ingestionTime":1788000001000,"eventId":"1"}',
            message="",
            time="2026-08-29T10:40:00.123000",
            level="warn",
            stream="s",
            fields=(("level", 40),),
        ),
    ),
)
