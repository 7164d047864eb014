"""What gatecov.toml says of the questions: the thresholds."""

from collections.abc import Mapping
from typing import Any

from queries.thresholds import THRESHOLDS, Thresholds
from storefile import UserError


class SettingError(UserError):
    """A setting is unknown or has no usable value; the message names it."""


def thresholds_from(config: Mapping[str, Any]) -> Thresholds:
    """The thresholds, with those that the table [thresholds] of `config` sets; raises SettingError."""
    given = config.get("thresholds", {})
    if not isinstance(given, Mapping):
        raise SettingError(
            f"gatecov.toml, thresholds = {given!r}: this must be a table; write [thresholds] and one line for each"
        )
    defaults = {row.name: row.default for row in THRESHOLDS}
    for name, value in given.items():
        if name not in defaults:
            raise SettingError(
                f"gatecov.toml, [thresholds] {name}: there is no such threshold; there are {', '.join(defaults)}"
            )
        _check(name, value, defaults[name])
    return Thresholds(**given)


def _check(name: str, value: object, default: object) -> None:
    place = f"gatecov.toml, [thresholds] {name} = {value!r}"
    if isinstance(default, float):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
            raise SettingError(f"{place}: this must be a share above 0 and at most 1, for example {default}")
    elif isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise SettingError(f"{place}: this must be a whole number of at least 1, for example {default}")
