"""The one DuckDB file: opening it, waiting for whoever holds it, and saying who that is.

A process that has the file open for writing shuts every other process out, readers too. So nobody keeps it open:
a read opens, fetches and closes, a write is one short transaction, and both wait for each other here.

The schema lies beside the step that fills it, as files: `ingest/schema.sql` makes a new store, `ingest/migrations/NNNN_*.sql`
bring one of version NNNN - 1 to version NNNN, and `ingest/derived.sql` and `ingest/views.sql` may be run again at any
time. Whoever opens a store finds it as this program writes it: an older one is brought up to date first, a newer one is
refused.
"""

import datetime as dt
import hashlib
import os
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import duckdb
import polars as pl

from storeproblems import explain, held, innermost, is_storage_error
from storeturn import between_writers, turn
from usererror import UserError as UserError  # what the parts above the store raise, too

WAIT_SECONDS = 20.0
SETTINGS = "SET TimeZone = 'UTC'; SET enable_progress_bar = false; SET python_enable_replacements = false; SET enable_external_access = false;"
NOTHING_STALE = "SET VARIABLE nothing_stale = (SELECT count(*) = 0 FROM stale)"
"""Where all that is derived is kept, a reader asks simpler views (`ingest/derived.sql`)."""
_TABLE_OF = {"_runs": "stage_runs", "_judged": "judged", "_events": "judged", "_lines": "stage_runs"}
WRITER_SETTINGS = "SET memory_limit = '256MB';"  # what does not fit is put beside the store for a moment
SCHEMA = Path(__file__).with_name("ingest")


class StoreError(UserError):
    """The store cannot be used."""


@contextmanager
def opened(db: Path, *, write: bool = False, wait: float = WAIT_SECONDS) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of one's own to `db`, closed at the end; waits at most `wait` seconds for other processes.

    A store of an older version is brought up to date first, also for reading. A file without any table is a store that
    is still to be created, for a writer. Raises StoreError where the file is missing (for reading), is no store of ours,
    is of a newer version, or stays in use.
    """
    if not write and not db.exists():
        raise StoreError(f"{db}: there is no store here yet; fill one with: gatecov ingest PATH --db {db}")
    until = time.monotonic() + wait
    with turn(db, until) if write else nullcontext():
        yield from _open(db, write, until)


def _open(db: Path, write: bool, until: float) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = _connect(db, write=write, until=until)
    try:
        # Writers hand frames to DuckDB by registering them, so no query may reach a file or a Python variable.
        connection.execute(SETTINGS + (WRITER_SETTINGS if write else ""))
        if _is_behind(db, connection, write=write):
            if not write:
                connection.close()
                _catch_up(db, until)
                connection = _connect(db, write=False, until=until)
                connection.execute(SETTINGS)
            else:
                _upgrade(connection)
        if not write:
            connection.execute(NOTHING_STALE)
        yield connection
    except duckdb.Error as error:
        if not is_storage_error(error):
            raise
        raise StoreError(
            f"{db}: the store cannot be written ({innermost(error)}); what was not committed is not in it, and nothing "
            "else was lost: make room, and run it again"
        ) from error
    finally:
        with suppress(duckdb.Error):  # after a failed write the connection is of no use, and says so once more
            connection.close()


class transaction:  # noqa: N801 - reads as a keyword
    """BEGIN, then COMMIT; ROLLBACK when anything goes wrong."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._connection.execute("COMMIT")
            return
        with suppress(duckdb.Error):  # the error that ends the transaction tells more than what follows from it
            self._connection.execute("ROLLBACK")


def schema_version() -> int:
    """The version of the stores that this program writes: that of the newest migration."""
    return max(_migrations(), default=1)


def create(connection: duckdb.DuckDBPyConnection) -> None:
    """Make an empty database a store: tables, views, and the facts about itself."""
    connection.execute((SCHEMA / "schema.sql").read_text("utf-8"))
    facts = {
        "schema_version": str(schema_version()),
        "created": _now().isoformat(),
        "linked_to": "-1",
        "derived_sha256": _derived_digest(),
    }
    connection.executemany("INSERT INTO meta VALUES (?, ?)", list(facts.items()))
    _write_views(connection)


def derive(connection: duckdb.DuckDBPyConnection, *, anew: bool = False) -> None:
    """Work out what is derived from events and fires and not kept yet; with `anew` all of it. Opens its own transaction."""
    with transaction(connection):
        _derive(connection, anew=anew)


def rewrite(
    db: Path, kept: Callable[[duckdb.DuckDBPyConnection], Mapping[str, str]], *, wait: float = WAIT_SECONDS
) -> None:
    """Put a new file in the place of `db`, with the rows that `kept` names and no byte of the others.

    `kept` may ask the old store and make temporary tables; it gives a SELECT for each table that is not taken over as a
    whole. The old file stays locked until the new one stands in its place, whole and on the disk: whoever waited for it
    finds the new one. Killed at any moment, the store is as it was before or as it is afterwards.
    """
    db = db.resolve()
    fresh = db.with_name(f".{db.name}.rewritten")
    with turn(db, time.monotonic() + wait):
        _rewrite(db, fresh, kept, time.monotonic() + wait)


def _rewrite(
    db: Path, fresh: Path, kept: Callable[[duckdb.DuckDBPyConnection], Mapping[str, str]], until: float
) -> None:
    connection = _connect(db, write=True, until=until)
    try:
        for leftover in (fresh, _log_of(fresh)):
            leftover.unlink(missing_ok=True)
        connection.execute(f"ATTACH '{str(fresh).replace(chr(39), chr(39) * 2)}' AS rewritten")
        connection.execute(SETTINGS)
        if _is_behind(db, connection, write=True):
            _upgrade(connection)
        # What is in the log of the old file would be read into the new one.
        connection.execute("CHECKPOINT")
        _copy(connection, kept(connection))
        connection.execute("CHECKPOINT rewritten")
        connection.execute("DETACH rewritten")
        _replace(fresh, db)
    except OSError as error:
        raise StoreError(
            f"{db}: the store cannot be written anew ({error.strerror}); it is as it was; make room, or the folder writable"
        ) from error
    except duckdb.IOException as error:
        raise StoreError(
            f"{db}: the store cannot be written anew ({str(error).splitlines()[0]}); it is as it was; make room, or the "
            "folder writable"
        ) from error
    finally:
        connection.close()
        for leftover in (fresh, _log_of(fresh)):
            with suppress(OSError):
                leftover.unlink()


def read(
    db: Path, sql: str, parameters: Mapping[str, object] | None = None, *, wait: float = WAIT_SECONDS
) -> pl.DataFrame:
    """The result of one query as a frame: opens, fetches, closes."""
    with opened(db, wait=wait) as connection:
        frame: pl.DataFrame = connection.sql(sql, params=dict(parameters or {})).pl()
        return frame


@cache
def _migrations() -> dict[int, Path]:
    """The steps by the version that each leads to."""
    found = {int(path.name[:4]): path for path in sorted((SCHEMA / "migrations").glob("[0-9][0-9][0-9][0-9]_*.sql"))}
    assert list(found) == list(range(2, len(found) + 2)), "migrations are numbered 0002, 0003, ... without a gap"
    return found


@cache
def _derived() -> str:
    return (SCHEMA / "derived.sql").read_text("utf-8")


@cache
def _views() -> str:
    return _derived() + (SCHEMA / "views.sql").read_text("utf-8")


@cache
def _views_digest() -> str:
    return hashlib.sha256(_views().encode()).hexdigest()


def _derived_digest() -> str:
    return hashlib.sha256(_derived().encode()).hexdigest()


def _is_behind(db: Path, connection: duckdb.DuckDBPyConnection, *, write: bool) -> bool:
    """Whether the store was last written by an older program; raises StoreError for a newer one, and for no store."""
    tables = {
        name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
    }
    if "meta" not in tables:
        if tables:
            raise StoreError(
                f"{db}: this DuckDB file holds other tables and is no gatecov store; name another with --db"
            )
        if not write:
            raise StoreError(f"{db}: there is nothing in this store yet; fill it with: gatecov ingest PATH --db {db}")
        return False
    facts = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    number = facts.get("schema_version", "unknown")
    if not number.isdecimal() or int(number) > schema_version():
        raise StoreError(
            f"{db}: the store has schema version {number} and this gatecov knows {schema_version()}; upgrade gatecov, "
            "or name another store with --db"
        )
    return int(number) < schema_version() or facts.get("views_sha256") != _views_digest()


def _catch_up(db: Path, until: float) -> None:
    """Bring a store that is to be read up to date, by opening it for writing for a moment."""
    try:
        with opened(db, write=True, wait=max(0.0, until - time.monotonic())):
            pass
    except StoreError as error:
        why = str(error).removeprefix(f"{db}: ")
        raise StoreError(
            f"{db}: another version of gatecov wrote this store, and it must be brought up to date before it is read, "
            f"which cannot be done now: {why}"
        ) from error


def _upgrade(connection: duckdb.DuckDBPyConnection) -> None:
    """Take the steps that are missing, and write the views anew: all of it or nothing."""
    with transaction(connection):
        found = connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchall()
        for number, path in _migrations().items():
            if number > int(found[0][0]):
                connection.execute(path.read_text("utf-8"))
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", [str(schema_version())])
        _write_views(connection)
        if not connection.execute(
            "SELECT 1 FROM meta WHERE key = 'derived_sha256' AND value = ?", [_derived_digest()]
        ).fetchall():
            _derive(connection, anew=True)


def _derive(connection: duckdb.DuckDBPyConnection, *, anew: bool) -> None:
    if anew:
        connection.execute((SCHEMA / "derive_all.sql").read_text("utf-8"))
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('derived_sha256', ?)", [_derived_digest()])
    connection.execute((SCHEMA / "derive.sql").read_text("utf-8"))


def _write_views(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(_views())
    connection.execute(";".join(_comments_of_views(connection)) or "SELECT 1")
    facts = {"views_sha256": _views_digest(), "gatecov_version": _version()}
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(facts.items()))


def _comments_of_views(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """What says of each column of a view, where nothing does yet, what the table that it is made from says of it."""
    columns = "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal"
    comments = {(table, column): comment for table, column, comment in connection.execute(columns).fetchall()}
    for (view, column), comment in comments.items():
        made_from = next((table for end, table in _TABLE_OF.items() if view.endswith(end)), "objections")
        told = comments.get((made_from, column)) or comments.get(("events", column))
        if comment is None and told:
            quoted = told.replace("'", "''")
            yield f'COMMENT ON COLUMN "{view}"."{column}" IS \'{quoted}\''


def _copy(connection: duckdb.DuckDBPyConnection, kept: Mapping[str, str]) -> None:
    """Fill the attached database `rewritten` from the open one."""
    name = connection.execute("SELECT current_database()").fetchall()[0][0]
    old = _quoted(str(name))
    connection.execute(f"COPY FROM DATABASE {old} TO rewritten (SCHEMA)")
    tables = "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? AND NOT internal"
    for schema, table in connection.execute(tables, [name]).fetchall():
        place = f"{_quoted(schema)}.{_quoted(table)}"
        rows = kept.get(table, f"SELECT * FROM {old}.{place}")
        connection.execute(f"INSERT INTO rewritten.{place} BY NAME {rows}")


def _replace(fresh: Path, db: Path) -> None:
    """Rename `fresh` to `db`, with the rights of the old file, once it is on the disk."""
    if _log_of(db).exists():
        raise StoreError(f"{db}: the store's log {_log_of(db)} is in use; try again when no other program writes")
    there = db.stat()
    os.chmod(fresh, there.st_mode & 0o7777)
    with suppress(PermissionError):
        os.chown(fresh, there.st_uid, there.st_gid)
    _sync(fresh)
    os.replace(fresh, db)
    _sync(db.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _log_of(db: Path) -> Path:
    return db.with_name(f"{db.name}.wal")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC).replace(tzinfo=None)


def _version() -> str:
    try:
        return version("gatecov")
    except PackageNotFoundError:
        return "unknown"


def _connect(db: Path, *, write: bool, until: float) -> duckdb.DuckDBPyConnection:
    pause = 0.02
    while True:
        there = _inode(db)
        try:
            if write and there is None:
                _create(db)
            with nullcontext() if write else between_writers(db, until):
                connection = duckdb.connect(str(db), read_only=not write)
            if there in (None, _inode(db)):
                return connection
            connection.close()  # it was replaced meanwhile, and this may be the file that is gone
            continue
        except duckdb.Error as error:
            reason = str(error)
            if "lock" not in reason.lower() and "different configuration" not in reason:
                raise StoreError(explain(db, reason)) from error
            if time.monotonic() > until:
                raise StoreError(held(db, reason)) from error
        time.sleep(pause * (0.5 + random.random()))
        pause = min(pause * 1.6, 0.5)


def _create(db: Path) -> None:
    """Make an empty database that appears whole: whoever is killed at its first bytes leaves no broken store behind."""
    fresh = db.with_name(f".{db.name}.{os.getpid()}-{random.getrandbits(32):08x}.new")
    try:
        duckdb.connect(str(fresh)).close()
        with suppress(FileExistsError):  # another process was first, and its store is as good
            os.link(fresh, db)
    except OSError:
        # A file system without links: DuckDB makes the file itself, as it always can.
        return
    finally:
        fresh.unlink(missing_ok=True)


def _inode(db: Path) -> int | None:
    try:
        return db.stat().st_ino
    except OSError:
        return None
