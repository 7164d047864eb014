"""OpenTelemetry's OTLP JSON: resources, scopes, records, and typed values all the way down."""

from base64 import b64decode
from typing import Any

from ingest import decode
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
        if kind == "bytesValue":
            return decode.text_of(b64decode(value))
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
            around = labels | _pairs((scope.get("scope") or {}).get("attributes"))
            for record in scope.get("logRecords") or ():
                plain = {key: value for key, value in record.items() if key not in ("body", "attributes")}
                plain |= {"otlpBody": _value(record.get("body")), "attributes": _pairs(record.get("attributes"))}
                if plain.get("severityNumber") in (0, "0"):
                    del plain["severityNumber"]  # it means that there is none, and the text may say more
                pod = labels.get("k8s.pod.name") or labels.get("service.instance.id")
                found.append(plain | {"labels": around} | ({"otlpStream": pod} if pod else {}))
    return found


ENVELOPE = JsonEnvelope(
    name="otlp",
    keys=("resourceLogs",),
    where=lambda value: (
        isinstance(value["resourceLogs"], list) and all("scopeLogs" in r for r in value["resourceLogs"])
    ),
    payload=("resourceLogs",),
    convert=_records,
    many=True,
    markers=(b'"bytesValue"',),
    samples=(
        Sample(
            '{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"a"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1788000000123456789","severityNumber":13,"body":{"stringValue":"hi"},"attributes":[{"key":"session.id","value":{"stringValue":"s"}},{"key":"n","value":{"intValue":"10"}}]}]}]}]}',
            message="hi",
            time="2026-08-29T10:40:00.123456",
            level="warn",
            session="s",
            fields=(("n", 10),),
        ),
        Sample(
            '{"resourceLogs":[{"resource":{"attributes":[{"key":"k8s.pod.name","value":{"stringValue":"agent-1"}}]},"scopeLogs":[{"logRecords":[{"observedTimeUnixNano":"1788000000123456789","severityNumber":0,"severityText":"WARN","traceId":"ABCD","body":{"kvlistValue":{"values":[{"key":"msg","value":{"bytesValue":"aGk="}},{"key":"n","value":{"arrayValue":{"values":[{"intValue":"-3"},{"doubleValue":0.5},{"boolValue":true}]}}}]}}}]}]}]}',
            message="hi",
            time="2026-08-29T10:40:00.123456",
            level="warn",
            session="ABCD",
            stream="agent-1",
            fields=(("n", [-3, 0.5, True]),),
        ),
    ),
)
