"""Following numbers to their records: what a page counts is exactly what the Records page then lists."""

import datetime as dt
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import streamlit as st

from dashboard import columns, data, gate_sections
from dashboard.detail import figures
from queries import Window
from tests.dashboard.test_pages import marked_up, opened, plain
from tests.stores import catalog_checks, event, run, write_demo, write_store

START = dt.datetime(2026, 6, 1, 9)
WINDOWS = {"everything": Window(), "a week of one agent": Window.parse("2026-06-08", "2026-06-15", "tutor")}


@pytest.fixture(autouse=True)
def no_cache() -> Iterator[None]:
    """Cached frames would carry one test's store into the next."""
    st.cache_data.clear()
    yield
    st.cache_data.clear()


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("follow") / "weeks.duckdb")


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """Records that leave severity, goal, agent, text and session empty beside others that fill them, and two told twice."""
    gate: dict[str, Any] = {"subject": "honesty", "agent": "tutor"}
    rows = [
        event("honesty", "gate_fired", START, "c1", ["honesty.failures_with_claim"], severity="high", text="done", **gate),
        event("honesty", "gate_fired", START, "c1", ["honesty.failures_with_claim"], severity="low", text="done", **gate),
        event("honesty", "gate_fired", START, "c1", ["honesty.failures_with_claim"], **gate),
        event("honesty", "gate_fired", START, "c1", ["honesty.failures_with_claim"], **gate),
        event("guardrail", "guardrail_drop", START, "c1", ["guardrail.professionalism"], goal="g", subject="professionalism"),
        event("guardrail", "guardrail_drop", None, "c1", ["guardrail.professionalism"], subject="professionalism"),
        event("reflection", "reminder", START, "c1", [("reflection.auth", "http:http-401")], subject="http"),
        event("reflection", "reminder", START, "c1", [("reflection.auth", "http:http-401")]),
        event("honesty", "gate_passed", START, "c1", duplicate_of=1, **gate),
        event("socratic", "draft_rejected", START, None, ["odd", "socratic.shape.no_digits"], attempt=1, file="other.log"),
    ]  # fmt: skip
    rows += run("c2", START, [["odd"]], "silent", template_reasons=["odd"])
    return write_store(tmp_path / "odd.duckdb", rows)


def total(conditions: dict[str, Any], window: Window | None = None) -> int:
    found = data.records(window or Window(), "", conditions, limit=1)
    return int(found["total"][0]) if found.height else 0


@pytest.mark.parametrize("window", WINDOWS.values(), ids=WINDOWS)
def test_figures_of_a_check_are_the_number_of_its_records(
    monkeypatch: pytest.MonkeyPatch, weeks: Path, window: Window
) -> None:
    """Protects trust in fires, evaluations and first drafts: each label names exactly as many records as it leads to."""
    monkeypatch.setenv("GATECOV_DB", str(weeks))
    # One of each family and verdict: those of one kind are counted alike.
    checks = data.checks(window, "").unique(["family", "verdict"], maintain_order=True)
    told = [
        (row["check_id"], label, int(label.split()[1].replace(",", "")), total(conditions, window))
        for row in checks.iter_rows(named=True)
        for label, conditions in figures(row).items()
    ]
    assert len(told) > 25
    assert [] == [line for line in told if line[2] != line[3]]


def test_a_zero_leads_to_what_it_was_out_of(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects the point of the tool: a check that never fired still shows the drafts that it let through."""
    monkeypatch.setenv("GATECOV_DB", str(weeks))
    quiet = data.checks(Window(), "").filter((pl.col("fires") == 0) & (pl.col("evaluated") > 0))
    assert quiet.height > 0
    for row in quiet.iter_rows(named=True):
        assert {"evaluated": row["check_id"]} in list(figures(row).values())


def test_pairs_are_the_records_in_which_both_objected(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects the map of pairs: each cell leads to as many drafts as it says."""
    monkeypatch.setenv("GATECOV_DB", str(weeks))
    pairs = data.ask("together", Window()).head(10)
    assert pairs.height > 0
    followed = [total(data.behind_fires(a, also=b)) for a, b in pairs.select("check_a", "check_b").iter_rows()]
    assert pairs["together"].to_list() == followed


TABLES: dict[str, tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "gates": ("fires", gate_sections.of_gate),
    "honesty_claims": ("fires", gate_sections.of_claim),
    "guardrails": ("drops", gate_sections.of_guardrail),
    "reminders": ("reminders", gate_sections.of_reminder),
    "refusals": ("refusals", gate_sections.of_refusal),
    "unmapped": (
        "count",
        lambda row: {"check_id": None, "family": row["family"], "fragment": row["fragment"]},
    ),
    "reasons": (
        "count",
        lambda row: data.behind_fires(row["check_id"], family=row["family"], fragment=row["fragment"]),
    ),
}


@pytest.mark.parametrize("question", TABLES)
def test_rows_with_empty_values_lead_to_their_own_records(
    monkeypatch: pytest.MonkeyPatch, odd: Path, weeks: Path, question: str
) -> None:
    """Protects against a superset: a row without a severity, a goal or a check stands for the records that lack it."""
    count, records = TABLES[question]
    for db in (odd, weeks):
        monkeypatch.setenv("GATECOV_DB", str(db))
        rows = list(data.ask(question, Window()).iter_rows(named=True))
        assert [(row, row[count]) for row in rows] == [(row, total(records(row))) for row in rows]


def test_what_does_not_count_can_be_looked_at(monkeypatch: pytest.MonkeyPatch, odd: Path) -> None:
    """Protects the figures of Ingest health: undated, unmapped, told twice, and each file's own records."""
    monkeypatch.setenv("GATECOV_DB", str(odd))
    seen = data.coverage(Window())
    assert seen["undated"] == total({"undated": "true"}) == 1
    assert seen["duplicates"] == total({"repeats": "true"}) == 1
    # One of the three unmapped reasons is a template's; each stands in a record of its own.
    assert seen["unmapped"] == total({"check_id": None}) == 3
    assert 1 == total({"file": "other.log"})


def test_answers_are_told_apart_by_what_became_of_them(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects the attempts of probes: answers that were read and those that were not lead to different records."""
    monkeypatch.setenv("GATECOV_DB", str(weeks))
    rows = list(data.ask("attempts", Window()).filter(system="probe").iter_rows(named=True))
    assert len(rows) > 2
    for row in rows:
        assert row["runs"] == total({"kind": "answer", "attempts": row["attempts"], "answer": row["outcome"]})


def test_link_names_what_is_missing(monkeypatch: pytest.MonkeyPatch, odd: Path) -> None:
    """Protects the shared link: an empty value survives the address, and the page lists its records alone."""
    address = data.as_address({"kind": "gate_fired", "severity": None, "text": None, "goal": ""})
    assert {"kind": "gate_fired", "missing": "severity,text"} == address
    app = opened(monkeypatch, odd, "records", **address)
    assert "##### 2 records." in marked_up(app)


@pytest.mark.parametrize("page", ["overview", "health"])
def test_cards_lead_to_what_they_count(monkeypatch: pytest.MonkeyPatch, weeks: Path, page: str) -> None:
    """Protects the way from a count to its table or its records: no card is a dead end."""
    app = opened(monkeypatch, weeks, page)
    assert len(app.metric) == len([link for link in app.get("page_link") if link.proto.label == "Show them"])


def test_section_that_a_number_names_stands_first(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects whoever follows the count of rejects: the table of rejects is the first on the page."""
    app = opened(monkeypatch, weeks, "health", show="rejects")
    assert "Rejects" == app.subheader[0].value


def test_columns_read_as_plain_words() -> None:
    """Protects readers from names of columns, and a given width or word from being lost."""
    frame = pl.DataFrame({"check_id": ["x"], "fail_count": [1200], "last_seen": [START], "my_column": [1.5]})
    shown = columns.settings(frame, {"fail_count": st.column_config.NumberColumn(width=60)})
    assert ["check", "results failed", "last seen", "my column"] == [setting["label"] for setting in shown.values()]
    assert (60, "localized") == (shown["fail_count"]["width"], shown["fail_count"]["type_config"]["format"])
    assert "YYYY-MM-DD HH:mm:ss" == shown["last_seen"]["type_config"]["format"]


HOLDER = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"


def test_store_that_another_process_holds_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Protects whoever left a DuckDB shell open: the page names the holder and what to do, after a short wait."""
    db = write_store(tmp_path / "held.duckdb", checks=catalog_checks())
    monkeypatch.setattr(data, "PATIENCE", 0.1)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(db)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout
        assert "held\n" == holder.stdout.readline()
        said = plain(opened(monkeypatch, db, "overview"))
    finally:
        holder.communicate("")
    assert 1 == len(said)
    assert said[0].startswith(f"{db}: the store is held open by ")
    assert f"process {holder.pid}; close it there" in said[0]
    assert "What do these logs cover, and what needs attention?" == opened(monkeypatch, db, "overview").title[0].value
