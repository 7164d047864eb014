"""A row of a CSV file, as `ingest/table.py` gives it: the header's names with the row's cells."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="csv",
    keys=("@csv",),
    where=lambda value: isinstance(value["@csv"], dict) and len(value) == 1,
    payload=("@csv",),
    samples=(
        Sample('{"@csv":{"time":"2026-09-01T10:00:00Z","message":"hi"}}', message="hi", time="2026-09-01T10:00:00"),
    ),
)
