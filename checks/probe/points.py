"""The points of a discussion at which a probe can be asked."""

import re
from dataclasses import dataclass
from typing import Literal

from checks.probe.errors import ProbeError

FIXED = ("start", "before_closing", "end")
"""Points that every discussion has. `end` comes after the closing line, `before_closing` before it."""


@dataclass(frozen=True, slots=True)
class AfterItem:
    """After item number `n` of the discussion guide, from 1."""

    n: int

    def __str__(self) -> str:
        return f"after_item({self.n})"


@dataclass(frozen=True, slots=True)
class BeforeTurn:
    """Before turn number `n` of the discussion, from 1."""

    n: int

    def __str__(self) -> str:
        return f"before_turn({self.n})"


Point = Literal["start", "before_closing", "end"] | AfterItem | BeforeTurn


def after_item(n: int) -> AfterItem:
    """The point after item `n`, from 1."""
    return AfterItem(_counted(n, "after_item"))


def before_turn(n: int) -> BeforeTurn:
    """The point before turn `n`, from 1."""
    return BeforeTurn(_counted(n, "before_turn"))


def point(value: object) -> Point:
    """The point that `value` is or names: a point, or its text as records hold it, such as `after_item(4)`."""
    match value:
        case "start":
            return "start"
        case "before_closing":
            return "before_closing"
        case "end":
            return "end"
        case AfterItem(n):
            return after_item(n)
        case BeforeTurn(n):
            return before_turn(n)
        case str() if named := re.fullmatch(r"(after_item|before_turn)\(([1-9][0-9]{0,8})\)", value):
            n = int(named[2])
            return after_item(n) if named[1] == "after_item" else before_turn(n)
    raise ProbeError(
        f"at: {value!r} is not a point of a discussion; use {', '.join(map(repr, FIXED))}, after_item(n) or before_turn(n)"
    )


def _counted(n: object, name: str) -> int:
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise ProbeError(f"at: {name}({n!r}) does not count from 1; give a whole number of at least 1, as in {name}(4)")
    return n
