"""The benchmark's own store, small: every question has an answer on it, and the right one."""

from pathlib import Path

import duckdb

from bench.questions import asked, make
from queries import questions


def test_every_question_is_asked_of_a_right_store(tmp_path: Path) -> None:
    """Protects the benchmark from being fast and wrong: each question is asked, and what is kept is what would be worked out."""
    db = tmp_path / "store.duckdb"
    make(db, 20_000, 100, tmp_path)
    found = asked(db, tmp_path)
    assert set() == set(questions()) - set(found)
    for question in found.values():
        question()
    with duckdb.connect(str(db), read_only=True) as connection:
        connection.execute("SET VARIABLE nothing_stale = true")
        judged, fires = (
            connection.execute(sql).fetchall()[0][0]
            for sql in (
                "SELECT sum(fires + template_fires) FROM check_totals",
                "SELECT count(DISTINCT (f.event_id, f.check_id)) FROM fires f JOIN events e USING (event_id)"
                " WHERE e.duplicate_of IS NULL AND f.check_id IS NOT NULL",
            )
        )
    assert fires == judged
