"""OpenTelemetry's OTLP JSON: resources, scopes, records, and typed values all the way down."""

from typing import Any

from ingest.envelope import JsonEnvelope, Sample


def _value(typed: Any) -> Any:
    if not isinstance(typed, dict):
        return typed
    for kind, value in typed.items():
        if kind == "intValue":
            return int(value) if str(value).lstrip("-").isdecimal() else value
        if kind == "arrayValue" and isinstance(value, dict):
            return [_value(inner) for inner in value.get("values") or ()]
        if kind == "kvlistValue" and isinstance(value, dict):
            return _pairs(value.get("values"))
        if kind.endswith("Value"):
            return value
    return None


def _pairs(pairs: Any) -> dict[str, Any]:
    return {str(p.get("key")): _value(p.get("value")) for p in pairs or () if isinstance(p, dict)}


def _records(resources: Any) -> list[dict[str, Any]]:
    found = []
    for resource in resources if isinstance(resources, list) else ():
        labels = _pairs((resource.get("resource") or {}).get("attributes"))
        for scope in resource.get("scopeLogs") or ():
            for record in scope.get("logRecords") or ():
                plain = {key: value for key, value in record.items() if key not in ("body", "attributes")}
                plain |= {"otlpBody": _value(record.get("body")), "attributes": _pairs(record.get("attributes"))}
                found.append(plain | {"labels": labels})
    return found


ENVELOPE = JsonEnvelope(
    name="otlp",
    keys=("resourceLogs",),
    where=lambda value: isinstance(value["resourceLogs"], list),
    payload=("resourceLogs",),
    convert=_records,
    many=True,
    samples=(
        Sample(
            '{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"a"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1788000000123456789","severityNumber":13,"body":{"stringValue":"hi"},"attributes":[{"key":"session.id","value":{"stringValue":"s"}},{"key":"n","value":{"intValue":"10"}}]}]}]}]}',
            message="hi",
            time="2026-08-29T10:40:00.123456",
            level="warn",
            fields=(("n", 10),),
        ),
    ),
)
