"""Why was there no probe: one case for each conclusion, the time line, and text that is hostile to where it is shown."""

import datetime as dt
import json
from pathlib import Path

import pytest

from queries import Window
from review.plain import markdown, one_line
from review.trace import UnknownConversationError, find_sessions, trace
from tests.stores import Row, event, run, write_store

T = dt.datetime(2026, 6, 1, 9)
DIGITS, WORDS = "socratic.shape.no_digits", "socratic.shape.word_limit"
LATER = T + dt.timedelta(minutes=5)


def drop(goal: str | None = "socratic_probe", at: dt.datetime = T + dt.timedelta(seconds=30)) -> Row:
    reasons = ["guardrail.professionalism"]
    return event("guardrail", "guardrail_drop", at, "s", reasons, subject="professionalism", goal=goal, action="drop")


CONCLUSIONS: list[tuple[str, list[Row], str]] = [
    ("first draft", run("s", T), "A probe was posted: the writer's first draft passed every check."),
    (
        "redraft",
        run("s", T, [[DIGITS], [DIGITS, WORDS]]),
        "A probe was posted: attempt 3 passed every check "
        "(3 writer calls; 2 drafts rejected: no digits 2 x, word limit).",
    ),
    (
        "failed call",
        run("s", T, [[WORDS]], failed_calls=1),
        "A probe was posted: attempt 3 passed every check "
        "(3 writer calls; 1 draft rejected: word limit; 1 call failed).",
    ),
    (
        "template",
        run("s", T, [[DIGITS]] * 4, "posted-template"),
        "A probe was posted, from the template: no draft of the writer passed "
        "(4 writer calls; 4 drafts rejected: no digits 4 x).",
    ),
    (
        "silence",
        run("s", T, [[DIGITS]] * 3, "silent", failed_calls=1, template_reasons=[WORDS]),
        "No probe: no draft passed (4 writer calls; 3 drafts rejected: no digits 3 x; 1 call failed), "
        "and the template failed its own checks (word limit), so nothing was posted.",
    ),
    (
        "silence without a word of the template",
        [row for row in run("s", T, [[DIGITS]] * 4, "silent") if not row["kind"].startswith("template")],
        "No probe: no draft passed (4 writer calls; 4 drafts rejected: no digits 4 x), and the run ended in silence; "
        "what became of the template is not logged.",
    ),
    (
        "guardrail",
        [*run("s", T), drop()],
        "No probe: the writer's draft passed every check, and then the professionalism guardrail dropped it "
        "(strict safety posture).",
    ),
    (
        "guardrail after the template",
        [*run("s", T, [[DIGITS]] * 4, "posted-template"), drop()],
        "No probe: the template passed every check, and then the professionalism guardrail dropped it "
        "(strict safety posture).",
    ),
    (
        "guardrail of another type",
        [*run("s", T), drop("groupMessage")],
        "A probe was posted: the writer's first draft passed every check; "
        "a guardrail then dropped a post of the type groupMessage, which may have been this one.",
    ),
    (
        "slots",
        [event("agent", "slots_rejected", T, "s", ["socratic.slots.concept_in_passage"], action="silent")],
        "No probe: the decision was made, and its slots were rejected (concept in passage).",
    ),
    (
        "no passages",
        [event("agent", "chosen_without_passages", T, "s", action="silent")],
        "No probe: the goal was chosen although no passage had been retrieved, so it was discarded.",
    ),
    (
        "prefetch",
        [event("agent", "prefetch_failed", T, "s", text="chroma is down")],
        "No probe: fetching the passages failed, so the goal was not eligible.",
    ),
    (
        "prefetch, and chosen all the same",
        [event("agent", "prefetch_failed", T, "s"), event("agent", "chosen_without_passages", LATER, "s")],
        "No probe: fetching the passages failed, and the goal that was chosen all the same was discarded.",
    ),
    (
        "cut off",
        run("s", T, [[DIGITS]], None),
        "Unknown: the run has no summary, so the log is cut off or the process stopped (1 draft rejected: no digits).",
    ),
    (
        "unknown outcome",
        run("s", T, outcome="postponed"),
        "Unknown: the run ended as postponed, which means nothing to us (0 writer calls).",
    ),
    (
        "another goal",
        [event("guardrail", "post_detected", T, "s", goal="devils_advocate")],
        "No probe: nothing here speaks of one, and the agent chose another goal (devils_advocate).",
    ),
    (
        "no decision",
        [event("honesty", "gate_passed", T, "s", subject="honesty", ok_count=1, fail_count=0)],
        "No probe: nothing here speaks of one, so either the goal was not eligible (no passages were retrieved: "
        "look at the resource's fileName and for a prefetch warning) or the model chose another goal or none.",
    ),
    (
        "several chances",
        [
            *run("s", T),
            *run("s", LATER, [[DIGITS]] * 4, "silent", template_reasons=[WORDS]),
            event("agent", "slots_rejected", T + dt.timedelta(minutes=9), "s", ["socratic.slots.source_known"]),
        ],
        "Of 3 chances 1 led to a probe; the last: "
        "No probe: the decision was made, and its slots were rejected (source known).",
    ),
]


@pytest.mark.parametrize(("case", "events", "conclusion"), CONCLUSIONS, ids=[case[0] for case in CONCLUSIONS])
def test_each_end_has_its_conclusion(tmp_path: Path, case: str, events: list[Row], conclusion: str) -> None:
    """Protects the one sentence that an engineer acts on, for every way a chance can end."""
    found = trace(write_store(tmp_path / "s.duckdb", events), "s")
    assert conclusion == found.conclusion, case
    assert len(events) == len(found.steps)
    assert not found.inferred


def test_every_record_of_the_conversation_is_told_in_order(tmp_path: Path) -> None:
    """Protects the time line: all systems, other conversations left out, undated records last, with what each means."""
    events = [
        *run("other", T, [[WORDS]]),
        event("turn", "turn_done", None, "s", outcome="response", ok_count=2, fail_count=0),
        event("protocol", "plan_blocked", LATER, "s", subject="writeFile", action="refuse"),
        *run("s", T, [[DIGITS]]),
    ]
    found = trace(write_store(tmp_path / "s.duckdb", events), "s")
    assert [
        "the writer's draft 1 was rejected: no digits",
        "the run ended: posted-writer after 2 attempts",
        "a call of the tool writeFile was refused on purpose, for want of a plan",
        "the turn ended: response (2 tool calls ok, 0 failed)",
    ] == [step.meaning for step in found.steps]
    assert ("1 record without a time stand last, in the order of the file",) == found.notes


def test_an_inferred_run_says_so_and_names_what_may_belong_to_it(tmp_path: Path) -> None:
    """Protects from taking a guess for a fact: lines without a session are put together, and warnings beside them are not."""
    stray = event("agent", "slots_rejected", T, None, ["socratic.slots.source_known"])
    events = [stray, *run(None, T, [[DIGITS]], inferred_run="agent.log @2"), *run("s", T)]
    db = write_store(tmp_path / "s.duckdb", events)
    found = trace(db, "agent.log @2")
    assert found.inferred
    assert (
        "A probe was posted: attempt 2 passed every check (2 writer calls; 1 draft rejected: no digits)."
        == found.conclusion
    )
    assert [
        "inferred: these lines name no session; they were put together by stream, order and attempt number, "
        "so that a line may belong to another conversation",
        "in the same streams, within a minute, stand records that name no session and may belong here: 1 slots rejected",
    ] == list(found.notes)


def test_a_guardrail_drop_of_nobody_makes_a_post_uncertain(tmp_path: Path) -> None:
    """Protects from calling a probe posted that a guardrail beside it, which names no session, may have dropped."""
    at = T + dt.timedelta(seconds=30)
    nobody = event("guardrail", "guardrail_drop", at, None, ["guardrail.professionalism"], goal="socratic_probe")
    events = [*run(None, T, inferred_run="agent.log @1"), nobody, *run("s", LATER)]
    db = write_store(tmp_path / "s.duckdb", events)
    posted = "A probe was posted: the writer's first draft passed every check"
    doubt = "; a guardrail drop that names no session stands within a minute of it, and may have stopped it."
    assert [posted + doubt, posted + "."] == [trace(db, "agent.log @1").conclusion, trace(db, "s").conclusion]


def test_a_fire_told_twice_counts_once(tmp_path: Path) -> None:
    """Protects the story from one rejection, told in two places, being read as two."""
    told = event("agent", "slots_rejected", T, "s", ["socratic.slots.source_known"])
    found = trace(write_store(tmp_path / "s.duckdb", [told, told | {"duplicate_of": 1}]), "s")
    assert [False, True] == [step.repeats for step in found.steps]
    assert 1 == len(found.chances)
    assert "(told a second time)" in found.as_text()


def test_an_unknown_conversation_is_answered_with_near_names(tmp_path: Path) -> None:
    """Protects whoever mistypes a session id."""
    db = write_store(tmp_path / "s.duckdb", [*run("conv-41", T), *run("conv-42", T)])
    with pytest.raises(UnknownConversationError) as error:
        trace(db, "conv-4")
    assert ("conv-4: no record in the store belongs to this conversation; near ones are conv-41, conv-42") == str(
        error.value
    )


def test_conversations_are_found_by_name_text_and_time(tmp_path: Path) -> None:
    """Protects the search: literal parts, reasons and texts alike, windows, newest first, and how many there are."""
    events = [
        *run("a%1", T, [[DIGITS]], draft="Is it 100%?"),
        *run("B2", LATER, [[WORDS]], draft="Is it 100 or so?"),
        *run(None, T + dt.timedelta(days=1), [[WORDS]], inferred_run="agent.log @5"),
    ]
    db = write_store(tmp_path / "s.duckdb", events)
    names = lambda **given: find_sessions(db, **given)["session"].to_list()  # noqa: E731
    assert ["agent.log @5", "B2", "a%1"] == names()
    assert ["a%1"] == names(session="%")
    assert ["B2"] == names(session="b2")
    assert ["a%1"] == names(text="100%")
    assert ["B2"] == names(text="is it", window=Window(since=LATER, until=LATER + dt.timedelta(hours=1)))
    assert ["a%1"] == names(text="NO DIGITS")
    assert [] == names(text="nothing of the kind")
    assert [3] == find_sessions(db, limit=1)["total"].to_list()


HOSTILE = "</td>|`x`\n| <script>alert(1)</script> @team [a](http://evil) \x1b[31m\u202egnp \ud83e\udd16 www.evil"


def test_log_text_stays_text(tmp_path: Path) -> None:
    """Protects terminals and pages from what a draft may hold: colours, reversals, cells, links, HTML."""
    hostile = HOSTILE.encode("utf-16", "surrogatepass").decode("utf-16")
    events = run("s", T, [["</b>|x\x1b[2J"]], draft=hostile)
    found = trace(write_store(tmp_path / "s.duckdb", events), "s")
    text, page = found.as_text(), found.as_markdown()
    assert "\\x1b[31m\\u202egnp 🤖" in text
    assert not {"\x1b", "\u202e"} & {*text, *page}
    rows = [line for line in page.splitlines() if line.startswith("| 2026")]
    assert [2, {5}] == [len(rows), {row.count("|") for row in rows}]
    assert not [mark for mark in ("<script", "</b>", "`", "[a]", "http://", "www.", "@team") if mark in page]
    told = json.loads(found.as_json())
    assert [hostile, "2026-06-01T09:00:00Z"] == [told["steps"][0]["text"], told["steps"][0]["time"]]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ünï 公平", "plain ünï 公平"),
        ("a\nb\tc\r", "a\\x0ab\\x09c\\x0d"),
        ("\x00\x7f\x9b", "\\x00\\x7f\\x9b"),
        ("\u2028\u2066\U000e0001", "\\u2028\\u2066\\U000e0001"),
        ("می‌خواهم 👩‍🔬", "می‌خواهم 👩‍🔬"),
    ],
)
def test_only_what_moves_or_hides_is_made_visible(text: str, shown: str) -> None:
    """Protects readable text of every language from the cure."""
    assert shown == one_line(text)


def test_what_is_cut_says_how_much() -> None:
    """Protects from reading the start of a text as the whole."""
    assert "abc... (4 more characters)" == one_line("abcdefg", 3)
    assert "a&#124;b" == markdown("a|b")
