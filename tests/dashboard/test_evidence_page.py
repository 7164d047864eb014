"""The page of overlap and change, and the what-if of one check, over real stores."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from queries import Window
from queries.whatif import whatif
from tests.dashboard.test_pages import HOSTILE, START, marked_up, opened, plain
from tests.stores import run, write_demo, write_store

LONG, DIGITS, COMPOUND = "socratic.shape.word_limit", "socratic.shape.no_digits", "socratic.shape.not_compound"


@pytest.fixture(autouse=True)
def no_cache() -> Iterator[None]:
    """Cached frames would carry one test's store into the next."""
    st.cache_data.clear()
    yield
    st.cache_data.clear()


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("evidence") / "weeks.duckdb")


def test_what_changed_is_told(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """The quiet check of the invented weeks, the redundant one and its container stand on the page in words."""
    app = opened(monkeypatch, weeks, "evidence")
    told = "\n".join(plain(app))
    assert f"`{DIGITS}`" in marked_up(app)
    assert "It went quiet in the week of 2026-06-08" in told
    assert "fires is also one of socratic.shape.not_compound" in told


def test_the_what_if_is_that_of_the_command_line(monkeypatch: pytest.MonkeyPatch, weeks: Path) -> None:
    """The panel says what `gatecov whatif` says, for one check and for one with others."""
    for also in ("", DIGITS):
        ids = [COMPOUND, also] if also else [COMPOUND]
        app = opened(monkeypatch, weeks, "prune", check=COMPOUND, **({"without": also} if also else {}))
        assert whatif(weeks, Window(), ids).sentence() in plain(app)


def test_texts_that_would_have_got_through_take_no_markup(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A draft, an agent or a version that looks like markup is never read as any."""
    named = {"agent": HOSTILE, "version": HOSTILE}
    rows = [row for n in range(3) for row in run(f"c{n}", START, [[LONG]], draft=HOSTILE, **named)]
    db = write_store(tmp_path / "hostile.duckdb", rows + run("d", START, agent="tutor", version="1"))
    for page in ("prune", "evidence"):
        app = opened(monkeypatch, db, page, check=LONG)
        assert "<script>" not in marked_up(app)


def test_a_check_that_changes_nothing_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No cards and no empty tables where nothing would have been otherwise."""
    db = write_store(tmp_path / "s.duckdb", run("a", START, [[LONG, DIGITS]]))
    app = opened(monkeypatch, db, "prune", check=LONG)
    assert any(text.startswith("Nothing would have been otherwise") for text in plain(app))
    assert [] == [item.label for item in app.metric]
