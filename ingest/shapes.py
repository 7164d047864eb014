"""The fast way for lines that look alike: logs hold few shapes, and lines of one shape differ in a few values only.

A shape is learnt from a line that the exact way (`parse.py`) reads as one event. Its JSON values are its holes; what
becomes of each is found by asking the exact way again with other values in it: a hole that is *copied* to a column of
`events` whatever stands in it, one that goes to `extra`, one that changes nothing. On all other values the event may
depend in any way, and the exact way is asked once for each different combination of them. Lines of a known shape
are then read as columns. A line that differs in anything else, be it a space or an escape that is not known, takes the exact
way; so both give the same rows, and which lines were learnt from changes nothing but the time that it takes.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl

from ingest.learn import learn
from ingest.search import Lines
from ingest.shape import Ask, Shape, Told

LEAST_LINES = 16
"""Fewer lines than this are read faster than a shape is learnt."""
MOST_SHAPES = 48
MOST_TRIES = 200
TRIES_PER_BLOCK = 4


class Taken(NamedTuple):
    """Rows that a shape read: the columns of `events` but for the place in the file, and their `place` among the lines."""

    shape: Shape
    rows: pl.DataFrame


class Shapes:
    """The shapes that were learnt so far; what they give never depends on that. `tries` is how many lines it may learn from."""

    def __init__(self, tries: int = MOST_TRIES) -> None:
        self._known: dict[int, list[Shape]] = {}
        self._patterns: set[tuple[int, str]] = set()
        self._tries = tries

    def take(
        self, data: bytes, lines: Lines, below: int, ask: Callable[[bytes, int], Told | None], *, clocks: bool
    ) -> list[Taken]:
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

    def _taken(self, lines: pl.DataFrame, flags: int, ask: Ask, clocks: bool) -> Iterator[Taken]:
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
