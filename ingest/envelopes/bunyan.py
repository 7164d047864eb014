"""bunyan: like pino, with the logger's name and a format version `v`."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="bunyan",
    keys=("v", "name", "level", "time", "hostname"),
    payload=("msg",),
    time=("time",),
    level=("level",),
    wraps=False,
    samples=(
        Sample(
            '{"name":"agent","hostname":"h","pid":7,"level":40,"msg":"gate","time":"2026-09-01T10:00:00.123Z","v":0}',
            message="gate",
            time="2026-09-01T10:00:00.123000",
            level="warn",
        ),
    ),
)
