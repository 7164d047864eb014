"""The fast way for lines that look alike: logs hold few shapes, and lines of one shape differ in a few values only.

A shape is learnt from a line that the exact way (`line.py`) reads as one event. Its JSON values are its holes; what
becomes of each is found by asking the exact way again with other values in it: a hole that is *copied* to a column of
`events` whatever stands in it, one that goes to `extra`, one that changes nothing. On all other values the event may
depend in any way, and the exact way is asked once for each different combination of them. Lines of a known shape
are then read as columns. A line that differs in anything else, be it a space or an escape that is not known, takes the exact
way; so both give the same rows, and which lines were learnt from changes nothing but the time that it takes.
"""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest.columns import UNDATED, Numbers
from ingest.learn import learn
from ingest.search import Lines
from ingest.shape import Ask, Shape, Told

LEAST_LINES = 16
"""Fewer lines than this are read faster than a shape is learnt."""
MOST_SHAPES = 48
MOST_TRIES = 200
TRIES_PER_BLOCK = 4
_INLINE = 12
"""Strings of so few bytes are held in another way."""


class Taken(NamedTuple):
    """What a shape read (`Shape.read`) of some lines; `places` are their places among them, in order, and `times` when they
    were logged (microseconds, UNDATED for none)."""

    shape: Shape
    rows: pl.DataFrame
    places: Numbers
    times: Numbers

    def between(self, first: int, end: int) -> "Taken":
        """The part that is of the lines from `first` to before `end`, which are counted from `first` then."""
        start, stop = np.searchsorted(self.places, (first, end)).tolist()
        return Taken(self.shape, self.rows[start:stop], self.places[start:stop] - first, self.times[start:stop])

    def only(self, chosen: npt.NDArray[np.bool_]) -> "Taken":
        """Those that are chosen."""
        return Taken(self.shape, self.rows.filter(pl.Series(chosen)), self.places[chosen], self.times[chosen])


class Shapes:
    """The shapes that were learnt so far; what they give never depends on that. `tries` is how many lines it may learn from.

    Blocks may be read by several threads at once; learning is done by one at a time.
    """

    def __init__(self, tries: int = MOST_TRIES) -> None:
        self._known: dict[int, list[Shape]] = {}
        self._patterns: set[tuple[int, str]] = set()
        self._tries = tries
        self._learning = threading.Lock()

    def take(
        self,
        blocks: Sequence[tuple[bytes, Lines]],
        below: int,
        ask: Callable[[bytes, int], Told | None],
        *,
        clocks: bool,
    ) -> list[list[Taken]]:
        """For each block those of its lines whose flags are `below` that and that have a known shape; `ask` (the exact way)
        may teach new ones. Several blocks are read at once, since each step costs time of its own."""
        flags = np.concatenate([lines.flags for _, lines in blocks])
        sizes = np.concatenate([lines.ends - lines.starts for _, lines in blocks])
        usable = (flags < below) & (sizes > _INLINE)
        views = _views([lines.starts for _, lines in blocks], sizes, [data for data, _ in blocks])
        taken: list[Taken] = []
        for flag in np.unique(flags[usable]).tolist():
            chosen = np.flatnonzero(usable & (flags == flag))
            if len(chosen) >= LEAST_LINES:
                frame = pl.DataFrame([_texts(views[chosen], [data for data, _ in blocks]), pl.Series("place", chosen)])
                taken += self._taken(frame, flag, partial(_ask, ask, flag), clocks)
        ends = np.cumsum([0, *(len(lines) for _, lines in blocks)]).tolist()
        return [[one.between(first, end) for one in taken] for first, end in pairwise(ends)]

    def _taken(self, lines: pl.DataFrame, flags: int, ask: Ask, clocks: bool) -> list[Taken]:
        found: list[Taken] = []
        known = sorted(self._known.get(flags, ()), key=lambda shape: -shape.matched)
        for shape in known:
            lines = _split(shape, lines, found)
        if lines.height < LEAST_LINES or not self._tries:
            return found
        with self._learning:
            learnt = self._known.setdefault(flags, [])
            for shape in learnt:
                if shape not in known:  # by another thread, since
                    lines = _split(shape, lines, found)
            for share in range(TRIES_PER_BLOCK):
                if lines.height < LEAST_LINES or not self._tries or len(learnt) >= MOST_SHAPES:
                    break
                self._tries -= 1
                line = lines["raw"][share * lines.height // TRIES_PER_BLOCK]
                new = learn(line, ask, clocks=clocks) if line else None
                if new is None or (flags, new.pattern) in self._patterns:
                    continue
                self._patterns.add((flags, new.pattern))
                before = lines.height
                lines = _split(new, lines, found)
                if lines.height < before:
                    learnt.append(new)
        return found


def _ask(ask: Callable[[bytes, int], Told | None], flags: int, line: bytes) -> Told | None:
    return ask(line, flags)


def _views(starts: Sequence[Numbers], sizes: Numbers, blocks: Sequence[bytes]) -> npt.NDArray[np.int32]:
    """How Arrow tells strings of more than _INLINE bytes: their length, first four bytes, buffer, and place in it."""
    views = np.zeros((len(sizes), 4), dtype=np.int32)
    views[:, 0] = sizes
    first = 0
    for number, (places, data) in enumerate(zip(starts, blocks, strict=True)):
        those = views[first : first + len(places)]
        begins = np.minimum(places[:, None] + np.arange(4), len(data) - 1)
        those[:, 1] = (
            np.ascontiguousarray(np.frombuffer(data, np.uint8)[begins]).view(np.int32)[:, 0] if len(data) else 0
        )
        those[:, 2], those[:, 3] = number, places
        first += len(places)
    return views


def _texts(views: npt.NDArray[np.int32], blocks: Sequence[bytes]) -> pl.Series:
    """Lines as text, without a copy; what is no UTF-8 becomes null, and has no shape."""
    import pyarrow as pa  # here, so that who finds nothing new does not wait for it

    buffers = [None, pa.py_buffer(np.ascontiguousarray(views)), *(pa.py_buffer(data) for data in blocks)]
    raw = pl.Series("raw", pl.from_arrow(pa.Array.from_buffers(pa.binary_view(), len(views), buffers)))
    try:
        return raw.cast(pl.String)
    except pl.exceptions.ComputeError:
        return pl.Series("raw", [_text(line) for line in raw], dtype=pl.String)


def _text(line: bytes) -> str | None:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return None


def _split(shape: Shape, lines: pl.DataFrame, found: list[Taken]) -> pl.DataFrame:
    """Add to `found` what `shape` reads; the lines that it does not."""
    rows = shape.read(lines) if lines.height else lines
    if not rows.height:
        return lines
    shape.matched += rows.height
    places = rows["place"].to_numpy()
    found.append(Taken(shape, rows, places, rows["time"].to_physical().fill_null(UNDATED).to_numpy()))
    return lines.filter(pl.Series(~np.isin(lines["place"].to_numpy(), places, assume_unique=True)))
