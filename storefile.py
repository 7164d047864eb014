"""The one DuckDB file: opening it, waiting for whoever holds it, and saying who that is.

A process that has the file open for writing shuts every other process out, readers too. So nobody keeps it open:
a read opens, fetches and closes, a write is one short transaction, and both wait for each other here.
"""

import os
import random
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb
import polars as pl

DEFAULT_DB = "gatecov.duckdb"
WAIT_SECONDS = 20.0
SETTINGS = "SET TimeZone = 'UTC'; SET python_enable_replacements = false; SET enable_external_access = false;"


class UserError(Exception):
    """Something that a person can mend: the message is one sentence with the value, the place, the reason and the help."""

    exit_code = 1


class StoreError(UserError):
    """The store cannot be used."""


def store_path(db: str | os.PathLike[str] | None = None) -> Path:
    """The store that `--db` names, else the one that `GATECOV_DB` names, else `gatecov.duckdb` in this folder."""
    return Path(db or os.environ.get("GATECOV_DB") or DEFAULT_DB)


@contextmanager
def opened(db: Path, *, write: bool = False, wait: float = WAIT_SECONDS) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of one's own to `db`, closed at the end; waits at most `wait` seconds for other processes.

    Raises StoreError where the file is missing (for reading), is no DuckDB file, or stays in use.
    """
    if not write and not db.exists():
        raise StoreError(f"{db}: there is no store here yet; fill one with: gatecov ingest PATH --db {db}")
    connection = _connect(db, write=write, until=time.monotonic() + wait)
    try:
        # Writers hand frames to DuckDB by registering them, so no query may reach a file or a Python variable.
        connection.execute(SETTINGS)
        yield connection
    finally:
        connection.close()


def read(
    db: Path, sql: str, parameters: Mapping[str, object] | None = None, *, wait: float = WAIT_SECONDS
) -> pl.DataFrame:
    """The result of one query as a frame: opens, fetches, closes."""
    with opened(db, wait=wait) as connection:
        frame: pl.DataFrame = connection.sql(sql, params=dict(parameters or {})).pl()
        return frame


def _connect(db: Path, *, write: bool, until: float) -> duckdb.DuckDBPyConnection:
    pause = 0.02
    while True:
        try:
            return duckdb.connect(str(db), read_only=not write)
        except duckdb.Error as error:
            reason = str(error)
            if "lock" not in reason.lower() and "different configuration" not in reason:
                raise StoreError(_explain(db, reason)) from error
            if time.monotonic() > until:
                raise StoreError(_held(db, reason)) from error
        time.sleep(pause * (0.5 + random.random()))
        pause = min(pause * 1.6, 0.5)


def _held(db: Path, reason: str) -> str:
    holder = re.search(r"held in (.+?) \(PID (\d+)\)", reason)
    who = f"{holder[1]}, process {holder[2]}" if holder else "another program"
    return f"{db}: the store is held open by {who}; close it there (a DuckDB shell keeps it locked) and try again"


def _explain(db: Path, reason: str) -> str:
    if db.is_dir():
        return f"{db}: this is a folder, not a store; name a file, for example {db / DEFAULT_DB}"
    if "not a valid DuckDB" in reason or "Invalid" in reason or "Serialization" in reason:
        return f"{db}: this is not a DuckDB file; name another with --db, or move it away and ingest again"
    if "No such file" in reason or "does not exist" in reason:
        return f"{db}: the folder {db.parent} does not exist; create it first"
    if "ermission" in reason:
        return f"{db}: no permission to open the store; ask its owner, or name another with --db"
    return f"{db}: the store cannot be opened ({reason.splitlines()[0]})"
