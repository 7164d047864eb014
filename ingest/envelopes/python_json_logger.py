"""python-json-logger: the fields that its format names; `asctime` is local and has comma decimals."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="python-json-logger",
    keys=("message",),
    where=lambda value: "asctime" in value or "levelname" in value,
    payload=("message",),
    time=("timestamp", "asctime", "created"),
    level=("levelname",),
    wraps=False,
    samples=(
        Sample(
            '{"asctime":"2026-09-01 10:00:00,123","levelname":"WARNING","message":"rejected by professionalism guardrail"}',
            message="rejected by professionalism guardrail",
            time="2026-09-01T10:00:00.123000",
            level="warn",
        ),
    ),
)
