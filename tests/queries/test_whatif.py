"""What would have been without a check: hand-worked runs, and what must hold of any runs."""

import datetime as dt
import json
import random
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from queries import Window
from queries.whatif import UnknownCheckError, WhatIf, row_of, whatif
from queries.whatifpage import render
from tests.stores import START, Row, event, four_weeks, run, write_store

SHAPE = "socratic.shape."
LONG, DIGITS, SOURCE = SHAPE + "word_limit", SHAPE + "no_digits", SHAPE + "names_source"
FIRST, MIDDLE, LAST = "memory_claim_without_write", "failures_with_claim", "unknown_results_with_claim"


def at(minutes: float) -> dt.datetime:
    return START + dt.timedelta(minutes=minutes)


def asked(tmp_path: Path, events: Sequence[Row], *checks: str, window: Window | None = None) -> WhatIf:
    return whatif(write_store(tmp_path / "s.duckdb", events), window or Window(), checks)


# events, removed, (passed by attempt, writer calls saved, templates avoided, silences avoided, templates that pass)
RUNS: dict[str, tuple[list[Row], list[str], tuple[dict[int, int], int, int, int, int]]] = {
    "its only reason: passes at once, one call saved": (run("a", at(0), [[LONG]]), [LONG], ({1: 1}, 1, 0, 0, 0)),
    "another check objected too": (run("a", at(0), [[LONG, DIGITS]]), [LONG], ({}, 0, 0, 0, 0)),
    "both of the two are removed": (run("a", at(0), [[LONG, DIGITS]]), [LONG, DIGITS], ({1: 1}, 1, 0, 0, 0)),
    "an unmapped reason is another failure": (run("a", at(0), [[LONG, "too stiff"]]), [LONG], ({}, 0, 0, 0, 0)),
    "a draft without any reason never passes": (run("a", at(0), [[]]), [LONG], ({}, 0, 0, 0, 0)),
    "the first draft that passes ends the run": (
        run("a", at(0), [[DIGITS], [LONG], [LONG]]),
        [LONG],
        ({2: 1}, 2, 0, 0, 0),
    ),
    "a failed call counts as an attempt": (run("a", at(0), [[LONG]], failed_calls=1), [LONG], ({2: 1}, 1, 0, 0, 0)),
    "a template avoided": (
        run("a", at(0), [[DIGITS], [DIGITS], [DIGITS], [LONG]], "posted-template"),
        [LONG],
        ({4: 1}, 0, 1, 0, 0),
    ),
    "a silence avoided by a draft": (
        run("a", at(0), [[LONG], [DIGITS], [DIGITS], [DIGITS]], "silent", template_reasons=[DIGITS]),
        [LONG],
        ({1: 1}, 3, 0, 1, 0),
    ),
    "a silence avoided by the template": (
        run("a", at(0), [[DIGITS]] * 4, "silent", template_reasons=[LONG]),
        [LONG],
        ({}, 0, 0, 1, 1),
    ),
    "a template that fails for something else too": (
        run("a", at(0), [[DIGITS]] * 4, "silent", template_reasons=[LONG, SOURCE]),
        [LONG],
        ({}, 0, 0, 0, 0),
    ),
    "two runs of one session": (
        run("a", at(0), [[LONG]]) + run("a", at(9), [[DIGITS], [LONG]]),
        [LONG],
        ({1: 1, 2: 1}, 2, 0, 0, 0),
    ),
    "a run without a summary counts apart": (run("a", at(0), [[LONG]], None), [LONG], ({}, 0, 0, 0, 0)),
    "a repeated reason is one reason": (
        run("a", at(0), [[LONG, (LONG, "over the limit")]]),
        [LONG],
        ({1: 1}, 1, 0, 0, 0),
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_runs(tmp_path: Path, name: str) -> None:
    """Each kind of run ends as worked out by hand."""
    events, removed, expected = RUNS[name]
    found = asked(tmp_path, events, *removed)
    templates = int((found.runs["passes"] == "template").sum())
    assert expected == (
        found.passed,
        found.saved_calls,
        found.avoided["posted-template"],
        found.avoided["silent"],
        templates,
    )


def test_totals_before_and_after_per_week(tmp_path: Path) -> None:
    """The weeks add up as by hand: each run moves from how it ended to how it would have."""
    later = at(0) + dt.timedelta(days=7)
    events = [
        *run("a", at(0), [[LONG], [DIGITS]]),  # 3 calls; passes at attempt 1, 2 saved, 2 rejected drafts fewer
        *run("b", at(60), [[DIGITS], [LONG], [DIGITS], [DIGITS]], "posted-template"),  # 4 calls; passes at 2
        *run("c", later, [[DIGITS]] * 4, "silent", template_reasons=[LONG]),  # 4 calls stay, the template passes
        *run("d", later + dt.timedelta(hours=1)),  # untouched
        *run("e", later + dt.timedelta(hours=2), [[LONG]], None),
    ]
    found = asked(tmp_path, events, LONG)
    names = ("runs", "writer_calls", "rejected_drafts", "posted_writer", "posted_template", "silent")
    rows = found.weeks.to_dicts()
    assert [(2, 7, 6, 1, 1, 0), (2, 5, 4, 1, 0, 1)] == [tuple(row[name] for name in names) for row in rows]
    assert [(2, 3, 1, 2, 0, 0), (2, 5, 4, 1, 1, 0)] == [tuple(row[f"{name}_after"] for name in names) for row in rows]
    assert [0, 1] == found.weeks["incomplete_runs"].to_list()
    assert 1 == found.open_runs.height
    expected = (
        "2 of 10 rejected drafts would have passed (1 at attempt 1, 1 at attempt 2) and 1 template would have been posted "
        "where there was silence in 3 of 4 runs: 4 of 12 writer calls saved, 1 of 1 template and 1 of 1 silence avoided. "
        "1 run without a summary would also have had a draft pass; no end of them is known, so they count apart."
    )
    assert expected == found.sentence()


def gate(minutes: float, reason: str | None) -> Row:
    if reason is None:
        return event("honesty", "gate_passed", at(minutes), "a", subject="honesty")
    return event("honesty", "gate_fired", at(minutes), "a", [f"honesty.{reason}"], text=reason, action="regenerate")


CHAIN = [gate(0, FIRST), gate(1, MIDDLE), gate(2, LAST), gate(3, None)]
# removed, (records that would not be, of which it is not known)
CHAINS = {
    "a later check was never asked": ([FIRST], (1, 1)),
    "nothing stands behind the last one": ([LAST], (1, 0)),
    "the last two: nothing stands behind either": ([MIDDLE, LAST], (2, 0)),
    "two with a gap between: the first may be stopped there": ([FIRST, LAST], (2, 1)),
}


@pytest.mark.parametrize("name", CHAINS)
def test_first_match(tmp_path: Path, name: str) -> None:
    """Where the chain stopped before a check that stays, it is said that nobody knows."""
    removed, expected = CHAINS[name]
    found = asked(tmp_path, CHAIN, *(f"honesty.{reason}" for reason in removed))
    assert expected == (found.stops.height, found.unknown)
    assert bool(found.unknown) == ("cannot be known whether a later check would have" in found.sentence())


def test_independent_families(tmp_path: Path) -> None:
    """A drop of the only guardrail is certain; of a gate with siblings it is not known whether one would have stepped in."""
    events = [
        event("guardrail", "guardrail_drop", at(1), "a", ["guardrail.professionalism"], action="drop"),
        event("gates", "gate_fired", at(2), "a", ["gates.half_finished"], action="regenerate"),
    ]
    found = asked(tmp_path, events, "guardrail.professionalism", "gates.half_finished")
    assert {"guardrail": True, "gates": False} == dict(found.stops.select("family", "certain").iter_rows())


def test_worst_first(tmp_path: Path) -> None:
    """The list begins with certain texts to which most of the removed checks objected, then the worst ends, then the latest."""
    events = [
        *run("late", at(0), [[DIGITS], [DIGITS], [LONG]], draft="late"),
        *run("early", at(10), [[LONG]], draft="early"),
        *run("template", at(20), [[SOURCE], [SOURCE], [SOURCE], [LONG]], "posted-template", draft="template"),
        *run("silent", at(30), [[LONG], *[[SOURCE]] * 3], "silent", template_reasons=[SOURCE], draft="silent"),
        *run("both", at(40), [[LONG, "socratic.shape.no_analogy"]], draft="both"),
        gate(50, FIRST),
    ]
    found = asked(tmp_path, events, LONG, "socratic.shape.no_analogy", f"honesty.{FIRST}")
    assert ["both", "silent", "template", "late", "early", FIRST] == found.posted["text"].to_list()
    assert 6 == found.posted_total


def test_the_window_and_the_agent(tmp_path: Path) -> None:
    """A run counts where it ended, and only the agent's that was asked for."""
    events = run("a", at(0), [[LONG]], agent="tutor") + run("b", at(60 * 24 * 3), [[LONG]], agent="moderator")
    assert 1 == asked(tmp_path, events, LONG, window=Window(until=at(60))).saved_calls
    assert 1 == asked(tmp_path, events, LONG, window=Window(agent="moderator")).runs.height
    assert 0 == asked(tmp_path, events, LONG, window=Window(since=at(60 * 24 * 9))).runs.height


def test_nothing_would_have_been_otherwise(tmp_path: Path) -> None:
    """A check that never objected alone changes nothing, and the sentence says out of how much."""
    found = asked(tmp_path, run("a", at(0), [[LONG, DIGITS]]), LONG)
    assert not found.changes_anything
    assert (
        "Nothing would have been otherwise: no text was rejected by it alone in this window, "
        "in 1 rejected draft of 1 complete run." == found.sentence()
    )


NEAR = {
    "socratic.shape.no_digit": "did you mean socratic.shape.no_digits?",
    "names_source": "did you mean socratic.shape.names_source?",
    "zzz": "the ids are listed by: gatecov checks",
}


@pytest.mark.parametrize("name", NEAR)
def test_unknown_checks(tmp_path: Path, name: str) -> None:
    """A wrong id is refused in one sentence that names near ones."""
    with pytest.raises(UnknownCheckError) as refused:
        asked(tmp_path, [], LONG, name)
    expected = f"{name}: neither the store's catalog nor its logs know this check; {NEAR[name]}"
    assert (expected, 2) == (str(refused.value), refused.value.exit_code)


REASONS = [LONG, DIGITS, SOURCE, "an unmapped reason"]
DRAFTS = st.lists(st.lists(st.sampled_from(REASONS), max_size=3), max_size=4)
ONE_RUN = st.tuples(DRAFTS, st.sampled_from(["posted-writer", "posted-template", "silent", None]), st.integers(0, 1))


def some_runs(drawn: list[Any]) -> list[list[Row]]:
    return [
        run(f"s{n}", at(30 * n), rejected, outcome, failed_calls=failed, template_reasons=[LONG])
        for n, (rejected, outcome, failed) in enumerate(drawn)
    ]


def figures(found: WhatIf) -> tuple[int, ...]:
    ended = found.avoided["posted-template"] + found.avoided["silent"]
    return (found.saved_calls, found.runs.height, sum(found.passed.values()), ended, found.open_runs.height)


@given(st.lists(ONE_RUN, max_size=6), st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_what_holds_of_any_runs(drawn: list[Any], rnd: random.Random) -> None:
    """Removing nothing changes nothing; more removed is never less; the order of lines in the store does not matter; no
    total grows except the posts."""
    runs = some_runs(drawn)
    with TemporaryDirectory() as folder:
        db = write_store(Path(folder) / "s.duckdb", [row for lines in runs for row in lines])
        nothing, one, other = (whatif(db, Window(), ids) for ids in ([], [LONG], [DIGITS]))
        both = whatif(db, Window(), [LONG, DIGITS])
        rnd.shuffle(runs)
        shuffled = whatif(write_store(db, [row for lines in runs for row in lines]), Window(), [LONG, DIGITS])
    assert not nothing.changes_anything
    assert nothing.before == nothing.after
    for alone in (one, other):
        assert all(a <= b for a, b in zip(figures(alone), figures(both), strict=True))
    assert row_of(both) == row_of(shuffled)
    for name in ("writer_calls", "rejected_drafts", "silent"):
        assert both.after[name] <= both.before[name]
    assert both.before["writer_calls"] - both.after["writer_calls"] == both.saved_calls
    assert sum(both.after[n] for n in ("posted_writer", "posted_template", "silent")) == both.after["runs"]


def test_four_weeks_counted_another_way(tmp_path: Path) -> None:
    """On the invented weeks the figures are those of a plain loop over the lines."""
    events, _ = four_weeks()
    removed = {SHAPE + "not_compound", SHAPE + "no_trailing_clause", SHAPE + "quotes_loaded_word"}
    found = whatif(write_store(tmp_path / "s.duckdb", events), Window(), sorted(removed))
    saved, passed = 0, 0
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for row in (row for row in events if row["system"] == "socratic"):
        key = row["session"] or row["inferred_run"]
        if row["kind"] == "draft_rejected":
            if row["attempt"] <= last.get(key, 0):
                first.pop(key, None)
            last[key] = row["attempt"]
            if set(row["reasons"]) <= removed:
                first.setdefault(key, row["attempt"])
        if row["kind"] == "summary":
            if key in first:
                saved += max(0, row["attempts"] - first.pop(key))
                passed += 1
            last.pop(key, None)
    assert (saved, passed) == (found.saved_calls, found.runs.filter(found.runs["passes"] == "draft").height)


def test_renderers(tmp_path: Path) -> None:
    """The three forms tell the same figures, and log text is shown with its control characters as codes."""
    db = write_store(tmp_path / "s.duckdb", run("a", at(0), [[LONG]], draft="\x1b[31m| <b>red</b>"))
    found = whatif(db, Window(), [LONG])
    read = json.loads(render(found, "json"))
    assert (1, {"1": 1}, found.sentence()) == (read["writer_calls_saved"], read["passed_by_attempt"], read["sentence"])
    for style in ("table", "markdown"):
        text = render(found, style)
        assert "1 of 1 rejected draft would have passed (1 at attempt 1) in 1 of 1 run" in " ".join(text.split())
        assert "\x1b" not in text
    assert "\\| \\<b\\>red" in render(found, "markdown")
