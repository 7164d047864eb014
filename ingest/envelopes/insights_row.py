"""One row of CloudWatch Logs Insights, its pairs already an object; its times are UTC without saying so."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="insights row",
    keys=("@message",),
    without=("@fields", "@version"),
    payload=("@message",),
    time=("@timestamp",),
    utc=True,
    stream=("@logStream",),
    samples=(
        Sample(
            '{"@timestamp":"2026-09-01 10:00:00.123","@message":"hi","@logStream":"s","@ptr":"x"}',
            message="hi",
            time="2026-09-01T10:00:00.123000",
            stream="s",
        ),
    ),
)
