"""The pages of decisions, traces and blind audits in a real Chromium: clicked through as people would."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from review.audit import load_packet, read_labels
from tests import audits
from tests.dashboard.test_browser import SETTLED, go, served
from tests.dashboard.test_pages import HOSTILE, hostile_store
from tests.stores import write_demo

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("review")


@pytest.fixture(scope="module")
def packet(folder: Path) -> Path:
    """The packet of an audit whose first messages are hostile."""
    made, _ = audits.built({"base": [HOSTILE, *audits.questions(2, "a")], "without:x": audits.questions(2, "b")})
    place = folder / "audits" / "one" / "packet.jsonl"
    place.parent.mkdir(parents=True)
    place.write_text(made.to_jsonl(), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def dashboard(folder: Path, packet: Path, root: Path) -> Iterator[str]:
    """A dashboard whose configuration does not exist yet, and which knows where the audits lie."""
    db = write_demo(folder / "weeks.duckdb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GATECOV_CONFIG", str(folder / "gatecov.toml"))
        patch.setenv("GATECOV_AUDIT", str(folder / "audits"))
        yield from served(db, root, folder / "log")


def click_row(page: Page, holding: str) -> None:
    """Choose the first row of the first table, which must hold these words: the grid is one canvas."""
    grid = page.get_by_test_id("stDataFrame").first
    expect(grid.locator("td", has_text=holding).first).to_be_attached()
    box = grid.bounding_box()
    assert box
    page.mouse.click(box["x"] + 18, box["y"] + 52)


def test_session_is_traced_from_the_search_to_its_record(dashboard: str, page: Page) -> None:
    """Protects the operator's path: search, conclusion, time line, record, and the address holds the conversation."""
    go(page, f"{dashboard}/trace")
    page.get_by_role("textbox", name="A text in one of its records").fill("okafor")
    page.keyboard.press("Enter")
    page.wait_for_url("**holding=okafor*")
    click_row(page, "2026")
    page.wait_for_url("**session=*")
    expect(page.get_by_test_id("stText").first).to_contain_text("probe")
    expect(page.get_by_role("heading", name="What happened, in")).to_be_visible()
    mark = page.get_by_test_id("stVegaLiteChart").first.locator("path[aria-roledescription='circle']").first
    mark.click()
    page.wait_for_url("**record=*")
    page.get_by_role("link", name="The record on the Records page").click()
    expect(page.get_by_role("heading", name="1 record.")).to_be_visible()
    page.get_by_role("link", name="Its conversation: why was there no probe?").click()
    expect(page.get_by_role("heading", name="Why was there no probe?")).to_be_visible()
    page.wait_for_url("**/trace?*session=*")


def label(page: Page, name: str, note: str) -> None:
    # The last message's form stays in the page until the new one is whole.
    page.wait_for_selector(SETTLED)
    expect(page.get_by_test_id("stRadio")).to_have_count(1)
    page.get_by_test_id("stRadio").get_by_text(name, exact=True).click()
    page.get_by_role("textbox", name="Note: what you saw in this very message").fill(note)
    page.get_by_role("button", name="Save and go on").click()


def test_two_auditors_label_two_messages(dashboard: str, page: Page, packet: Path) -> None:
    """Protects the audit's hours: each auditor's labels are saved at once, shown again to that auditor alone."""
    seen: list[str] = []
    page.on("dialog", lambda dialog: (seen.append(dialog.message), dialog.dismiss()))
    for auditor, choice in (("Ann", "CLEAN"), ("Ben", "LEAK-ASSERT")):
        go(page, f"{dashboard}/audit?packet=one")
        page.get_by_role("textbox", name="Your name, or a sign for it").fill(auditor)
        page.keyboard.press("Enter")
        expect(page.get_by_text("0 of 15 messages labelled")).to_be_visible()
        for number in (1, 2):
            expect(page.get_by_text(f"Message {number} of 15")).to_be_visible()
            label(page, choice, f"{auditor} read message {number}")
            expect(page.get_by_text(f"{number} of 15 messages labelled")).to_be_visible()
    items = list(load_packet(packet).messages)[:2]
    labels = read_labels([packet.with_name("labels.jsonl")], load_packet(packet))
    assert {"Ann": ["CLEAN"] * 2, "Ben": ["LEAK-ASSERT"] * 2} == {
        auditor: [done[item].label for item in items] for auditor, done in labels.items()
    }
    go(page, f"{dashboard}/audit?packet=one&auditor=Ann")
    expect(page.get_by_text("2 of 15 messages labelled")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_have_count(0)
    assert ([], 0) == (seen, page.locator("img[src='x']").count())


def test_decision_is_written_and_seen_in_the_plan(dashboard: str, page: Page, folder: Path) -> None:
    """Protects the engineer's path: what is decided in the browser stands in gatecov.toml, in the table and the plan."""
    check = "socratic.shape.no_participant_names"
    go(page, f"{dashboard}/prune?check={check}")
    expect(page.get_by_text("Nobody decided about this check yet.")).to_be_visible()
    page.get_by_text("Decide", exact=True).click()
    page.get_by_test_id("stRadio").get_by_text("prune", exact=True).click()
    page.get_by_role("textbox", name="Who answers for it").fill("Ada")
    page.get_by_role("textbox", name="Why, in a sentence").fill(HOSTILE)
    page.get_by_role("button", name="Write it down").click()
    expect(page.get_by_text("Written down.")).to_be_visible()
    written = tomllib.loads((folder / "gatecov.toml").read_text(encoding="utf-8"))["decisions"][check]
    assert ("prune", "Ada", HOSTILE) == (written["action"], written["owner"], written["reason"])
    page.get_by_role("link", name="Plan", exact=True).click()
    expect(page.get_by_role("heading", name="What can be removed today, and what stands in the way?")).to_be_visible()
    expect(page.get_by_text("Decision: prune, by Ada").first).to_be_visible()
    assert 0 == page.locator("img[src='x'], a[href^='javascript']").count()


def test_hostile_conversation_runs_nowhere(folder: Path, root: Path, page: Page) -> None:
    """Protects the reader's browser from a conversation's text, the tooltips of its time line included."""
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for address in served(hostile_store(folder / "hostile.duckdb"), root, folder / "hostile.log"):
        go(page, f"{address}/trace?session=c1&record=2")
        expect(page.get_by_test_id("stCode").first).to_contain_text("alert(1)")
        for mark in page.locator("path[aria-roledescription='circle']").all():
            mark.hover()
        assert ([], 0) == (dialogs, page.locator("img[src='x'], a[href^='javascript']").count())
