"""Which lines of a block hold a marker: the step that spares all the others from being decoded.

With hyperscan one pass finds every marker, and other threads run meanwhile; without it polars splits the block into
lines and asks each for all markers at once, which takes about three times as long. Both give the same lines.
"""

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest.columns import Numbers
from ingest.envelope import envelopes
from ingest.pieces import PARTIAL_PATTERN
from ingest.source import Source, sources

_LINE_FEED = 10
_STEP = 256 * 1024


class Span(NamedTuple):
    """A line that matched: its start, the place of its line feed (or the end of the block), and the flags of all that it
    holds, or-ed."""

    start: int
    end: int
    flags: int


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a block that matched, in order, one value each: what a Span says, and how many line feeds stand before
    the line. `feeds` is the number of line feeds in the whole block."""

    starts: Numbers
    ends: Numbers
    flags: Numbers
    before: Numbers
    feeds: int

    def __len__(self) -> int:
        return len(self.starts)

    def only(self, chosen: npt.NDArray[np.bool_]) -> "Lines":
        """Those that are chosen."""
        return Lines(self.starts[chosen], self.ends[chosen], self.flags[chosen], self.before[chosen], self.feeds)


class Search:
    """Finds the lines that hold any of `markers` or match `pattern` (which never spans a line feed), and says which.

    Every marker has a flag, a power of two; several markers may share one.
    """

    def __init__(
        self, markers: Mapping[bytes, int], pattern: bytes, pattern_flag: int, engine: str | None = None
    ) -> None:
        self.markers = dict(markers)
        self.engine = engine or ("hyperscan" if find_spec("hyperscan") else "polars")
        self._pattern_flag = pattern_flag
        self._flags = np.array((*self.markers.values(), pattern_flag), dtype=np.int64)
        self._expressions: dict[int, str] = {pattern_flag: pattern.decode()}
        for marker, flag in self.markers.items():
            literal = re.escape(marker.decode())
            self._expressions[flag] = f"{self._expressions[flag]}|{literal}" if flag in self._expressions else literal
        self._any = "|".join(self._expressions.values())
        self._hyperscan = _Hyperscan([*map(re.escape, self.markers), pattern])

    def lines(self, data: bytes) -> list[Span]:
        """The lines of `data` that match, in order."""
        found = self.find(data)
        return list(map(Span, found.starts.tolist(), found.ends.tolist(), found.flags.tolist()))

    def find(self, data: bytes) -> Lines:
        """The lines of `data` that match."""
        feeds = _line_feeds(data)
        try:
            lines, flags = self._matches(data, feeds) if self.engine == "hyperscan" else self._marked_lines(data)
        except ImportError:  # it was installed for another machine
            self.engine = "polars"
            lines, flags = self._marked_lines(data)
        if not len(lines):
            nothing = np.empty(0, np.int64)
            return Lines(nothing, nothing, nothing, nothing, len(feeds))
        first = np.flatnonzero(np.diff(lines, prepend=-1))
        lines, flags = lines[first], np.bitwise_or.reduceat(flags, first)
        starts = np.where(lines, feeds[lines - 1] + 1, 0) if len(feeds) else np.zeros_like(lines)
        ends = np.append(feeds, len(data))[lines]
        return Lines(starts, ends, flags, lines, len(feeds))

    def flags_of(self, data: bytes) -> int:
        """The flags of the markers in `data`, or-ed; 0 where there is none (the pattern is not asked)."""
        if len(data) > _STEP:
            found = self.find(data).flags
            return int(np.bitwise_or.reduce(found)) & ~self._pattern_flag if len(found) else 0
        flags = 0
        for marker, flag in self.markers.items():
            if not flags & flag and marker in data:
                flags |= flag
        return flags

    def _matches(self, data: bytes, feeds: Numbers) -> tuple[Numbers, Numbers]:
        """The number of the line of each match, in order, and its flags."""
        places, numbers = self._hyperscan.matches(data)
        return np.searchsorted(feeds, places), self._flags[numbers]

    def _marked_lines(self, data: bytes) -> tuple[Numbers, Numbers]:
        """The number of each line that matches, and its flags."""
        try:
            text = pl.Series([data], dtype=pl.Binary).cast(pl.String)
        except pl.exceptions.PolarsError:  # no UTF-8 here; in Latin-1 every byte is a character, and markers are ASCII
            text = pl.Series([data.decode("latin-1")], dtype=pl.String)
        lines = text.str.split("\n").explode()
        marked = lines.str.contains(self._any).arg_true()
        lines = lines.gather(marked)
        flags = np.zeros(len(lines), dtype=np.int64)
        for flag, expression in self._expressions.items():
            flags |= np.where(lines.str.contains(expression).to_numpy(), flag, 0)
        return marked.to_numpy().astype(np.int64), flags


class _Hyperscan:
    """A database of expressions, compiled when it is first needed, and what each thread needs besides."""

    def __init__(self, expressions: list[bytes]) -> None:
        self._expressions = expressions
        self._compiling = threading.Lock()
        self._database: Any = None
        self._local = threading.local()

    def matches(self, data: bytes) -> tuple[Numbers, Numbers]:
        """The place of the last byte of each match, in order, and the number of its expression."""
        scratch = getattr(self._local, "scratch", None)
        if scratch is None:
            scratch = self._local.scratch = self._scratch()
        ends: list[int] = []
        numbers: list[int] = []
        add_end, add_number = ends.append, numbers.append

        def matched(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
            add_end(end)
            add_number(number)

        self._database.scan(data, match_event_handler=matched, scratch=scratch)
        last = np.array(ends, dtype=np.int64) - 1
        order = np.argsort(last, kind="stable")
        return last[order], np.array(numbers, dtype=np.int64)[order]

    def _scratch(self) -> Any:
        import hyperscan  # here, so that who finds nothing new does not wait for it

        with self._compiling:
            if self._database is None:
                count = len(self._expressions)
                database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
                database.compile(
                    expressions=self._expressions, ids=list(range(count)), elements=count, flags=[0] * count
                )
                self._database = database
        return hyperscan.Scratch(self._database)


def _line_feeds(data: bytes) -> Numbers:
    """Where the line feeds of `data` are; in steps that stay in the processor's cache, which halves the time."""
    whole = np.frombuffer(data, np.uint8)
    steps = range(0, len(data), _STEP)
    found = [np.flatnonzero(whole[start : start + _STEP] == _LINE_FEED) + start for start in steps]
    return np.concatenate(found) if found else np.empty(0, np.int64)


@lru_cache(maxsize=2)
def standard_search(engine: str | None = None) -> Search:
    """The search for the markers of every source (flagged by its place in `sources()`) and of every envelope."""
    markers: dict[bytes, int] = {}
    for place, source in enumerate(sources()):
        for marker in source.markers:
            markers[marker] = markers.get(marker, 0) | 1 << place
    for envelope in envelopes():
        for marker in envelope.markers:
            markers[marker] = markers.get(marker, 0) | any_source_flag()
    return Search(markers, PARTIAL_PATTERN, partial_flag(), engine)


def any_source_flag() -> int:
    """The flag of envelopes in which no marker can be seen: any source may stand in them."""
    return 1 << len(sources())


def partial_flag() -> int:
    """The flag of pieces of a line."""
    return 2 << len(sources())


@lru_cache(maxsize=1024)
def sources_of(flags: int) -> tuple[Source, ...]:
    """The sources whose markers `flags` tells of."""
    if flags & any_source_flag():
        return sources()
    return tuple(source for place, source in enumerate(sources()) if flags & 1 << place)
