"""What an object is that could be several things, and what every envelope knows of times, levels and sessions."""

import json
from typing import Any

import pytest

from ingest.block import Origin
from ingest.envelope import JsonEnvelope, envelopes, stands
from ingest.frames import Frames
from ingest.line import Parser
from ingest.parse import parse_block
from ingest.search import standard_search
from ingest.times import zone
from ingest.unwrap import Unwrapper
from tests.ingest.logs import dumps

REASON = {"attempt": 1, "reason": "no digits"}
REJECTED = f"[SocraticStage] draft rejected {dumps(REASON)}"
GATE = {"reason": "failures_with_claim", "session": "s-1"}
AT = "2026-09-01T10:00:00Z"
SIGNS: tuple[dict[str, Any], ...] = (
    {"line": 42},
    {"line": "stage.ts:42", "labels": {"app": "a"}},
    {"results": [{"ok": False}]},
    {"results": [[{"field": "@message", "value": "x"}]]},
    *({place: held} for place in ("entries", "events", "logEvents", "records") for held in ([], ["x"], [{"message": "x"}])),
    {"hits": {"total": 0, "hits": [{"_source": {"message": "x"}}]}},
    {"_source": "kb"},
    {"_source": {"message": "x"}},
    {"textPayload": "x"},
    {"jsonPayload": {"message": "x"}},
    {"log": "x\n", "stream": "stdout", "time": AT},
    {"log": {"level": "warn"}},
    {"log": "worker-3", "date": 1788000000.123},
    {"body": {"a": 1}},
    {"text": "x", "content": "y"},
    {"role": "assistant", "parts": [{"type": "text", "text": "x"}]},
    {"MESSAGE": "x", "__REALTIME_TIMESTAMP": "1788000000123456", "PRIORITY": "3"},
    {"attributes": {"message": "x", "status": "info"}},
    {"awslogs": {"data": "H4sI"}},
    {"Records": [{"kinesis": {"data": "H4sI"}}]},
    {"resourceLogs": [{"scopeLogs": []}]},
    {"otlpBody": "x", "attributes": {}},
    {"@csv": {"message": "x"}},
    {"version": "1.1", "host": "h", "short_message": "x"},
    {"Body": "x", "Timestamp": AT},
    {"status": 200, "tags": ["a"], "source_type": "http"},
)  # fmt: skip
OWN: tuple[dict[str, Any], ...] = (
    {"level": "warn", "message": REJECTED, "timestamp": AT},
    {"level": 40, "time": 1788000000123, "msg": REJECTED},
    {"event": REJECTED, "level": "warning", "timestamp": AT},
    {"event": REJECTED},
    {"message": "[SocraticStage] draft rejected", **REASON},
    {"event": "honesty_gate_fired", **GATE},
    {"msg": "honesty_gate_fired", "level": 40, **GATE},
)


def frames(*lines: str, tz: str = "UTC") -> Frames:
    """The rows of these lines, as one file."""
    data = "\n".join(lines).encode() + b"\n"
    return parse_block(data, Origin(0, 0, "s"), Parser(Unwrapper(zone(tz)), standard_search()), last=True)


def events(*lines: str, columns: str = "kind", tz: str = "UTC") -> list[tuple[Any, ...]]:
    """These columns of the events on these lines; times as text."""
    found = frames(*lines, tz=tz)
    assert [] == found.rejects.rows()
    names = columns.split()
    return [tuple(str(v) if n == "time" and v else v for n, v in zip(names, row, strict=True)) for row in found.events.select(names).rows()]  # fmt: skip


@pytest.mark.parametrize("own", OWN, ids=[f"{next(iter(own))}-{n}" for n, own in enumerate(OWN)])
@pytest.mark.parametrize("sign", SIGNS, ids=[f"{n}-{'-'.join(sign)}" for n, sign in enumerate(SIGNS)])
def test_an_object_with_a_message_of_its_own_is_no_wrapper(own: dict[str, Any], sign: dict[str, Any]) -> None:
    """Protects a record from a field beside its message that is called as in some collector's envelope."""
    kind = "draft_rejected" if "SocraticStage" in str(own) else "gate_fired"
    for line in (dumps({**sign, **own}), dumps({**own, **sign})):
        assert [(kind,)] == events(line)


def test_the_signs_above_are_those_of_every_wrapper() -> None:
    """Protects the test above from a new envelope whose sign it does not know."""
    wrappers = [e for e in envelopes() if isinstance(e, JsonEnvelope) and e.wraps]
    known = {path for e in wrappers for path in e.payload if any(stands(sign, path) for sign in SIGNS)}
    own = {"message", "@message", "protoPayload"}
    assert [] == [(e.name, path) for e in wrappers for path in e.payload if path not in known | own]


@pytest.mark.parametrize("key", ["type", "eventName", "event.name"])
@pytest.mark.parametrize("sign", [{"results": [{"ok": False}]}, {"entries": []}, {"records": [{"ok": False}]}, {"_source": "kb"}, {"line": "a:1"}, {"log": {"a": 1}}, {"log": "x"}])  # fmt: skip
def test_a_name_at_top_level_is_found_beside_what_is_no_wrapper(key: str, sign: dict[str, Any]) -> None:
    """Protects events that are named by `type` and its like from fields that are called as in an envelope."""
    assert [("gate_fired",)] == events(dumps({key: "honesty_gate_fired", "timestamp": AT, **GATE, **sign}))


LATE = ("2026-08-29 10:40:00.123000", "warn")


@pytest.mark.parametrize(
    "level", ["level", "levelname", "severity", "status", "log.level", "lvl", "level_name", "severityText"]
)
@pytest.mark.parametrize("time", ["timestamp", "time", "ts", "@timestamp", "date", "datetime", "eventTime"])
@pytest.mark.parametrize("beside", [{}, {"levelname": None}, {"@version": "1", "@timestamp": None}, {"source_type": "file", "timestamp": None}])  # fmt: skip
def test_every_envelope_knows_every_name_of_a_time_and_a_level(level: str, time: str, beside: dict[str, Any]) -> None:
    """Protects times and levels of collectors that rename them, or merge a record into their own fields."""
    line = dumps({**beside, "message": REJECTED, level: "WARNING", time: 1788000000.123})
    assert [LATE] == events(line, columns="time level")
    if level == "log.level":
        assert [LATE] == events(dumps({**beside, "message": REJECTED, "log": {"level": "warn"}, time: 1788000000123}), columns="time level")  # fmt: skip


def test_a_journal_entry_that_vector_collected_has_its_priority() -> None:
    """Protects the level of Vector's journald source, a number on syslog's scale."""
    line = dumps({"source_type": "journald", "message": REJECTED, "timestamp": AT, "PRIORITY": "4"})
    assert [("2026-09-01 10:00:00", "warn")] == events(line, columns="time level")


@pytest.mark.parametrize("local", ["asctime", "timestamp", "time"])
def test_a_collectors_absolute_time_goes_before_a_local_one(local: str) -> None:
    """Protects a record from an assumed zone where the collector wrote beside it when it was, but not from a time of another kind."""
    fields = {"message": REJECTED, "levelname": "WARNING", local: "2026-08-29 12:40:00,100"}
    assert [LATE] == events(dumps({**fields, "date": 1788000000.123}), columns="time level", tz="Asia/Tokyo")
    other = dumps({**fields, "created_at": "2020-01-01T00:00:00Z"})
    assert [("2026-08-29 10:40:00.100000",)] == events(other, columns="time", tz="Europe/Berlin")


@pytest.mark.parametrize(("fields", "level"), [({"severity": "high"}, None), ({"status": "ok"}, None), ({"status": 200}, None), ({"severity": "high", "status": "warn"}, "warn"), ({"severity": "ERROR"}, "error"), ({"level": "odd"}, "odd")])  # fmt: skip
def test_how_severe_a_gate_is_is_no_level(fields: dict[str, Any], level: str | None) -> None:
    """Protects the level from the gate's own severity and status, alone, and within an envelope that has a level."""
    gate = dumps({"event": "honesty_gate_fired", **GATE, **fields})
    assert [(level,)] == events(gate, columns="level")
    assert [(level,)] == events(dumps({"log": gate + "\n", "stream": "stderr", "time": AT}), columns="level")
    assert [(level or "warn",)] == events(dumps({"MESSAGE": gate, "__REALTIME_TIMESTAMP": "1788000000123456", "PRIORITY": "4"}), columns="level")  # fmt: skip
    assert [(level or "warn",)] == events(dumps({"severity": "WARNING", "jsonPayload": json.loads(gate), "timestamp": AT}), columns="level")  # fmt: skip


@pytest.mark.parametrize("name", ["session.id", "gen_ai.conversation.id", "conversation.id", "sessionId"])
@pytest.mark.parametrize("place", ["record", "scope", "resource"])
def test_an_opentelemetry_session_goes_before_the_trace(name: str, place: str) -> None:
    """Protects a session that OpenTelemetry's own names give, wherever they stand, from the id of a trace."""
    said = {"attributes": [{"key": name, "value": {"stringValue": "c-1"}}]}
    record = {"timeUnixNano": "1788000000123456789", "traceId": "AbCd", "body": {"stringValue": REJECTED}, **(said if place == "record" else {})}  # fmt: skip
    scope = {"logRecords": [record], "scope": said if place == "scope" else {}}
    line = dumps({"resourceLogs": [{"resource": said if place == "resource" else {}, "scopeLogs": [scope]}]})
    assert [("c-1",)] == events(line, columns="session")
    flat = dumps({"message": REJECTED, "trace_id": "AbCd", name: "c-1"})
    assert [("c-1",)] == events(flat, columns="session")


def test_runs_of_two_pods_in_one_file_are_told_apart() -> None:
    """Protects the pairing of runs: what the docker parser leaves beside `log` still says which pod it was."""
    at = "2026-08-29T10:40:00.000Z"
    lines = [dumps({"date": 1788000000, "log": REJECTED + "\n", "stream": "stdout", "time": at, "kubernetes": {"pod_name": pod}}) for pod in "AB"]  # fmt: skip
    assert [("s A",), ("s B",)] == events(*lines, columns="stream")
    by_name = dumps({"container_id": "c1", "container_name": "/agent", "source": "stdout", "log": REJECTED})
    assert [("s c1",)] == events(by_name, columns="stream")


@pytest.mark.parametrize("mark", ["", "\x1e"])
@pytest.mark.parametrize("message", [REJECTED, list(REJECTED.encode())])
def test_the_journal_as_a_sequence_of_json_texts(mark: str, message: object) -> None:
    """Protects `journalctl -o json-seq`, which begins each record with a separator."""
    line = dumps({"__REALTIME_TIMESTAMP": "1788000000123456", "PRIORITY": "4", "MESSAGE": message})
    assert [("draft_rejected", "warn")] == events(mark + line, columns="kind level")


@pytest.mark.parametrize("prefix", ["[agent] warn: ", "[WARN] [agent]: ", "\x1b[33mwarn\x1b[39m [agent.stage]: ", "[agent] [warn]: "])  # fmt: skip
def test_the_label_of_winstons_customary_template(prefix: str) -> None:
    """Protects text logs that follow winston's own example, and prose with the same words from being events."""
    assert [("draft_rejected", "warn")] == events(f"2026-09-01 10:00:00 {prefix}{REJECTED}", columns="kind level")
    assert [] == events(f"2026-09-01 10:00:00 {prefix}we saw {REJECTED}")


@pytest.mark.parametrize("field", ["@message", "msg", "event"])
@pytest.mark.parametrize("layout", ["results", "rows", "row"])
def test_rows_of_insights_are_utc_whatever_they_select(field: str, layout: str) -> None:
    """Protects Insights' times from --tz, also where a parsed field was asked for, and its results without what holds them."""
    row = [{"field": "@timestamp", "value": "2026-09-01 10:00:00.123"}, {"field": field, "value": REJECTED}]
    layouts: dict[str, Any] = {"results": {"results": [row]}, "rows": [row], "row": row}
    line = dumps(layouts[layout])
    assert [("2026-09-01 10:00:00.123000",)] == events(line, columns="time", tz="Europe/Berlin")


UUID = "6bc28136-0000-4000-8000-000000000000"
PREFIXES = (
    f"2026-09-01T10:00:00.123Z\t{UUID}\tWARN\t",
    f"[WARNING]\t2026-09-01T10:00:00.123Z\t{UUID}\t",
    "2026-09-01 10:00:00 | WARNING | ",
    "2026-09-01 10:00:00.123 | WARNING  | agent.stage:run:42 - ",
    "Sep 01 10:00:00.123456 host agent[12]: ",
    "Tue 2026-09-01 10:00:00 CEST host agent[12]: ",
    "2026-09-01T10:00:00.123456+00:00 app[web.1]: ",
    "83 <190>1 2026-09-01T10:00:00.123456+00:00 host app web.1 - ",
    "2026-09-01T10:00:00.123000+00:00 2026/09/01/[$LATEST]0123abcd ",
    "agent.1.0123456789abcdefghijklmno@node-1    | ",
    "2026-09-01T10:00:00.123456Z [warning  ] ",
)
CONSOLE = (
    '[honesty] session=s-1 fired severity=high reason=failures_with_claim failCount=2 okCount=1 claim="it is done"'
)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_the_prefixes_of_platforms_are_taken_off_and_prose_behind_them_is_no_event(prefix: str) -> None:
    """Protects every kind of line behind the prefixes that platforms and loggers write, and what only mentions one."""
    failed = "[SocraticStage] writer call failed Error: retries=3 left"
    assert [("draft_rejected", None), ("gate_fired", "it is done"), ("writer_failed", "Error: retries=3 left")] == events(prefix + REJECTED, prefix + CONSOLE, prefix + failed, columns="kind text")  # fmt: skip
    json_line = dumps({"level": 40, "msg": REJECTED})
    page = dumps({"events": [{"timestamp": 1788000000123, "message": prefix + json_line + "\n", "eventId": "1"}]})
    assert [("draft_rejected",)] * 2 == events(prefix + json_line, page)
    assert [] == events(f"{prefix}someone asked about {REJECTED}", f"{prefix}a note on honesty_gate_fired")


def fielded(message: str) -> tuple[str, ...]:
    """`message` within each envelope that is no prefix."""
    return (
        dumps({"version": "1.1", "host": "h", "short_message": message, "timestamp": 1788000000.123, "level": 4}),
        dumps({"Timestamp": "2026-08-29 10:40:00.123", "SeverityNumber": 13, "Body": message}),
        f"time=2026-08-29T10:40:00.123Z level=warn msg={json.dumps(message)}",
        "2026-08-29T12:40:00.123+02:00\tkube.agent\t" + dumps({"level": "warn", "message": message}),
    )


def test_the_envelopes_with_fields_give_the_record_its_time_and_level() -> None:
    """Protects GELF, OpenTelemetry's rows, logfmt and fluentd's files, and prose within them from being an event."""
    assert [LATE] * 4 == events(*fielded(REJECTED), columns="time level")
    assert [LATE] * 4 == events(*fielded(CONSOLE), columns="time level")
    assert [] == events(*fielded(f"someone asked about {REJECTED}"))


@pytest.mark.parametrize("value", [r"'\xZZ'", r"'it\'s \\ done'", "'open", "'a\x00b'", '"it\'s"', "a='b"])
def test_what_is_no_python_in_a_structlog_console_crashes_nothing(value: str) -> None:
    """Protects an ingest from values that only look as Python writes them; none is ever evaluated."""
    line = f"2026-09-01T10:00:00Z [warning  ] {REJECTED}      [agent.stage] why={value}"
    found = frames(line, REJECTED)
    assert 2 == found.events.height + found.rejects.height
    gate = f"2026-09-01T10:00:00Z [warning  ] honesty_gate_fired      [agent] reason=failures_with_claim why={value}"
    assert (
        2
        == frames(gate, REJECTED).events.height
        + frames(gate, REJECTED).rejects.height
        + frames(gate, REJECTED).mentions
    )


@pytest.mark.parametrize(
    ("written", "value"),
    [(r"'it is \'done\''", "it is 'done'"), (r'"it\'s"', "it's"), (r"'a\nb'", "a\nb"), (r"'\x'", r"\x"), (r"'\N{none}\d'", r"\N{none}\d")],
)  # fmt: skip
def test_a_value_of_structlogs_console_is_read_and_never_run(written: str, value: str) -> None:
    """Protects against values that Python could not read: an escape that is not known stays as it is."""
    line = (
        f"2026-09-01T10:00:00.123Z [warning  ] honesty_gate_fired   reason=failures_with_claim matchedClaim={written}"
    )
    assert [(value,)] == events(line, columns="text")


@pytest.mark.parametrize("long", [" a=b" * 200_000 + " ;", " " * 1_000_000 + ";", " " * 1_000_000 + "]"])
@pytest.mark.parametrize(
    "prefix", ["2026-09-01T10:00:00.123Z [warning  ] ", "level=info msg=", "2026-09-01 10:00:00 | INFO | "]
)
def test_a_long_line_is_read_in_one_pass(prefix: str, long: str) -> None:
    """Protects an ingest from a hostile line: it has an end, whatever it is worth."""
    assert [] == events(f"{prefix}honesty_gate_fired{long}")


def test_a_structlog_line_of_very_many_pairs_is_an_event() -> None:
    """Protects an ingest from taking a line with a million pairs apart a million times."""
    line = (
        "2026-09-01T10:00:00.123Z [warning  ] honesty_gate_fired" + " a=b" * 1_000_000 + " reason=failures_with_claim"
    )
    assert [("gate_fired", "warn")] == events(line, columns="kind level")
