"""Log files for the tests of reading: the same known events in every envelope."""

import base64
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import duckdb

from ingest import Summary, ingest

STAGE = [
    ("warn", '[SocraticStage] draft rejected {"attempt":1,"stage":"shape","reason":"no digits; not a single question","draft":"What; {of} 3 — \\"this\\"?"}'),
    ("warn", "[SocraticStage] writer call failed Error: 429"),
    ("info", '[SocraticStage] summary {"outcome":"posted-writer","attempts":3}'),
    ("warn", "Group Agent: slots rejected (concept has digits)"),
    ("warn", "Group Agent: intervention rejected by professionalism guardrail (goal: socratic_probe)"),
    ("info", "Group Agent: Detected socratic_probe opportunity — quick agreement"),
    ("info", "[honesty] session=s-1 passed (3 ok / 0 fail / 3 total)"),
    ("warn", '[honesty] session=s-1 fired severity=high reason=failures_with_claim failCount=2 okCount=1 claim="it is "done" → live"'),
    ("warn", "[in-turn-reflection] session=s-1 signature=http:http-401 count=2"),
    ("info", "[turn] session=s-1 done outcome=response durationMs=812 ok=2 fail=1"),
    ("debug", "someone mentioned [SocraticStage] draft rejected in the chat"),
    ("debug", "vector chunk latency 12"),
]  # fmt: skip
EVENTS, FIRES, REJECTED = 10, 6, 0
"""What STAGE holds: ten events, six reason fragments, a mere mention and a line of chatter."""


def iso(n: int) -> str:
    return f"2026-09-01T10:00:{n:02d}.123Z"


def micros(n: int) -> int:
    return 1_788_256_800_123_000 + n * 1_000_000


def dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def winston_json(n: int, level: str, message: str) -> str:
    return dumps({"level": level, "message": message, "timestamp": iso(n)})


def winston_siblings(n: int, level: str, message: str) -> str:
    """The payload as meta: its keys stand beside the message."""
    text, brace, payload = message.partition(" {")
    meta = json.loads("{" + payload) if brace and message.startswith("[Socratic") else {}
    return dumps({"level": level, "message": text if meta else message, **meta, "timestamp": iso(n)})


def winston_text(n: int, level: str, message: str) -> str:
    return f"2026-09-01 10:00:{n:02d} {level}: {message}"


def pino(n: int, level: str, message: str) -> str:
    return dumps(
        {
            "level": {"debug": 20, "info": 30, "warn": 40}[level],
            "time": micros(n) // 1000,
            "pid": 7,
            "hostname": "h",
            "msg": message,
        }
    )


def docker(inner: str, n: int) -> str:
    return dumps({"log": inner + "\n", "stream": "stdout", "time": iso(n)})


def journald(n: int, message: object) -> str:
    return dumps(
        {"__REALTIME_TIMESTAMP": str(micros(n)), "PRIORITY": "4", "_SYSTEMD_UNIT": "agent.service", "MESSAGE": message}
    )


def hit(n: int, level: str, message: str) -> dict[str, object]:
    return {"_index": "i", "_source": {"@timestamp": iso(n), "message": message, "log": {"level": level}}}


def cloudwatch(n: int, message: str) -> dict[str, object]:
    return {
        "logStreamName": "s",
        "timestamp": micros(n) // 1000,
        "message": message,
        "ingestionTime": micros(n) // 1000,
        "eventId": str(n),
    }


def packed(events: list[tuple[int, str]]) -> str:
    """A CloudWatch subscription's message as it is delivered: gzip in base64."""
    told = [{"id": str(n), "timestamp": micros(n) // 1000, "message": message} for n, message in events]
    page = {"messageType": "DATA_MESSAGE", "logGroup": "g", "logStream": "s", "logEvents": told}
    return base64.b64encode(gzip.compress(json.dumps(page).encode(), mtime=0)).decode()


def otlp(messages: list[tuple[int, str]]) -> dict[str, object]:
    records = [
        {"timeUnixNano": str(micros(n) * 1000), "severityNumber": 13, "body": {"stringValue": message}}
        for n, message in messages
    ]
    return {"resourceLogs": [{"resource": {"attributes": []}, "scopeLogs": [{"logRecords": [r]}]} for r in records]}


def halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]


def gcp_split(n: int, message: str) -> list[dict[str, object]]:
    return [
        {"textPayload": piece, "timestamp": iso(n), "split": {"uid": f"u-{n}", "index": index, "totalSplits": 2}}
        for index, piece in enumerate(halves(message))
    ]


Writer = Callable[[int, str, str], str]
WRITERS: dict[str, Writer] = {
    "winston-json": winston_json,
    "winston-siblings": winston_siblings,
    "winston-text": winston_text,
    "winston-colour": lambda n, level, message: f"2026-09-01 10:00:{n:02d} \x1b[33m{level}\x1b[39m: \x1b[1m{message}\x1b[22m",
    "winston-simple": lambda n, level, message: f"{level}: {message}",
    "plain": lambda n, level, message: message,
    "pino": pino,
    "bunyan": lambda n, level, message: dumps({"name": "a", "hostname": "h", "pid": 7, "level": 40, "msg": message, "time": iso(n), "v": 0}),
    "docker": lambda n, level, message: docker(winston_text(n, level, message), n),
    "docker-pino": lambda n, level, message: docker(pino(n, level, message), n),
    "cri": lambda n, level, message: f"2026-09-01T10:00:{n:02d}.123456789Z stdout F {winston_json(n, level, message)}",
    "journald": lambda n, level, message: journald(n, message),
    "journald-bytes": lambda n, level, message: journald(n, list(f"\x1b[33m{message}\x1b[0m".encode())),
    "loki": lambda n, level, message: dumps({"labels": {"app": "agent"}, "line": message, "timestamp": iso(n)}),
    "loki-docker-pino": lambda n, level, message: dumps({"line": docker(pino(n, level, message), n), "timestamp": iso(n)}),
    "gcp-json": lambda n, level, message: dumps({"insertId": str(n), "severity": "WARNING", "jsonPayload": {"message": message}, "timestamp": iso(n)}),
    "gcp-text": lambda n, level, message: dumps({"insertId": str(n), "textPayload": message, "timestamp": iso(n)}),
    "elasticsearch": lambda n, level, message: dumps(hit(n, level, message)),
    "structlog": lambda n, level, message: dumps({"event": message, "level": level, "timestamp": iso(n)}),
    "python-json-logger": lambda n, level, message: dumps({"asctime": f"2026-09-01 10:00:{n:02d},123", "levelname": "INFO", "message": message}),
    "unknown-logger": lambda n, level, message: dumps({"when": 1, "ts": micros(n) / 1e6, "text": message}),
    "syslog": lambda n, level, message: f"Sep  1 10:00:{n:02d} host agent[7]: {message}",
    "ascii-json": lambda n, level, message: json.dumps({"level": level, "message": message, "timestamp": iso(n)}),
    "vector": lambda n, level, message: dumps({"file": "/a.log", "host": "h", "message": message, "source_type": "file", "timestamp": iso(n)}),
    "vector-cri-winston": lambda n, level, message: dumps({"message": f"{iso(n)} stdout F {winston_json(n, level, message)}", "source_type": "file", "timestamp": iso(n)}),
    "datadog": lambda n, level, message: dumps({"_id": str(n), "date": iso(n), "status": level, "message": message, "host": "h", "tags": [], "attributes": {}}),
    "datadog-search": lambda n, level, message: dumps({"id": str(n), "type": "log", "attributes": {"timestamp": iso(n), "status": level, "message": message, "tags": []}}),
    "logstash": lambda n, level, message: dumps({"@message": message, "@timestamp": iso(n), "@fields": {"level": level}}),
    "fluent-bit-lines": lambda n, level, message: dumps({"date": micros(n) / 1e6, "log": message + "\n"}),
    "fluent-bit-file": lambda n, level, message: f"agent.log: [{micros(n) / 1e6}, {dumps({'log': message})}]",
    "fluent-bit-stdout": lambda n, level, message: f"[{n}] agent.log: [[{micros(n) / 1e6}, {{}}], {dumps({'log': message})}]",
    "s3-export": lambda n, level, message: f"{iso(n)} {pino(n, level, message)}",
    "asctime": lambda n, level, message: f"2026-09-01 10:00:{n:02d},123 - agent - WARNING - {message}",
    "compose": lambda n, level, message: f"agent-1  | {winston_text(n, level, message)}",
    "subscription": lambda n, level, message: dumps({"messageType": "DATA_MESSAGE", "logStream": "s", "logEvents": [{"id": str(n), "timestamp": micros(n) // 1000, "message": message}]}),
    "subscription-lambda": lambda n, level, message: dumps({"awslogs": {"data": packed([(n, message)])}}),
    "subscription-base64": lambda n, level, message: packed([(n, pino(n, level, message))]),
    "otlp-lines": lambda n, level, message: dumps(otlp([(n, message)])),
    "json-string": lambda n, level, message: dumps(winston_json(n, level, message)),
    "gcp-split": lambda n, level, message: "\n".join(map(dumps, gcp_split(n, message))),
    "docker-pieces": lambda n, level, message: "\n".join(dumps({"log": piece, "stream": "stdout", "time": iso(n)}) for piece in halves(winston_text(n, level, message) + "\n")),
    "cri-pieces": lambda n, level, message: "\n".join(f"{iso(n)} stdout {flag} {piece}" for flag, piece in zip("PF", halves(message), strict=True)),
}  # fmt: skip
UNDATED = {"winston-simple", "plain", "syslog"}
"""Envelopes that give no time, or none with a year."""


def lines_of(writer: Writer) -> list[str]:
    return [writer(n, level, message) for n, (level, message) in enumerate(STAGE)]


def text_of(writer: Writer) -> str:
    return "\n".join(lines_of(writer)) + "\n"


def documents() -> dict[str, str]:
    """The same events as JSON documents."""
    stage = list(enumerate(STAGE))
    records = [{"level": level, "message": message, "timestamp": iso(n)} for n, (level, message) in stage]
    events = [cloudwatch(n, message) for n, (_, message) in stage]
    hits = [hit(n, level, message) for n, (level, message) in stage]
    entries = [{"insertId": str(n), "textPayload": message, "timestamp": iso(n)} for n, (_, message) in stage]
    rows = [
        [{"field": "@timestamp", "value": f"2026-09-01 10:00:{n:02d}.123"}, {"field": "@message", "value": m}]
        for n, (_, m) in stage
    ]
    resources = otlp([(n, message) for n, (_, message) in stage])
    splits = [piece for n, (_, message) in stage for piece in gcp_split(n, message)]
    kinesis = {"Records": [{"kinesis": {"data": packed([(n, message)])}} for n, (_, message) in stage]}
    return {
        "array": dumps(records),
        "array-pretty": json.dumps(records, indent=2),
        "array-lines": "[\n" + ",\n".join(dumps(record) for record in records) + "\n]\n",
        "pretty-objects": "\n".join(json.dumps(record, indent=2) for record in records),
        "glued-objects": "".join(dumps(record) for record in records),
        "events": dumps({"events": events, "nextToken": "n"}),
        "events-pretty": json.dumps({"events": events, "nextToken": "n"}, indent=2),
        "hits": dumps({"took": 1, "hits": {"total": 12, "hits": hits}}),
        "hits-pretty": json.dumps({"took": 1, "hits": {"total": 12, "hits": hits}}, indent=1),
        "entries": dumps({"entries": entries}),
        "insights": dumps({"results": rows, "status": "Complete"}),
        "insights-pretty": json.dumps({"results": rows, "status": "Complete"}, indent=2),
        "otlp": dumps(resources),
        "otlp-pretty": json.dumps(resources, indent=2),
        "splits": json.dumps(splits, indent=2),
        "splits-entries": dumps({"entries": splits}),
        "kinesis": dumps(kinesis),
        "kinesis-pretty": json.dumps(kinesis, indent=2),
        "datadog-pretty": json.dumps(
            [{"date": r["timestamp"], "status": "warn", "message": r["message"]} for r in records], indent=1
        ),
        "pages": "\n".join(dumps({"events": [event]}) for event in events) + "\n",
    }


def read(paths: Path | list[Path], db: Path, **options: object) -> Summary:
    """Ingest and give the summary."""
    return ingest([str(path) for path in ([paths] if isinstance(paths, Path) else paths)], db, **options)  # type: ignore[arg-type]


def rows(db: Path, sql: str) -> list[tuple[object, ...]]:
    """The rows of a query on the store, through a plain connection as any client would open it."""
    with duckdb.connect(str(db), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def counts(db: Path) -> tuple[int, int, int]:
    """Events, fires and rejects in the store."""
    [found] = rows(
        db, "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM fires), (SELECT count(*) FROM rejects)"
    )
    return found  # type: ignore[return-value]
