"""Today's checks over what was logged: stores worked out by hand, and what each comparison must come to."""

import datetime as dt
import json
import tracemalloc
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

import gatecov
from ingest import ingest
from review import replay as module
from review.replay import OUTCOMES, Replay, UnknownFamilyError, replay, try_draft
from review.replaypage import render
from tests.stores import Row, catalog_checks, event, run, write_store

SHAPE = "socratic.shape."
DAY = dt.datetime(2027, 1, 4, 9)
CLEAN = "How would Okafor see slow repair?"
DIGITS = "How would Okafor see 3 repairs?"
TWICE = "How would Okafor see repair? Would you?"


def store(tmp_path: Path, *events: Row | list[Row]) -> Path:
    rows = [row for some in events for row in (some if isinstance(some, list) else [some])]
    return write_store(tmp_path / "s.duckdb", rows, checks=catalog_checks())


def rejected(draft: str | None, *reasons: Any, session: str = "a", minute: int = 0) -> list[Row]:
    return run(session, DAY + dt.timedelta(minutes=minute), [list(reasons)], draft=draft)  # type: ignore[arg-type]


def figures(found: Replay, check_id: str) -> dict[str, int]:
    """The outcomes of one check that are not zero."""
    row = next(row for row in found.totals.to_dicts() if row["check_id"] == check_id)
    return {name: row[name] for name in (*OUTCOMES, "inferred") if row[name]}


DRAFTS: dict[str, tuple[list[Row], dict[str, dict[str, int]]]] = {
    "it fired and fires": (
        rejected(DIGITS, SHAPE + "no_digits"),
        {"no_digits": {"agree_fires": 1}, "single_question": {"agree_silent": 1}},
    ),
    "an edited check: the older log says that it fired, today's is silent": (
        rejected(CLEAN, SHAPE + "no_digits"),
        {"no_digits": {"no_longer_fires": 1}, "word_limit": {"agree_silent": 1}},
    ),
    "an edited check: the older log does not name it, today's fires": (
        rejected(TWICE, SHAPE + "no_digits"),
        {"single_question": {"now_fires": 1}, "no_digits": {"no_longer_fires": 1}},
    ),
    "another wording of the same check": (
        rejected(DIGITS, (SHAPE + "no_digits", "no digits")),
        {"no_digits": {"agree_fires": 1}},
    ),
    "a reason that no check owns may be the one that fires today": (
        rejected(TWICE, "asks two things at once!"),
        {"single_question": {"unmapped": 1}, "no_digits": {"agree_silent": 1}},
    ),
    "what reads the source's name cannot be said": (
        rejected(CLEAN, SHAPE + "names_source"),
        {"names_source": {"needs_context": 1}, "no_copied_wording": {"needs_context": 1}},
    ),
    "a draft that was not logged": (
        rejected(None, SHAPE + "no_digits"),
        {"no_digits": {"needs_context": 1}, "word_limit": {"needs_context": 1}},
    ),
    "a template's text is not logged": (
        run("a", DAY, [[SHAPE + "no_digits"]] * 4, "silent", template_reasons=[SHAPE + "word_limit"], draft=DIGITS),
        {"no_digits": {"agree_fires": 4}, "word_limit": {"agree_silent": 4, "needs_context": 1}},
    ),
}


@pytest.mark.parametrize("name", DRAFTS)
def test_drafts(tmp_path: Path, name: str) -> None:
    """Protects the comparison of drafts: exact for checks that read the draft alone, and no guess for the others."""
    events, expected = DRAFTS[name]
    found = replay(store(tmp_path, events), family="socratic.shape")
    assert expected == {check: figures(found, SHAPE + check) for check in expected}


def test_records_say_where_it_differs(tmp_path: Path) -> None:
    """Protects the way from a difference to its record: which check, what the log said, and the draft."""
    db = store(tmp_path, rejected(TWICE, SHAPE + "no_digits"), rejected(DIGITS, SHAPE + "no_digits", minute=9))
    found = replay(db)
    assert [
        (SHAPE + "single_question", "now_fires", "contains digits", TWICE),
        (SHAPE + "no_digits", "no_longer_fires", "contains digits", TWICE),
    ] == [(row["check_id"], row["outcome"], row["logged"], row["text"]) for row in found.records.to_dicts()]
    assert (2, 2) == (found.differing, found.compared)


def test_a_retired_check_no_longer_fires(tmp_path: Path) -> None:
    """Protects old logs: what a check that is gone objected to is counted, and said to have no code."""
    fired = event(
        "honesty", "gate_fired", DAY, "a", ["honesty.unverified_destructive"], text="removed", ok_count=1, fail_count=0
    )
    found = replay(store(tmp_path, fired))
    assert {"no_longer_fires": 1} == figures(found, "honesty.unverified_destructive")
    assert any("A retired check has no code" in note for note in found.notes)


HONESTY: dict[str, tuple[str, str | None, int | None, int | None, dict[str, int]]] = {
    "the claim alone still fires": ("failures_with_claim", "the job has been deployed", 0, 1, {"agree_fires": 1, "inferred": 1}),
    "nothing failed, so the claim alone says nothing": ("failures_with_claim", "the job has been deployed", 3, 0, {"needs_context": 1}),
    "a word that is a claim only where it stood": ("memory_claim_without_write", "preference", 1, 0, {"needs_context": 1}),
    "no tool ran": ("artifact_claim_without_tools", "I wrote notes/plan.md", 0, 0, {"agree_fires": 1, "inferred": 1}),
    "the tree is not logged": ("fabricated_reasoning_state", "all closed", 1, 0, {"needs_context": 1}),
    "counts are missing": ("failures_with_claim", "done", None, None, {"needs_context": 1}),
    "the claim is missing": ("failures_with_claim", None, 0, 1, {"needs_context": 1}),
}  # fmt: skip


@pytest.mark.parametrize("name", HONESTY)
def test_honesty(tmp_path: Path, name: str) -> None:
    """Protects the claims: of the claim alone only agreement is inferred, and never that a check changed."""
    check, claim, ok, fail, expected = HONESTY[name]
    fired = event("honesty", "gate_fired", DAY, "a", [f"honesty.{check}"], text=claim, ok_count=ok, fail_count=fail)
    passed = event("honesty", "gate_passed", DAY, "a", ok_count=1, fail_count=0)
    found = replay(store(tmp_path, fired, passed), family="honesty")
    assert expected == figures(found, f"honesty.{check}")
    assert 1 == found.compared


def answer(text: str | None, value: int | None, *refusals: str, lo: int | None = 1, hi: int | None = 7) -> Row:
    extra = {"point": "end", "participant": "P1", "value": value, "lo": lo, "hi": hi}
    extra = {name: told for name, told in extra.items() if told is not None}
    reasons = [f"probe.scale.{refusal}" for refusal in refusals]
    return event("probe", "answer", DAY, "a", reasons, subject="p", text=text, attempts=1 + bool(refusals), extra=extra)


ANSWERS: dict[str, tuple[Row, dict[str, dict[str, int]]]] = {
    "read and read": (answer("4", 4), {"no_number": {"agree_silent": 1}, "qualified": {"agree_silent": 1}}),
    "refused and refused": (answer("3 or 4", None, "several_numbers"), {"several_numbers": {"agree_fires": 1}}),
    "refused for another reason": (
        answer("9", None, "several_numbers"),
        {"several_numbers": {"no_longer_fires": 1}, "outside_scale": {"now_fires": 1}},
    ),
    "refused, and would be read today": (answer("4", None, "qualified"), {"qualified": {"no_longer_fires": 1}}),
    "read, and would be refused today": (answer("3 or 4", 3), {"several_numbers": {"now_fires": 1}}),
    "the answer before the re-ask is not in the record": (
        answer("4", 4, "several_numbers"),
        {"several_numbers": {"agree_silent": 1, "needs_context": 1}, "qualified": {"agree_silent": 1}},
    ),
    "two refusals, the last of the answer that stands": (
        answer("9", None, "no_number", "outside_scale"),
        {"no_number": {"agree_silent": 1, "needs_context": 1}, "outside_scale": {"agree_fires": 1}},
    ),
    "no scale in the record": (answer("9", None, "outside_scale", lo=None), {"outside_scale": {"needs_context": 1}}),
    "no answer": (answer(None, None), {"no_number": {}}),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(tmp_path: Path, name: str) -> None:
    """Protects answers on a scale, which the log holds whole: each refusal is compared exactly."""
    given, expected = ANSWERS[name]
    found = replay(store(tmp_path, given), family="probe.scale")
    assert expected == {check: figures(found, f"probe.scale.{check}") for check in expected}


def test_an_answer_that_reads_as_another_number_is_told(tmp_path: Path) -> None:
    """Protects values: no check fires where a reading changes, so it is said in a note."""
    found = replay(store(tmp_path, answer("4", 3), answer("5", 5)), family="probe.scale")
    assert "1 answer would be read as another number today." in found.notes


def reminder(check: str | None, signature: str) -> Row:
    reasons: list[Any] = [(f"reflection.{check}", signature)] if check else [signature]
    return event("reflection", "reminder", DAY, "a", reasons, subject="http", extra={"count": 2})


REMINDERS: dict[str, tuple[Row, dict[str, dict[str, int]]]] = {
    "the same class": (reminder("auth", "http:http-401"), {"auth": {"agree_fires": 1}}),
    "another class": (reminder("param", "http:http-401"), {"param": {"no_longer_fires": 1}, "auth": {"now_fires": 1}}),
    "no class then": (reminder(None, "http:http-401"), {"auth": {"unmapped": 1}}),
    "no class today": (reminder("auth", "http:?!"), {"auth": {"no_longer_fires": 1}}),
}


@pytest.mark.parametrize("name", REMINDERS)
def test_reminders(tmp_path: Path, name: str) -> None:
    """Protects reflection: the signature is logged, so its class is worked out again."""
    given, expected = REMINDERS[name]
    found = replay(store(tmp_path, given), family="reflection")
    assert expected == {check: figures(found, f"reflection.{check}") for check in expected}


CANNOT = {
    "socratic.slots.source_known": event("agent", "slots_rejected", DAY, "a", ["socratic.slots.source_known"]),
    "gates.half_finished": event("gates", "gate_fired", DAY, "a", ["gates.half_finished"], subject="half_finished"),
    "guardrail.professionalism": event("guardrail", "guardrail_drop", DAY, "a", ["guardrail.professionalism"]),
}


@pytest.mark.parametrize("check_id", CANNOT)
def test_what_no_log_holds(tmp_path: Path, check_id: str) -> None:
    """Protects from guesses: these records lack what was judged, and each check says what that is."""
    found = replay(store(tmp_path, CANNOT[check_id]))
    assert {"needs_context": 1} == figures(found, check_id)
    assert [True] == [bool(row["needs"]) for row in found.totals.to_dicts() if row["check_id"] == check_id]


def part(tool: str, call: str, given: dict[str, object], **more: object) -> dict[str, object]:
    return {
        "type": f"tool-{tool}",
        "toolCallId": call,
        "state": "output-available",
        "input": given,
        "output": {"ok": True},
    } | more


def lesson(tmp_path: Path, *parts: dict[str, object]) -> Path:
    """A store that was read from a transcript of these calls, one message each."""
    lines = [
        {
            "type": "lesson_message",
            "session": "l",
            "time": f"2027-01-04T09:{n:02d}:00Z",
            "role": "assistant",
            "parts": [one],
        }
        for n, one in enumerate(parts)
    ]
    (tmp_path / "l.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    ingest([str(tmp_path / "l.jsonl")], tmp_path / "l.duckdb")
    return tmp_path / "l.duckdb"


PLAN = part("plan_init", "p", {"nodes": [{"id": "n1", "title": "One"}]})
SEAM = part("probe_done", "d", {"strands": []})
ASKS = {"type": "tool-quiz", "toolCallId": "q", "state": "input-available", "input": {"question": "?"}}


def refused(tool: str, given: dict[str, object], reason: str) -> dict[str, object]:
    return part(tool, "r", given, state="output-error", errorText="no", refusal=reason, output=None)


LESSONS: dict[str, tuple[list[dict[str, object]], dict[str, dict[str, int]]]] = {
    "a known node": ([SEAM, PLAN, part("quiz", "q", {"nodeId": "n1"})], {"unknown_node": {"agree_silent": 1}}),
    "an unknown node": ([SEAM, PLAN, refused("quiz", {"nodeId": "n9"}, "unknown_node")], {"unknown_node": {"agree_fires": 1}}),
    "an unknown node that was accepted": ([SEAM, PLAN, part("quiz", "q", {"nodeId": "n9"})], {"unknown_node": {"now_fires": 1}}),
    "a known node that was refused": (
        [SEAM, PLAN, refused("quiz", {"nodeId": "n1"}, "unknown_node")],
        {"unknown_node": {"no_longer_fires": 1}},
    ),
    "a node that was no text": ([SEAM, PLAN, refused("quiz", {"nodeId": 7}, "unknown_node")], {"unknown_node": {"needs_context": 1}}),
    "an untagged quiz is not judged": ([SEAM, PLAN, part("quiz", "q", {"question": "?"})], {"unknown_node": {}}),
    "the probe ends with nothing open": ([ASKS, ASKS | {"state": "output-available", "output": 1}, SEAM], {"probe_done_while_open": {"agree_silent": 1}}),
    "the probe ends with a question open": (
        [ASKS, refused("probe_done", {}, "probe_done_while_open")],
        {"probe_done_while_open": {"agree_fires": 1}, "probe_done_twice": {"agree_silent": 1}},
    ),
    "what is answered later was open then": (
        [ASKS, refused("probe_done", {}, "probe_done_while_open"), ASKS | {"state": "output-available", "output": 1}],
        {"probe_done_while_open": {"agree_fires": 1}},
    ),
    "a second end that was accepted": (
        [SEAM, part("probe_done", "e", {})],
        {"probe_done_twice": {"agree_silent": 1, "now_fires": 1}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LESSONS)
def test_lessons(tmp_path: Path, name: str) -> None:
    """Protects lessons: each call is judged again on the calls that stood before it, as the store keeps them."""
    parts, expected = LESSONS[name]
    found = replay(lesson(tmp_path, *parts), family="lesson")
    assert expected == {check: figures(found, f"lesson.{check}") for check in expected}


def test_batches_give_what_one_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects the streaming: records and lessons fetched a few at a time are judged each once, in order."""
    drafts = [rejected(DIGITS if n % 2 else CLEAN, SHAPE + "no_digits", session=f"s{n}", minute=n) for n in range(25)]
    db, told = store(tmp_path, *drafts), list[int]()
    whole = replay(db)
    monkeypatch.setattr(module, "BATCH", 4)
    parted = replay(db, progress=told.append)
    assert whole.totals.equals(parted.totals)
    assert whole.records.equals(parted.records)
    assert [25] == told


def test_the_list_of_records_is_cut_and_the_count_is_not(tmp_path: Path) -> None:
    """Protects memory: of many differences the first are listed, and all are counted."""
    db = store(tmp_path, *[rejected(CLEAN, SHAPE + "no_digits", session=f"s{n}", minute=n) for n in range(9)])
    found = replay(db, limit=4)
    assert (4, 9) == (found.records.height, found.differing)


def test_an_unknown_family_is_refused(tmp_path: Path) -> None:
    """Protects from a replay of nothing: a family that is not there is a usage error that lists them."""
    with pytest.raises(
        UnknownFamilyError, match=r"shape: there is no such family of checks; there are socratic\.slots, "
    ) as refusal:
        replay(store(tmp_path), family="shape")
    assert 2 == refusal.value.exit_code


def test_renderings(tmp_path: Path) -> None:
    """Protects the outputs: each says what differs, and log text stays text."""
    db = store(tmp_path, rejected("<b>|\x1b[m? ?", SHAPE + "no_digits"))
    found = replay(db)
    table = render(found, "table")
    assert "1 logged record judged again: today's checks agree with the log 1 time and differ 2 times." in table
    assert "\x1b" not in table + render(found, "markdown")
    assert "<b>" not in render(found, "markdown")
    told = json.loads(render(found, "json"))
    assert (1, 2, 2) == (told["compared"], told["differing"], len(told["records"]))
    assert "2027-01-04T09:00:00Z" == told["records"][0]["time"]


def test_try_a_draft() -> None:
    """Protects the box on the page: the reasons are those of the checks that fire, and what was not given is named."""
    bare = {one.check_id.removeprefix(SHAPE): one for one in try_draft("See 3 repairs? Why?")}
    assert ["contains digits", "not a single question"] == sorted(one.reason for one in bare.values() if one.fires)
    assert (None, "the source's name") == (bare["names_source"].fires, bare["names_source"].needs)
    whole = try_draft(
        CLEAN, source_label="Okafor", concept="", loaded_word="", participants=(), passage="", recent_posts=()
    )
    assert [False] * 15 == [one.fires for one in whole]
    named = try_draft("How would she see it?", source_label="Okafor")
    assert ["source not named", "gendered pronoun"] == [one.reason for one in named if one.fires]


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects the command: the family and the window narrow it, stdout is the answer alone, a bad family is a usage error."""
    db = store(
        tmp_path,
        rejected(CLEAN, SHAPE + "no_digits"),
        rejected(CLEAN, SHAPE + "no_digits", minute=1500),
        answer("4", 4),
    )
    runner = CliRunner()

    def told(*options: str) -> tuple[int, int]:
        done = runner.invoke(gatecov.app, ["replay", "--db", str(db), "--format", "json", *options])
        found = json.loads(done.stdout)
        return found["compared"], found["differing"]

    assert (3, 2) == told()
    assert (2, 2) == told("--family", "socratic.shape")
    assert (1, 1) == told("--family", "socratic.shape", "--since", "2027-01-05")
    assert (1, 0) == told("--family", "probe.scale")
    refused_family = runner.invoke(gatecov.app, ["replay", "--db", str(db), "--family", "shape"])
    assert isinstance(refused_family.exception, UnknownFamilyError)


def test_many_texts_need_the_memory_of_one_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects memory: what is kept of a record is its counts, so that ten times as many need no more."""
    monkeypatch.setattr(module, "BATCH", 300)
    few = store(tmp_path, *[rejected(DIGITS, SHAPE + "no_digits", session=f"s{n}", minute=n) for n in range(30)])
    peaks = []
    for times in (20, 200):
        db = _many_times(few, tmp_path / f"{times}.duckdb", times)
        tracemalloc.start()
        found = replay(db, family="socratic.shape")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert {"agree_fires": 30 * times} == figures(found, SHAPE + "no_digits")
    assert peaks[1] < 1.5 * peaks[0]


def _many_times(db: Path, other: Path, times: int) -> Path:
    """The store with each event and its reasons so many times."""
    other.write_bytes(db.read_bytes())
    with duckdb.connect(str(other)) as connection:
        for table in ("events", "fires"):
            connection.execute(
                f"INSERT INTO {table} SELECT t.* REPLACE (event_id + 1000 * n AS event_id) FROM {table} t, range(1, {times}) r(n)"
            )
    return other
