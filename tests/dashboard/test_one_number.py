"""A figure, its denominator, its picture and the list that it leads to are of one set, whatever the address narrows."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import polars as pl
import pytest
import streamlit as st

from checks.registry import catalog
from dashboard import data
from dashboard.components import Filters
from ingest import ingest
from queries import Window
from queries.report import report
from tests.dashboard.test_pages import START, marked_up, opened
from tests.stores import event, write_store

AGENT = "Harbor"
ADDRESSES = (
    {},
    {"agent": AGENT},
    {"family": "honesty"},
    {"since": "2026-11-10", "until": "2026-11-17"},
    {"since": "2026-11-10", "agent": AGENT, "family": "socratic.shape"},
)


@pytest.fixture(autouse=True)
def no_cache() -> Iterator[None]:
    """Cached frames would carry one test's store into the next."""
    st.cache_data.clear()
    yield
    st.cache_data.clear()


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """The four invented weeks: some records are told twice, some name no agent, some have no time."""
    db = tmp_path_factory.mktemp("samples") / "samples.duckdb"
    ingest([root / "sample_logs"], db)
    return db


def cards(node: Any) -> Iterator[tuple[str, int, int, str, dict[str, str]]]:
    """Of each card below `node`: its name, its count, what that is out of, and the page and the address it leads to."""
    found = {child.type: child for child in node.children.values()}
    if {"metric", "caption", "page_link"} <= set(found):
        number = re.search(r"\d[\d,]*", found["caption"].value)
        link = found["page_link"].proto
        address = {name: values[0] for name, values in parse_qs(link.query_string).items()}
        count = int(found["metric"].value.replace(",", ""))
        yield found["metric"].label, count, int(number[0].replace(",", "")) if number else 0, link.page, address
    for child in node.children.values():
        if hasattr(child, "children"):
            yield from cards(child)


def listed(db: Path, monkeypatch: pytest.MonkeyPatch, address: dict[str, str]) -> int:
    """How many records the Records page tells for an address."""
    title = next(item.value for item in opened(monkeypatch, db, "records", **address).markdown if "#####" in item.value)
    return int(title.split()[1].replace(",", ""))


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("page", ["overview", "health"])
def test_card_counts_what_it_lists(
    page: str, address: dict[str, str], monkeypatch: pytest.MonkeyPatch, samples: Path
) -> None:
    """Protects against three numbers for one thing: a card says how many records stand behind its link, and out of what."""
    found = {name: rest for name, *rest in cards(opened(monkeypatch, samples, page, **address).main)}
    lists = {name: rest for name, rest in found.items() if rest[2] == "records" and name != "inferred"}
    assert len(lists) >= 2
    assert {name: listed(samples, monkeypatch, leads_to) for name, (_, _, _, leads_to) in lists.items()} == {
        name: count for name, (count, *_) in lists.items()
    }
    assert {} == {name: rest for name, rest in lists.items() if name != "records" and rest[0] > rest[1]}


def test_records_that_name_no_agent_are_no_zero(monkeypatch: pytest.MonkeyPatch, samples: Path) -> None:
    """Protects against a false zero: whether an agent is chosen or not, 2,984 of 4,466 records name none."""
    for address in ({}, {"agent": AGENT}):
        found = {name: rest[:2] for name, *rest in cards(opened(monkeypatch, samples, "overview", **address).main)}
        assert [2984, 4466] == found["without an agent"]
    assert [0, 1261] == found["undated records"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_bars_per_day_are_the_records_of_the_page(
    address: dict[str, str], monkeypatch: pytest.MonkeyPatch, samples: Path
) -> None:
    """Protects the picture: its bars add up to the records above it less the undated, and each is what it leads to."""
    monkeypatch.setenv("GATECOV_DB", str(samples))
    chosen = Filters(**address)
    days, seen = data.ask("coverage_by_day", chosen.window), data.coverage(chosen.window)
    assert seen["records"] - seen["undated"] == days["relevant"].sum()
    for day, relevant in days.filter(pl.col("relevant") > 0).head(3).select("day", "relevant").iter_rows():
        behind = data.records(chosen.window, chosen.family, {"day": str(day), "family": ""}, limit=1)
        assert relevant == behind["total"][0]


def test_what_is_covered_says_whose_files_those_are(monkeypatch: pytest.MonkeyPatch, samples: Path) -> None:
    """Protects against one agent's records beside everybody's lines: the sentence says of how many records they are."""
    for address, told in (
        ({}, "4,466 records from 2 to 29 November 2026 (40 of them without a time), read from 27 files"),
        ({"agent": AGENT}, "1,261 records from 2 to 29 November 2026, of 4,466 in the store, read from 27 files"),
    ):
        assert told in marked_up(opened(monkeypatch, samples, "overview", **address))


def test_zero_of_an_agent_says_that_the_records_name_none(monkeypatch: pytest.MonkeyPatch, samples: Path) -> None:
    """Protects against a wrong cause: page, panel and report say that it was run, and that no such record names the agent."""
    gates = marked_up(opened(monkeypatch, samples, "gates", agent="Lantern"))
    assert (
        "fired 0 times in an unknown number of final texts (none of the 1,055 in these dates names this agent)" in gates
    )
    for row in data.checks(Window(agent="Lantern"), "gates").filter(~pl.col("retired")).iter_rows(named=True):
        assert (
            f"No fire; none of its {row['evaluated_of_all']:,} evaluations in these dates names this agent."
            in (row["explanation"])
        )
        assert "ever run" not in row["explanation"]
        assert "whether it runs at all" not in row["recommendation"]
    told = report(samples, Window(agent="Lantern"), format="markdown")
    assert "Up to 900 evaluations of them in these dates, none of which names this agent." in told


def test_checks_are_counted_as_the_catalog_counts_them(monkeypatch: pytest.MonkeyPatch, samples: Path) -> None:
    """Protects the denominator: a retired check cannot be pruned, so it is none of those that are counted."""
    live = len(catalog())
    overview = opened(monkeypatch, samples, "overview")
    assert f"8 of {live} checks never fired" in marked_up(overview)
    assert {live} == {of for name, _, of, *_ in cards(overview.main) if name in ("candidate", "quiet")}


def test_retired_check_that_no_log_names_is_not_in_the_logs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Protects an empty store from a check "in the logs": only one with a fire is there."""
    said = "Every check that the logs name is in the catalog."
    assert said in marked_up(opened(monkeypatch, write_store(tmp_path / "empty.duckdb"), "evidence"))
    fired = event("honesty", "gate_fired", START, "c", ["honesty.unverified_destructive"])
    assert said not in marked_up(opened(monkeypatch, write_store(tmp_path / "one.duckdb", [fired]), "evidence"))


def test_conversation_of_a_record_without_a_session_is_its_run(monkeypatch: pytest.MonkeyPatch, samples: Path) -> None:
    """Protects the list of an inferred run from an empty cell: it names the run that the records were put into."""
    monkeypatch.setenv("GATECOV_DB", str(samples))
    found = data.records(Window(), "", {"system": "socratic", "session": None}, limit=500)
    assert [0, 0] == [found["conversation"].null_count(), found.filter(pl.col("session").is_not_null()).height]
    for row in found.head(5).iter_rows(named=True):
        assert data.conversation_of(row["event_id"]) == row["conversation"]


def test_cut_download_says_so(monkeypatch: pytest.MonkeyPatch, samples: Path) -> None:
    """Protects whoever counts in a spreadsheet: a file that holds the first rows alone says so on its button and in its name."""
    labels = {
        page: [item.label for item in opened(monkeypatch, samples, page, **address).get("download_button")]
        for page, address in (("records", {}), ("trace", {}))
    }
    assert ["records.csv: the first 500 of 4,466"] == labels["records"]
    total = data.ask("find_conversations", Window(), limit=1)["total"][0]
    assert [f"conversations.csv: the first 200 of {total}"] == labels["trace"]
    whole = opened(monkeypatch, samples, "records", agent=AGENT, day="2026-11-03").get("download_button")
    assert ["records.csv"] == [item.label for item in whole]


def test_chosen_check_stays_in_sight(monkeypatch: pytest.MonkeyPatch, samples: Path) -> None:
    """Protects the reader's place: of a short table the chosen check is the first row, and its length is told."""
    check = "socratic.shape.not_compound"
    app = opened(monkeypatch, samples, "prune", check=check)
    rows = data.checks(Window(), "").height
    assert check == app.dataframe[0].value["check_id"].iloc[0]
    assert f"{rows} checks, the chosen one first" in [item.value for item in app.caption]
    assert f"{rows} checks" in [item.value for item in opened(monkeypatch, samples, "prune").caption]


def test_silent_week_is_told_from_one_without_evaluation(monkeypatch: pytest.MonkeyPatch, samples: Path) -> None:
    """Protects a zero from a blank: weeks in which a check was evaluated and silent have a figure in the pictures."""
    for page, address, key in (
        ("prune", {"check": "socratic.shape.no_digits"}, "out_of"),
        ("reasons", {}, "fires"),
    ):
        charts = opened(monkeypatch, samples, page, **address).get("vega_lite_chart")
        frames = [
            pl.read_ipc_stream(one.data.data)
            for chart in charts
            for one in (chart.proto.datasets or ())
            if one.data.data
        ]
        weekly = next(frame for frame in frames if {"week_of", key} <= set(frame.columns))
        assert weekly.filter(pl.col("fires") == 0).height > 0
        assert 0 == weekly.filter((pl.col("fires") == 0) & pl.col("evaluated").is_null()).height
