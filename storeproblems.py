"""What goes wrong with the store's file, in a sentence that says what helps."""

import re
from pathlib import Path

import duckdb

from places import STORE_NAME


def is_storage_error(error: duckdb.Error) -> bool:
    """Whether the disk, not the query, is what failed; a commit that finds it full is a TransactionException."""
    return isinstance(error, duckdb.FatalException | duckdb.IOException) or "Could not write" in str(error)


def innermost(error: duckdb.Error) -> str:
    """What the system said: the last part of DuckDB's chain of reasons."""
    return str(error).splitlines()[0].rpartition(": ")[2].strip().rstrip(".").lower()


def held(db: Path, reason: str) -> str:
    """Who holds the store, from what DuckDB says of it."""
    holder = re.search(r"held in (.+?) \(PID (\d+)\)", reason)
    who = f"{holder[1]}, process {holder[2]}" if holder else "another program"
    return f"{db}: the store is held open by {who}; close it there (a DuckDB shell keeps it locked) and try again"


def explain(db: Path, reason: str) -> str:
    """Why the store cannot be opened, and what helps, from what DuckDB says of it."""
    if db.is_dir():
        return f"{db}: this is a folder, not a store; name a file, for example {db / STORE_NAME}"
    if "not a valid DuckDB" in reason or "Invalid" in reason or "Serialization" in reason:
        return f"{db}: this is not a DuckDB file; name another with --db, or move it away and ingest again"
    if "No such file" in reason or "does not exist" in reason:
        return f"{db}: the folder {db.parent} does not exist; create it first"
    if "ermission" in reason:
        return f"{db}: no permission to open the store; ask its owner, or name another with --db"
    return f"{db}: the store cannot be opened ({reason.splitlines()[0]})"
