"""Where the store lies: what a person named, else the usual name in the folder gatecov was started in."""

import os
from pathlib import Path

STORE_NAME = "gatecov.duckdb"


def store_path(db: str | os.PathLike[str] | None = None) -> Path:
    """The store that `--db` names, else the one that `GATECOV_DB` names, else `gatecov.duckdb` in this folder."""
    return Path(db or os.environ.get("GATECOV_DB") or STORE_NAME)
