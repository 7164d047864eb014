"""The fast way for lines that look alike: logs hold few shapes, and lines of one shape differ in a few values only.

A shape is learnt from a line that the exact way (`parse.py`) reads as one event. Its JSON values are its holes; what
becomes of each is found by asking the exact way again with other values in it: a hole that is *copied* to a column of
`events` whatever stands in it, one that goes to `extra`, one that changes nothing. On all other values the event may
depend in any way, and the exact way is asked once for each different combination of them. Lines of a known shape
are then read as columns. A line that differs in anything else, be it a space or an escape that is not known, takes the exact
way; so both give the same rows, and which lines were learnt from changes nothing but the time that it takes.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ingest.frames import EVENT_SCHEMA
from ingest.search import Lines
from ingest.times import read_time

LEAST_LINES = 16
"""Fewer lines than this are read faster than a shape is learnt."""
MOST_SHAPES = 48
MOST_TRIES = 200
TRIES_PER_BLOCK = 4
MOST_KEYS = 20_000
MOST_HOLES = 40
LONGEST = 64 * 1024
NAME_LENGTH = 400
SHORT_COLUMNS = frozenset({"agent", "session", "version", "stream", "level"})
TIMES = ("iso", "clock", "epoch")
PLACES = ("number", "line", "byte_offset", "part", "stream")

Told = tuple[dict[str, Any], tuple[tuple[Any, ...], ...]]
"""The columns of an event and the rows of its fires (without their event's number)."""
Ask = Callable[[bytes], Told | None]
"""The exact way: what one line is read as, None unless it is one event and nothing else."""

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
_PROBES = {
    "text": ("zq7x", " Zq; 9 (x) ", "2026-01-02T03:04:05.678Z", "1788000000123", "7", "null", "[x] y: z", "warn", "true"),
    "number": ("7", "0", "900001", "999999999"),
    "wide": ("7", "0", "999999999", "1788000000123", "999999999999999"),
    "iso": ("2026-01-02T03:04:05", "2031-12-31T23:59:59"),
    "clock": ("2026-01-02 03:04:05", "2031-12-31 23:59:59"),
    "epoch": ("1788000000123", "1900000000000"),
}  # fmt: skip


class Hole(NamedTuple):
    """A value in a line: from `start` to `end`, its kind, and how many times its quotes are escaped.

    A `text` is any string, a `number` whole and of at most nine digits, a `wide` one of fifteen; `iso` (with so many `digits`
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


@dataclass(slots=True)
class Shape:
    """`parts` are the pieces of the line around its holes. `copies` tells the columns that each hole is copied to; `extra` are
    the holes that stand in `extra`, in that order; on the values of the holes `asked` the event may depend."""

    parts: tuple[str, ...]
    holes: list[Hole]
    ask: Ask
    copies: dict[int, tuple[str, ...]] = field(default_factory=dict)
    extra: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()
    pattern: str = ""
    matched: int = 0
    answers: dict[tuple[str, ...], int] = field(default_factory=dict)
    constants: list[dict[str, Any]] = field(default_factory=list)
    fires: list[tuple[Any, ...]] = field(default_factory=list)
    _tables: tuple[pl.DataFrame, pl.DataFrame] | None = None

    def line(self, values: list[str]) -> bytes:
        """The line with these values, as they stand there, in its holes."""
        pieces = [piece for pair in zip(self.parts, [*values, ""], strict=True) for piece in pair]
        return "".join(pieces).encode()

    def answer(self, key: tuple[str, ...]) -> int:
        """The number of what is constant for `key`, the values of the holes that are asked for; -1 where it is not known."""
        if key not in self.answers:
            self.answers[key] = self._ask(key) if len(self.answers) < MOST_KEYS else -1
        return self.answers[key]

    def _ask(self, key: tuple[str, ...]) -> int:
        values, signs = self._signs(key)
        told = self.ask(self.line(values))
        if told is None:
            return -1
        columns, fires = told
        for hole, names in self.copies.items():
            if any(columns[name] != _copied(self.holes[hole], signs[hole], name) for name in names):
                return -1
        rest = columns["extra"] or ""
        pieces: list[str] = []
        for hole in self.extra:
            before, found, rest = rest.partition(signs[hole])
            if not found:
                return -1
            pieces.append(before)
        copied = {name for names in self.copies.values() for name in names}
        constant = {name: value for name, value in columns.items() if name not in copied and name not in PLACES}
        if self.extra:
            constant.pop("extra")
            constant.update({f"piece{n}": piece for n, piece in enumerate([*pieces, rest])})
        if self._signed(signs, [*constant.values(), columns["stream"], *(value for fire in fires for value in fire)]):
            return -1
        number = len(self.constants)
        self.constants.append({"answer": number, "inner_stream": columns["stream"], **constant})
        self.fires += [(number, *fire) for fire in fires]
        self._tables = None
        return number

    def _signed(self, signs: dict[int, str], values: list[object]) -> bool:
        """Whether a value that should be constant depends on a hole that it was not known to depend on."""
        numbers = {int(sign) for sign in signs.values() if sign.isdecimal()}
        numbers |= {self.holes[n].time(sign) for n, sign in signs.items() if self.holes[n].kind in TIMES}
        return any(value in numbers or any(sign in str(value) for sign in signs.values()) for value in values)

    def _signs(self, key: tuple[str, ...]) -> tuple[list[str], dict[int, str]]:
        """The values of a line that has `key`, and in every other hole a value that is met nowhere else."""
        signs: dict[int, str] = {}
        values: list[str] = []
        asked = dict(zip(self.asked, key, strict=True))
        for number, hole in enumerate(self.holes):
            if number in asked:
                values.append(asked[number])
                continue
            sign = {
                "text": f"zq{number:02d}xk",
                "number": f"9137{number:02d}",
                "wide": f"9137{number:02d}",
                "iso": f"2026-01-02T03:04:{number:02d}",
                "clock": f"2026-01-02 03:04:{number:02d}",
                "epoch": f"17880001371{number:02d}",
            }[hole.kind]
            signs[number] = sign
            values.append(hole.filled(sign))
        return values, signs

    def read(self, lines: pl.DataFrame) -> pl.DataFrame:
        """`lines` (`raw` and their places) that have this shape, with the columns of `events` and the number of their `answer`."""
        names = [f"h{number}" for number in range(len(self.holes))]
        groups = pl.col("raw").str.extract_groups(self.pattern).struct.rename_fields(names).alias("found")
        without_escapes = [
            pl.col(f"h{n}").str.head(1 - 2**hole.depth)
            for n, hole in enumerate(self.holes)
            if hole.kind == "text" and hole.depth
        ]
        found = (
            lines.lazy()
            .select("place", groups)
            .filter(pl.col("found").struct.field("h0").is_not_null())
            .unnest("found")
            .with_columns(without_escapes)
            .filter(self._readable())
            .collect()
        )
        if not found.height:
            return found
        asked = [f"h{number}" for number in self.asked]
        if asked:
            different = found.select(asked).unique()
            answers = pl.Series("answer", [self.answer(key) for key in different.iter_rows()], dtype=pl.Int32)
            found = found.join(different.with_columns(answers), on=asked, how="left", maintain_order="left")
        elif self.answer(()) >= 0:
            found = found.with_columns(pl.lit(0, pl.Int32).alias("answer"))
        if not self.constants:
            return found.clear()
        rows = found.lazy().join(self.tables()[0].lazy(), on="answer", how="inner", maintain_order="left")
        made = [self._copy(number, name).alias(name) for number, names in self.copies.items() for name in names]
        if self.extra:
            strings = [pl.col("piece0")]
            for n, hole in enumerate(self.extra):
                strings += [pl.col(f"h{hole}"), pl.col(f"piece{n + 1}")]
            made.append(pl.concat_str(strings).alias("extra"))
        rows = rows.with_columns(made)
        if any("time" in names for names in self.copies.values()):
            rows = rows.filter(pl.col("time").is_not_null())
        return rows.collect()

    def _readable(self) -> pl.Expr:
        """Where the values are such that the exact way treats them as it did those that it was asked about."""
        tests = [pl.lit(True)]
        for number, hole in enumerate(self.holes):
            value = pl.col(f"h{number}")
            if hole.kind == "text" and number not in self.asked:
                tests.append(value != "")
                if number in self.extra:
                    tests.append(~value.str.contains("\\", literal=True))
                if SHORT_COLUMNS & set(self.copies.get(number, ())):
                    tests.append(value.str.len_chars() <= NAME_LENGTH)
        return pl.all_horizontal(tests)

    def _copy(self, number: int, name: str) -> pl.Expr:
        hole, value = self.holes[number], pl.col(f"h{number}")
        if name == "time":
            if hole.kind == "epoch":
                return (value.cast(pl.Int64) * 1000).cast(pl.Datetime("us"))
            layout = "%Y-%m-%d %H:%M:%S" if hole.kind == "clock" else "%Y-%m-%dT%H:%M:%S%.f"
            return value.str.to_datetime(layout, time_unit="us", strict=False)
        if hole.kind == "text":
            for letter, character in (("n", "\n"), ("t", "\t"), ("/", "/")):
                value = value.str.replace_all("\\" * 2**hole.depth + letter, character, literal=True)
            value = value.str.replace_all("\\" * (2 ** (hole.depth + 1) - 1) + '"', '"', literal=True)
        return value.cast(EVENT_SCHEMA[name])

    def tables(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """What is constant, one row for each answer, and the fires, whose `answer` it is."""
        if self._tables is None:
            names = self.constants[0]
            schema = {name: EVENT_SCHEMA.get(name, pl.String) for name in names} | {"answer": pl.Int32}
            raw = {name: pl.Int64 if name == "time" else kind for name, kind in schema.items()}
            constants = pl.DataFrame([tuple(row.values()) for row in self.constants], schema=raw, orient="row")
            fires = pl.DataFrame(
                self.fires,
                schema={"answer": pl.Int32, "position": pl.Int32, "family": pl.String, "rule": pl.String, "fragment": pl.String},
                orient="row",
            )  # fmt: skip
            self._tables = constants.cast({"time": schema["time"]} if "time" in schema else {}), fires
        return self._tables


def learn(line: str, ask: Ask, *, clocks: bool) -> Shape | None:
    """The shape of `line`; None where it has none that is worth knowing. `clocks` says whether local times are UTC."""
    holes = list(_holes(line, 0, len(line), 0)) if len(line) <= LONGEST else []
    if not 0 < len(holes) <= MOST_HOLES:
        return None
    parts, position = [], 0
    for hole in holes:
        parts.append(line[position : hole.start])
        position = hole.end
    shape = Shape((*parts, line[position:]), holes, ask)
    values = [line[hole.start : hole.end] for hole in holes]
    base = ask(shape.line(values))
    if base is None:
        return None
    asked: list[int] = []
    extra: list[tuple[int, int]] = []
    for number, hole in enumerate(holes):
        role = _role(shape, values, number, base)
        if role is None and hole.kind in TIMES:
            # It is not the time of the record; perhaps it is a value like any other.
            holes[number] = hole._replace(kind="wide" if hole.kind == "epoch" else "text")
            role = _role(shape, values, number, base)
            if role is None or hole.kind == "clock":
                return None  # it would have to be asked for every line
        if role is None:
            asked.append(number)
            continue
        if role.columns:
            if "time" in role.columns and hole.kind == "clock" and not clocks:
                return None
            shape.copies[number] = role.columns
        if role.place >= 0:
            extra.append((role.place, number))
    shape.asked, shape.extra = tuple(asked), tuple(number for _, number in sorted(extra))
    shape.pattern = _pattern(shape.parts, holes)
    return shape


def _pattern(parts: tuple[str, ...], holes: list[Hole]) -> str:
    pattern = "^" + _escaped(parts[0])
    for hole, part in zip(holes, parts[1:], strict=True):
        ends = 2**hole.depth if hole.kind == "text" else 0  # the closing quote is in the hole's own pattern
        pattern += hole.pattern() + _escaped(part[ends:])
    return pattern + "$"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _holes(line: str, start: int, end: int, depth: int) -> Iterator[Hole]:
    """The values between `start` and `end` whose quotes are escaped `depth` times, and those of JSON within them."""
    if clock := _CLOCK.match(line, start):
        yield Hole(*clock.span(), "clock")
    elif time := _TIME.match(line, start):
        yield _iso(start, time[0], depth)
    quote = 2**depth  # its length
    for pair in _PAIR.finditer(line, start, end):
        if len(pair["quote"]) != quote:
            continue
        if pair["number"] is not None:
            kind = "epoch" if _EPOCH_MS.fullmatch(pair["number"]) else "number"
            if kind == "epoch" or re.fullmatch(r"[1-9]\d{0,8}|0", pair["number"]):
                yield Hole(*pair.span("number"), kind, depth)
            continue
        inside = list(_holes(line, *pair.span("text"), depth + 1)) if depth < 3 and "{" in pair["text"] else []
        if inside:
            yield from inside
        elif time := _TIME.fullmatch(pair["text"]):
            yield _iso(pair.start("text"), time[0], depth)
        else:
            yield Hole(*pair.span("text"), "text", depth)


def _iso(start: int, time: str, depth: int) -> Hole:
    return Hole(start, start + len(time), "iso", depth, len(time) - 21 if "." in time else 0)


class Role(NamedTuple):
    """The columns that a hole is copied to, and where in `extra` it stands (-1: nowhere)."""

    columns: tuple[str, ...]
    place: int


def _role(shape: Shape, values: list[str], number: int, base: Told) -> Role | None:
    """What becomes of a hole, whatever stands in it; None where there is more to it."""
    kind = shape.holes[number].kind
    roles = {_role_of(shape, values, number, base, probe) for probe in _PROBES[kind]}
    if kind == "text" and all(role and role.place < 0 for role in roles):
        roles.add(_role_of(shape, values, number, base, 'say "zq", \n\tor'))
    return roles.pop() if len(roles) == 1 else None


def _role_of(shape: Shape, values: list[str], number: int, base: Told, probe: str) -> Role | None:
    hole = shape.holes[number]
    told = shape.ask(shape.line([*values[:number], hole.filled(probe), *values[number + 1 :]]))
    if told is None or told[1] != base[1]:
        return None
    columns, place = [], -1
    for name, value in told[0].items():
        before = base[0][name]
        if name == "extra" and value != before:
            place = _place(hole, values[number], before or "", value or "", probe)
            if place < 0:
                return None
        elif name != "extra" and value != before:
            if value != _copied(hole, probe, name):
                return None
            columns.append(name)
    return Role(tuple(columns), place)


def _place(hole: Hole, old: str, before: str, after: str, new: str) -> int:
    """Where in `before` the value `old` stands, if `after` is the same with `new` in its place; else -1."""
    if "\\" in old or hole.kind in TIMES:
        return -1
    quote = '"' if hole.kind == "text" else ""
    old, new = f"{quote}{old}{quote}", f"{quote}{new}{quote}"
    place = before.find(old)
    while place >= 0 and before[:place] + new + before[place + len(old) :] != after:
        place = before.find(old, place + 1)
    return place


def _copied(hole: Hole, value: str, column: str) -> object:
    """What `column` holds where it is a copy of `value`; the ellipsis where it cannot be one."""
    if hole.kind in TIMES or column == "time":
        return hole.time(value) if hole.kind in TIMES and column == "time" else ...
    if EVENT_SCHEMA[column] == pl.String:
        return value
    return int(value) if hole.kind == "number" else ...


class Shapes:
    """The shapes that were learnt so far; what they give never depends on that. `tries` is how many lines it may learn from."""

    def __init__(self, tries: int = MOST_TRIES) -> None:
        self._known: dict[int, list[Shape]] = {}
        self._patterns: set[tuple[int, str]] = set()
        self._tries = tries

    def take(
        self, data: bytes, lines: Lines, below: int, ask: Callable[[bytes, int], Told | None], *, clocks: bool
    ) -> "list[Taken]":
        """Those of `lines` of `data` whose flags are `below` that and that have a known shape; `ask` (the exact way) may
        teach new ones."""
        found: list[Taken] = []
        for flags in np.unique(lines.flags[lines.flags < below]).tolist():
            chosen = np.flatnonzero(lines.flags == flags)
            if len(chosen) >= LEAST_LINES:
                pieces = zip(lines.starts[chosen].tolist(), lines.ends[chosen].tolist(), strict=True)
                raw = _texts([data[start:end] for start, end in pieces])
                frame = pl.DataFrame([raw, pl.Series("place", chosen)])
                found += self._taken(frame, flags, partial(_ask, ask, flags), clocks)
        return found

    def _taken(self, lines: pl.DataFrame, flags: int, ask: Ask, clocks: bool) -> "Iterator[Taken]":
        known = self._known.setdefault(flags, [])
        known.sort(key=lambda shape: -shape.matched)
        for shape in known:
            if lines.height:
                rows, lines = _split(shape, lines)
                if rows.height:
                    yield Taken(shape, rows)
        for share in range(TRIES_PER_BLOCK):
            if lines.height < LEAST_LINES or not self._tries or len(known) >= MOST_SHAPES:
                break
            self._tries -= 1
            line = lines["raw"][share * lines.height // TRIES_PER_BLOCK]
            learnt = learn(line, ask, clocks=clocks) if line else None
            if learnt is None or (flags, learnt.pattern) in self._patterns:
                continue
            self._patterns.add((flags, learnt.pattern))
            rows, lines = _split(learnt, lines)
            if rows.height:
                known.append(learnt)
                yield Taken(learnt, rows)


class Taken(NamedTuple):
    """Rows that a shape read: the columns of `events` but for the place in the file, and their `place` among the lines."""

    shape: Shape
    rows: pl.DataFrame


def _ask(ask: Callable[[bytes, int], Told | None], flags: int, line: bytes) -> Told | None:
    return ask(line, flags)


def _texts(lines: list[bytes]) -> pl.Series:
    """`lines` as text; what is no UTF-8 becomes null, and that has no shape."""
    try:
        return pl.Series("raw", lines, dtype=pl.Binary).cast(pl.String)
    except pl.exceptions.PolarsError:
        return pl.Series("raw", [_text(line) for line in lines], dtype=pl.String)


def _text(line: bytes) -> str | None:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return None


def _split(shape: Shape, lines: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows that `shape` reads, and the lines that it does not."""
    rows = shape.read(lines)
    shape.matched += rows.height
    if not rows.height:
        return rows, lines
    left = ~np.isin(lines["place"].to_numpy(), rows["place"].to_numpy(), assume_unique=True)
    return rows, lines.filter(pl.Series(left))
