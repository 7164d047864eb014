"""winston `format.json()`: level and message with the meta spread beside them; the level may be coloured."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="winston json",
    keys=("level", "message"),
    without=("levelname", "v", "_source", "logName", "asctime", "@version"),
    where=lambda value: isinstance(value["level"], str) and isinstance(value["message"], str),
    payload=("message",),
    time=("timestamp", "time", "@timestamp"),
    level=("level",),
    wraps=False,
    samples=(
        Sample(
            '{"level":"warn","message":"[SocraticStage] draft rejected","reason":"gave the answer","timestamp":"2026-09-01T10:00:00.123Z"}',
            message="[SocraticStage] draft rejected",
            time="2026-09-01T10:00:00.123000",
            level="warn",
            fields=(("reason", "gave the answer"),),
        ),
        Sample(
            '{"conversationId":"c-1","level":"\\u001b[33mwarn\\u001b[39m","message":"\\u001b[33mno draft\\u001b[39m"}',
            message="no draft",
            level="warn",
            session="c-1",
        ),
    ),
)
