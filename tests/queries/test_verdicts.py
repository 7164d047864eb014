"""One hand-worked example per verdict and per edge of its rule, and the sentences that go with it."""

import datetime as dt
import random
from dataclasses import asdict, replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from queries import Window
from queries.settings import SettingError, thresholds_from
from queries.thresholds import THRESHOLDS, Thresholds
from queries.verdicts import VERDICTS, Evidence, evidence, explanation, judge, recommendation, verdict
from storefile import opened
from tests.stores import four_weeks, write_store

NEWEST = dt.datetime(2026, 6, 28, 17)
LIMITS = Thresholds()
ZERO = Evidence(
    "socratic.shape.no_analogy",
    "socratic.shape",
    "collect-all",
    evaluated=300,
    evaluated_basis="derived",
    evaluated_fires=0,
    family_evaluated=300,
    evaluated_recently=200,
    first_drafts=100,
    first_draft_fires=0,
    sessions=20,
    days=14,
    newest_record=NEWEST,
    family_last_record=NEWEST,
)
FIRED = replace(ZERO, fires=20, evaluated_fires=20, sole_fires=9, first_draft_fires=20, last_fired=NEWEST)
SHADOWED = replace(
    ZERO, check_id="honesty.x", family="honesty", mode="first-match", evaluated=299, evaluated_basis="logged"
)

EXAMPLES = {
    "exactly enough of everything": (ZERO, "candidate"),
    "one evaluation short": (replace(ZERO, evaluated=299), "thin"),
    "one session short": (replace(ZERO, sessions=19), "thin"),
    "one day short": (replace(ZERO, days=13), "thin"),
    "evaluations unknown": (replace(ZERO, evaluated=None, sessions=None, days=None), "no_evidence"),
    "family evaluated, this check never": (replace(ZERO, evaluated=0, sessions=0, days=0), "no_evidence"),
    "reached one time too few": (SHADOWED, "shadowed"),
    "never reached, though the family was": (replace(SHADOWED, evaluated=0, sessions=0, days=0), "shadowed"),
    "reached too seldom in a family that is thin itself": (replace(SHADOWED, family_evaluated=299), "thin"),
    "reached often enough, in too few sessions": (replace(SHADOWED, evaluated=300, sessions=3), "thin"),
    "collect-all is never shadowed": (replace(SHADOWED, mode="collect-all"), "thin"),
    "last fire 21 days and a second ago": (
        replace(FIRED, last_fired=NEWEST - dt.timedelta(days=21, seconds=1)),
        "quiet",
    ),
    "last fire 21 days ago": (replace(FIRED, last_fired=NEWEST - dt.timedelta(days=21)), "fires"),
    "not evaluated since it last fired": (
        replace(FIRED, last_fired=NEWEST - dt.timedelta(days=30), evaluated_recently=0),
        "fires",
    ),
    "an undated fire may be new": (replace(FIRED, last_fired=NEWEST - dt.timedelta(days=30), undated_fires=1), "fires"),
    "never alone in 20 fires": (replace(FIRED, sole_fires=0), "redundant"),
    "never alone in 19 fires": (replace(FIRED, fires=19, evaluated_fires=19, sole_fires=0), "fires"),
    "once alone": (replace(FIRED, sole_fires=1), "fires"),
    "quiet goes before redundant": (replace(FIRED, sole_fires=0, last_fired=NEWEST - dt.timedelta(days=40)), "quiet"),
    "half of 30 first drafts": (replace(FIRED, first_drafts=30, first_draft_fires=15), "strict"),
    "half of 29 first drafts": (replace(FIRED, first_drafts=29, first_draft_fires=15), "fires"),
    "just under half": (replace(FIRED, first_drafts=31, first_draft_fires=15), "fires"),
    "redundant goes before strict": (replace(FIRED, sole_fires=0, first_drafts=30, first_draft_fires=20), "redundant"),
    "fires, evaluations unknown": (replace(FIRED, evaluated=None, evaluated_fires=None), "fires"),
    "not in the catalog any more": (replace(FIRED, retired=True), "retired"),
    "retired and silent": (replace(ZERO, retired=True), "retired"),
    "kept changes no verdict": (replace(ZERO, kept_because="the page says so"), "candidate"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_verdict(name: str) -> None:
    """The verdict is the one worked out by hand, on either side of each threshold."""
    of, expected = EXAMPLES[name]
    assert expected == verdict(of, LIMITS)


def test_every_verdict_has_an_example() -> None:
    """No verdict of the design is left without a hand-worked example."""
    assert set(VERDICTS) == {expected for _, expected in EXAMPLES.values()}


SENTENCES = {
    "candidate": (
        ZERO,
        "No fire in 300 drafts (worked out from other records) in 20 sessions on 14 days. "
        "With 95 % confidence it fires on less than 0.99 % of them, and in less than 14 % of sessions. "
        "The second bound also holds where all 15.0 of a session are alike (a design effect of 15.0). "
        "Window: everything in the store; newest record of socratic.shape: on 2026-06-28.",
    ),
    "thin": (
        replace(ZERO, evaluated=100, sessions=19, inferred_sessions=4, gap_days=2),
        "No fire in 100 drafts (worked out from other records) in 19 sessions on 14 days, 4 of the sessions inferred. "
        "With 95 % confidence it fires on less than 3.0 % of them, and in less than 15 % of sessions. "
        "The second bound also holds where all 5.3 of a session are alike (a design effect of 5.3). "
        "Too little for a verdict: it needs 200 more evaluations, 1 more session. "
        "Window: everything in the store; newest record of socratic.shape: on 2026-06-28; 2 days without any logs.",
    ),
    "no_evidence": (
        replace(ZERO, evaluated=None, family_last_record=None),
        "No fire; how often it was evaluated is unknown. Nothing in the logs says that it was ever run. "
        "Window: everything in the store; newest record of socratic.shape: unknown.",
    ),
    "shadowed": (
        replace(SHADOWED, evaluated=10, family_evaluated=1000, shadowed_by="980 by honesty.y, 10 by honesty.z"),
        "No fire in 10 final texts (logged) in 20 sessions on 14 days. "
        "With 95 % confidence it fires on less than 26 % of them, and in less than 14 % of sessions. "
        "Earlier checks, or one that is not in the catalog, stopped the chain: it was reached in 10 of 1,000 "
        "(980 by honesty.y, 10 by honesty.z). "
        "Window: everything in the store; newest record of honesty: on 2026-06-28.",
    ),
    "changed": (
        replace(
            ZERO,
            changed_after=dt.datetime(2026, 6, 9),
            changed_before=dt.datetime(2026, 6, 10),
            former_evaluated=120,
            former_fires=7,
            unversioned_evaluated=40,
            source_date=dt.datetime(2026, 6, 9, 12),
            family_first_record=dt.datetime(2026, 6, 1),
            sessions=300,
        ),
        "No fire in 300 drafts (worked out from other records) in 300 sessions on 14 days. "
        "With 95 % confidence it fires on less than 0.99 % of them, and in less than 0.99 % of sessions. "
        "Its source changed between 2026-06-09 and 2026-06-10: 120 evaluations and 7 fires of older versions do not count; "
        "40 that name no version may be of either source. "
        "Git dates its source's last change 2026-06-09: some of the evidence is older than that. "
        "Window: everything in the store; newest record of socratic.shape: on 2026-06-28.",
    ),
    "redundant": (
        replace(FIRED, sole_fires=0, evaluated_fires=18),
        "20 fires; 18 of the fires are among 300 drafts (worked out from other records) in 20 sessions on 14 days. "
        "It fires on 6.0 % of them (95 % interval 3.8 % to 9.3 %). "
        "Another check objected each time, so removing it would have changed nothing. "
        "Window: everything in the store; newest record of socratic.shape: on 2026-06-28.",
    ),
}


@pytest.mark.parametrize("kind", SENTENCES)
def test_explanation(kind: str) -> None:
    """A zero never stands without its denominator, its window and the newest record read."""
    of, expected = SENTENCES[kind]
    assert expected == explanation(of, verdict(of, LIMITS), LIMITS)


def test_fires_before_the_window_are_told() -> None:
    """A check that is silent in the window and fired before it is not offered for pruning without a word."""
    of = replace(ZERO, fires_before=12, last_fired_before=dt.datetime(2026, 5, 3))
    assert "candidate" == verdict(of, LIMITS)
    assert "explain first why it stopped: it fired 12 times before this window" == recommendation(
        of, "candidate", LIMITS
    )
    assert "Before this window it fired 12 times, last on 2026-05-03." in explanation(of, "candidate", LIMITS)


def test_fires_of_the_former_source_are_told() -> None:
    """A check that fired until its source changed is not offered for pruning without a word."""
    of = replace(ZERO, former_fires=7)
    assert "candidate" == verdict(of, LIMITS)
    assert "explain first why it stopped: it fired 7 times before its source changed" == recommendation(
        of, "candidate", LIMITS
    )


def test_unmapped_reasons_are_told() -> None:
    """A zero is not certain while the family has reasons that may be this check's in other words."""
    of = replace(ZERO, family_unmapped=3)
    assert "map the family's 3 unmapped reasons first: they may be this check's" == recommendation(
        of, "candidate", LIMITS
    )


def test_keep_list_and_decisions_change_the_recommendation_only() -> None:
    """A kept check says why it stays; a decision stands beside the advice."""
    kept = replace(ZERO, kept_because="it gates the writer's inputs")
    assert "kept: it gates the writer's inputs" == recommendation(kept, "candidate", LIMITS)
    assert recommendation(ZERO, "candidate", LIMITS, "watch").endswith(" (decided: watch)")


@given(st.integers(0, 2000), st.integers(0, 60), st.integers(0, 40), st.integers(1, 500))
def test_more_evidence_never_makes_a_candidate_thin(evaluated: int, sessions: int, days: int, more: int) -> None:
    """A zero with enough evidence stays a candidate as more of the same comes in."""
    of = replace(ZERO, evaluated=evaluated, family_evaluated=evaluated, sessions=sessions, days=days)
    later = replace(
        of, evaluated=evaluated + more, family_evaluated=evaluated + more, sessions=sessions + 1, days=days + 1
    )
    assert verdict(of, LIMITS) != "candidate" or verdict(later, LIMITS) == "candidate"


def test_the_order_of_rows_does_not_matter() -> None:
    """Each check is judged by itself: a shuffled frame gives the same rows, shuffled."""
    rows = [asdict(of) | {"check_id": name} for name, (of, _) in EXAMPLES.items()]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    random.Random(1).shuffle(rows)
    shuffled = pl.DataFrame(rows, schema=frame.schema)
    assert judge(frame).sort("check_id").to_dicts() == judge(shuffled).sort("check_id").to_dicts()


def test_rates_are_of_evaluated_items_only() -> None:
    """A fire outside the evaluated items is in no rate, and more fires than items make none at all."""
    rows = [
        replace(FIRED, fires=60, evaluated_fires=30),
        replace(FIRED, evaluated_fires=301),
        replace(FIRED, evaluated=None),
    ]
    assert [0.1, None, None] == judge(pl.DataFrame([asdict(row) for row in rows]))["rate"].to_list()


def test_verdicts_on_four_weeks(tmp_path: Path) -> None:
    """The strict, redundant, quiet and retired checks of the invented weeks are found, and nothing else is called so."""
    events, _ = four_weeks()
    with opened(write_store(tmp_path / "s.duckdb", events)) as connection:
        judged = judge(evidence(connection, Window(), LIMITS))
    found = {
        name: judged.filter(verdict=name)["check_id"].to_list()
        for name in ("strict", "redundant", "quiet", "retired", "shadowed")
    }
    assert {
        "strict": ["socratic.shape.names_source"],
        "redundant": ["socratic.shape.no_trailing_clause"],
        "quiet": ["socratic.shape.no_digits"],
        "retired": ["honesty.unverified_destructive"],
        "shadowed": [],
    } == found


def test_shadowed_in_a_store(tmp_path: Path) -> None:
    """With fewer evaluations asked for, a check behind a busy one is shadowed by it."""
    from tests.stores import START, event

    events = [event("honesty", "gate_passed", START, "a")] + [
        event("honesty", "gate_fired", START + dt.timedelta(minutes=n), "a", ["honesty.memory_claim_without_write"])
        for n in range(9)
    ]
    limits = Thresholds(min_evaluations=10, min_sessions=1, min_days=1)
    with opened(write_store(tmp_path / "s.duckdb", events)) as connection:
        judged = judge(evidence(connection, Window(), limits), limits)
    assert {"shadowed"} == set(
        judged.filter(pl.col("family") == "honesty", ~pl.col("retired"), pl.col("fires") == 0)["verdict"]
    )


def test_every_threshold_says_its_unit_and_why() -> None:
    """The table of thresholds explains itself."""
    assert [] == [row.name for row in THRESHOLDS if not (row.unit and row.why)]


def test_thresholds_from_settings() -> None:
    """A setting changes one threshold and leaves the others."""
    assert Thresholds(min_days=7, strict_rate=0.8) == thresholds_from(
        {"thresholds": {"min_days": 7, "strict_rate": 0.8}}
    )
    assert Thresholds() == thresholds_from({"ingest": {}})


BAD_SETTINGS = {
    "min_dayz": (7, "gatecov.toml, [thresholds] min_dayz: there is no such threshold; there are min_evaluations, "),
    "min_days": (
        "7",
        "gatecov.toml, [thresholds] min_days = '7': this must be a whole number of at least 1, for example 14",
    ),
    "min_sessions": (
        0,
        "gatecov.toml, [thresholds] min_sessions = 0: this must be a whole number of at least 1, for example 20",
    ),
    "quiet_days": (True, "gatecov.toml, [thresholds] quiet_days = True: this must be a whole number"),
    "strict_rate": (
        1.5,
        "gatecov.toml, [thresholds] strict_rate = 1.5: this must be a share above 0 and at most 1, for example 0.5",
    ),
}


@pytest.mark.parametrize("name", BAD_SETTINGS)
def test_bad_settings(name: str) -> None:
    """A setting that cannot be used is refused by name, with the reason and an example."""
    value, expected = BAD_SETTINGS[name]
    with pytest.raises(SettingError) as refused:
        thresholds_from({"thresholds": {name: value}})
    assert str(refused.value).startswith(expected)
