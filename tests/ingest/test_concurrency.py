"""Several ingests at once, and ingests that are killed: every event is in the store exactly once."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ingest import store
from storefile import StoreError, opened
from tests.ingest.logs import EVENTS, FIRES, WRITERS, counts, read, text_of, winston_json

PROGRAM = "import sys; from pathlib import Path; from ingest import ingest; ingest(sys.argv[2:], Path(sys.argv[1]))"


def start(db: Path, *paths: Path, before: str = "") -> subprocess.Popen[bytes]:
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", before + PROGRAM, str(db), *map(str, paths)]
    return subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(root)})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, writer in WRITERS.items():
        (folder / f"{name}.log").write_text(text_of(writer), "utf-8")
    return folder


def test_two_ingests_of_one_folder_store_every_event_once(folder: Path, tmp_path: Path) -> None:
    """Protects a cron job that overlaps with itself: both end well, and nothing is there twice."""
    db = tmp_path / "store.duckdb"
    both = [start(db, folder), start(db, folder)]
    assert [(0, b""), (0, b"")] == [(one.wait(), one.stderr.read() if one.stderr else b"") for one in both]
    assert (len(WRITERS) * EVENTS, len(WRITERS) * FIRES, 0) == counts(db)


def test_an_ingest_that_another_one_overtook_looks_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects the moment between reading and storing: what another ingest stored in it is found, not doubled."""
    db = tmp_path / "store.duckdb"
    real, overtaken = store.store_batch, []

    def overtaking(*arguments: object) -> object:
        if not overtaken:
            overtaken.append(True)
            read(folder, db)
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("ingest.run.store_batch", overtaking)
    summary = read(folder, db)
    assert (0, len(WRITERS)) == (summary.events, summary.skipped_files)
    assert (len(WRITERS) * EVENTS, len(WRITERS) * FIRES, 0) == counts(db)


def test_an_ingest_killed_at_any_moment_is_completed_by_the_next(tmp_path: Path) -> None:
    """Protects against loss and doubling by kill -9: rows and progress are stored together or not at all."""
    log = tmp_path / "app.log"
    copies = 400
    log.write_text(text_of(winston_json) * copies, "utf-8")
    small = "import ingest.store as s, ingest.framing as f; s.BATCH_ROWS = 50; f.chunks.__defaults__ = (b'', 20000); f.HEAD = 4096\n"
    for n in range(4):
        db = tmp_path / f"store-{n}.duckdb"
        victim = start(db, log, before=small)
        deadline = time.monotonic() + 20
        while not db.exists() and time.monotonic() < deadline and victim.poll() is None:
            time.sleep(0.01)
        time.sleep(0.15 * n)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        read(log, db)
        assert (copies * EVENTS, copies * FIRES, 0) == counts(db)


def test_a_store_of_a_newer_schema_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """Protects a newer store from an older program."""
    db = tmp_path / "store.duckdb"
    (tmp_path / "app.log").write_text(text_of(winston_json), "utf-8")
    read(tmp_path / "app.log", db)
    with opened(db, write=True) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
    with pytest.raises(StoreError, match=r"schema version 99 and this gatecov knows \d+; upgrade gatecov"):
        read(tmp_path / "app.log", db)


def test_a_database_that_is_something_else_is_refused(tmp_path: Path) -> None:
    """Protects another program's DuckDB file from being filled with our tables."""
    db = tmp_path / "store.duckdb"
    with opened(db, write=True) as connection:
        connection.execute("CREATE TABLE theirs (a INTEGER)")
    (tmp_path / "app.log").write_text(text_of(winston_json), "utf-8")
    with pytest.raises(StoreError, match="holds other tables and is no gatecov store"):
        read(tmp_path / "app.log", db)
