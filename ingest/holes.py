"""The values in a line of JSON or of text that ends in JSON: where they are, what may stand there, and what they stand for."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import polars as pl

from ingest.columns import EVENT_SCHEMA
from ingest.times import read_time

NAMERS = ("key", "field")
"""What stands behind these is the name of a field, as much a part of the shape as any other."""
TIMES = ("iso", "clock", "epoch")
_PAIR = re.compile(
    r'(?<!\\)(?P<quote>(?:\\{15}|\\{7}|\\{3}|\\|)")(?P<key>[^"\\]{1,64})(?P=quote)\s?:\s?'
    r"(?:(?P=quote)(?P<text>.*?)(?<!\\)(?P=quote)|(?P<number>-?\d+)(?=\s?[,}]))"
)
_TIME = re.compile(r"20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(?:\.(?:\d{3}|\d{6}|\d{9}))?Z")
_CLOCK = re.compile(r"20\d\d-[01]\d-[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d(?= )")
_EPOCH_MS = re.compile(r"1\d{12}")
_SPECIAL = re.compile(r"([\\.+*?()|\[\]{}^$])")
_PLAIN = r'[^"\\\x00-\x1f\x{9b}]'
_DATE = r"20[0-9]{2}-[01][0-9]-[0-3][0-9]"
_OF_DAY = r"[0-2][0-9]:[0-5][0-9]:[0-5][0-9]"


class Hole(NamedTuple):
    """A value in a line: from `start` to `end`, its kind, and how many times its quotes are escaped.

    A `text` is any string, a `number` whole and of at most nine digits, a `positive` one that and not 0, a `wide` one of fifteen; `iso` (with so many `digits`
    behind the second), `clock` (local) and `epoch` (milliseconds) are times.
    """

    start: int
    end: int
    kind: str
    depth: int = 0
    digits: int = 0

    def pattern(self) -> str:
        """What the hole takes, as one group, and what ends it."""
        if self.kind == "number":
            return r"([1-9][0-9]{0,8}|0)"
        if self.kind == "positive":
            return r"([1-9][0-9]{0,8})"
        if self.kind == "wide":
            return r"([1-9][0-9]{0,14}|0)"
        if self.kind == "epoch":
            return r"(1[0-9]{12})"
        if self.kind == "clock":
            return f"({_DATE} {_OF_DAY})"
        if self.kind == "iso":
            fraction = rf"\.[0-9]{{{min(self.digits, 6)}}}" if self.digits else ""
            return f"({_DATE}T{_OF_DAY}{fraction})" + ("[0-9]{3}Z" if self.digits == 9 else "Z")
        # What follows the escapes of the closing quote says whether it closes, so that no step is taken back.
        escapes = r"\\" * (2**self.depth - 1)
        return rf'({_PLAIN}*{escapes}(?:\\(?:[nt/]|{escapes}"){_PLAIN}*{escapes})*)"'

    def filled(self, value: str) -> str:
        """`value` as it would stand in the hole."""
        if self.kind == "iso":
            fraction = "." + "123456789"[: self.digits] if self.digits else ""
            return f"{value}{fraction}Z"
        for _ in range(self.depth + 1 if self.kind == "text" else 0):
            value = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return value

    def time(self, value: str) -> int:
        """The time that `value` stands for in this hole, in microseconds."""
        found = read_time(int(value) if self.kind == "epoch" else self.filled(value))
        assert found
        return found.us


def holes_in(line: str, start: int, end: int, depth: int) -> Iterator[Hole]:
    """The values between `start` and `end` whose quotes are escaped `depth` times, and those of JSON within them."""
    if clock := _CLOCK.match(line, start):
        yield Hole(*clock.span(), "clock")
    elif time := _TIME.match(line, start):
        yield _iso(start, time[0], depth)
    quote = 2**depth  # its length
    for pair in _PAIR.finditer(line, start, end):
        if len(pair["quote"]) != quote or (pair["key"] in NAMERS and pair["number"] is None):
            continue
        if pair["number"] is not None:
            kind = "epoch" if _EPOCH_MS.fullmatch(pair["number"]) else "number"
            if kind == "epoch" or re.fullmatch(r"[1-9]\d{0,8}|0", pair["number"]):
                yield Hole(*pair.span("number"), kind, depth)
            continue
        inside = list(holes_in(line, *pair.span("text"), depth + 1)) if depth < 3 and "{" in pair["text"] else []
        if inside:
            yield from inside
        elif time := _TIME.fullmatch(pair["text"]):
            yield _iso(pair.start("text"), time[0], depth)
        else:
            yield Hole(*pair.span("text"), "text", depth)


def _iso(start: int, time: str, depth: int) -> Hole:
    return Hole(start, start + len(time), "iso", depth, len(time) - 21 if "." in time else 0)


def pattern_of(parts: Sequence[str], holes: Sequence[Hole]) -> str:
    """What matches a line with these pieces around its holes, one group for each, in the syntax of polars."""
    pattern = "^" + _escaped(parts[0])
    for hole, part in zip(holes, parts[1:], strict=True):
        ends = 2**hole.depth if hole.kind == "text" else 0  # the closing quote is in the hole's own pattern
        pattern += hole.pattern() + _escaped(part[ends:])
    return pattern + "$"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def copied_value(hole: Hole, value: str, column: str) -> object:
    """What `column` holds where it is a copy of `value`; the ellipsis where it cannot be one."""
    if hole.kind in TIMES or column == "time":
        return hole.time(value) if hole.kind in TIMES and column == "time" else ...
    if EVENT_SCHEMA[column] == pl.String:
        return value
    return int(value) if hole.kind in ("number", "positive") else ...
