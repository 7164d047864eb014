"""The answer of each question on the four invented weeks, byte for byte.

python -m tests.queries.test_goldens      writes them anew; read the difference before committing it
"""

from pathlib import Path

import pytest

from queries import Window, questions, run
from queries.export import csv_text
from tests.stores import four_weeks, write_store

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
ASKED: dict[str, dict[str, object]] = {
    "rejected_drafts": {"check_id": "socratic.shape.no_digits", "limit": 20},
    "records": {"check_id": "socratic.shape.no_trailing_clause", "day": "2026-06-02", "limit": 20},
    "runs": {"complete": False, "limit": 20},
    "honesty_claims": {"limit": 20},
    "lesson_plan": {"lesson": "lesson3"},
    "deployments": {"by": "version"},
    "whatif_runs": {"removed": ["socratic.shape.not_compound", "socratic.shape.no_trailing_clause"]},
    "whatif_stops": {"removed": ["honesty.failures_with_claim", "guardrail.professionalism"]},
    "texts": {"events": [1, 2, 3]},
    "fired_before": {"since": Window.parse("2026-06-08").since},
}
ALREADY = sorted(path.stem for path in GOLDEN.glob("*.csv"))


def write_weeks(path: Path) -> Path:
    events, rejects = four_weeks()
    return write_store(path, events, rejects=rejects)


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_weeks(tmp_path_factory.mktemp("weeks") / "weeks.duckdb")


@pytest.mark.parametrize("name", ALREADY)
def test_golden(weeks: Path, name: str) -> None:
    """The question gives what it gave when a person last looked at it."""
    expected = (GOLDEN / f"{name}.csv").read_bytes().decode("utf-8")
    assert expected == csv_text(run(weeks, name, **ASKED.get(name, {})))


def test_every_question_of_ours_has_a_golden() -> None:
    """A question without a golden is named, so that none is forgotten."""
    assert [] == sorted(set(questions()) - set(ALREADY) - ASKED_ELSEWHERE)


ASKED_ELSEWHERE = {
    "conversation",
    "conversation_of",
    "find_conversations",
    "replay_lessons",
    "replay_records",
    "unclaimed_records",
}
"""Questions whose answers are tested with the page that asks them."""


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        db = write_weeks(Path(folder) / "weeks.duckdb")
        GOLDEN.mkdir(exist_ok=True)
        for question in sorted(set(questions()) - ASKED_ELSEWHERE):
            text = csv_text(run(db, question, **ASKED.get(question, {})))
            (GOLDEN / f"{question}.csv").write_text(text, encoding="utf-8", newline="")
