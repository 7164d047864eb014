"""Checks beside each other: overlap and containment, shadowing, deployments, and what a change of the source takes away."""

import datetime as dt
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import pytest

from queries import Window, run
from queries.deployments import judged, some_only
from queries.overlap import containments, overlaps
from queries.sourcedates import last_changes
from queries.thresholds import Thresholds
from queries.verdicts import evidence
from storefile import opened
from tests.stores import START, Row, event, write_store
from tests.stores import run as stage_run

SHAPE = "socratic.shape."
LONG, DIGITS, SOURCE = SHAPE + "word_limit", SHAPE + "no_digits", SHAPE + "names_source"


def at(minutes: float) -> dt.datetime:
    return START + dt.timedelta(minutes=minutes)


def test_overlap_by_hand(tmp_path: Path) -> None:
    """Four rejected drafts and one that passed: how often two objected together, and which lies within which."""
    events = stage_run("a", at(0), [[LONG, SOURCE], [LONG, SOURCE], [SOURCE], [DIGITS]], "posted-template")
    events += stage_run("b", at(60))
    pairs = overlaps(run(write_store(tmp_path / "s.duckdb", events), "together"))
    row = pairs.filter(check_a=LONG, check_b=SOURCE).row(0, named=True)
    assert (2, 2, 3, 5, True, 1.0) == tuple(
        row[name] for name in ("together", "fires_a", "fires_b", "drafts", "contained", "share")
    )
    # Both of two fires among three of five drafts: 3/5 x 2/4; and 1 - 0.05^(1/2) may lie outside.
    assert (pytest.approx(0.3), pytest.approx(1 - 0.05**0.5)) == (row["by_chance"], row["outside_bound"])
    assert [(LONG, SOURCE)] == [pair[:2] for pair in containments(pairs)]
    assert "which says little: that check fires on 3 of 5 drafts" in containments(pairs)[0][2]


def test_a_containment_that_is_no_chance(tmp_path: Path) -> None:
    """Twenty fires within a check that is rare itself are a finding, with the bound of what may lie outside."""
    events = [row for n in range(20) for row in stage_run(f"a{n}", at(60 * n), [[LONG, DIGITS]])]
    pairs = overlaps(run(write_store(tmp_path / "s.duckdb", events), "together"))
    sentence = containments(pairs)[0][2]
    assert "without it they would all have been rejected just the same" in sentence
    assert "less than 14 % of its fires lie outside" in sentence


def fired(minutes: float, reason: str | None, **more: Any) -> Row:
    kind = "gate_fired" if reason else "gate_passed"
    return event("honesty", kind, at(minutes), "a", [reason] if reason else [], **more)


def test_shadowing_by_hand(tmp_path: Path) -> None:
    """Of six texts the first check stopped three and an unknown reason one: the third was reached by two."""
    first = "honesty.memory_claim_without_write"
    events = [*(fired(n, first) for n in range(3)), fired(4, "not ours"), fired(5, None), fired(6, None)]
    frame = run(write_store(tmp_path / "s.duckdb", events), "shadowing")
    rows = frame.filter(check_id="honesty.fabricated_reasoning_state").select("reached", "stopped_by", "stopped").rows()
    assert [(2, first, 3), (2, None, 1)] == rows
    assert [(5, None, 1)] == frame.filter(check_id=first).select("reached", "stopped_by", "stopped").rows()
    totals = run(tmp_path / "s.duckdb", "check_totals").filter(family="honesty", retired=False)
    assert dict(totals.select("check_id", "evaluated").iter_rows()) == dict(
        frame.select("check_id", "reached").iter_rows()
    )


def test_shadows_stand_in_the_evidence(tmp_path: Path) -> None:
    """What stopped the chain is part of the evidence, the most first."""
    events = [*(fired(n, "honesty.memory_claim_without_write") for n in range(3)), fired(4, "not ours"), fired(5, None)]
    with opened(write_store(tmp_path / "s.duckdb", events)) as connection:
        frame = evidence(connection, Window(), Thresholds())
    row = frame.filter(check_id="honesty.failures_with_claim").row(0, named=True)
    assert "3 by honesty.memory_claim_without_write, 1 by a reason that is not in the catalog" == row["shadowed_by"]


def two_agents(silent: int, firing: int, fires: int) -> list[Row]:
    rows: list[Row] = []
    for n in range(silent):
        rows += stage_run(f"q{n}", at(60 * n), agent="quiet one", version="2.0")
    for n in range(firing):
        rows += stage_run(f"l{n}", at(60 * n), [[LONG]] if n < fires else [], agent="loud one", version="1.0")
    return rows


def test_fires_in_some_deployments_only(tmp_path: Path) -> None:
    """20 of 40 conversations here and 0 of 40 there is no chance; 1 of 4 and 0 of 4 is."""
    for by, there in (("agent", "quiet one"), ("version", "2.0")):
        found = some_only(run(write_store(tmp_path / "s.duckdb", two_agents(40, 40, 20)), "deployments", by=by))
        assert [(LONG, there, False)] == [(one.check_id, one.silent_in, one.noise) for one in found]
        assert "It fires in some deployments only: a fire in 20 of 40 conversations of" in found[0].sentence()
    small = some_only(run(write_store(tmp_path / "t.duckdb", two_agents(4, 4, 1)), "deployments", by="agent"))
    # The one conversation with a fire lies among the four of eight by a half.
    assert [(True, 0.5)] == [(one.noise, pytest.approx(one.p)) for one in small]
    assert "so it is noise" in small[0].sentence()


def test_a_deployment_that_is_named_on_objections_alone_proves_nothing(tmp_path: Path) -> None:
    """Where only the rejections name their agent, what passed there is not known, and no finding is made of it."""
    slots = event(
        "agent", "slots_rejected", at(9), "a", ["socratic.slots.concept_length"], agent="shy", action="silent"
    )
    events = [slots, *(row for n in range(60) for row in stage_run(f"s{n}", at(60 * n), agent="open"))]
    db = write_store(tmp_path / "s.duckdb", events)
    assert [] == some_only(run(db, "deployments", by="agent"))


def test_verdicts_per_deployment(tmp_path: Path) -> None:
    """Each deployment is judged by its own records: a candidate here fires there."""
    limits = Thresholds(min_evaluations=30, min_sessions=10, min_days=1)
    rows = run(write_store(tmp_path / "s.duckdb", two_agents(40, 40, 10)), "deployments", by="agent")
    frame = judged(rows, Window(), limits).filter(check_id=LONG)
    assert {"quiet one": "candidate", "loud one": "fires"} == dict(frame.select("deployment", "verdict").iter_rows())


@pytest.mark.parametrize("by", ["agent", "version"])
def test_deployments_add_up(tmp_path: Path, by: str) -> None:
    """The deployments' fires and evaluations are those of the whole, each counted once."""
    from tests.stores import four_weeks

    db = write_store(tmp_path / "s.duckdb", four_weeks()[0])
    parts = run(db, "deployments", by=by).group_by("check_id").agg(_sum("fires"), _sum("evaluated"))
    whole = run(db, "check_totals")
    expected = {row["check_id"]: (row["fires"], row["evaluated"] or 0) for row in whole.to_dicts()}
    assert {row[0]: row[1:] for row in parts.iter_rows()} == {key: expected[key] for key in parts["check_id"]}


def _sum(name: str) -> Any:
    import polars as pl

    return pl.col(name).sum()


def changed_store(path: Path, events: list[Row], *stretches: tuple[str, dt.datetime, dt.datetime]) -> Path:
    """A store whose ingests saw these states of one check's source: (sha256, first seen, last seen), the newest last."""
    db = write_store(path, events)
    with duckdb.connect(str(db)) as connection:
        for sha, first, last in stretches:
            connection.execute("INSERT INTO check_sources VALUES (?, ?, ?, ?)", [LONG, sha, first, last])
        connection.execute("UPDATE checks SET source_sha256 = ? WHERE check_id = ?", [stretches[-1][0], LONG])
    return db


def seen(db: Path) -> dict[str, Any]:
    with opened(db) as connection:
        found = evidence(connection, Window(), Thresholds())
    names = ("fires", "evaluated", "sessions", "former_evaluated", "former_fires", "unversioned_evaluated")
    row = found.filter(check_id=LONG).row(0, named=True)
    return {name: row[name] for name in names}


OLD, NEW = ("a" * 64, at(0), at(100)), ("b" * 64, at(200), at(900))


def test_evidence_counts_since_the_source_changed(tmp_path: Path) -> None:
    """A version that came up before the change does not count, one that came up after it does, and what names none counts
    and is told apart."""
    events = [
        *stage_run("old", at(10), [[LONG]], version="1.0"),  # two drafts, a fire: of the former source
        *stage_run("old2", at(300), version="1.0"),  # one draft: late, but of the old version
        *stage_run("new", at(150), version="1.1"),  # one draft: came up after the last look at the former source
        *stage_run("any", at(400), [[DIGITS]]),  # two drafts: names no version
    ]
    db = changed_store(tmp_path / "s.duckdb", events, OLD, NEW)
    expected = {"fires": 0, "evaluated": 3, "sessions": 2, "former_evaluated": 3, "former_fires": 1}
    assert expected | {"unversioned_evaluated": 2} == seen(db)


def test_a_version_that_is_the_source_digest(tmp_path: Path) -> None:
    """Where records carry the source's digest it decides, whatever the times."""
    events = [
        *stage_run("old", at(300), [[LONG]], version="a" * 12),
        *stage_run("new", at(10), version="b" * 12),
    ]
    found = seen(changed_store(tmp_path / "s.duckdb", events, OLD, NEW))
    assert (0, 1, 2, 1) == tuple(found[name] for name in ("fires", "evaluated", "former_evaluated", "former_fires"))


def test_without_a_change_nothing_is_left_out(tmp_path: Path) -> None:
    """One state of the source is no change, however the versions follow each other."""
    events = stage_run("old", at(10), [[LONG]], version="1.0") + stage_run("new", at(150), version="1.1")
    found = seen(changed_store(tmp_path / "s.duckdb", events, NEW))
    assert (1, 3, 0, 0) == tuple(found[name] for name in ("fires", "evaluated", "former_evaluated", "former_fires"))


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True)


def test_the_dates_of_the_last_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file has the date of its last commit; a file with unsaved changes has none, and neither has one git never saw."""
    git(tmp_path, "init", "-q")
    (tmp_path / "checks").mkdir()
    for day, names in (("2026-03-01", "abc"), ("2026-04-02", "b")):
        for name in names:
            (tmp_path / "checks" / f"{name}.py").write_text(day)
        git(tmp_path, "add", ".")
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{day}T10:00:00+02:00")
        git(tmp_path, "commit", "-q", "-m", day)
    (tmp_path / "checks" / "c.py").write_text("unsaved")
    (tmp_path / "checks" / "d.py").write_text("new")
    expected = {"checks/a.py": dt.datetime(2026, 3, 1, 8), "checks/b.py": dt.datetime(2026, 4, 2, 8)}
    assert expected == last_changes(tmp_path)


def test_without_a_checkout_the_dates_are_unknown(tmp_path: Path) -> None:
    """No git, no dates, and no error."""
    assert {} == last_changes(tmp_path)
    assert {} == last_changes(tmp_path / "nowhere")


def test_the_date_stands_beside_the_evidence(tmp_path: Path) -> None:
    """A source that changed after the first record is told of, and leaves nothing out."""
    db = write_store(tmp_path / "s.duckdb", stage_run("a", at(0), [[LONG]]))
    with opened(db) as connection:
        dates = {"checks/socratic/shape/word_limit.py": at(9999)}
        row = evidence(connection, Window(), Thresholds(), dates).filter(check_id=LONG).row(0, named=True)
    assert (1, at(9999)) == (row["fires"], row["source_date"])
