"""structlog's JSONRenderer: the message is called `event`, the context stands beside it."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="structlog",
    keys=("event", "level", "timestamp"),
    without=("message", "msg"),
    where=lambda value: isinstance(value["event"], str) and isinstance(value["level"], str),
    payload=("event",),
    time=("timestamp",),
    level=("level",),
    wraps=False,
    samples=(
        Sample(
            '{"guard":"honesty","event":"honesty_gate_fired","level":"warning","timestamp":"2026-09-01T10:00:00.123456Z"}',
            message="honesty_gate_fired",
            time="2026-09-01T10:00:00.123456",
            level="warn",
            fields=(("guard", "honesty"),),
        ),
    ),
)
