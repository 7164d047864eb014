"""Stores of other versions: an older one is brought up to date by whoever opens it, a newer one is refused."""

import multiprocessing
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import storefile
from ingest.purge import purge_session
from queries import run
from queries.report import report
from storefile import StoreError, create, opened, schema_version
from storefile import read as read_store
from tests.ingest.logs import EVENTS, counts, read, rows, text_of, winston_json

OLD = Path(__file__).parent / "schemas"
SCHEMA = "SELECT table_name, column_name, data_type, column_default, comment FROM duckdb_columns() WHERE NOT internal ORDER BY ALL"
TABLES = "SELECT table_name, comment FROM duckdb_tables() ORDER BY 1"


def old_store(path: Path, log: Path) -> Path:
    """A store of version 1 with events in it, as the program of that time left it: without today's tables and views."""
    fresh = path.with_name("fresh.duckdb")
    read(log, fresh)
    with duckdb.connect(str(path)) as connection:
        connection.execute((OLD / "schema_1.sql").read_text("utf-8"))
        connection.execute(f"ATTACH '{fresh}' AS fresh (READ_ONLY)")
        tables = connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()"
        ).fetchall()
        for (table,) in tables:
            columns = connection.execute(
                "SELECT string_agg('\"' || column_name || '\"', ', ') FROM duckdb_columns() WHERE database_name = current_database() AND table_name = ?",
                [table],
            ).fetchall()[0][0]
            connection.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM fresh.{table}")
        connection.execute("DELETE FROM meta WHERE key IN ('views_sha256', 'redact', 'redact_key')")
        connection.execute("UPDATE meta SET value = '1' WHERE key = 'schema_version'")
    fresh.unlink()
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "app.log"
    path.write_text(text_of(winston_json), "utf-8")
    return path


@pytest.fixture
def old(tmp_path: Path, log: Path) -> Path:
    return old_store(tmp_path / "old.duckdb", log)


def test_a_migrated_store_is_a_new_one(tmp_path: Path, old: Path) -> None:
    """Protects the two ways to today's schema: the tables, columns, defaults and comments are the same by both."""
    fresh = tmp_path / "new.duckdb"
    with duckdb.connect(str(fresh)) as connection:
        create(connection)
    with opened(old):
        pass
    assert rows(fresh, TABLES) == rows(old, TABLES)
    # A migration adds a column at the end and without NOT NULL; everything else is told alike.
    assert rows(fresh, SCHEMA) == rows(old, SCHEMA)
    assert [(str(schema_version()),)] == rows(old, "SELECT value FROM meta WHERE key = 'schema_version'")


WAYS = {
    "a query": lambda db, log: run(db, "chains"),
    "the report": lambda db, log: report(db),
    "an ingest": lambda db, log: read(log, db),
    "a purge": lambda db, log: purge_session(db, "s-1"),
}


@pytest.mark.parametrize("way", WAYS)
def test_whoever_opens_an_older_store_finds_it_as_today(old: Path, log: Path, way: str) -> None:
    """Protects readers and writers alike: nobody has to migrate by hand, and no event is lost on the way."""
    WAYS[way](old, log)
    [(events,)] = rows(old, "SELECT count(*) FROM events")
    assert (EVENTS, True) == (events if way != "a purge" else EVENTS, counts(old)[0] == events)
    assert [("none",)] == rows(old, "SELECT DISTINCT redaction FROM files")


def test_a_migration_that_fails_leaves_the_store_as_it_was(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects the store from half a migration: all of it is one transaction."""
    broken = tmp_path / "9999_broken.sql"
    steps = {**storefile._migrations(), schema_version() + 1: broken}
    broken.write_text("CREATE TABLE half (a INTEGER); SELECT no_such_column FROM meta;")
    monkeypatch.setattr(storefile, "_migrations", lambda: steps)
    before = rows(old, TABLES)
    with pytest.raises(duckdb.BinderException), opened(old):
        pass
    assert (before, [("1",)]) == (rows(old, TABLES), rows(old, "SELECT value FROM meta WHERE key = 'schema_version'"))


@pytest.mark.parametrize("version", ["99", "unknown", "-1"])
def test_a_newer_store_is_refused_for_readers_too(old: Path, log: Path, version: str) -> None:
    """Protects from answers that today's queries would get wrong from tomorrow's tables."""
    with duckdb.connect(str(old)) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", [version])
    said = (
        rf"schema version {version} and this gatecov knows {schema_version()}; upgrade gatecov, or name another store"
    )
    for way in WAYS.values():
        with pytest.raises(StoreError, match=said):
            way(old, log)


def test_the_command_line_refuses_a_newer_store_in_a_sentence(old: Path) -> None:
    """Protects the person at the terminal: one line, no traceback, exit code 1."""
    with duckdb.connect(str(old)) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
    root = Path(storefile.__file__).parent
    command = [sys.executable, "-m", "gatecov", "report", "--db", str(old)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (1, "", 1) == (done.returncode, done.stdout, len(done.stderr.splitlines()))
    assert f"gatecov: {old}: the store has schema version 99" in done.stderr


def test_views_of_an_older_program_are_written_anew(tmp_path: Path, log: Path) -> None:
    """Protects today's questions on a store whose last writer had other views, of the same schema version."""
    db = tmp_path / "store.duckdb"
    read(log, db)
    with duckdb.connect(str(db)) as connection:
        connection.execute("DROP MACRO TABLE fired_in")
        connection.execute("CREATE OR REPLACE MACRO of_agent(name, only_agent) AS false")
        connection.execute("UPDATE meta SET value = 'older' WHERE key = 'views_sha256'")
    assert EVENTS == run(db, "coverage")["records"].item()


def test_a_store_that_is_up_to_date_is_only_read(tmp_path: Path, log: Path) -> None:
    """Protects an open dashboard from locking ingests out: a read of today's store never opens it for writing."""
    db = tmp_path / "store.duckdb"
    read(log, db)
    before = db.read_bytes(), db.stat().st_mtime_ns
    with duckdb.connect(str(db), read_only=True):
        assert EVENTS == read_store(db, "SELECT count(*) AS n FROM events")["n"].item()
    assert before == (db.read_bytes(), db.stat().st_mtime_ns)


def test_an_older_store_that_cannot_be_written_says_so(old: Path) -> None:
    """Protects the reader of a store that somebody keeps open: one sentence says what it needs and who is in the way."""
    hold = (
        f"import duckdb, time; c = duckdb.connect({str(old)!r}, read_only=True); print(1, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", hold], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        said = rf"another version of gatecov wrote this store, .* cannot be done now: the store is held open by .*process {holder.pid}"
        with pytest.raises(StoreError, match=said), opened(old, wait=0.3):
            pass
        holder.kill()
    assert [("1",)] == rows(old, "SELECT value FROM meta WHERE key = 'schema_version'")


def _count_events(db: str) -> int:
    return int(read_store(Path(db), "SELECT count(*) AS n FROM events")["n"].item())


def test_many_readers_of_an_older_store_migrate_it_once(old: Path) -> None:
    """Protects a dashboard and jobs that come at the same moment: each gets its answer, and the steps are taken once."""
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        assert [EVENTS] * 8 == pool.map(_count_events, [str(old)] * 8, chunksize=2)


@pytest.mark.parametrize(
    ("sql", "says"), [("", "there is nothing in this store yet"), ("CREATE TABLE a (b INTEGER)", "holds other tables")]
)
def test_what_is_no_store_is_told_to_a_reader(tmp_path: Path, sql: str, says: str) -> None:
    """Protects the reader of another program's file: a sentence instead of an error about a missing table."""
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        connection.execute(sql or "SELECT 1")
    with pytest.raises(StoreError, match=says):
        run(tmp_path / "x.duckdb", "coverage")
