"""Docker's json-file driver: the line as a string in `log`; lines over 16 KiB come in pieces (see `ingest/pieces.py`)."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="docker",
    keys=("log", "stream", "time"),
    where=lambda value: isinstance(value["log"], str) and value["stream"] in ("stdout", "stderr"),
    payload=("log",),
    time=("time",),
    samples=(
        Sample(
            '{"log":"{\\"level\\":40,\\"msg\\":\\"gate\\"}\\n","stream":"stdout","time":"2026-09-01T10:00:00.123456789Z"}',
            message="gate",
            time="2026-09-01T10:00:00.123456",
            level="warn",
        ),
        Sample(
            '{"log":"[turn] session=s-1 done outcome=response\\n","stream":"stderr","attrs":{"tag":"a"},"time":"2026-09-01T10:00:00Z"}',
            message="[turn] session=s-1 done outcome=response",
            time="2026-09-01T10:00:00",
        ),
    ),
)
