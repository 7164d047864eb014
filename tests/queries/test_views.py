"""What the views count, each on a store so small that the right figures can be worked out by hand."""

import datetime as dt
import random
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from queries import Window, run
from storefile import read
from tests.stores import START, Row, event, four_weeks, write_store
from tests.stores import run as stage_run

SHAPE = "socratic.shape."
LONG, DIGITS = SHAPE + "word_limit", SHAPE + "no_digits"
HONESTY = "honesty.failures_with_claim"


def at(minutes: float) -> dt.datetime:
    return START + dt.timedelta(minutes=minutes)


def totals(db: Path, check_id: str, window: Window | None = None) -> Row:
    frame = run(db, "check_totals", window)
    return next(row for row in frame.to_dicts() if row["check_id"] == check_id)


def runs(db: Path) -> list[tuple[Any, ...]]:
    columns = "run, rejected_drafts, failed_calls, attempts, outcome, complete, consistent, judged_drafts"
    return read(db, f"SELECT {columns} FROM runs ORDER BY run").rows()


RUNS: dict[str, tuple[list[Row], list[tuple[Any, ...]]]] = {
    "posted at once": (stage_run("a", at(0)), [("a #1", 0, 0, 1, "posted-writer", True, True, 1)]),
    "two redrafts": (stage_run("a", at(0), [[LONG], [DIGITS]]), [("a #1", 2, 0, 3, "posted-writer", True, True, 3)]),
    "a failed call counts as an attempt and judges nothing": (
        stage_run("a", at(0), [[LONG]], failed_calls=1),
        [("a #1", 1, 1, 3, "posted-writer", True, True, 2)],
    ),
    "the template": (
        stage_run("a", at(0), [[LONG]] * 4, "posted-template"),
        [("a #1", 4, 0, 4, "posted-template", True, True, 4)],
    ),
    "no summary": (stage_run("a", at(0), [[LONG]], None), [("a #1", 1, 0, None, None, False, None, None)]),
    "a new run after a summary": (
        stage_run("a", at(0), [[LONG]]) + stage_run("a", at(5)),
        [("a #1", 1, 0, 2, "posted-writer", True, True, 2), ("a #2", 0, 0, 1, "posted-writer", True, True, 1)],
    ),
    "a new run where the attempt does not grow": (
        stage_run("a", at(0), [[LONG], [LONG]], None) + stage_run("a", at(5), [[DIGITS]]),
        [("a #1", 2, 0, None, None, False, None, None), ("a #2", 1, 0, 2, "posted-writer", True, True, 2)],
    ),
    "a run that starts with a failed call is not cut in two": (
        stage_run("a", at(0), [[LONG], [LONG]]) + stage_run("a", at(5), [[DIGITS]], failed_calls=1),
        [("a #1", 2, 0, 3, "posted-writer", True, True, 3), ("a #2", 1, 1, 3, "posted-writer", True, True, 2)],
    ),
    "attempts that do not add up": (
        [row for row in stage_run("a", at(0), [[LONG], [DIGITS]]) if row.get("attempt") != 1],
        [("a #1", 1, 0, 3, "posted-writer", True, False, 2)],
    ),
    "two sessions interleaved": (
        [
            row
            for pair in zip(stage_run("a", at(0), [[LONG]]), stage_run("b", at(0), [[LONG]]), strict=True)
            for row in pair
        ],
        [("a #1", 1, 0, 2, "posted-writer", True, True, 2), ("b #1", 1, 0, 2, "posted-writer", True, True, 2)],
    ),
    "a run without a session keeps its inferred name": (
        stage_run(None, at(0), [[LONG]], inferred_run="agent.log 17"),
        [("agent.log 17 #1", 1, 0, 2, "posted-writer", True, True, 2)],
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_runs(tmp_path: Path, name: str) -> None:
    """A session's lines are put together into the runs that wrote them, whatever is missing."""
    events, expected = RUNS[name]
    assert expected == runs(write_store(tmp_path / "s.duckdb", events))


def turn(minutes: float, outcome: str | None = "response", session: str = "a") -> Row:
    return event("turn", "turn_done", at(minutes), session, outcome=outcome)


def passed(minutes: float, session: str = "a") -> Row:
    return event("honesty", "gate_passed", at(minutes), session, subject="honesty")


def fired(minutes: float, reason: str, session: str = "a") -> Row:
    return event("honesty", "gate_fired", at(minutes), session, [reason], subject="honesty", severity="high")


def answer(minutes: float, value: int | None, *reasons: str) -> Row:
    return event("probe", "answer", at(minutes), "a", reasons, attempts=1, extra={"value": value})


GATE = event("gates", "gate_fired", at(1), "a", ["gates.half_finished"], subject="half_finished")
DROP = event(
    "guardrail", "guardrail_drop", at(1), "a", ["guardrail.professionalism"], subject="professionalism", goal="g"
)
SLOTS = event("agent", "slots_rejected", at(9), "a", ["socratic.slots.concept_length"], action="silent")

# check, events, (fires, evaluated, basis, fires among them)
DENOMINATORS: dict[str, tuple[str, list[Row], tuple[int, int | None, str, int | None]]] = {
    "nothing at all": (LONG, [], (0, None, "unknown", None)),
    "drafts of complete runs": (LONG, stage_run("a", at(0), [[LONG], [DIGITS]]), (1, 3, "derived", 1)),
    "a run without a summary fires and is not evaluated": (
        LONG,
        stage_run("a", at(0), [[LONG]], None) + stage_run("b", at(0)),
        (1, 1, "derived", 0),
    ),
    "a failed call judges nothing": (LONG, stage_run("a", at(0), [], failed_calls=2), (0, 1, "derived", 0)),
    "the template is no draft": (
        LONG,
        stage_run("a", at(0), [[DIGITS]] * 4, "silent", template_reasons=[LONG]),
        (0, 4, "derived", 0),
    ),
    "a reason given twice is one fire": (
        LONG,
        stage_run("a", at(0), [[LONG, (LONG, "over 40 words")]]),
        (1, 2, "derived", 1),
    ),
    "slots that passed are those that led to a run": (
        "socratic.slots.concept_length",
        [*stage_run("a", at(0)), SLOTS],
        (1, 2, "derived", 1),
    ),
    "slots after the one that stopped were not reached": (
        "socratic.slots.source_known",
        [*stage_run("a", at(0)), SLOTS],
        (0, 1, "derived", 0),
    ),
    "slots before the one that stopped were": (
        "socratic.slots.concept_present",
        [*stage_run("a", at(0)), SLOTS],
        (0, 2, "derived", 0),
    ),
    "honesty passes are logged": (HONESTY, [passed(0), passed(1), fired(2, HONESTY)], (1, 3, "logged", 1)),
    "honesty fires without any pass are no denominator": (HONESTY, [fired(2, HONESTY)], (1, None, "unknown", None)),
    "honesty further down the order": (
        "honesty.unknown_results_with_claim",
        [passed(0), fired(2, HONESTY)],
        (0, 1, "logged", 0),
    ),
    "an unmapped reason reaches no check for certain": (
        HONESTY,
        [passed(0), fired(2, "something else")],
        (0, 1, "logged", 0),
    ),
    "a retired check stops the chain at no known place": (
        "honesty.memory_claim_without_write",
        [passed(0), fired(2, "honesty.unverified_destructive")],
        (0, 1, "logged", 0),
    ),
    "a retired check has no evaluations": (
        "honesty.unverified_destructive",
        [passed(0), fired(2, "honesty.unverified_destructive")],
        (1, None, "unknown", None),
    ),
    "gates without turns": ("gates.half_finished", [GATE], (1, None, "unknown", None)),
    "gates per turn": ("gates.half_finished", [GATE, turn(2), turn(3)], (1, 2, "derived", 1)),
    "a turn that failed or has no outcome proves nothing": (
        "gates.viability",
        [turn(2), turn(3, "error"), turn(4, None)],
        (0, 1, "derived", 0),
    ),
    "a gate's fire where no turn is logged is not among the turns": (
        "gates.half_finished",
        [GATE, turn(2, session="b")],
        (1, 1, "derived", 0),
    ),
    "reflection has no denominator": (
        "reflection.auth",
        [event("reflection", "reminder", at(0), "a", ["reflection.auth"]), turn(1)],
        (1, None, "unknown", None),
    ),
    "drops without posts": ("guardrail.professionalism", [DROP], (1, None, "unknown", None)),
    "drops and posts": (
        "guardrail.professionalism",
        [DROP, event("guardrail", "post_detected", at(2), "a", goal="g")],
        (1, 2, "derived", 1),
    ),
    "an answer is read or refused": (
        "probe.scale.no_number",
        [answer(0, 4), answer(1, None, "probe.scale.no_number"), answer(2, None)],
        (1, 2, "logged", 1),
    ),
    "an answer refused earlier does not reach the later reasons": (
        "probe.scale.qualified",
        [answer(0, 4), answer(1, None, "probe.scale.no_number")],
        (0, 1, "logged", 0),
    ),
    "a quiz call without a node is not judged": (
        "lesson.unknown_node",
        [event("lesson", "quiz_call", at(0), "a", subject=node) for node in ("n1", "n2", None)],
        (0, 2, "logged", 0),
    ),
    "a quiz call says nothing of the probe": (
        "lesson.probe_done_twice",
        [event("lesson", "quiz_call", at(0), "a", subject="n1"), event("lesson", "probe_done", at(1), "a")],
        (0, 1, "logged", 0),
    ),
    "lesson without calls": (
        "lesson.probe_done_twice",
        [event("lesson", "plan_init", at(0), "a")],
        (0, None, "unknown", None),
    ),
    "a fire told twice counts once": (
        HONESTY,
        [passed(0), fired(2, HONESTY), fired(2.01, HONESTY) | {"duplicate_of": 2}],
        (1, 2, "logged", 1),
    ),
}


@pytest.mark.parametrize("name", DENOMINATORS)
def test_denominators(tmp_path: Path, name: str) -> None:
    """Each family's evaluations are counted as the design says, and what is not known stays unknown."""
    check_id, events, expected = DENOMINATORS[name]
    found = totals(write_store(tmp_path / "s.duckdb", events), check_id)
    assert expected == tuple(found[name] for name in ("fires", "evaluated", "evaluated_basis", "evaluated_fires"))


def test_first_drafts(tmp_path: Path) -> None:
    """The first draft is that of attempt 1, rejected or posted; after a failed first call there is none."""
    events = (
        stage_run("a", at(0), [[LONG], [LONG]])
        + stage_run("b", at(0))
        + stage_run("c", at(0), [[LONG]], failed_calls=1)
    )
    events += stage_run("d", at(0), [[LONG]], None)
    found = totals(write_store(tmp_path / "s.duckdb", events), LONG)
    assert (2, 1, 4) == (found["first_drafts"], found["first_draft_fires"], found["fires"])


def test_sole_fires(tmp_path: Path) -> None:
    """A fire is alone only where no other reason stands beside it, an unmapped one included."""
    events = stage_run(
        "a", at(0), [[LONG], [LONG, DIGITS], [LONG, "some other reason"], [LONG, (LONG, "too long")]], "posted-template"
    )
    found = totals(write_store(tmp_path / "s.duckdb", events), LONG)
    assert (4, 2) == (found["fires"], found["sole_fires"])


def test_template_fires(tmp_path: Path) -> None:
    """A template that fails its checks is counted apart, and is not among the fires or their times."""
    events = stage_run("a", at(0), [[DIGITS]] * 4, "silent", template_reasons=[LONG])
    found = totals(write_store(tmp_path / "s.duckdb", events), LONG)
    assert (0, 1, None) == (found["fires"], found["template_fires"], found["last_fired"])


def test_sessions_and_days(tmp_path: Path) -> None:
    """Sessions and days are those in which the check was reached; inferred runs count as sessions and are named."""
    events = [
        passed(0, "a"),
        passed(1, "a"),
        passed(2, "b"),
        fired(60 * 24, HONESTY, "c"),
        passed(60 * 48, "d") | {"session": None},
    ]
    db = write_store(tmp_path / "s.duckdb", events)
    counts = ("sessions", "inferred_sessions", "days")
    assert (4, 1, 3) == tuple(totals(db, HONESTY)[name] for name in counts)
    assert (3, 1, 2) == tuple(totals(db, "honesty.unknown_results_with_claim")[name] for name in counts)


def test_a_check_that_only_the_logs_know_is_retired(tmp_path: Path) -> None:
    """A check that left the catalog without a word stays in the totals, as retired."""
    db = write_store(tmp_path / "s.duckdb", stage_run("a", at(0), [[LONG]]))
    with duckdb.connect(str(db)) as connection:
        connection.execute("DELETE FROM checks WHERE check_id = ?", [LONG])
    found = totals(db, LONG)
    assert (True, 1, None) == (found["retired"], found["fires"], found["evaluated"])


def test_window_bounds(tmp_path: Path) -> None:
    """Since is inclusive and until exclusive, item by item; the run is still one run."""
    db = write_store(tmp_path / "s.duckdb", stage_run("a", at(0), [[LONG], [LONG]]))
    seconds = [START + dt.timedelta(seconds=n) for n in (0, 2, 4)]
    windows = [
        Window(since=seconds[1]),
        Window(until=seconds[1]),
        Window(seconds[1], seconds[2]),
        Window(until=seconds[0]),
    ]
    found = [totals(db, LONG, window) for window in windows]
    assert [(1, 2), (1, 1), (1, 1), (0, None)] == [(row["fires"], row["evaluated"]) for row in found]


def test_undated_records_count_only_without_bounds(tmp_path: Path) -> None:
    """A record without a time is in no window, and is said to be left out."""
    db = write_store(tmp_path / "s.duckdb", [row | {"time": None} for row in stage_run("a", at(0), [[LONG]])])
    bounded = Window(since=at(-60))
    assert (1, 2, 1) == tuple(totals(db, LONG)[name] for name in ("fires", "evaluated", "undated_fires"))
    assert (0, None) == tuple(totals(db, LONG, bounded)[name] for name in ("fires", "evaluated"))
    assert 2 == run(db, "coverage", bounded)["undated_left_out"].item()


def test_agent(tmp_path: Path) -> None:
    """One agent's figures are those of its own records; records that name none are said to be left out."""
    events = (
        stage_run("a", at(0), [[LONG]], agent="tutor")
        + stage_run("b", at(0), [[LONG]], agent="guide")
        + stage_run("c", at(0))
    )
    db = write_store(tmp_path / "s.duckdb", events)
    assert (1, 2) == tuple(totals(db, LONG, Window(agent="tutor"))[name] for name in ("fires", "evaluated"))
    assert 1 == run(db, "coverage", Window(agent="tutor"))["without_agent_left_out"].item()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    events, rejects = four_weeks()
    return write_store(tmp_path_factory.mktemp("demo") / "demo.duckdb", events, rejects=rejects)


WEEKS = [Window(), Window.parse("2026-06-05", "2026-06-19T12:00:00Z"), Window(agent="tutor")]


@pytest.mark.parametrize("window", WEEKS, ids=["whole", "bounded", "agent"])
def test_totals_agree(demo: Path, window: Window) -> None:
    """Figures that say the same thing in different tables are the same."""
    checks = run(demo, "check_totals", window)
    weeks = run(demo, "fires_by_week", window).group_by("check_id").agg(fires=pl.col("fires").sum())
    undated = {row["check_id"]: row["undated_fires"] for row in checks.to_dicts()}
    fires = {row["check_id"]: row["fires"] for row in checks.to_dicts() if row["fires"] > undated[row["check_id"]]}
    assert fires == {c: f + undated[c] for c, f in weeks.rows() if f}
    reasons = run(demo, "reasons", window).drop_nulls("check_id").group_by("check_id").agg(n=pl.col("count").sum())
    assert {row["check_id"]: row["fires"] for row in checks.to_dicts() if row["fires"]} == dict(reasons.rows())
    attempts = run(demo, "attempts", window)
    complete = run(demo, "runs", window, complete=True, limit=1)["total"].item()
    assert complete == attempts.filter(attempts["system"] == "socratic")["runs"].sum()
    gates = run(demo, "gates", window).group_by("check_id").agg(n=pl.col("fires").sum())
    known = checks.filter(checks["family"].is_in(["honesty", "gates"]) & (checks["fires"] > 0))
    assert dict(known.select("check_id", "fires").rows()) == dict(gates.rows())
    drops = run(demo, "guardrails", window)["drops"].sum()
    assert drops == checks.filter(checks["family"] == "guardrail")["fires"].sum()
    for row in known.to_dicts():
        behind = run(demo, "records", window, check_id=row["check_id"], limit=1)
        assert row["fires"] == behind["total"].item()


def test_judged_drafts_are_the_evaluations(demo: Path) -> None:
    """The drafts that runs report as judged are the evaluations of the shape family, and some check objected to each rejected one."""
    judged = read(demo, "SELECT sum(judged_drafts)::BIGINT AS n FROM runs").item()
    items = read(
        demo,
        "SELECT count(*) AS n, count(*) FILTER (objected) AS objected FROM evaluations WHERE family = 'socratic.shape'",
    )
    rejected = read(demo, "SELECT sum(rejected_drafts)::BIGINT AS n FROM runs WHERE complete").item()
    assert (judged, rejected) == items.row(0)


def test_the_order_of_arrival_does_not_matter(demo: Path, tmp_path: Path) -> None:
    """The same records read in another order give the same totals: runs are ordered by time, not by arrival."""
    events, rejects = four_weeks()
    dated = [row for row in events if row["time"]]
    undated = [row for row in events if not row["time"]]
    random.Random(3).shuffle(dated)
    other = write_store(tmp_path / "s.duckdb", dated + undated, rejects=rejects)
    assert run(demo, "check_totals").to_dicts() == run(other, "check_totals").to_dicts()


def test_the_store_explains_itself(demo: Path) -> None:
    """Every view and each of its columns carries a comment, for whoever opens the store with another program."""
    sql = "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal AND comment IS NULL AND table_name IN ('runs', 'evaluations', 'check_totals')"
    assert [] == read(demo, sql).rows()
    assert (
        []
        == read(
            demo, "SELECT view_name FROM duckdb_views() WHERE NOT internal AND coalesce(comment, '') NOT LIKE 'Grain:%'"
        ).rows()
    )
    assert 0 < read(demo, "SELECT count(*) FROM duckdb_views() WHERE NOT internal AND comment LIKE 'Grain:%'").item()
