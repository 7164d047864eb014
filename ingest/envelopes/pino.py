"""pino: a level number and an epoch or ISO time, the merged object beside `msg`."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="pino",
    keys=("level", "time"),
    without=("name", "src"),
    payload=("msg",),
    time=("time",),
    level=("level",),
    wraps=False,
    samples=(
        Sample(
            '{"level":40,"time":1788000000123,"pid":7,"hostname":"h","event":"honesty_gate_fired","msg":"gate"}',
            message="gate",
            time="2026-08-29T10:40:00.123000",
            level="warn",
            fields=(("event", "honesty_gate_fired"),),
        ),
        Sample(
            '{"level":"info","time":"2026-09-01T10:00:00.123456789Z","msg":"ready","msg":"last wins","sessionId":"s-1"}',
            message="last wins",
            time="2026-09-01T10:00:00.123456",
            level="info",
            session="s-1",
        ),
    ),
)
