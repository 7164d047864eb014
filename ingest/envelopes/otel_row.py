"""A log record as OpenTelemetry's data model names its parts, which is how ClickHouse keeps and exports it; times are UTC."""

from collections.abc import Mapping
from typing import Any

from ingest.envelope import JsonEnvelope, Sample

_NAMES = {
    "Body": "otlpBody",
    "Timestamp": "timestamp",
    "SeverityNumber": "severityNumber",
    "SeverityText": "severityText",
    "TraceId": "traceId",
    "ServiceName": "service",
    "Attributes": "attributes",
    "LogAttributes": "attributes",
    "Resource": "labels",
    "ResourceAttributes": "labels",
}


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    return {_NAMES.get(key, key): inner for key, inner in value.items() if inner not in ("", 0, None)}


ENVELOPE = JsonEnvelope(
    name="otel row",
    keys=("Body", "Timestamp"),
    payload=("Body", "otlpBody"),
    plain=_plain,
    utc=True,
    level=("severityNumber", "severityText"),
    stream=("labels.k8s.pod.name", "labels.service.instance.id"),
    wraps=False,
    samples=(
        Sample(
            '{"Timestamp":"2026-09-01 10:00:00.123456789","TraceId":"","SeverityText":"WARN","SeverityNumber":13,"ServiceName":"agent","Body":"gate","ResourceAttributes":{},"LogAttributes":{"session.id":"s-1","reason":"gave the answer"}}',
            message="gate",
            time="2026-09-01T10:00:00.123456",
            level="warn",
            session="s-1",
            fields=(("reason", "gave the answer"),),
        ),
    ),
)
