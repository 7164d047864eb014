"""What log formats do to those who read them: every trap of the formats' notes by its number, and each row of the table of
what parsers do with odd input."""

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ingest import ingest
from ingest.block import Origin
from ingest.frames import Frames
from ingest.levels import level_name
from ingest.line import Parser
from ingest.parse import parse_block
from ingest.search import standard_search
from ingest.times import zone
from ingest.unwrap import Unwrapper
from tests.ingest.logs import counts, dumps, read, rows

DONE = "[turn] session=s-1 done outcome=response"
SUMMARY = '[SocraticStage] summary {"outcome":"silent","attempts":4}'
FAILED = "[SocraticStage] writer call failed"
DRAFT = '[SocraticStage] draft rejected {"attempt":1,"stage":"shape","reason":"no digits","draft":"why?"}'
AT = "2026-09-01T10:00:00.123456789Z"


def frames(*lines: str | bytes, tz: str = "UTC") -> Frames:
    """The rows of these lines, as one file."""
    data = b"\n".join(line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line for line in lines)
    return parse_block(data + b"\n", Origin(0, 0, "s"), Parser(Unwrapper(zone(tz)), standard_search()), last=True)


def events(*lines: str | bytes, columns: str = "kind", tz: str = "UTC") -> list[tuple[Any, ...]]:
    """These columns of the events on these lines; times as text."""
    found = frames(*lines, tz=tz)
    assert [] == found.rejects.rows()
    names = columns.split()
    return [tuple(str(v) if n == "time" and v else v for n, v in zip(names, row, strict=True)) for row in found.events.select(names).rows()]  # fmt: skip


def whys(*lines: str | bytes) -> list[tuple[int, str]]:
    """Line and reason of each reject, where there is no event."""
    found = frames(*lines)
    assert 0 == found.events.height
    return found.rejects.select("line", "why").rows()


def meta(message: str, **fields: object) -> str:
    return dumps({"level": "warn", "message": message, **fields})


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "store.duckdb"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "app.log"


@pytest.mark.parametrize(
    "line",
    [
        meta(SUMMARY),
        f"warn: {SUMMARY}",
        dumps({"event": SUMMARY, "level": "warning"}),
        dumps({"message": SUMMARY, "taskName": None}),
    ],
)
def test_1_a_record_without_a_time_counts_and_is_undated(line: str) -> None:
    """Protects trap 1: winston, structlog and python-json-logger write no time unless they are told to."""
    assert [("summary", None, None)] == events(line, columns="kind time time_source")


def test_1_the_outer_envelope_dates_what_has_no_time_of_its_own() -> None:
    """Protects trap 1, second half: a collector's time is used where the record has none, and said to be its."""
    line = dumps({"log": meta(SUMMARY) + "\n", "stream": "stdout", "time": AT})
    assert [("2026-09-01 10:00:00.123456", "docker")] == events(line, columns="time time_source")


def test_2_winston_may_append_the_message_of_the_meta() -> None:
    """Protects trap 2: a message with something after it is still that message, and its meta stands beside it."""
    line = meta("[SocraticStage] draft rejected and its own message", attempt=2, reason="no digits", draft="why?")
    assert [("draft_rejected", 2, "why?")] == events(line, columns="kind attempt text")


def test_2_a_name_may_have_the_message_of_the_meta_behind_it() -> None:
    """Protects trap 2 for records that are told by a name: what is behind it hides no record, and prose stays prose."""
    fields = {"reason": "failures_with_claim", "severity": "high", "sessionId": "s-1"}
    assert [("gate_fired", "s-1")] == events(
        meta("honesty_gate_fired and its own message", **fields), columns="kind session"
    )
    assert [] == events(meta("honesty_gate_fired is what we log", sessionId="s-1"), columns="kind")


def test_3_colours_within_json_are_taken_off_after_decoding() -> None:
    """Protects trap 3: winston colours the level inside JSON, and the message too if it is told to."""
    line = '{"level":"\\u001b[33mwarn\\u001b[39m","message":"\\u001b[1m[turn] session=s-1 done outcome=response\\u001b[22m"}'
    assert [("turn_done", "warn", "s-1")] == events(line, columns="kind level session")


def test_4_printf_without_the_meta_is_a_reject_that_says_so() -> None:
    """Protects trap 4: a hit that was logged without its reason is counted among the rejects, not lost."""
    line = "2026-09-01 10:00:00 warn: [SocraticStage] draft rejected"
    assert [(1, "draft_rejected: its payload is missing (no 'reason')")] == whys(line)


def test_5_the_last_of_a_repeated_key_wins() -> None:
    """Protects trap 5: pino repeats keys, and by its own documentation the last one counts."""
    line = '{"level":40,"time":1788000000123,"msg":"first","sessionId":"old","msg":"%s","sessionId":"new"}'
    assert [("turn_done", "s-1")] == events(line % DONE, columns="kind session")
    assert [("summary", "new")] == events(line % SUMMARY.replace('"', '\\"'), columns="kind session")


@pytest.mark.parametrize(
    ("value", "scale", "word"),
    [
        *((n, "pino", w) for n, w in zip((10, 20, 30, 40, 50, 60), ("trace", "debug", "info", "warn", "error", "critical"), strict=True)),
        *((str(n), "syslog", w) for n, w in enumerate(("critical", "critical", "critical", "error", "warn", "notice", "info", "debug"))),
        *((n, "otlp", w) for n, w in ((1, "trace"), (8, "debug"), (9, "info"), (13, "warn"), (17, "error"), (24, "critical"))),
        (30, "otlp", None), ("warning", "pino", "warn"), ("WARNING", "pino", "warn"), ("DEFAULT", "pino", "info"),
        ("EMERGENCY", "pino", "critical"), ("silly", "pino", "trace"), ("40", "pino", "warn"), (True, "pino", None),
    ],
)  # fmt: skip
def test_6_levels_of_every_scale_are_one_scale(value: object, scale: str, word: str | None) -> None:
    """Protects trap 6: 30 is info for pino and nothing for OpenTelemetry, 4 is a warning for journald."""
    assert word == level_name(value, scale)


def test_6_numbers_and_words_may_stand_in_one_file() -> None:
    """Protects trap 6: services of one file may disagree about what a level is."""
    lines = [dumps({"level": level, "time": 1788000000123, "msg": DONE}) for level in (40, "error", "info")]
    assert [("warn",), ("error",), ("info",)] == events(*lines, columns="level")


@pytest.mark.parametrize("key", ["event", "msg", "type", "eventName", "event.name"])
def test_7_event_is_the_message_of_one_logger_and_the_name_of_another(key: str) -> None:
    """Protects trap 7: an event name is found under each key that writers use, and structlog's message under `event`."""
    fields = {"sessionId": "s-1", "severity": "high", "reason": "failures_with_claim", "failCount": 2, "okCount": 1}
    assert [("gate_fired", "high", 2)] == events(dumps({key: "honesty_gate_fired", **fields}), columns="kind severity fail_count")  # fmt: skip
    assert [("summary",)] == events(dumps({"event": SUMMARY, "level": "warning", "timestamp": AT}))


def docker(content: str, stream: str) -> str:
    return dumps({"log": content, "stream": stream, "time": AT})


def test_8_docker_pieces_of_two_streams_are_joined_each_by_itself() -> None:
    """Protects trap 8: a piece without a line feed goes on in the next record of its own stream."""
    one, other = meta(DRAFT, conversationId="c-1"), meta(DRAFT, conversationId="c-2")
    lines = [docker(one[:60], "stdout"), docker(other[:30], "stderr"), docker(one[60:] + "\n", "stdout"), docker(other[30:] + "\n", "stderr")]  # fmt: skip
    assert [("c-1", "why?"), ("c-2", "why?")] == events(*lines, columns="session text")


def test_9_cri_pieces_are_joined_and_a_dangling_one_is_a_reject() -> None:
    """Protects trap 9: P and F by stream, an offset in the time, and a file that ends within a line."""
    line = meta(DRAFT, conversationId="c-1")
    first, other, last = f"{AT} stdout P {line[:60]}", f"{AT} stderr F chatter", f"{AT} stdout F {line[60:]}"
    assert [("c-1", "why?")] == events(first, other, last, columns="session text")
    assert [(1, "the JSON is cut off")] == whys(first, other)


def test_9_a_piece_that_the_collector_let_go_early_is_a_reject() -> None:
    """Protects trap 9: the end of a line that was flushed before is no record by itself, and its start is told."""
    line = meta(DRAFT)
    found = frames(f"{AT} stdout F {line[:60]}", f"{AT} stdout F {line[60:]}", f"{AT} stdout F {DONE}")
    assert (["turn_done"], ["the JSON is cut off"]) == (found.events["kind"].to_list(), found.rejects["why"].to_list())


def journald(message: object, **fields: object) -> str:
    return dumps({"__REALTIME_TIMESTAMP": "1788000000123456", "PRIORITY": "4", **fields, "MESSAGE": message})


def test_10_journald_bytes_are_text_null_is_a_loss_and_repeated_fields_are_a_list() -> None:
    """Protects trap 10: bytes (an escape code is unprintable), a field that was too large, a field that was set twice."""
    coloured = list(f"\x1b[33m{SUMMARY}\x1b[0m".encode())
    assert [("summary", "warn")] == events(journald(coloured), columns="kind level")
    assert [("summary",), ("turn_done",)] == events(journald(["chatter", SUMMARY, list(DONE.encode())]))
    assert [("turn_done", "error")] == events(journald(DONE, PRIORITY=["4", "3"]), columns="kind level")
    assert [(1, "the payload is lost: journald left out a field that was too large")] == whys(journald(None))


def gcp_pieces(text: str, *cuts: int) -> list[dict[str, object]]:
    edges = [0, *cuts, len(text)]
    return [
        {"insertId": f"i{n}", "logName": "l", "timestamp": AT, "textPayload": text[start:end],
         "split": {"uid": "u-1", "index": n, "totalSplits": len(edges) - 1}}
        for n, (start, end) in enumerate(pairwise(edges))
    ]  # fmt: skip


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (0, 1, 1, 2)])
@pytest.mark.parametrize("layout", ["lines", "array", "entries", "entries-line"])
def test_11_a_split_entry_of_google_cloud_is_one_record(
    order: tuple[int, ...], layout: str, log: Path, db: Path
) -> None:
    """Protects trap 11: pieces are put together by uid and index, in any order, with others between, and each once."""
    pieces = gcp_pieces(meta(DRAFT, conversationId="c-1"), 20, 70)
    entries = [pieces[n] for n in order]
    entries[1:1] = [{"insertId": "x", "timestamp": AT, "textPayload": DONE}]
    log.write_text(
        {
            "lines": "\n".join(map(dumps, entries)) + "\n",
            "array": json.dumps(entries, indent=2),
            "entries": json.dumps({"entries": entries}, indent=2),
            "entries-line": dumps({"entries": entries}) + "\n",
        }[layout]
    )
    read(log, db)
    assert [("draft_rejected", "c-1", "why?"), ("turn_done", "s-1", None)] == rows(db, "SELECT kind, session, text FROM events ORDER BY 1")  # fmt: skip
    assert (2, 1, 0) == counts(db)


def test_11_a_split_entry_that_lacks_a_piece_is_a_reject(log: Path, db: Path) -> None:
    """Protects trap 11: what is left of an incomplete entry is told, in lines as in a document."""
    pieces = gcp_pieces(meta(DRAFT), 20, 70)[:2]
    assert [(1, "the JSON is cut off")] == whys(*map(dumps, pieces))
    log.write_text(json.dumps(pieces, indent=2))
    read(log, db)
    assert [("the JSON is cut off",)] == rows(db, "SELECT why FROM rejects")


def test_11_an_object_that_was_split_keeps_its_fields() -> None:
    """Protects trap 11 for entries whose payload is an object with a message."""
    first, second = ({"timestamp": AT, "jsonPayload": {"message": part, "sessionId": "s-9"}, "split": {"uid": "u", "index": n, "totalSplits": 2}} for n, part in enumerate((SUMMARY[:20], SUMMARY[20:])))  # fmt: skip
    assert [("summary", "s-9")] == events(dumps(first), dumps(second), columns="kind session")


def test_12_cloudwatch_pages_may_be_empty_and_their_events_carry_their_own_time() -> None:
    """Protects trap 12: an empty page with a token is no error, and `timestamp` counts, not the later `ingestionTime`."""
    event = {"eventId": "1", "ingestionTime": 1788000999000, "logStreamName": "s", "message": SUMMARY, "timestamp": 1788000000123}  # fmt: skip
    pages = dumps({"events": [], "nextToken": "n"}), dumps({"events": [event], "nextToken": "m"})
    assert [("summary", "2026-08-29 10:40:00.123000", "s s")] == events(*pages, columns="kind time stream")


def test_13_an_absent_hit_may_be_a_loss_of_the_pipeline(log: Path, db: Path) -> None:
    """Protects trap 13: what a collector cut off is a reject, and the days that hold logs at all are known."""
    log.write_text(dumps({"date": 1788000000.5, "log": meta(DRAFT)[:90]}) + "\n" + dumps({"date": 1788100000.5, "log": "chatter"}) + "\n")  # fmt: skip
    summary = read(log, db)
    assert (0, 1) == (summary.events, summary.rejected)
    assert [("2026-08-30",)] == rows(db, "SELECT strftime(day, '%Y-%m-%d') FROM coverage")


@pytest.mark.parametrize("value", [1788000000, 1788000000.0, 1788000000000, 1788000000000000, 1788000000000000000, "1788000000", "1788000000000", "1788000000000000000", "1788000000.0"])  # fmt: skip
def test_14_the_unit_of_an_epoch_is_told_by_its_size(value: object) -> None:
    """Protects trap 14: seconds, milliseconds, microseconds, nanoseconds, as numbers, fractions or text."""
    assert [("2026-08-29 10:40:00",)] == events(meta(SUMMARY, timestamp=value), columns="time")


@pytest.mark.parametrize("value", [0.25, 12, "0.25", 946684799])
def test_14_a_time_before_2000_is_no_time(value: object) -> None:
    """Protects trap 14: what counts from the start of a program does not date its records."""
    assert [(None,)] == events(meta(SUMMARY, timestamp=value), columns="time")


def test_15_a_comma_and_no_offset_is_local_time_in_the_zone_that_was_given() -> None:
    """Protects trap 15: Python's asctime is read, placed by --tz, and says that its zone was assumed."""
    text = f"2026-07-01 12:00:00,123 - agent - WARNING - {SUMMARY}"
    fields = dumps({"asctime": "2026-07-01 12:00:00,123", "levelname": "WARNING", "message": SUMMARY})
    source = " (assumed Europe/Berlin)"
    assert [
        ("2026-07-01 10:00:00.123000", f"time prefix{source}", "warn"),
        ("2026-07-01 10:00:00.123000", f"python-json-logger{source}", "warn"),
    ] == events(text, fields, columns="time time_source level", tz="Europe/Berlin")


def test_15_times_that_are_utc_without_saying_so_are_not_moved() -> None:
    """Protects CloudWatch Insights and Fluent Bit's java_sql_timestamp from --tz: both are always UTC."""
    insights = dumps({"results": [[{"field": "@timestamp", "value": "2026-09-01 10:00:00.123"}, {"field": "@message", "value": SUMMARY}]]})  # fmt: skip
    fluent = dumps({"date": "2026-09-01 10:00:00.123000", "log": SUMMARY})
    assert [("2026-09-01 10:00:00.123000",)] * 2 == events(insights, fluent, columns="time", tz="Asia/Tokyo")


def test_16_typed_values_of_otlp_are_plain() -> None:
    """Protects trap 16: intValue is a string, kvlists and arrays nest, ids are hex in any case, bytes are base64."""
    values = [
        {"key": "event", "value": {"stringValue": "honesty_gate_fired"}},
        {"key": "reason", "value": {"stringValue": "failures_with_claim"}},
        {"key": "failCount", "value": {"intValue": "2"}},
        {"key": "okCount", "value": {"intValue": 1}},
        {"key": "more", "value": {"kvlistValue": {"values": [{"key": "a", "value": {"arrayValue": {"values": [{"doubleValue": 0.5}, {"boolValue": True}, {}]}}}]}}},
    ]  # fmt: skip
    record = {"timeUnixNano": "1788000000123456789", "severityNumber": 13, "traceId": "AbCd", "body": {"kvlistValue": {"values": values}}}  # fmt: skip
    plain = {"timeUnixNano": "0", "observedTimeUnixNano": "1788000000123456789", "severityNumber": 0, "severityText": "WARN", "eventName": "honesty_gate_fired", "attributes": values[1:]}  # fmt: skip
    line = dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record, plain]}]}]})
    at = "2026-08-29 10:40:00.123456"
    assert [(at, "warn", "AbCd", 2, 1), (at, "warn", None, 2, 1)] == events(line, columns="time level session fail_count ok_count")  # fmt: skip
    assert json.loads(frames(line).events["extra"][0])["more"] == {"a": [0.5, True, None]}


@pytest.mark.parametrize(
    "line", [f"    at f ({DONE})", f"  {DONE}", f"\t{DONE}", f"Caused by: {DONE}", f'  File "{DONE}"', f"...{DONE}"]
)
@pytest.mark.parametrize(
    "wrap", [str, lambda line: docker(line + "\n", "stderr"), lambda line: f"{AT} stderr F {line}"]
)
def test_17_lines_of_a_stack_trace_belong_to_the_record_before_them(line: str, wrap: Any) -> None:
    """Protects trap 17: an indented line, `at`, `Caused by` and the like are no records, whatever stands in them."""
    error = wrap(f"2026-09-01 10:00:00 error: {FAILED} Error: boom")
    assert [("writer_failed",), ("turn_done",)] == events(error, wrap(line), wrap("2026-09-01 10:00:01 info: " + DONE))


def test_17_a_stack_within_json_is_one_record() -> None:
    """Protects trap 17, second half: `stack`, `exc_info` (also as a list) and `err.stack` stay with their record."""
    stack = "Error: boom\n    at f (a.js:1)\n[turn] session=x done"
    lines = meta(f"{FAILED} boom", stack=stack), meta(FAILED, exc_info=stack.split("\n")), meta(FAILED, err={"stack": stack})  # fmt: skip
    assert [("writer_failed",)] * 3 == events(*lines)


def test_18_nested_envelopes_are_taken_off_and_their_path_is_kept() -> None:
    """Protects trap 18: Loki around Docker around pino, and the order in which they were taken off."""
    inner = dumps({"level": 40, "time": 1788000000123, "pid": 7, "hostname": "h", "msg": SUMMARY})
    line = dumps({"line": docker(inner + "\n", "stdout"), "timestamp": AT, "labels": {"app": "a"}})
    assert [("loki > docker > pino", "pino", "warn")] == events(line, columns="envelope time_source level")


@pytest.mark.parametrize("name", ["app.json", "app.log", "app.gz", "app.txt"])
@pytest.mark.parametrize(
    "content",
    [
        f"{meta(SUMMARY)}\n{meta(DONE)}\n",
        meta(SUMMARY) + meta(DONE),
        json.dumps(json.loads(meta(SUMMARY)), indent=2) + "\n" + json.dumps(json.loads(meta(DONE)), indent=2) + "\n",
        f"[{meta(SUMMARY)},{meta(DONE)}]",
        json.dumps({"entries": [{"textPayload": SUMMARY}, {"textPayload": DONE}]}, indent=1),
        f"warn: {SUMMARY}\nwarn: {DONE}\n",
    ],
    ids=["lines", "glued", "pretty", "array", "object", "text"],
)
def test_19_the_container_is_told_by_its_content(content: str, name: str, tmp_path: Path, db: Path) -> None:
    """Protects trap 19: what a file is called says nothing about how its records are laid out, or whether it is packed."""
    packed = name == "app.txt"
    (tmp_path / name).write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    read(tmp_path / name, db)
    assert [("summary",), ("turn_done",)] == rows(db, "SELECT kind FROM events ORDER BY 1")


def test_20_only_a_line_feed_ends_a_line() -> None:
    """Protects trap 20: U+2028, U+0085 and a form feed stand within a record, and do not cut it."""
    draft = "a\u2028b\u0085c\u2029d\x0ce"
    line = json.dumps({"level": "warn", "message": DRAFT.replace("why?", draft.replace("\x0c", "\\f"))}, ensure_ascii=False)  # fmt: skip
    assert [(draft,)] == events(line, columns="text")


def test_21_copies_count_once_only_when_asked_for(log: Path, db: Path) -> None:
    """Protects trap 21: a re-export counts again by default, and once with `dedupe`, which reports how many it found."""
    log.write_text(f"{meta(SUMMARY, timestamp=AT)}\n{meta(DONE, timestamp=AT)}\n")
    log.with_name("export.log").write_text(f"{meta(DONE, timestamp=AT)}\n")
    counting = "SELECT count(*) FROM events WHERE duplicate_of IS NULL"
    files = [str(log), str(log.with_name("export.log"))]
    ingest(files, db)
    assert [(3,)] == rows(db, counting)
    assert ["copies of records in other files, which count once (--dedupe): 1"] == ingest(files, db, dedupe=True).notes  # fmt: skip
    assert [(2,)] == rows(db, counting)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_table_nan_and_infinity_are_read(number: str) -> None:
    """Protects records with numbers that are no JSON from a strict decoder."""
    assert [("summary",)] == events(meta(SUMMARY, x="@").replace('"@"', number))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_table_byte_order_marks_and_utf_16_are_read(encoding: str, log: Path, db: Path) -> None:
    """Protects logs that an editor saved, or that another system wrote in its own encoding."""
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    log.write_bytes((mark + meta(DRAFT.replace("why?", "为什么?")) + "\n" + meta(DONE) + "\n").encode(encoding))
    read(log, db)
    assert [("为什么?",), (None,)] == rows(db, "SELECT text FROM events ORDER BY line")


def test_table_a_truncated_last_line_is_a_reject_and_no_empty_row() -> None:
    """Protects the count from a row of nothing, and the loss from being silent."""
    found = frames(meta(DONE), meta(SUMMARY)[:60])
    assert (1, [(2, "the JSON is cut off")]) == (found.events.height, found.rejects.select("line", "why").rows())


def test_table_text_among_json_is_passed_over() -> None:
    """Protects JSON lines from the text lines that a runtime writes between them."""
    found = frames("Debugger attached.", meta(DONE), "    at node:internal", meta(SUMMARY), "Traceback (most recent call last):")  # fmt: skip
    assert (["turn_done", "summary"], 0) == (found.events["kind"].to_list(), found.rejects.height)


def test_table_raw_control_characters_in_a_string_are_read() -> None:
    """Protects records that an escape character or a tab got into without being escaped."""
    line = '{"level":"warn","message":"\x1b[31m[SocraticStage] writer call failed\x1b[0m \x01 a\tb"}'
    assert [("writer_failed", "\x01 a\tb")] == events(line, columns="kind text")


@pytest.mark.parametrize("place", ["before", "between", "within"])
def test_table_nul_bytes_lose_no_record(place: str, log: Path, db: Path) -> None:
    """Protects the good record behind 64 NULs, which a truncated or sparse file holds."""
    nuls = b"\x00" * 64
    one, two = meta(SUMMARY).encode(), meta(DONE).encode()
    log.write_bytes({"before": nuls + one + b"\n" + two, "between": one + b"\n" + nuls + two, "within": one + nuls + b"\n" + two}[place] + b"\n")  # fmt: skip
    read(log, db)
    assert (2, 0, 0) == counts(db)


def test_table_an_invalid_byte_is_shown_as_such() -> None:
    """Protects a record from one byte that is no UTF-8."""
    assert [("caf\ufffd",)] == events(meta(DRAFT).encode().replace(b"why?", b"caf\xe9"), columns="text")


@pytest.mark.parametrize("half", ["\\\\ud83d", "\\\\ude00"])
def test_table_a_lone_surrogate_is_shown_as_such(half: str) -> None:
    """Protects a record from half an emoji, without making NUL of it."""
    assert [("\ufffd",)] == events(meta(DRAFT).replace("why?", half), columns="text")


def test_table_pretty_printed_objects_among_lines_are_read_as_one() -> None:
    """Protects an object that is printed over several lines in a file that begins with something else."""
    pretty = json.dumps({"level": "warn", "a": {"b": [1, 2]}, "message": DRAFT, "conversationId": "c-1"}, indent=2)
    found = frames("> agent@1.0.0 start", *pretty.split("\n"), meta(DONE), *pretty.split("\n"))
    assert [(2, "draft_rejected", "c-1"), (9 + 4, "turn_done", "s-1"), (14, "draft_rejected", "c-1")] == found.events.select("line", "kind", "session").sort("line").rows()  # fmt: skip
    assert 0 == found.rejects.height
    torn = frames("> agent@1.0.0 start", *pretty.split("\n")[:-2])
    assert [(2, "the JSON is cut off")] == torn.rejects.select("line", "why").rows()


def test_table_a_payload_that_is_printed_over_several_lines_is_one_record() -> None:
    """Protects text logs whose JSON payload was pretty-printed."""
    payload = json.dumps({"attempt": 1, "reason": "no digits", "draft": "why?"}, indent=2).split("\n")
    lines = [f"2026-09-01 10:00:00 warn: [SocraticStage] draft rejected {payload[0]}", *payload[1:]]
    assert [("draft_rejected", "why?"), ("turn_done", None)] == events(*lines, f"2026-09-01 10:00:01 info: {DONE}", columns="kind text")  # fmt: skip


@pytest.mark.parametrize("cut", [20, 60, 100])
def test_table_a_record_that_a_line_feed_tore_is_one_record(cut: int) -> None:
    """Protects a record whose text holds a line feed that was not escaped, and the record after it."""
    line = meta(DRAFT.replace("why?", "why? " * 20), conversationId="c-1")
    place = line.index("why?") + cut
    found = frames(line[:place] + "\n" + line[place:], meta(DONE))
    assert ["draft_rejected", "turn_done"] == found.events["kind"].to_list()
    assert 0 == found.rejects.height


def test_table_a_claim_with_a_quote_and_a_line_feed_is_one_record() -> None:
    """Protects console lines, whose claims are not escaped."""
    line = '[honesty] session=s-1 fired severity=high reason=failures_with_claim failCount=2 okCount=1 claim="it said "done" and\n→ live"'
    assert [("gate_fired", 'it said "done" and\n→ live'), ("turn_done", None)] == events(*line.split("\n"), DONE, columns="kind text")  # fmt: skip


def test_table_two_objects_on_one_line_are_two_records() -> None:
    """Protects writers that lost the line feed between them."""
    assert [("turn_done", 0), ("summary", 1)] == events(meta(DONE) + meta(SUMMARY), columns="kind part")


def test_table_scalars_are_no_records_unless_they_hold_one() -> None:
    """Protects files with bare values, and lines that were made JSON strings."""
    assert [("turn_done",)] == events('"x"', "42", "null", "true", "[]", json.dumps(DONE))


@pytest.mark.parametrize("draft", ['"a"', '{"a":1}', "[1,2]", "7"])
def test_table_a_field_may_be_of_any_type(draft: str) -> None:
    """Protects one field that is text in one record and an object in the next."""
    line = meta("[SocraticStage] draft rejected", attempt=1, reason="no digits", draft=json.loads(draft))
    assert [(draft.strip('"'),)] == events(line, columns="text")


def test_table_keys_that_differ_in_case_are_two() -> None:
    """Protects `Level` and `level` in one object from each other."""
    line = dumps({"Level": "x", "level": "warn", "message": FAILED})
    assert [("warn", '{"Level":"x"}')] == events(line, columns="level extra")


@pytest.mark.parametrize("depth", [150, 1200, 10_000])
def test_table_deep_nesting_crashes_nothing(depth: int) -> None:
    """Protects against a decoder's stack: a record is read or refused, never both, and the next one is read."""
    line = meta(FAILED, deep="@").replace('"@"', "[" * depth + "]" * depth)
    found = frames(line, meta(DONE))
    assert 2 == found.events.height + found.rejects.height
    assert "turn_done" in found.events["kind"].to_list()


def test_table_large_integers_do_not_lose_the_record() -> None:
    """Protects records with numbers beyond 64 bits, and nanoseconds of 19 digits to their last microsecond."""
    line = meta(FAILED, timestamp=1788000000123456789, big=2**64 - 1, huge=10**400)
    assert [("writer_failed", "2026-08-29 10:40:00.123456")] == events(line, columns="kind time")
    assert 2**64 - 1 == json.loads(frames(line).events["extra"][0])["big"]


def test_table_types_and_keys_may_change_after_many_lines(log: Path, db: Path) -> None:
    """Protects what a sample of the first rows never saw: a level that becomes text, a key that appears."""
    chatter = '{"level":30,"time":1788000000123,"msg":"chatter"}\n' * 31_000
    late = dumps({"level": "error", "time": AT, "msg": DONE, "new": {"a": 1}}) + "\n"
    log.write_text(chatter + late)
    read(log, db)
    assert [(31_001, "error", '{"new":{"a":1}}')] == rows(db, "SELECT line, level, json_object('new', extra -> 'new') FROM events")  # fmt: skip


def test_table_a_line_of_17_mebibytes_is_refused_by_name_and_the_next_is_read(log: Path, db: Path) -> None:
    """Protects memory from one line, and the lines after it from being lost with it."""
    log.write_text(meta(DRAFT.replace("why?", "x" * (17 * 2**20))) + "\n" + meta(DONE) + "\n")
    read(log, db)
    assert [(1, "the record is longer than 16 MiB")] == rows(db, "SELECT line, why FROM rejects")
    assert [(2,)] == rows(db, "SELECT line FROM events")
