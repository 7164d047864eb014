"""Fires per week: what counts as quiet or loud, and what is noise."""

import datetime as dt
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scipy.stats import fisher_exact

from queries import run
from queries.thresholds import Thresholds
from queries.trend import told, trends, weekly
from tests.stores import START, Row, event, write_store
from tests.stores import run as stage_run

MONDAY = dt.date(2026, 6, 1)
LONG, DIGITS = "socratic.shape.word_limit", "socratic.shape.no_digits"


def weeks(fired: list[int | None], of: list[int | None], check_id: str = "a.b") -> pl.DataFrame:
    """Rows as fires_by_week.sql gives them, one fire and one evaluation per conversation."""
    rows: list[dict[str, Any]] = [
        {
            "check_id": check_id,
            "family": "a",
            "week": MONDAY + dt.timedelta(weeks=n),
            "fires": k or 0,
            "evaluated": size,
            "sessions": size,
            "fired_sessions": k,
            "days": 7,
        }
        for n, (k, size) in enumerate(zip(fired, of, strict=True))
    ]
    schema = dict.fromkeys(("fires", "evaluated", "sessions", "fired_sessions"), pl.Int64)
    return pl.DataFrame(rows, schema_overrides=schema)


# fired and evaluated conversations per week, (kind, first week of the new state by number)
SERIES: dict[str, tuple[list[int | None], list[int | None], tuple[str, int | None]]] = {
    "went quiet": ([10, 9, 0, 0], [100] * 4, ("quiet", 2)),
    "grew quieter": ([60, 58, 20, 22], [100] * 4, ("quiet", 2)),
    "began to fire": ([0, 0, 0, 12], [100] * 4, ("loud", 3)),
    "three more of a hundred are noise": ([2, 3, 5, 4], [100] * 4, ("noise", None)),
    "two fires, then none, are noise": ([2, 0, 0, 0], [50] * 4, ("noise", None)),
    "a thin week proves nothing": ([5, 6, 0], [50, 50, 6], ("noise", None)),
    "never": ([0, 0, 0], [100] * 3, ("never", None)),
    "one week": ([4], [100], ("unknown", None)),
    "what it is out of is not known": ([None, None], [None, None], ("never", None)),
}


@pytest.mark.parametrize("name", SERIES)
def test_kinds(name: str) -> None:
    """Each series is what a person would call it, and no small difference is called a change."""
    fired, of, (kind, place) = SERIES[name]
    found = trends(weeks(fired, of))["a.b"]
    assert kind == found.kind
    if place is not None:
        assert MONDAY + dt.timedelta(weeks=place) == found.week


def test_the_figures_of_a_quiet_check() -> None:
    """19 of 200 conversations, then 0 of 200: the p-value is scipy's, against 0.05 shared by three cuts."""
    found = trends(weeks([10, 9, 0, 0], [100] * 4))["a.b"]
    p = fisher_exact([[19, 181], [0, 200]])[1]
    assert (p, 0.05 / 3) == (pytest.approx(found.p), pytest.approx(found.level))
    assert (
        "It went quiet in the week of 2026-06-15: 19 of 200 conversations before the week of 2026-06-15, 0 of 200 "
        f"conversations since (Fisher's exact test, p = {p:.2g}, below 0.017 for all comparisons made)."
    ) == found.sentence()


def test_noise_is_called_noise() -> None:
    """A difference of a few messages is told as what it is."""
    sentence = trends(weeks([2, 0, 0, 0], [50] * 4))["a.b"].sentence()
    assert sentence.startswith("No change that these numbers could show; the sharpest difference is noise: 2 of 50 ")


def test_the_level_is_shared_by_all_checks() -> None:
    """A difference that one check alone would show is noise among fifty that were looked at."""
    one = weeks([9, 0], [60, 60])
    many = pl.concat([one, *(weeks([3, 3], [60, 60], f"a.c{n}") for n in range(49))])
    assert "quiet" == trends(one)["a.b"].kind
    assert "noise" == trends(many)["a.b"].kind
    assert ["a.b"] == [trend.check_id for trend in told(trends(one))]


def test_the_order_of_rows_does_not_matter() -> None:
    """Shuffled weeks give the same finding."""
    frame = pl.concat([weeks([10, 9, 0, 0], [100] * 4), weeks([1, 2, 3, 4], [50] * 4, "a.c")])
    places = list(range(frame.height))
    random.Random(3).shuffle(places)
    assert trends(frame) == {**trends(frame[places])}


def test_more_of_the_same_never_makes_a_change_noise() -> None:
    """The p-value shrinks as evidence of the same kind grows."""
    p_values = [trends(weeks([3 * n, 0], [30 * n, 30 * n]))["a.b"].p for n in (1, 2, 4, 8)]
    assert sorted(p_values, key=lambda p: -(p or 0)) == p_values


def test_thin_weeks_are_marked() -> None:
    """A week with fewer evaluations than the threshold, or with none known, is thin, and has its rate all the same."""
    frame = weekly(weeks([3, 1, 0], [30, 29, None]), Thresholds(min_week_evaluations=30))
    assert [(0.1, False), (1 / 29, True), (None, True)] == list(frame.select("rate", "thin").iter_rows())


def at(days: float) -> dt.datetime:
    return START + dt.timedelta(days=days)


def test_conversations_per_week_in_a_store(tmp_path: Path) -> None:
    """Two fires of one conversation are one conversation with a fire; a gate's fire counts by its turn's conversation."""
    events: list[Row] = [
        *stage_run("a", at(0), [[LONG], [LONG]]),
        *stage_run("b", at(1)),
        *stage_run("a", at(7), [[DIGITS]]),
        *stage_run("c", at(7.5), [[LONG]], None),  # incomplete: it fires, and is no evaluation
        event("turn", "turn_done", at(0), "a", outcome="response"),
        event("gates", "gate_fired", at(0), "a", ["gates.half_finished"]),
    ]
    frame = run(write_store(tmp_path / "s.duckdb", events), "fires_by_week")
    columns = ("fires", "evaluated", "sessions", "fired_sessions", "days")
    of = {
        check_id: frame.filter(check_id=check_id).select(columns).rows() for check_id in (LONG, "gates.half_finished")
    }
    assert {LONG: [(2, 4, 2, 1, 2), (1, 2, 1, 0, 1)], "gates.half_finished": [(1, 1, 1, 1, 1)]} == of
