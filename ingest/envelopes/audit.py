"""An audit event: the gate's name and all that it found stand in `data`."""

from ingest.envelope import JsonEnvelope, Sample

ENVELOPE = JsonEnvelope(
    name="audit",
    keys=("type", "data.toolName"),
    where=lambda value: isinstance(value["data"]["toolName"], str),
    payload=("data.toolName",),
    time=("timestamp",),
    wraps=False,
    samples=(
        Sample(
            '{"id":"9d0e","timestamp":1788000000123,"type":"self_domain_write","data":{"source":"honesty_gate","origin":"Internal","toolName":"honesty_gate_fired","sessionId":"s-1","severity":"high","reason":"failures_with_claim","failCount":2,"okCount":1,"matchedClaim":"deployed"},"prevHash":"00","hash":"ab12"}',
            message="honesty_gate_fired",
            time="2026-08-29T10:40:00.123000",
            session="s-1",
            fields=(("severity", "high"), ("failCount", 2)),
        ),
    ),
)
