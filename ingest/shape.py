"""One shape of lines: what is constant in their events, what is copied from their values, and how many are read at once."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ingest.columns import EVENT_SCHEMA, FIRE_SCHEMA
from ingest.holes import TIMES, Hole, copied_value

MOST_KEYS = 20_000
NAME_LENGTH = 400
SHORT_COLUMNS = frozenset({"agent", "session", "version", "stream", "level"})
PLACES = ("number", "line", "byte_offset", "part", "stream")

Told = tuple[dict[str, Any], tuple[tuple[Any, ...], ...]]
"""The columns of an event and the rows of its fires (without their event's number)."""
Ask = Callable[[bytes], Told | None]
"""The exact way: what one line is read as, None unless it is one event and nothing else."""


@dataclass(slots=True, eq=False)
class Shape:
    """`parts` are the pieces of the line around its holes. `copies` tells the columns that each hole is copied to; `extra` are
    the holes that stand in `extra`, in that order; on the values of the holes `asked` the event may depend. `envelopes` are the
    values of that column among its events."""

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
    envelopes: frozenset[str] = frozenset()
    _asking: threading.Lock = field(default_factory=threading.Lock)
    _made: tuple[pl.DataFrame, pl.DataFrame] | None = None

    def line(self, values: list[str]) -> bytes:
        """The line with these values, as they stand there, in its holes."""
        pieces = [piece for pair in zip(self.parts, [*values, ""], strict=True) for piece in pair]
        return "".join(pieces).encode()

    def answer(self, key: tuple[str, ...]) -> int:
        """The number of what is constant for `key`, the values of the holes that are asked for; -1 where it is not known."""
        if key in self.answers:
            return self.answers[key]
        with self._asking:
            if key not in self.answers:
                if len(self.answers) >= MOST_KEYS:
                    return -1  # and not kept: there may be as many as there are lines
                self.answers[key] = self._ask(key)
            return self.answers[key]

    def _ask(self, key: tuple[str, ...]) -> int:
        values, signs = self._signs(key)
        told = self.ask(self.line(values))
        if told is None:
            return -1
        columns, fires = told
        for hole, names in self.copies.items():
            if any(columns[name] != copied_value(self.holes[hole], signs[hole], name) for name in names):
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
        self.fires += [(number, *fire) for fire in fires]  # first: an answer that is there has its fires
        self.envelopes |= {constant["envelope"]}
        self.constants.append({"answer": number, "inner_stream": columns["stream"], **constant})
        return number

    def _signed(self, signs: dict[int, str], values: list[object]) -> bool:
        """Whether a value that should be constant depends on a hole that it was not known to depend on."""
        numbers = {int(sign) for sign in signs.values() if sign.isdecimal()}
        numbers |= {self.holes[n].time(sign) for n, sign in signs.items() if self.holes[n].kind in TIMES}
        told = "\0".join(map(str, values))
        return not numbers.isdisjoint(values) or any(sign in told for sign in signs.values())

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
                "positive": f"9137{number:02d}",
                "wide": f"9137{number:02d}",
                "iso": f"2026-01-02T03:04:{number:02d}",
                "clock": f"2026-01-02 03:04:{number:02d}",
                "epoch": f"17880001371{number:02d}",
            }[hole.kind]
            signs[number] = sign
            values.append(hole.filled(sign))
        return values, signs

    def read(self, lines: pl.DataFrame) -> pl.DataFrame:
        """`lines` (`raw` and their places) that have this shape, in order: the values of the holes that are copied, the
        number of their `answer`, and their `time`."""
        names = [f"h{number}" for number in range(len(self.holes))]
        without_escapes = [
            pl.col(f"h{n}").str.head(1 - 2**hole.depth)
            for n, hole in enumerate(self.holes)
            if hole.kind == "text" and hole.depth
        ]
        groups = pl.col("raw").str.extract_groups(self.pattern).struct.rename_fields(names).alias("found")
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
            answered = found.lazy().join(
                different.with_columns(answers).lazy(), on=asked, how="left", maintain_order="left"
            )
        else:
            answered = found.lazy().with_columns(pl.lit(self.answer(()), pl.Int32).alias("answer"))
        kept = [f"h{n}" for n in range(len(self.holes)) if n in self.extra or set(self.copies.get(n, ())) - {"time"}]
        timed = any("time" in names for names in self.copies.values())
        usable = (pl.col("answer") >= 0) & (pl.col("time").is_not_null() if timed else True)
        return answered.with_columns(self._time()).filter(usable).select(*kept, "place", "answer", "time").collect()

    def _time(self) -> pl.Expr:
        """When the records were logged: what a hole says, else what the answer says."""
        hole = next((number for number, names in self.copies.items() if "time" in names), None)
        if hole is None:
            times = {
                number: row["time"] for number, row in enumerate(list(self.constants)) if row.get("time") is not None
            }
            told = (
                pl.col("answer").replace_strict(times, default=None, return_dtype=pl.Int64) if times else pl.lit(None)
            )
            return told.cast(pl.Datetime("us")).alias("time")
        kind, value = self.holes[hole].kind, pl.col(f"h{hole}")
        if kind == "epoch":
            return (value.cast(pl.Int64) * 1000).cast(pl.Datetime("us")).alias("time")
        layout = "%Y-%m-%d %H:%M:%S" if kind == "clock" else "%Y-%m-%dT%H:%M:%S%.f"
        return value.str.to_datetime(layout, time_unit="us", strict=False).alias("time")

    def events(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Rows that `read` gave, with the columns of `events`; `inner_stream` is what follows the name of the stream."""
        made = [self._copy(n, name) for n, names in self.copies.items() for name in names if name != "time"]
        if self.extra:
            strings = [pl.col("piece0")]
            for n, hole in enumerate(self.extra):
                strings += [pl.col(f"h{hole}"), pl.col(f"piece{n + 1}")]
            made.append(pl.concat_str(strings).alias("extra"))
        constants = self._tables()[0][rows["answer"].to_numpy()].drop("answer")
        return rows.hstack(constants).with_columns(made)

    def fires_of(self) -> pl.DataFrame:
        """The fires of each `answer`."""
        return self._tables()[1]

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
        if hole.kind == "text":
            for letter, character in (("n", "\n"), ("t", "\t"), ("/", "/")):
                value = value.str.replace_all("\\" * 2**hole.depth + letter, character, literal=True)
            value = value.str.replace_all("\\" * (2 ** (hole.depth + 1) - 1) + '"', '"', literal=True)
        return value.cast(EVENT_SCHEMA[name]).alias(name)

    def _tables(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """What is constant but for the time, one row for each answer, and the fires."""
        answers, fires = list(self.constants), list(self.fires)  # in this order: other threads may add to them
        if self._made is None or self._made[0].height < len(answers):
            names = [name for name in answers[0] if name != "time"]
            schema = {name: pl.Int32 if name == "answer" else EVENT_SCHEMA.get(name, pl.String) for name in names}
            columns = [pl.Series(name, [row[name] for row in answers], dtype=schema[name]) for name in names]
            fire_schema = {"answer": pl.Int32, **{name: FIRE_SCHEMA[name] for name in FIRE_SCHEMA if name != "number"}}
            self._made = pl.DataFrame(columns), pl.DataFrame(fires, schema=fire_schema, orient="row")
        return self._made
