"""Copies: of a whole file, of its start, and of single records."""

import gzip
import json
from pathlib import Path

import pytest

from ingest import ingest
from tests.ingest.logs import EVENTS, FIRES, WRITERS, counts, lines_of, read, rows, text_of, winston_json

WRITER = WRITERS["winston-json"]
CONTENT = text_of(WRITER).encode()


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "store.duckdb"


@pytest.mark.parametrize("cut", [300, 700, 1100, 1500, len(CONTENT) - 1])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_shorter_copy_of_a_known_file_adds_nothing(cut: int, pack: object, tmp_path: Path, db: Path) -> None:
    """Protects counts from a backup of a log that was made before the log grew, cut at a line or within one."""
    (tmp_path / "app.log").write_bytes(CONTENT)
    (tmp_path / "backup.log").write_bytes(pack(CONTENT[:cut]))  # type: ignore[operator]
    read(tmp_path / "app.log", db)
    copy = read(tmp_path / "backup.log", db)
    expected = (0, 0, 0, 0, 0, 1)
    assert expected == (copy.files, copy.bytes, copy.lines, copy.events, copy.rejected, copy.skipped_files)
    assert [f"{tmp_path / 'backup.log'}: all of it stands in {tmp_path / 'app.log'}, and counts there"] == copy.notes[
        :1
    ]
    assert (EVENTS, FIRES, 0) == counts(db)
    again = read(tmp_path, db)
    assert (0, 2) == (again.events, again.skipped_files)


def test_a_file_that_shrank_in_place_adds_nothing(tmp_path: Path, db: Path) -> None:
    """Protects what was read of a file that lost its end: it stays, and what is left does not count again."""
    (tmp_path / "app.log").write_bytes(CONTENT)
    read(tmp_path, db)
    (tmp_path / "app.log").write_bytes(CONTENT[:1500])
    assert (0, 1) == ((shrunk := read(tmp_path, db)).events, shrunk.skipped_files)
    (tmp_path / "app.log").write_bytes(CONTENT)
    assert (0, 1) == ((whole := read(tmp_path, db)).events, whole.skipped_files)
    assert (EVENTS, FIRES, 0) == counts(db)


def test_a_copy_of_the_start_that_goes_on_otherwise_adds_what_is_new(tmp_path: Path, db: Path) -> None:
    """Protects records that only the shorter file has from going out with the copy."""
    (tmp_path / "app.log").write_bytes(CONTENT)
    read(tmp_path / "app.log", db)
    start = "\n".join(lines_of(WRITER)[:3]) + "\n"
    (tmp_path / "other.log").write_text(start + winston_json(40, "info", "[turn] session=s-9 done outcome=x") + "\n")
    assert 4 == read(tmp_path / "other.log", db).events


def test_a_file_that_begins_like_another_counts_as_a_whole_once_it_goes_on_otherwise(tmp_path: Path, db: Path) -> None:
    """Protects a log that starts anew with the same undated lines: while it is the start of the old one it adds nothing,
    and when it turns out to be another, none of its records is missing."""
    same = "agent starts\n[SocraticStage] writer call failed x\n"
    (tmp_path / "old.log").write_text(same + "[turn] session=s-1 done outcome=x\n")
    (tmp_path / "new.log").write_text(same)
    read(tmp_path / "old.log", db)
    assert 0 == read(tmp_path / "new.log", db).events
    (tmp_path / "new.log").write_text(same + "[turn] session=s-2 done outcome=x\n")
    assert 2 == read(tmp_path / "new.log", db).events
    assert (4, 0, 0) == counts(db)


def test_copies_of_records_count_once_only_when_that_is_asked_for(tmp_path: Path, db: Path) -> None:
    """Protects both ways: equal records are not dropped by themselves, and a re-export can be taken for what it is."""
    (tmp_path / "app.log").write_bytes(CONTENT)
    lines = lines_of(WRITER)
    (tmp_path / "export.log").write_text("\n".join([*lines[2:], lines[0]]) + "\n")
    counting = "SELECT count(*) FROM events WHERE duplicate_of IS NULL"
    assert 2 * EVENTS - 1 == read(tmp_path, db).events
    assert [(2 * EVENTS - 1,)] == rows(db, counting)
    asked = ingest([str(tmp_path)], db, dedupe=True)
    assert [f"copies of records in other files, which count once (--dedupe): {EVENTS - 1}"] == asked.notes[-1:]
    assert [(EVENTS,)] == rows(db, counting)
    assert ["copies of records in other files, which count once (--dedupe): 0"] == ingest(
        [str(tmp_path)], db, dedupe=True
    ).notes[-1:]


def test_equal_records_of_one_file_are_no_copies_of_each_other(tmp_path: Path, db: Path) -> None:
    """Protects two equal lines that a program really wrote; in a re-export the second is the copy of the second."""
    line = winston_json(1, "warn", "[SocraticStage] writer call failed x")
    (tmp_path / "a.log").write_text(f"{line}\n{line}\n")
    (tmp_path / "b.log").write_text(f"{json.dumps({'a': 1})}\n{line}\n{line}\n{line}\n")
    ingest([str(tmp_path)], db, dedupe=True)
    assert [(3,)] == rows(db, "SELECT count(*) FROM events WHERE duplicate_of IS NULL")
