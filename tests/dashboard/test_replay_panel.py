"""The Prune page's replay of one check, and its box for trying a draft, run as the server would run them."""

import datetime as dt
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboard.test_pages import marked_up, opened, plain
from tests.stores import catalog_checks, run, write_store

SHAPE = "socratic.shape."
START = dt.datetime(2027, 1, 4, 9)
HOSTILE = "# <b>Who</b> :red[asks] this? And that?"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Two rejected drafts: one whose check is silent today, and one with a question too many that the log does not name."""
    rows = run("a", START, [[SHAPE + "no_digits"]], draft=HOSTILE)
    rows += run("b", START + dt.timedelta(hours=1), [[SHAPE + "no_digits"]], draft="How would Okafor see 3 repairs?")
    return write_store(tmp_path / "s.duckdb", rows, checks=catalog_checks())


def page(monkeypatch: pytest.MonkeyPatch, db: Path, check: str) -> AppTest:
    return opened(monkeypatch, db, "prune", check=SHAPE + check)


def test_nothing_is_judged_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, db: Path) -> None:
    """Protects the page's speed: a million drafts are not judged again because somebody looked at a check."""
    assert [] == [text for text in plain(page(monkeypatch, db, "no_digits")) if "Agrees" in text]


FOUND = {
    "no_digits": "Agrees 1 time: 1 fired and fires, 0 silent and silent.\nNow fires: 0. No longer fires: 1.",
    "single_question": "Agrees 1 time: 0 fired and fires, 1 silent and silent.\nNow fires: 1. No longer fires: 0.",
    "names_source": "Agrees 0 times: 0 fired and fires, 0 silent and silent.\nNow fires: 0. No longer fires: 0.\n"
    "Cannot be said: 2; the log lacks the source's name.",
}


@pytest.mark.parametrize("check", FOUND)
def test_a_check_is_judged_again(monkeypatch: pytest.MonkeyPatch, db: Path, check: str) -> None:
    """Protects the page's answer: the figures of the chosen check, and log text that stays text."""
    app = page(monkeypatch, db, check)
    app.toggle(key=f"replay-{SHAPE}{check}").set_value(True).run()
    assert [] == [item.message for item in app.exception]
    assert FOUND[check] in plain(app)
    assert "<b>" not in marked_up(app)


def test_a_draft_is_tried_against_all_checks(monkeypatch: pytest.MonkeyPatch, db: Path) -> None:
    """Protects the box: the reasons that a writer would get, and what was left out for want of a field."""
    app = page(monkeypatch, db, "no_digits")
    app.text_area(key="try_draft").set_value("Would she read 3 of these?")
    app.text_input(key="try_source_label").set_value("Okafor")
    next(button for button in app.button if button.label == "Judge this draft").click().run()
    assert [] == [item.message for item in app.exception]
    ids = (
        "source not named  ({}names_source)",
        "gendered pronoun  ({}no_gendered_pronouns)",
        "contains digits  ({}no_digits)",
    )
    assert "\n".join(line.format(SHAPE) for line in ids) in plain(app)
    assert f"Left out:\n{SHAPE}no_copied_wording, for want of the passage" in plain(app)
