"""Elasticsearch: one hit, with the document in `_source`."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="elasticsearch",
    keys=("_source",),
    where=lambda value: isinstance(value["_source"], dict),
    payload=("_source",),
    time=("_source.@timestamp",),
    level=("_source.log.level",),
    samples=(
        Sample(
            '{"_index":"logs-1","_id":"x","_score":1,"_source":{"@timestamp":"2026-09-01T10:00:00.123Z","message":"gate","log":{"level":"warn"}}}',
            message="gate",
            time="2026-09-01T10:00:00.123000",
            level="warn",
        ),
    ),
)
