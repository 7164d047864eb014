"""The dashboard in a real Chromium, served by the command line over a real store."""

import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from queries import Window
from queries.export import COLUMNS, export
from tests.dashboard.test_pages import HOSTILE, hostile_store
from tests.stores import write_demo

ALL_PAGES = [page.stem for page in (Path(__file__).parents[2] / "dashboard" / "app_pages").glob("*.py")]
pytestmark = pytest.mark.browser
QUESTIONS = {
    "": "What do these logs cover, and what needs attention?",
    "prune": "Which checks could be pruned, and on what evidence?",
    "evidence": "How do the checks overlap, and what changed?",
    "reasons": "Which reasons do the checks give, and do they come alone?",
    "attempts": "How many attempts did it take, and how did it end?",
    "gates": "What did the gates stop?",
    "health": "Were the logs read whole, and what is missing?",
    "records": "Which records stand behind the number?",
    "probes": "What did the probes measure",
    "lessons": "Where do the lessons stand",
    "plan": "What can be removed today, and what stands in the way?",
    "trace": "Why was there no probe?",
    "audit": "Blind audit",
}
expect.set_options(timeout=20_000)
FITS = """() => {
    const main = document.querySelector('[data-testid="stMain"]');
    return main.scrollWidth <= main.clientWidth;
}"""
SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"]'


def served(db: Path, root: Path, log: Path) -> Iterator[str]:
    """The address of a dashboard of `db`, as the command line serves it; ends when the server has ended."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, str(root / "gatecov.py"), "dashboard", "--db", str(db), "--port", str(port)]
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=root, stdout=output, stderr=output, start_new_session=True)
        try:
            wait_until_healthy(f"http://127.0.0.1:{port}/_stcore/health", server, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            # The command runs Streamlit as a child of its own; both stand in this session and no other process does.
            os.killpg(server.pid, 15)
            server.wait(timeout=20)


def wait_until_healthy(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        assert server.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except OSError:
            try:
                server.wait(timeout=0.05)
            except subprocess.TimeoutExpired:
                continue
    raise AssertionError(f"the dashboard did not come up: {log.read_text()}")


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("browser") / "weeks.duckdb")


@pytest.fixture(scope="module")
def dashboard(db: Path, root: Path) -> Iterator[str]:
    yield from served(db, root, db.with_suffix(".log"))


def go(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(SETTLED)


def test_no_page_is_left_out() -> None:
    """Protects a page that is added later: it must be opened here too."""
    assert sorted(QUESTIONS) == sorted(page if page != "overview" else "" for page in ALL_PAGES)


def test_each_page_opens_and_asks_no_other_host(dashboard: str, page: Page) -> None:
    """Protects every page in a real browser, and the logs' privacy: nothing is fetched from elsewhere, no table offers
    a copy without the guard against formulas, and nothing is wider than a telephone."""
    asked: set[str] = set()
    thrown: list[str] = []
    page.on("request", lambda request: asked.add(request.url.split("/")[2] if "//" in request.url else "inline"))
    page.on("pageerror", lambda error: thrown.append(str(error)))
    for path, question in QUESTIONS.items():
        go(page, f"{dashboard}/{path}")
        expect(page.get_by_role("heading", name=question)).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_role("button", name="Download as CSV")).to_have_count(0)
        page.set_viewport_size({"width": 480, "height": 1000})
        page.wait_for_function(FITS)
        page.set_viewport_size({"width": 1440, "height": 1000})
    assert ({dashboard.split("/")[2]}, []) == (asked - {"inline"}, thrown)


def test_choosing_a_check_shows_its_source_and_its_records(dashboard: str, page: Page) -> None:
    """Protects the main path: from the table of checks to the live code, and from a number to the records behind it."""
    go(page, f"{dashboard}/prune?since=2026-06-01")
    page.get_by_role("combobox", name="Check").click()
    page.keyboard.type("socratic.shape.no_digits")
    page.get_by_role("option", name="socratic.shape.no_digits").click()
    expect(page.get_by_test_id("stCode").filter(has_text="def no_digits(")).to_be_visible()
    page.wait_for_url("**check=socratic.shape.no_digits*")
    page.get_by_role("link").filter(has_text=re.compile("The 27 fires$")).click()
    expect(page.get_by_role("heading", name=QUESTIONS["records"])).to_be_visible()
    expect(page.get_by_text("check_id = socratic.shape.no_digits")).to_be_visible()
    expect(page.get_by_role("heading", name="27 records.")).to_be_visible()
    assert "since=2026-06-01" in page.url


def test_row_of_the_table_chooses_the_check(dashboard: str, page: Page) -> None:
    """Protects the shorter way: a click at the edge of a row, which the address then holds."""
    go(page, f"{dashboard}/prune?verdict=strict")
    # The grid is one canvas: the place of the first row's box is a matter of pixels.
    grid = page.get_by_test_id("stDataFrame").first
    expect(grid.locator("td", has_text="socratic.shape.names_source")).to_be_attached()
    box = grid.bounding_box()
    assert box
    page.mouse.click(box["x"] + 18, box["y"] + 52)
    page.wait_for_url("**check=socratic.shape.names_source*")
    expect(page.get_by_test_id("stCode").filter(has_text="def names_source(")).to_be_visible()


def test_bar_leads_to_its_records(dashboard: str, page: Page) -> None:
    """Protects following a picture: a click on a bar shows the records that it counts."""
    go(page, f"{dashboard}/gates")
    bar = page.get_by_test_id("stVegaLiteChart").first.locator("path[aria-roledescription='bar']").first
    bar.click()
    expect(page.get_by_text("Records behind it:")).to_be_visible()


def test_check_that_never_fired_leads_to_what_it_judged(dashboard: str, page: Page) -> None:
    """Protects the denominator of a zero: the drafts that the check let through can be read."""
    go(page, f"{dashboard}/prune?check=socratic.shape.no_analogy")
    link = page.get_by_role("link").filter(has_text=re.compile(r"The [\d,]+ drafts$"))
    count = link.inner_text().split()[-2]
    link.click()
    expect(page.get_by_role("heading", name=f"{count} records")).to_be_visible()
    expect(page.get_by_text("evaluated = socratic.shape.no_analogy")).to_be_visible()


def test_card_leads_to_the_rejects(dashboard: str, page: Page) -> None:
    """Protects the way from a warning to its lines: the count of rejects opens the table of them."""
    go(page, dashboard)
    card = page.get_by_test_id("stMetric").filter(has_text="rejects").locator("xpath=../..")
    card.get_by_role("link", name="Show them").click()
    page.wait_for_url("**/health?show=rejects")
    expect(page.get_by_role("heading", level=3).first).to_have_text("Rejects")
    expect(page.get_by_role("button", name="rejects.csv")).to_be_visible()


def test_pair_leads_to_the_drafts_of_both(dashboard: str, page: Page) -> None:
    """Protects the map of pairs: a click on a cell shows the drafts to which both checks objected."""
    go(page, f"{dashboard}/reasons")
    figure = page.get_by_test_id("stVegaLiteChart").nth(1).locator("text[aria-roledescription='text mark']").first
    count = figure.text_content()
    figure.click()
    expect(page.get_by_text(f"Records behind it: {count}")).to_be_visible()


CSV_FILES = {
    "prune": ["checks"],
    "reasons": ["reasons"],
    "attempts": ["attempts"],
    "gates": ["gates", "guardrails"],
    "health": ["files", "rejects", "unmapped"],
}


def test_every_exported_file_can_be_downloaded() -> None:
    """Protects the list below from forgetting a file that `export` learns to write."""
    assert sorted(name.removesuffix(".csv") for name in COLUMNS) == sorted(
        name for names in CSV_FILES.values() for name in names
    )


@pytest.mark.parametrize("path", CSV_FILES)
def test_download_equals_export(path: str, dashboard: str, page: Page, db: Path, tmp_path: Path) -> None:
    """Protects the copy that travels: what the browser saves is byte for byte what the command line writes."""
    window = Window.parse("2026-06-01", "2026-06-22")
    export(db, tmp_path, window)
    go(page, f"{dashboard}/{path}?since=2026-06-01&until=2026-06-22")
    for name in CSV_FILES[path]:
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"{name}.csv").click()
        assert (tmp_path / f"{name}.csv").read_bytes() == Path(saved.value.path()).read_bytes(), name


def test_filter_survives_the_way_to_another_page(dashboard: str, page: Page) -> None:
    """Protects the reader's place: a filter stays in the address from page to page."""
    go(page, f"{dashboard}/prune?agent=tutor")
    page.get_by_role("link", name="Attempts").click()
    expect(page.get_by_role("heading", name=QUESTIONS["attempts"])).to_be_visible()
    page.wait_for_url("**/attempts?agent=tutor")
    expect(page.get_by_role("combobox", name="Agent")).to_have_value("tutor")


@pytest.mark.parametrize("path", [path for path in QUESTIONS if path != "audit"])
def test_hostile_log_text_runs_nowhere(path: str, hostile: str, page: Page) -> None:
    """Protects the reader's browser from the logs, tooltips included: no script of theirs runs, no tag of theirs exists."""
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    go(page, f"{hostile}/{path}?record=1")
    expect(page.get_by_role("heading", name=QUESTIONS[path])).to_be_visible()
    bars = page.locator("path[aria-roledescription='bar']")
    for bar in bars.all():
        box = bar.bounding_box()
        if box and box["width"]:
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert ([], 0) == (dialogs, page.locator("img[src='x'], a[href^='javascript']").count())
    if path == "records":
        expect(page.get_by_test_id("stCode").first).to_contain_text(HOSTILE)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("hostile")
    yield from served(hostile_store(folder / "hostile.duckdb"), root, folder / "log")
