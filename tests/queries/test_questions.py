"""The questions and the window that they are asked about: what is refused, and in which words."""

import datetime as dt
from pathlib import Path

import pytest

from queries import Question, QuestionError, Window, questions, run
from queries.window import BadWindowError
from storefile import StoreError
from tests.stores import write_store

HEADER = "-- How many?\n-- Grain: one row.\n"
BAD_FILES = {
    "no header": ("SELECT 1", "the header must say what the query answers"),
    "no grain": ("-- How many?\n-- Parameters: none\nSELECT 1", "the header must say what the query answers"),
    "undeclared": (HEADER + "-- Parameters: none\nSELECT $limit", "$limit must stand both in"),
    "unused": (HEADER + "-- Parameters: $limit = 3\nSELECT 1", "$limit must stand both in"),
    "malformed": (HEADER + "-- Parameters: limit\nSELECT 1", "'limit' is no parameter; write $name"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_badly_written_question_is_refused(tmp_path: Path, name: str) -> None:
    """A header that does not fit its query is found when the file is loaded, and the message names the file."""
    text, expected = BAD_FILES[name]
    path = tmp_path / "odd.sql"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QuestionError) as refused:
        Question.load(path)
    assert str(refused.value).startswith("odd.sql: ")
    assert expected in str(refused.value)


def test_parameters_in_comments_and_texts_are_none(tmp_path: Path) -> None:
    """A dollar sign in a comment or in a text constant is no parameter."""
    path = tmp_path / "fine.sql"
    path.write_text(HEADER + "-- Parameters: $limit = 3\nSELECT '$other' LIMIT $limit -- $third", encoding="utf-8")
    assert {"limit": 3} == dict(Question.load(path).parameters)


def test_every_question_can_be_asked_of_an_empty_store(tmp_path: Path) -> None:
    """No question fails for want of data, bounded or not."""
    db = write_store(tmp_path / "s.duckdb")
    lists: dict[str, object] = {"removed": ["x"], "streams": ["x"], "events": [1]}
    for window in (Window(), Window.parse("2026-06-01", "2026-06-02", "tutor")):
        for name, question in questions().items():
            given = {
                key: lists.get(key, "x")
                for key, default in question.parameters.items()
                if not isinstance(default, int | None) and key not in ("since", "until", "agent")
            }
            assert run(db, name, window, **given).columns, name


def test_unknown_questions_and_parameters(tmp_path: Path) -> None:
    """A wrong name says which names there are."""
    db = write_store(tmp_path / "s.duckdb")
    with pytest.raises(QuestionError, match="nothing_like_it: there is no such question; there are agents, attempts, "):
        run(db, "nothing_like_it")
    with pytest.raises(
        QuestionError,
        match="rejected_drafts: there is no parameter 'chek'; it takes since, until, agent, check_id, limit",
    ):
        run(db, "rejected_drafts", chek="x")
    with pytest.raises(QuestionError, match="rejected_drafts: the parameter 'check_id' is missing; it has no default"):
        run(db, "rejected_drafts")


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    """A missing store is one sentence that says how to make one."""
    with pytest.raises(StoreError, match="there is no store here yet"):
        run(tmp_path / "none.duckdb", "coverage")


MOMENTS = {
    "2026-06-01": dt.datetime(2026, 6, 1),
    "2026-06-01T09:30": dt.datetime(2026, 6, 1, 9, 30),
    "2026-06-01 09:30:15.5": dt.datetime(2026, 6, 1, 9, 30, 15, 500000),
    "2026-06-01T09:30:00Z": dt.datetime(2026, 6, 1, 9, 30),
    "2026-06-01T00:30:00+02:00": dt.datetime(2026, 5, 31, 22, 30),
}


@pytest.mark.parametrize("text", MOMENTS)
def test_moments(text: str) -> None:
    """Dates and timestamps are UTC unless they carry an offset."""
    assert MOMENTS[text] == Window.parse(since=text).since


@pytest.mark.parametrize(
    "text", ["yesterday", "2026-13-01", "01.06.2026", "0001-01-01T00:00:00+14:00", "2026-06-01T25:00", ""]
)
def test_bad_moments(text: str) -> None:
    """What cannot be read as a time is refused in one sentence, as a usage error."""
    with pytest.raises(BadWindowError) as refused:
        Window.parse(until=text)
    assert (
        f"--until {text or repr(text)}: this is no date or timestamp; write 2026-06-01 or 2026-06-01T09:30:00Z"
        == str(refused.value)
    )
    assert 2 == refused.value.exit_code


def test_a_window_without_room() -> None:
    """A window that ends before it begins is refused rather than reported as empty."""
    with pytest.raises(BadWindowError, match="no time lies between them, since --until is exclusive"):
        Window.parse("2026-06-02", "2026-06-02")


def test_a_window_in_words() -> None:
    """The window is told as it was understood."""
    assert "everything in the store" == Window().describe()
    assert (
        "since 2026-06-01, until 2026-06-02T09:00:00Z (exclusive), agent tutor"
        == Window.parse("2026-06-01", "2026-06-02T11:00+02:00", "tutor").describe()
    )
