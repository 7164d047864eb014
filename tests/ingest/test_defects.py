"""Kinds of record that were once lost or misread, each with the value that is right."""

import gzip
import json
import random
from pathlib import Path

import pytest

from tests.ingest.logs import cloudwatch, docker, dumps, hit, iso, journald, pino, read, rows, winston_text

SUMMARY = '[SocraticStage] summary {"outcome":"silent","attempts":4}'
FIRED = '[honesty] session=s-1 fired severity=high reason=failures_with_claim failCount=2 okCount=1 claim="%s"'


def loki(line: str) -> str:
    return dumps({"labels": {"app": "agent"}, "line": line, "timestamp": iso(1)})


def gcp(message: str) -> str:
    return dumps({"insertId": "a", "timestamp": iso(1), "jsonPayload": {"message": message}, "logName": "l"})


def times(count: int, inner: str) -> str:
    for _ in range(count):
        inner = docker(inner, 1)
    return inner


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (FIRED % "deployed" + ' {"service":"agent"}', ("s-1", "deployed")),
        (FIRED % 'he said "done"' + ' {"service":"agent","tags":{"a": {"b":1}}}', ("s-1", 'he said "done"')),
        (FIRED % 'the body is {"a":1}', ("s-1", 'the body is {"a":1}')),
        (FIRED % 'one\ntwo {"a":1}' + ' {"service":"agent"} {"pid":7}', ("s-1", 'one\ntwo {"a":1}')),
        ('[half-finished] session=s-1 fired reason=r phrase="over to you" planUpdateOk=0 {"pid":7}', ("s-1", "over to you")),
        ('[plan-failure-false-claim] session=s-1 fired reason=circuit_breaker_fired claim="done" {"pid":7}', ("s-1", "done")),
        ('[SocraticStage] draft rejected {"reason":"no digits","draft":"d"} {"conversationId":"c-1"}', ("c-1", "d")),
        ('[SocraticStage] writer call failed: timeout {"conversationId":"c-1"}', ("c-1", 'timeout {"conversationId":"c-1"}')),
        ('honesty_gate_fired {"sessionId":"s-1","reason":"failures_with_claim","matchedClaim":"done"}', ("s-1", "done")),
    ],
)  # fmt: skip
def test_json_after_a_message_is_metadata(message: str, expected: tuple[str, str], tmp_path: Path) -> None:
    """Protects text loggers that print their default fields behind each message: the record is read, the fields are its own."""
    (tmp_path / "app.log").write_text(winston_text(1, "warn", message) + "\n", "utf-8")
    db = tmp_path / "store.duckdb"
    assert (1, 0) == ((summary := read(tmp_path / "app.log", db)).events, summary.rejected)
    assert [expected] == rows(db, "SELECT session, text FROM events")


@pytest.mark.parametrize(
    ("line", "events"),
    [
        (dumps({"events": [cloudwatch(1, loki(docker(gcp(SUMMARY), 1)))]}), 1),
        (dumps({"hits": {"hits": [hit(1, "warn", times(2, pino(1, "warn", SUMMARY)))]}}), 1),
        (loki(times(3, gcp(SUMMARY))), 1),
        (times(5, pino(1, "warn", SUMMARY)), 1),
        (dumps({"events": [cloudwatch(1, times(4, SUMMARY))]}), 1),
        (times(6, SUMMARY), 0),
        (dumps({"events": [cloudwatch(1, times(5, SUMMARY))]}), 0),
    ],
)
def test_five_envelopes_are_taken_off_and_a_sixth_is_a_reject(line: str, events: int, tmp_path: Path) -> None:
    """Protects nested collectors: a page and its event are one envelope, the logger's own record is none."""
    (tmp_path / "app.log").write_text(line + "\n", "utf-8")
    summary = read(tmp_path / "app.log", tmp_path / "store.duckdb")
    assert (events, 1 - events) == (summary.events, summary.rejected)


def test_each_of_several_messages_of_a_journal_entry_is_a_record(tmp_path: Path) -> None:
    """Protects a field that was set again: nothing of it is lost, and the parts of the line are numbered."""
    (tmp_path / "app.log").write_text(journald(1, [SUMMARY, "chatter", SUMMARY.replace("4", "3")]) + "\n", "utf-8")
    db = tmp_path / "store.duckdb"
    read(tmp_path / "app.log", db)
    assert [(0, 4), (2, 3)] == rows(db, "SELECT part, attempts FROM events ORDER BY part")


@pytest.mark.parametrize(
    "prefix",
    [
        "agent-1  | ",
        "agent-1  | 2026-09-01 10:00:00 warn: ",
        "<132>1 2026-09-01T10:00:00.123Z host agent 12 - - ",
        '<132>1 2026-09-01T10:00:00.123Z host agent 12 ID47 [a@1 k="v]"] ',
        "<132>Sep  1 10:00:00 host agent[12]: ",
        "10:00:00 warn: ",
        "2026/09/01 10:00:00 ",
        "2026/09/01 10:00:00 [warn] ",
        "[app] 2026-09-01 10:00:00 warn: ",
        "01/Sep/2026:10:00:00 +0000 warn: ",
    ],
)
def test_a_record_is_known_behind_a_usual_prefix(prefix: str, tmp_path: Path) -> None:
    """Protects what container tools, syslog and other loggers write before a line."""
    (tmp_path / "app.log").write_text(prefix + SUMMARY + "\n", "utf-8")
    summary = read(tmp_path / "app.log", tmp_path / "store.duckdb")
    assert (1, 0, []) == (summary.events, summary.rejected, summary.notes)


def test_a_marker_behind_an_unknown_prefix_is_told(tmp_path: Path) -> None:
    """Protects whoever has a prefix that is not known from taking the silence for an empty log."""
    (tmp_path / "app.log").write_text(f"%% {SUMMARY}\n" * 3, "utf-8")
    [note] = read(tmp_path / "app.log", tmp_path / "store.duckdb").notes
    assert "lines that hold a marker, but not at the start of their message: 3" == note.partition(";")[0]


NOISE = random.Random(8).randbytes(50_000)
LINES = (winston_text(1, "warn", SUMMARY) + "\n").encode()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (NOISE, ["it is a binary file, not a log; give text, or text compressed as gz, bz2, xz or zst"]),
        (
            b"\x89PNG\r\n\x1a\n" + gzip.compress(NOISE, mtime=0),
            ["it is a binary file, not a log; give text, or text compressed as gz, bz2, xz or zst"],
        ),
        (LINES + b"\xff\xfe caf\xe9\n" + LINES, []),
        (LINES + "Привет, как дела\n".encode("cp1251") + LINES, []),
        (LINES.decode().encode("utf-16"), []),
        (b"\x00" * 9000 + LINES, []),
    ],
    ids=["random", "compressed", "a-few-bytes", "other-encoding", "utf-16", "nul-padded"],
)
def test_bytes_are_told_from_text(data: bytes, expected: list[str], tmp_path: Path) -> None:
    """Protects from reading noise as an empty log, and a log with some damage from being refused."""
    (tmp_path / "app.log").write_bytes(data)
    summary = read(tmp_path / "app.log", tmp_path / "store.duckdb")
    assert expected == [why for _, why in summary.problems]
    assert bool(expected) is (summary.events == 0)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("[honesty] session=s-1 fired severity=high reason=failures_wi", "gate_fired: it lacks 'failCount'"),
        (FIRED.replace("okCount=1", "okCount=-1") % "x", "gate_fired: 'okCount' is -1, but it begins at 0"),
        ("[honesty] session=s-1 passed (3 ok / 0 f", "gate_passed: it lacks 'ok'"),
        ("[empty-conclusion] session=s-1 fired reason=too_short_after_tools toolCa", "gate_fired: it lacks 'toolCalls'"),
        ("[in-turn-reflection] session=s-1 signature=http:http-4", "reminder: it lacks 'count'"),
        (SUMMARY.replace("silent", "exploded"), "summary: 'outcome' is 'exploded', none of posted-writer, posted-template, silent"),
        (SUMMARY.replace("4", "0"), "summary: 'attempts' is 0, but it begins at 1"),
        ('[SocraticStage] draft rejected {"attempt":-1,"reason":"no digits"}', "draft_rejected: 'attempt' is -1, but it begins at 1"),
    ],
)  # fmt: skip
def test_a_cut_or_impossible_payload_is_a_reject(message: str, why: str, tmp_path: Path) -> None:
    """Protects the counts from lines that were cut off and from values that no gate or stage writes."""
    (tmp_path / "app.log").write_text(json.dumps({"level": "warn", "message": message}) + "\n", "utf-8")
    db = tmp_path / "store.duckdb"
    assert 0 == read(tmp_path / "app.log", db).events
    assert [(why,)] == rows(db, "SELECT why FROM rejects")


TURN = '{"level":40,"time":1788000000123,"msg":"[turn] session=%s done outcome=response"}'
TEXT = "2026-09-01 10:00:0%d warn: " + SUMMARY


@pytest.mark.parametrize(
    ("line", "events", "whys"),
    [
        ('{"level":40,"time":1788000000123,"msg":"par' + TURN % "s-1", 1, 0),
        ('{"level":40,"time":1788000000123,"msg":"[turn] session=s-0 do' + TURN % "s-1", 1, 1),
        ('{"level":40,"a":{"b":[' + TURN % "s-1", 1, 0),
        (TEXT % 0 + "\0" * 64 + TEXT % 1, 2, 0),
        ("2026-09-01 10:00:00 info: par" + "\0" * 64 + TEXT % 1, 1, 0),
        ("\0" * 64 + TURN % "s-1" + "\0" * 64 + TURN % "s-2" + "\0" * 64, 2, 0),
        (TEXT % 0 + "\0" * 3_000_000, 1, 0),
        (TEXT % 0 + TEXT % 1 + TEXT % 2, 3, 0),
        (TURN % "s-1" + TURN % "s-2", 2, 0),
        ('{"level":40,"msg":"[turn] session=s-0 do', 0, 1),
    ],
    ids=["json", "both-matter", "nested", "nuls", "talk-and-nuls", "nuls-between", "nuls-at-the-end", "text", "glued", "no-other"],
)  # fmt: skip
@pytest.mark.parametrize("last", [True, False])
def test_a_record_behind_a_torn_one_on_its_line_is_read(
    line: str, events: int, whys: int, last: bool, tmp_path: Path
) -> None:
    """Protects what a program wrote first after it was stopped within a line, and tells what was torn."""
    (tmp_path / "app.log").write_text(line + "\n" + ("" if last else winston_text(1, "info", "talk") + "\n"), "utf-8")
    db = tmp_path / "store.duckdb"
    read(tmp_path / "app.log", db)
    assert [(events, whys)] == rows(db, "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM rejects)")
    places = [int(str(place)) for (place,) in rows(db, "SELECT byte_offset FROM events ORDER BY 1")]
    assert all(line.encode()[place : place + 2] in (b'{"', b"20") for place in places)


def test_a_bracket_around_a_pair_is_no_part_of_its_value(tmp_path: Path) -> None:
    """Protects what goes to `extra` from the brackets in which a console line tells it."""
    line = winston_text(1, "warn", "[plan_protocol_gate] session=s-1 rejected writeFile (slow + planStatus=none)")
    (tmp_path / "app.log").write_text(line + "\n", "utf-8")
    db = tmp_path / "store.duckdb"
    read(tmp_path / "app.log", db)
    assert [("none",)] == rows(db, "SELECT extra ->> '$.planStatus' FROM events")
