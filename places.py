"""Where the store and the configuration lie: where a person says, else in the folder gatecov was started in."""

import difflib
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from usererror import UserError

STORE_NAME = "gatecov.duckdb"
CONFIG_NAME = "gatecov.toml"
TABLES: Mapping[str, Sequence[str]] = {
    "decisions": (),
    "ingest": ("session_fields", "agent_fields", "version_fields"),
    "rules": ("fail_on",),
    "thresholds": (
        "min_evaluations", "min_sessions", "min_days", "quiet_days", "redundant_fires", "strict_rate",
        "min_week_evaluations", "strict_first_drafts",
    ),
}  # fmt: skip
"""The tables of the configuration with their keys, whoever reads them: a command refuses what no command knows.

Decisions have a table for each check and say themselves what is odd about them; or they are the name of another file.
"""


class ConfigError(UserError):
    """The configuration cannot be read."""


class NoStoreNamedError(UserError):
    """An option names the store, and its value is empty."""

    exit_code = 2


def store_path(db: str | os.PathLike[str] | None = None) -> Path:
    """The store that `--db` names, else the one that `GATECOV_DB` names, else `gatecov.duckdb` in this folder.

    Raises NoStoreNamedError for an empty name: a variable that a script forgot to set means no other store.
    """
    if db == "":
        raise NoStoreNamedError(f"--db '': this names no file; give one, or leave --db out for {store_path()}")
    return Path(db or os.environ.get("GATECOV_DB") or STORE_NAME)


def config_path() -> Path:
    """The configuration: the file that `GATECOV_CONFIG` names, else `gatecov.toml` in this folder."""
    return Path(os.environ.get("GATECOV_CONFIG") or CONFIG_NAME)


def read_config(*, named_exists: bool = True) -> Mapping[str, Any]:
    """The tables of the configuration; none where there is no such file.

    Raises ConfigError for what is no TOML, for a table or a key that nobody reads, and, unless `named_exists` is False,
    for a file that is named and is not there.
    """
    named, path = os.environ.get("GATECOV_CONFIG"), config_path()
    try:
        tables = tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        if named and named_exists:
            raise ConfigError(f"{named}: there is no such file, though GATECOV_CONFIG names it") from None
        return {}
    except OSError as error:
        what = "it is a folder, not a file" if path.is_dir() else f"it cannot be read ({error.strerror})"
        raise ConfigError(f"{path}: {what}; mend that, or name another file with GATECOV_CONFIG") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except ValueError as error:
        raise ConfigError(
            f"{path}: it cannot be read as TOML ({error}); mend it, or name another with GATECOV_CONFIG"
        ) from error
    _check_names(path, tables)
    return tables


def _check_names(path: Path, tables: Mapping[str, Any]) -> None:
    """Raise ConfigError for what would be passed over: a name with a typing error sets nothing."""
    for name, table in tables.items():
        if name not in TABLES:
            raise ConfigError(f"{path}: nothing reads the table [{name}]; {_nearest(name, list(TABLES))}")
        if keys := TABLES[name]:
            if not isinstance(table, Mapping):
                raise ConfigError(f"{path}: {name} is {table!r}, not a table; write [{name}] and a line for each key")
            for key in table:
                if key not in keys:
                    raise ConfigError(f"{path}: [{name}] has no key {key}; {_nearest(key, keys)}")


def _nearest(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
