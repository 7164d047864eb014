"""Where the store and the configuration lie: where a person says, else in the folder gatecov was started in."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from usererror import UserError

STORE_NAME = "gatecov.duckdb"
CONFIG_NAME = "gatecov.toml"


class ConfigError(UserError):
    """The configuration cannot be read."""


def store_path(db: str | os.PathLike[str] | None = None) -> Path:
    """The store that `--db` names, else the one that `GATECOV_DB` names, else `gatecov.duckdb` in this folder."""
    return Path(db or os.environ.get("GATECOV_DB") or STORE_NAME)


def config_path() -> Path:
    """The configuration: the file that `GATECOV_CONFIG` names, else `gatecov.toml` in this folder."""
    return Path(os.environ.get("GATECOV_CONFIG") or CONFIG_NAME)


def read_config(*, named_exists: bool = True) -> Mapping[str, Any]:
    """The tables of the configuration; none where there is no such file.

    Raises ConfigError for what is no TOML, and, unless `named_exists` is False, for a file that is named and is not there.
    """
    named, path = os.environ.get("GATECOV_CONFIG"), config_path()
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if named and named_exists:
            raise ConfigError(f"{named}: there is no such file, though GATECOV_CONFIG names it") from None
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{path}: it cannot be read as TOML ({error}); mend it, or name another with GATECOV_CONFIG"
        ) from error
