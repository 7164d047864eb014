"""Every page, run by Streamlit's own test runner over real stores: none, empty, one record, four weeks, hostile text."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from checks.registry import catalog
from dashboard import data
from queries import Window
from tests.stores import event, run, write_demo, write_store

APP = Path(__file__).resolve().parents[2] / "dashboard" / "app.py"
# The auditors' form reads no store: test_review_pages.py tests it over a packet.
PAGES = sorted(page.stem for page in (APP.parent / "app_pages").glob("*.py") if page.stem != "audit")
START = dt.datetime(2026, 6, 1, 9)
HOSTILE = (
    "**b** :red[r] $x^2$ `c` <script>alert(1)</script><img src=x onerror=alert(1)> :smile: [l](javascript:alert(1))"
)


@pytest.fixture(autouse=True)
def no_cache() -> Iterator[None]:
    """Cached frames would carry one test's store into the next."""
    st.cache_data.clear()
    yield
    st.cache_data.clear()


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("weeks") / "weeks.duckdb")


@pytest.fixture
def one(tmp_path: Path) -> Path:
    rejected = event(
        "socratic", "draft_rejected", START, "c1", ["socratic.shape.no_digits"], attempt=1, text="3 of these?"
    )
    return write_store(tmp_path / "one.duckdb", [rejected])


def hostile_store(path: Path) -> Path:
    rows = run("c1", START, [["socratic.shape.names_source"], [HOSTILE]], draft=HOSTILE, agent=HOSTILE, file=HOSTILE)
    rows += run("c2", START, [["socratic.shape.names_source"]], HOSTILE, agent=HOSTILE)
    gate = {"subject": "honesty", "severity": HOSTILE, "text": HOSTILE, "agent": HOSTILE}
    rows += [
        event("guardrail", "guardrail_drop", START, "c", ["guardrail.professionalism"], goal=HOSTILE, agent=HOSTILE),
        event("honesty", "gate_fired", START, "c", ["honesty.failures_with_claim"], **gate),
        event("gates", "gate_fired", START, "c", [HOSTILE], rule=HOSTILE, subject=HOSTILE, text=HOSTILE),
        event("reflection", "reminder", START, "c", [HOSTILE], subject=HOSTILE),
        event("protocol", "plan_blocked", START, "c", subject=HOSTILE, action="refuse"),
    ]
    return write_store(path, rows, rejects=[{"line": 1, "byte_offset": 0, "why": HOSTILE, "excerpt": HOSTILE}])


def opened(monkeypatch: pytest.MonkeyPatch, db: Path, page: str, **address: str) -> AppTest:
    """The page over the store, with the address's parameters; fails where the run raised anything."""
    monkeypatch.setenv("GATECOV_DB", str(db))
    app = AppTest.from_file(str(APP), default_timeout=30)
    app.query_params.update(address)
    app.run()
    app.switch_page(f"app_pages/{page}.py").run()
    assert [] == [item.message for item in app.exception]
    return app


def plain(app: AppTest) -> list[str]:
    """All that stands on the page as text that takes no markup."""
    return [item.value for item in (*app.text, *app.code)]


def marked_up(app: AppTest) -> str:
    """All that stands on the page and is read as Markdown."""
    kinds = (
        "markdown",
        "caption",
        "title",
        "header",
        "subheader",
        "info",
        "warning",
        "error",
        "success",
        "badge",
        "html",
    )
    values = [str(item.value) for kind in kinds for item in app.get(kind)]
    widgets = ("selectbox", "date_input", "download_button", "page_link", "button", "metric")
    return "\n".join(values + [str(getattr(item, "label", "")) for kind in widgets for item in app.get(kind)])


def troubles(app: AppTest) -> list[str]:
    return [sentence for sentence in plain(app) if "stopped this page" in sentence or "there is no store" in sentence]


@pytest.mark.parametrize("page", PAGES)
def test_page_without_a_store_says_how_to_fill_one(page: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Protects the first minute: whoever opens the dashboard too early learns what to type."""
    db = tmp_path / "none.duckdb"
    app = opened(monkeypatch, db, page)
    assert [f"{db}: there is no store here yet; fill one with: gatecov ingest PATH --db {db}"] == troubles(app)
    assert f"gatecov ingest PATH --db {db}" in plain(app)


@pytest.mark.parametrize("page", PAGES)
def test_page_of_an_empty_store(page: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Protects against a zero that looks like good news: an empty store has a heading, and no chart."""
    app = opened(monkeypatch, write_store(tmp_path / "empty.duckdb"), page)
    assert [] == troubles(app)
    assert 1 == len(app.title)
    assert 0 == len(app.get("vega_lite_chart"))


@pytest.mark.parametrize("page", PAGES)
def test_page_of_one_record(page: str, monkeypatch: pytest.MonkeyPatch, one: Path) -> None:
    """Protects the smallest real store, where every minimum, maximum and share is at its edge."""
    app = opened(monkeypatch, one, page)
    assert [] == troubles(app)
    assert 1 == len(app.title)


@pytest.mark.parametrize("page", PAGES)
def test_page_of_four_weeks(page: str, monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects the everyday view: each page shows a table of its own with a CSV, or the cards and charts of Overview."""
    app = opened(monkeypatch, weeks, page)
    assert [] == troubles(app)
    shown = app.get("vega_lite_chart") if page == "overview" else app.get("download_button")
    assert len(shown) > 0


@pytest.mark.parametrize("page", PAGES)
def test_log_text_is_never_markup(page: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Protects the reader's browser: what was logged stands in text and table cells alone."""
    check = "socratic.shape.names_source"
    db = hostile_store(tmp_path / "hostile.duckdb")
    app = opened(monkeypatch, db, page, agent=HOSTILE, check=check, goal=HOSTILE, record="1")
    assert [] == troubles(app)
    assert app.title[0].value in marked_up(app)
    assert "alert(1)" not in marked_up(app)


def test_record_shows_the_whole_text_as_it_was_logged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Protects the evidence: a hostile draft is read letter by letter, not cleaned and not interpreted."""
    app = opened(monkeypatch, hostile_store(tmp_path / "hostile.duckdb"), "records", record="1")
    assert HOSTILE in [item.value for item in app.code]


def test_chosen_check_shows_its_live_source(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects the point of the page: the code that runs, beside what the logs say of it."""
    app = opened(monkeypatch, weeks, "prune", check="socratic.shape.no_digits")
    source = (APP.parents[1] / "checks/socratic/shape/no_digits.py").read_text(encoding="utf-8")
    assert source.strip() in plain(app)
    assert "socratic.shape.no_digits" == app.selectbox(key="check").value


def test_changed_file_is_said(monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path) -> None:
    """Protects against reading code that is no longer on disk: the page says that the file has changed."""
    app = opened(monkeypatch, weeks, "prune", check="socratic.shape.no_digits")
    assert 0 == len(app.warning)
    monkeypatch.setattr("checks.registry.ROOT", tmp_path)
    assert [
        "The file on disk has changed since this code was registered; restart the dashboard to see the new one."
    ] == [item.value for item in app.run().warning]


def test_check_that_runs_elsewhere_says_where(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects against an empty code box: a model call in another program has no source here, and the page says so."""
    app = opened(monkeypatch, weeks, "prune", check="guardrail.professionalism")
    assert "This check runs elsewhere: there is no source of it here." in [item.value for item in app.info]
    assert next(check for check in catalog() if check.source is None).runs_elsewhere in plain(app)


def test_unknown_check_in_the_address_is_said(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects an old link: a check that is gone gets a sentence, not an empty page."""
    app = opened(monkeypatch, weeks, "prune", check="socratic.shape.gone")
    assert "socratic.shape.gone: neither the catalog nor the logs know this check; choose one from the table." in plain(
        app
    )


def test_filters_in_the_address_are_respected(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects shared links: what one person chose is what the other sees, in the widgets and in the figures."""
    address = {"since": "2026-06-08", "until": "2026-06-15", "family": "socratic.shape", "agent": "tutor"}
    app = opened(monkeypatch, weeks, "records", **address)
    assert dt.date(2026, 6, 8) == app.date_input(key="since").value
    assert dt.date(2026, 6, 15) == app.date_input(key="until").value
    assert ("socratic.shape", "tutor") == (app.selectbox(key="family").value, app.selectbox(key="agent").value)
    shown = app.dataframe[0].value
    with duckdb.connect(str(weeks), read_only=True) as connection:
        expected = connection.execute(
            "SELECT count(*) FROM events WHERE system = 'socratic' AND agent = 'tutor' AND duplicate_of IS NULL"
            " AND time >= '2026-06-08' AND time < '2026-06-15'"
        ).fetchone()[0]
    assert {"tutor"} == set(shown["agent"])
    assert expected == shown["total"].iloc[0]


def test_choosing_a_filter_writes_it_into_the_address(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects sharing a view: a choice that is not in the address would be lost with the page."""
    app = opened(monkeypatch, weeks, "reasons")
    app.selectbox(key="agent").select("librarian").run()
    assert "librarian" == app.query_params["agent"]
    app.selectbox(key="agent").set_value(None).run()
    assert "agent" not in app.query_params


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ({"since": "soon"}, "From soon: this is no date or timestamp; write 2026-06-01 or 2026-06-01T09:30:00Z"),
        (
            {"since": "2026-06-02", "until": "2026-06-01"},
            "From 2026-06-02 Until 2026-06-01: no time lies between them, since Until is exclusive; give an Until that is later",
        ),
    ],
)
def test_wrong_date_in_the_address_is_one_sentence(
    address: dict[str, str], sentence: str, monkeypatch: pytest.MonkeyPatch, weeks: Path
) -> None:
    """Protects whoever mistypes an address from a page that silently shows everything."""
    assert sentence in plain(opened(monkeypatch, weeks, "overview", **address))


@pytest.mark.parametrize(
    ("name", "value"), [("day", "soon"), ("week", "soon"), ("attempts", "many"), ("event_id", "x")]
)
def test_wrong_condition_in_the_address_is_one_sentence(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, weeks: Path
) -> None:
    """Protects whoever edits an address by hand from a page that breaks without a word."""
    assert any(
        text.startswith(f"{name} = {value}: ") for text in plain(opened(monkeypatch, weeks, "records", **{name: value}))
    )


def test_date_that_no_calendar_shows_is_still_respected(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects the figures from the box: it cannot show such a day, but the window of the address counts."""
    app = opened(monkeypatch, weeks, "records", until="1066-10-14")
    assert None is app.date_input(key="until").value
    assert "##### 0 records." in [item.value for item in app.markdown]


def test_store_that_is_no_store_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Protects against a traceback, and names the file and what to do."""
    db = tmp_path / "broken.duckdb"
    db.write_bytes(b"no store at all" * 400)
    app = opened(monkeypatch, db, "overview")
    assert [f"{db}: this is not a DuckDB file; name another with --db, or move it away and ingest again"] == plain(app)


def test_fires_equal_the_records_behind_them(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """Protects trust in a figure: whoever follows the fires of any check finds exactly as many records."""
    monkeypatch.setenv("GATECOV_DB", str(weeks))
    fires = dict(data.checks(Window(), "").filter(pl.col("fires") > 0).select("check_id", "fires").iter_rows())
    found = {check: data.records(Window(), "", data.behind_fires(check), limit=1)["total"][0] for check in fires}
    assert fires == found


def test_page_files_stay_thin() -> None:
    """Protects the layers: a page that grows is doing a query's, a chart's or a component's work."""
    lengths = {page: len((APP.parent / "app_pages" / f"{page}.py").read_text().splitlines()) for page in PAGES}
    assert {} == {page: length for page, length in lengths.items() if length >= 80}
