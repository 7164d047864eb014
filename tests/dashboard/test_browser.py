"""The dashboard in a real Chromium, served by the command line over a real store."""

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from queries import Window
from queries.export import export
from tests.dashboard.test_pages import HOSTILE, hostile_store
from tests.stores import write_demo

pytestmark = pytest.mark.browser
QUESTIONS = {
    "": "What do these logs cover, and what needs attention?",
    "prune": "Which checks could be pruned, and on what evidence?",
    "reasons": "Which reasons do the checks give, and do they come alone?",
    "attempts": "How many attempts did it take, and how did it end?",
    "gates": "What did the gates stop?",
    "health": "Were the logs read whole, and what is missing?",
    "records": "Which records stand behind the number?",
}
expect.set_options(timeout=20_000)
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


def test_each_page_opens_and_asks_no_other_host(dashboard: str, page: Page) -> None:
    """Protects every page's question in a real browser, and the logs' privacy: nothing is fetched from elsewhere."""
    asked: set[str] = set()
    thrown: list[str] = []
    page.on("request", lambda request: asked.add(request.url.split("/")[2] if "//" in request.url else "inline"))
    page.on("pageerror", lambda error: thrown.append(str(error)))
    for path, question in QUESTIONS.items():
        go(page, f"{dashboard}/{path}")
        expect(page.get_by_role("heading", name=question)).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
    assert ({dashboard.split("/")[2]}, []) == (asked - {"inline"}, thrown)


def test_choosing_a_check_shows_its_source_and_its_records(dashboard: str, page: Page) -> None:
    """Protects the main path: from the table of checks to the live code, and from a number to the records behind it."""
    go(page, f"{dashboard}/prune?since=2026-06-01")
    page.get_by_role("combobox", name="Check").click()
    page.keyboard.type("socratic.shape.no_digits")
    page.get_by_role("option", name="socratic.shape.no_digits").click()
    expect(page.get_by_test_id("stCode").filter(has_text="def no_digits(")).to_be_visible()
    page.wait_for_url("**check=socratic.shape.no_digits*")
    page.get_by_role("link", name="The 27 fires").click()
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


@pytest.mark.parametrize(("path", "name"), [("prune", "checks"), ("gates", "gates"), ("health", "rejects")])
def test_download_equals_export(path: str, name: str, dashboard: str, page: Page, db: Path, tmp_path: Path) -> None:
    """Protects the copy that travels: what the browser saves is byte for byte what the command line writes."""
    window = Window.parse("2026-06-08", "2026-06-22")
    export(db, tmp_path, window)
    go(page, f"{dashboard}/{path}?since=2026-06-08&until=2026-06-22")
    with page.expect_download() as saved:
        page.get_by_role("button", name=f"{name}.csv").click()
    assert (tmp_path / f"{name}.csv").read_bytes() == Path(saved.value.path()).read_bytes()


def test_filter_survives_the_way_to_another_page(dashboard: str, page: Page) -> None:
    """Protects the reader's place: a filter stays in the address from page to page."""
    go(page, f"{dashboard}/prune?agent=tutor")
    page.get_by_role("link", name="Attempts").click()
    expect(page.get_by_role("heading", name=QUESTIONS["attempts"])).to_be_visible()
    page.wait_for_url("**/attempts?agent=tutor")
    expect(page.get_by_role("combobox", name="Agent")).to_have_value("tutor")


@pytest.mark.parametrize("path", QUESTIONS)
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
