"""Probe answers and lesson transcripts: from what the live code wrote to what the store says of it."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checks import lesson
from checks.lesson.records import answered, call, message, returned, text
from checks.lesson.records import to_jsonl as message_line
from checks.probe import Line, Persona, Probe, ProbeAnswer, Reply, Request, after_item, ask, to_csv, to_jsonl
from ingest.run import Summary, ingest
from ingest.search import any_source_flag, sources_of
from ingest.source import Event, Reject, sources
from ingest.unwrap import Unwrapper
from queries import run
from queries.export import tables
from storefile import opened

POINTS = ("start", "after_item(4)", "end")
PEOPLE = ("P1", "P2", "P3")
SCRIPT = {
    "start": {"P1": ["3"], "P2": ["3 or 4", "4"], "P3": ["", ""]},
    "after_item(4)": {"P1": ["no idea", ""], "P2": ["6/10", "four"], "P3": ["2, I think"]},
    "end": {"P1": ["5"], "P2": ['a "quoted", line\nand 6; so 6'], "P3": ["not 4", "7"]},
}


class Scripted:
    """Participants who say what stands in SCRIPT."""

    def __init__(self, at: str) -> None:
        self._lines = {who: list(said) for who, said in SCRIPT[at].items()}

    def reply(self, request: Request) -> Reply:
        return Reply(self._lines[request.persona.participant].pop(0))


def discussion() -> list[ProbeAnswer]:
    """What asking the probe at the three points gave, with a time an hour apart, and a second probe without a scale."""
    probe = Probe("Where do you stand?", ["start", after_item(4), "end"], "position", scale=(1, 7))
    mood = Probe("How are you?", "end", "mood", ["P1"])
    people, log = [Persona(name) for name in PEOPLE], [Line("Moderator", "Welcome.")]
    found: list[ProbeAnswer] = []
    for hour, at in enumerate(POINTS):
        time = f"2026-06-01T{9 + hour:02}:00:00Z"
        found += ask(probe, at, people, log, Scripted(at), session="s-1", time=time).answers
    return [*found, *ask(mood, "end", people, log, Scripted("end"), session="s-1", time="2026-06-01T11:30:00Z").answers]


def plain(answers: Iterable[ProbeAnswer]) -> str:
    """The answers as rows without a type, each in a Docker envelope."""
    keys = ("probe", "point", "participant", "answer", "raw", "value", "attempts", "refusals", "lo", "session", "time")
    rows = ({key: answer.record()[key] for key in keys} for answer in answers)
    return "".join(
        json.dumps({"log": json.dumps(row) + "\n", "stream": "stdout", "time": "2026-06-01T09:00:00Z"}) + "\n"
        for row in rows
    )


def siblings(answers: Iterable[ProbeAnswer]) -> str:
    """The answers as fields beside a logger's own message."""
    return "".join(
        json.dumps({"level": 30, "pid": 7, "hostname": "h", "msg": "probe asked", **answer.record(), "type": None})
        + "\n"
        for answer in answers
    )


FORMS: dict[str, Callable[[Iterable[ProbeAnswer]], str]] = {
    "answers.jsonl": to_jsonl,
    "answers.csv": to_csv,
    "windows.csv": lambda answers: "\ufeff" + to_csv(answers).replace('\n"probe_answer"', '\r\n"probe_answer"'),
    "array.json": lambda answers: json.dumps([answer.record() for answer in answers], indent=1),
    "docker.log": plain,
    "pino.log": siblings,
}


def read(tmp_path: Path, name: str, content: str | bytes) -> tuple[Path, Summary]:
    """The store that one file makes, and the summary of its ingest."""
    log, db = tmp_path / name, tmp_path / f"{name}.duckdb"
    log.write_bytes(content.encode() if isinstance(content, str) else content)
    return db, ingest([str(log)], db)


def asked(db: Path, sql: str) -> list[tuple[Any, ...]]:
    with opened(db) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("system", ["probe", "lesson"])
def test_samples(system: str) -> None:
    """Each sample of the two sources is read, by that source alone, as the declaration says."""
    source = next(source for source in sources() if source.system == system)
    for raw, expected in source.samples:
        (record,) = Unwrapper().records(raw)
        results = [found for other in sources_of(any_source_flag()) if (found := other.read(record)) is not None]
        assert (0 if expected is None else 1) == len(results), raw
        if isinstance(expected, Reject):
            assert [expected] == results, raw
        elif expected is not None:
            (event,) = results
            assert isinstance(event, Event), raw
            found = {name: getattr(event, name) or getattr(record, name, None) for name in expected.columns}
            assert (expected.kind, dict(expected.columns)) == (event.kind, found), raw
            assert expected.fragments == tuple(fire.fragment for fire in event.fires), raw
        assert expected is None or any(marker in raw.encode() for marker in source.markers) or "@csv" in raw, raw


@pytest.mark.parametrize("name", FORMS)
def test_a_discussion_comes_back_whole(tmp_path: Path, name: str) -> None:
    """However it was written, every answer, value, call and refusal of the discussion is in the store."""
    answers = discussion()
    db, summary = read(tmp_path, name, FORMS[name](answers))
    assert (len(answers), 0, 0) == (summary.events, summary.rejected, summary.unmapped)
    found = asked(
        db,
        "SELECT subject, extra ->> '$.point', extra ->> '$.participant', text, (extra ->> '$.value')::INT, attempts, session "
        "FROM events ORDER BY byte_offset, part",
    )
    assert [(a.probe, a.point, a.participant, a.answer, a.value, a.attempts, a.session) for a in answers] == found
    refusals = Counter(reason for answer in answers for reason in answer.refusals)
    assert refusals == Counter(
        dict(asked(db, "SELECT fragment, count(*) FROM fires WHERE check_id IS NOT NULL GROUP BY ALL"))
    )
    attempts = Counter((answer.attempts, outcome_of(answer)) for answer in answers)
    exported = tables(db)["attempts"]
    assert {("probe", *key, count) for key, count in attempts.items()} == set(exported.iter_rows())


def outcome_of(answer: ProbeAnswer) -> str:
    if answer.value is not None:
        return "read"
    return "na" if answer.answer is None else "text" if answer.lo is None else "unread"


def test_the_questions_about_probes(tmp_path: Path) -> None:
    """Values, refusals, unread answers and changes are those that the script leads to, worked out by hand."""
    db, _ = read(tmp_path, "answers.jsonl", to_jsonl(discussion()))
    values = run(db, "probe_values").select("point", "value", "answers", "of_answers").rows()
    assert [("start", 3, 1, 3), ("start", 4, 1, 3), ("after_item(4)", 2, 1, 3)] == values[:3]
    assert [("end", 5, 1, 3), ("end", 6, 1, 3), ("end", 7, 1, 3)] == values[3:]
    refusals = {
        row[0]: row[1:] for row in run(db, "probe_refusals").select("reason", "answers", "read_after_reask").rows()
    }
    assert {"several_numbers": (1, 1), "no_number": (2, 0), "other_scale": (1, 0), "qualified": (1, 1)} == refusals
    unread = run(db, "probe_unread").filter((pl.col("unread") > 0) | (pl.col("na") > 0))
    assert [("after_item(4)", "P1", 1, 0), ("after_item(4)", "P2", 1, 0), ("start", "P3", 0, 1)] == sorted(
        unread.select("point", "participant", "unread", "na").rows()
    )
    change = (
        run(db, "probe_change")
        .select("from_point", "to_point", "participant", "from_value", "to_value", "change")
        .rows()
    )
    assert [
        ("start", "after_item(4)", "P1", 3, None, None),
        ("start", "after_item(4)", "P2", 4, None, None),
        ("start", "after_item(4)", "P3", None, 2, None),
        ("start", "end", "P1", 3, 5, 2),
        ("start", "end", "P2", 4, 6, 2),
        ("start", "end", "P3", None, 7, None),
        ("after_item(4)", "end", "P1", None, 5, None),
        ("after_item(4)", "end", "P2", None, 6, None),
        ("after_item(4)", "end", "P3", 2, 7, 5),
    ] == change


def test_no_refusal_is_counted_more_often_than_it_was_possible(tmp_path: Path) -> None:
    """A re-ask makes two readings: a check that refused in either of them was reached."""
    db, _ = read(tmp_path, "answers.jsonl", to_jsonl(discussion()))
    totals = run(db, "check_totals").filter(pl.col("family") == "probe.scale")
    fired = totals.filter(pl.col("fires") > 0)
    assert ["no_number", "other_scale", "qualified", "several_numbers"] == sorted(fired["reason"])
    assert (fired["fires"] <= fired["evaluated"]).all()
    assert 8 == totals["family_evaluated"].max()


def test_an_answer_on_a_scale_is_never_read_anew(tmp_path: Path) -> None:
    """A record without a value and without a refusal stays unread, whatever its answer looks like."""
    row = {
        "probe": "p",
        "point": "end",
        "participant": "P1",
        "answer": "4",
        "raw": "4",
        "attempts": 1,
        "lo": 1,
        "hi": 7,
    }
    db, summary = read(tmp_path, "a.jsonl", json.dumps(row))
    assert (1, 0) == (summary.events, summary.fires)
    assert [("probe", 1, "unread", 1)] == tables(db)["attempts"].rows()


CSV_HEADER = "probe,point,participant,answer,raw,value,attempts\n"


def test_csv_rows_know_their_lines(tmp_path: Path) -> None:
    """A cell with a line feed does not shift what follows; a broken row is a reject with its place, and costs itself alone."""
    rows = [
        'p,start,P1,"one\n""two"", three",x,NA,1\n',
        "p,start,P2,4,4,4,1\n",
        "p,start,P3,too,few\n",
        'p,start,P4,"5" tall,x,NA,1\n',
        "p,start,P5,NA,NA,NA,2\r\n",
        'p,start,P6,4" high,4,"4",1',
    ]
    content = CSV_HEADER + "".join(rows)
    db, summary = read(tmp_path, "a.csv", content)
    assert (4, 2, 8) == (summary.events, summary.rejected, summary.lines)
    found = asked(db, "SELECT extra ->> '$.participant', text, line, byte_offset, envelope FROM events ORDER BY line")
    offset = {name: content.encode().index(f"p,start,{name}".encode()) for name in ("P1", "P2", "P3", "P4", "P5", "P6")}
    assert [
        ("P1", 'one\n"two", three', 2, offset["P1"], "csv > json"),
        ("P2", "4", 4, offset["P2"], "csv > json"),
        ("P5", None, 7, offset["P5"], "csv > json"),
        ("P6", '4" high', 8, offset["P6"], "csv > json"),
    ] == found
    assert [
        (5, offset["P3"], "this CSV row has 5 cells, and its header 7"),
        (6, offset["P4"], "a quoted cell of this CSV row does not end, or a quote in it is not doubled"),
    ] == asked(db, "SELECT line, byte_offset, why FROM rejects ORDER BY line")


def test_a_csv_that_grew_is_read_anew(tmp_path: Path) -> None:
    """The same file with more rows holds each row once."""
    path, db = tmp_path / "a.csv", tmp_path / "s.duckdb"
    answers = discussion()
    for count in (4, len(answers), len(answers)):
        path.write_text(to_csv(answers[:count]), encoding="utf-8")
        ingest([str(path)], db)
        assert [(count,)] == asked(db, "SELECT count(*) FROM events")


@given(
    st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=2), max_size=6),
    st.integers(1, 40),
)
def test_any_text_survives_a_csv(cells: list[list[str]], step: int) -> None:
    """Whatever an answer holds, and wherever a chunk ends, the cell is the same again."""
    from ingest.table import Table

    answers = [
        ProbeAnswer(probe="p", point="end", participant="P", answer=a or None, raw=b, value=None, attempts=1)
        for a, b in cells
    ]
    data, table = to_csv(answers).encode(), Table()
    found = [row for at in range(0, len(data), step) for row in table.feed(data[at : at + step])]
    found += table.feed(b"", last=True)
    values = [row.value["@csv"] for row in found if row.value]
    assert [(a, b) for a, b in cells] == [(value["answer"], value["raw"]) for value in values]
    assert all(
        data[row.offset :].startswith(row.data) and data.count(b"\n", 0, row.offset) == row.line for row in found
    )


NODES = [
    {"id": "n1", "title": "Ends"},
    {"id": "n2", "title": "Means", "requires": ["n1"]},
    {"id": "n3", "title": "Use", "requires": ["n2"]},
]
STRANDS = {"strands": [{"strand": "Will", "edge": "Names it"}], "overall": "Ready"}
TOOLS = ("quiz", "quiz", "quiz", "quiz", "ask_user_question", "probe_done", "plan_init")
STATES = ("input-streaming", "input-available", "output-available", "output-error")


def given_to(tool: str, node: str | None) -> dict[str, object]:
    if tool == "plan_init":
        return {"nodes": NODES[: 1 + int((node or "n3")[1]) % 3]}
    if tool == "probe_done":
        return STRANDS
    return {"question": "Why?"} | ({} if node is None or tool != "quiz" else {"nodeId": node})


def record_of(tool: str, node: str | None, state: str, call_id: str, bare: bool) -> dict[str, object]:
    part = call(tool, call_id, {} if bare else given_to(tool, node), state)
    if state == "output-available":
        return answered(part, {"ok": True} if tool != "quiz" else "Error bars")
    return part | ({"errorText": "quiz: nodeId 'x' is not in the plan"} if state == "output-error" else {})


PARTS = st.builds(
    record_of,
    st.sampled_from(TOOLS),
    st.sampled_from([None, "n1", "n2", "n3", "n9"]),
    st.sampled_from(STATES),
    st.sampled_from(["a", "b", "c", "d"]),
    st.sampled_from([False, False, False, True]),
)
TALK = st.just(text("[SocraticStage] summary {}"))
TRANSCRIPTS = st.lists(
    st.lists(PARTS | TALK, max_size=4).map(lambda parts: message("assistant", *parts)), min_size=1, max_size=12
)


def stands(transcript: list[dict[str, Any]]) -> Mapping[str, object]:
    """What the live code says of a transcript, under the names of lessons.sql."""
    where, share, plan = lesson.position(transcript), lesson.untagged_share(transcript), lesson.plan(transcript)
    return {
        "agent": lesson.agent(transcript),
        "phase": lesson.phase(transcript),
        "nodes": len(plan.nodes) if plan else 0,
        "visited": len(where.visited),
        "current": where.current,
        "teaching_quizzes": share.quizzes,
        "untagged": share.untagged,
        "untagged_share": share.share,
        "calls": len(lesson.calls(transcript)),
        "stuck_in": lesson.stuck_before_teach(transcript),
    }


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TRANSCRIPTS, min_size=20, max_size=60))
def test_the_store_and_the_live_code_agree_on_every_lesson(
    tmp_path_factory: pytest.TempPathFactory, transcripts: list[list[dict[str, Any]]]
) -> None:
    """Agent, phase, position and untagged share, worked out from the events, are those of the live code."""
    folder = tmp_path_factory.mktemp("lessons")
    lines = [
        message_line(said, session=f"l-{number}", time=f"2026-06-01T10:{minute:02}:00Z")
        for number, transcript in enumerate(transcripts)
        for minute, said in enumerate(transcript)
    ]
    db, summary = read(folder, "lessons.jsonl", "".join(lines))
    assert 0 == summary.rejected
    expected = {f"l-{n}": stands(transcript) for n, transcript in enumerate(transcripts) if lesson.calls(transcript)}
    found = {
        row["lesson"]: {name: row[name] for name in stands([])} for row in run(db, "lessons").iter_rows(named=True)
    }
    assert expected == found
    for number, transcript in enumerate(transcripts[:3]):
        where = lesson.position(transcript)
        plan = run(db, "lesson_plan", lesson=f"l-{number}")
        assert set(where.upcoming) == set(plan.filter(state="upcoming")["node"])
        assert set(where.visited) == set(plan.filter("visited")["node"])
        assert {where.current} - {None} == set(plan.filter(state="current")["node"])
    once = "SELECT count(*) FROM events WHERE kind <> 'message' AND duplicate_of IS NULL"
    assert [(sum(len(lesson.calls(transcript)) for transcript in transcripts),)] == asked(db, once)


def taught() -> list[dict[str, object]]:
    """A lesson with two refusals, one re-recorded call, a tagged and an untagged quiz."""
    said = [
        message("user", text("Teach me Nietzsche")),
        message("assistant", call("quiz", "q1", {"question": "Ends?"})),
    ]
    for tool, call_id, what in [
        ("probe_done", "d1", STRANDS),
        ("quiz", "q1", {"question": "Ends?"}),
        ("probe_done", "d2", STRANDS),
        ("plan_init", "p1", {"nodes": NODES}),
        ("quiz", "q2", {"question": "Why?", "nodeId": "n9"}),
        ("quiz", "q3", {"question": "Why?", "nodeId": "n1"}),
        ("quiz", "q4", {"question": "And?"}),
        ("probe_done", "d3", STRANDS),
    ]:
        part = call(tool, call_id, what)
        done = answered(part, "right") if call_id == "q1" else returned(part, lesson.outcome(tool, what, said))
        said.append(message("assistant", done))
    return said


@pytest.mark.parametrize("name", ["lesson.jsonl", "lesson.json", "docker.log"])
def test_a_scripted_lesson_balances(tmp_path: Path, name: str) -> None:
    """Refusals, calls and position are those that the tools gave, however the transcript was kept."""
    transcript = taught()
    lines = [message_line(said, session="l-1", time=f"2026-06-01T10:{n:02}:00Z") for n, said in enumerate(transcript)]
    content = {
        "lesson.jsonl": "".join(lines),
        "lesson.json": json.dumps([{"id": f"m{n}", "chatId": "l-1", **said} for n, said in enumerate(transcript)]),
        "docker.log": "".join(
            json.dumps({"log": line, "stream": "stdout", "time": "2026-06-01T10:00:00Z"}) + "\n" for line in lines
        ),
    }[name]
    db, summary = read(tmp_path, name, content)
    # A message of talk alone is looked for by its type, which the plain transcript does not have.
    events = 9 if name == "lesson.json" else 10
    assert (events, 3, 0, 0) == (summary.events, summary.fires, summary.rejected, summary.unmapped)
    fires = dict(asked(db, "SELECT check_id, count(*) FROM fires GROUP BY ALL"))
    assert {"lesson.unknown_node": 1, "lesson.probe_done_while_open": 1, "lesson.probe_done_twice": 1} == fires
    (row,) = run(db, "lessons").iter_rows(named=True)
    assert {**stands(transcript), "refusals": 3} == {name: row[name] for name in [*stands([]), "refusals"]}
    # The first record of q1 is repeated by its second, which has the answer.
    assert [(1, "quiz_call")] == asked(
        db, "SELECT count(*), kind FROM events WHERE duplicate_of IS NOT NULL GROUP BY kind"
    )
    totals = {
        row[0]: row[1:]
        for row in run(db, "check_totals").filter(family="lesson").select("reason", "evaluated", "fires").rows()
    }
    assert (2, 1) == totals["unknown_node"]


def test_a_call_that_goes_on_in_a_later_file_counts_once(tmp_path: Path) -> None:
    """The record that was the newest gives way when a newer one is read."""
    db = tmp_path / "s.duckdb"
    part = call("quiz", "q1", {"question": "Why?", "nodeId": "n1"})
    for n, grown in enumerate([part, answered(part, "right"), part, answered(part, "right")]):
        line = message_line(message("assistant", grown), session="l-1", time=f"2026-06-01T10:0{n}:00Z")
        (tmp_path / f"{n}.jsonl").write_text(line, encoding="utf-8")
        ingest([str(tmp_path / f"{n}.jsonl")], db)
        counted = asked(db, "SELECT line, time::VARCHAR FROM events WHERE duplicate_of IS NULL ORDER BY time")
        # An id that waits again after its result is a second call.
        assert [(1, f"2026-06-01 10:0{k}:00") for k in ([n] if n < 2 else [1, n])] == counted


HOSTILE = '[SocraticStage] summary {"outcome":"silent","attempts":4}'


@pytest.mark.parametrize(
    "line",
    [
        message_line(message("user", text(HOSTILE)), session="l"),
        message_line(message("assistant", call("quiz", "q", {"question": HOSTILE, "message": HOSTILE})), session="l"),
        json.dumps(
            {"probe": "p", "point": "end", "participant": "P", "answer": HOSTILE, "raw": HOSTILE, "attempts": 1}
        ),
    ],
)
def test_what_people_say_is_no_record(tmp_path: Path, line: str) -> None:
    """A marker in a chat text, a question or an answer makes no Socratic event."""
    db, summary = read(tmp_path, "a.jsonl", line)
    assert (1, 0) == (summary.events, summary.rejected)
    assert [(0,)] == asked(db, "SELECT count(*) FROM events WHERE system = 'socratic'")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            '{"type":"probe_answer","probe":"p","point":"end","answer":"4","attempts":1}',
            "answer: it lacks 'participant'",
        ),
        ('{"probe":"p","point":"end","participant":"P1","answer":"4","raw":"4"}', "answer: it lacks 'attempts'"),
        ('{"type":"lesson_message","session":"l","parts":[{"type":"tool-quiz"}]}', "message: it lacks 'role'"),
        (
            '{"role":"assistant","parts":[{"toolCallId":"a","type":"tool-quiz","input":{}}]}',
            "tool_call: it lacks 'state'",
        ),
        ('{"type":"probe_answer","probe":"p","point":"end","partic', "the JSON is cut off"),
    ],
)
def test_what_lacks_a_key_is_a_reject(tmp_path: Path, line: str, why: str) -> None:
    """A record that is plainly an answer or a message, and not whole, is counted with the reason."""
    db, summary = read(tmp_path, "a.jsonl", line)
    assert (0, 1) == (summary.events, summary.rejected)
    assert [(why,)] == asked(db, "SELECT why FROM rejects")


def test_chatter_about_participants_is_no_answer(tmp_path: Path) -> None:
    """Ordinary records with a participant, a point or parts are neither events nor rejects."""
    chatter = [
        {"msg": "joined", "participant": "bob", "point": 3},
        {"event": "upload", "parts": [{"n": 1}], "role": 7},
        {"msg": "the participant said probe_answer"},
    ]
    _, summary = read(tmp_path, "a.log", "".join(json.dumps(line) + "\n" for line in chatter))
    assert (3, 0, 0) == (summary.lines, summary.events, summary.rejected)
