"""Which lines of a block hold a marker: the step that spares all the others from being decoded.

With hyperscan one pass finds every marker, and other threads run meanwhile; without it `bytes.find` goes through the
block once per marker. Both give the same lines.
"""

import re
import threading
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ingest.envelope import envelopes
from ingest.pieces import PARTIAL_PATTERN
from ingest.source import Source, sources

hyperscan: Any
try:
    import hyperscan
except ImportError:  # the extra `fast` is not installed
    hyperscan = None


class Span(NamedTuple):
    """A line that matched: its start, the place of its line feed (or the end of the block), and the flags of all that it
    holds, or-ed."""

    start: int
    end: int
    flags: int


class Search:
    """Finds the lines that hold any of `markers` or match `pattern` (which never spans a line feed), and says which.

    Every marker has a flag, a power of two; several markers may share one.
    """

    def __init__(
        self, markers: Mapping[bytes, int], pattern: bytes, pattern_flag: int, engine: str | None = None
    ) -> None:
        self.markers = dict(markers)
        self.engine = engine or ("hyperscan" if hyperscan else "find")
        self._pattern = re.compile(pattern)
        self._flags = (*self.markers.values(), pattern_flag)
        self._local = threading.local()
        self._database: Any = None
        if self.engine == "hyperscan":
            expressions = [re.escape(marker) for marker in self.markers] + [pattern]
            numbers = list(range(len(expressions)))
            self._database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
            self._database.compile(
                expressions=expressions, ids=numbers, elements=len(numbers), flags=[0] * len(numbers)
            )

    def lines(self, data: bytes) -> list[Span]:
        """The lines of `data` that match, in order."""
        spans: list[Span] = []
        start = end = -1
        flags = 0
        all_flags = self._flags
        for position, number in self._matches(data):
            if position < end:
                flags |= all_flags[number]
                continue
            if flags:
                spans.append(Span(start, end, flags))
            start = data.rfind(b"\n", end + 1, position) + 1 or end + 1
            end = data.find(b"\n", position)
            if end < 0:
                end = len(data)
            flags = all_flags[number]
        if flags:
            spans.append(Span(start, end, flags))
        return spans

    def flags_of(self, data: bytes) -> int:
        """The flags of the markers in `data`, or-ed; 0 where there is none (the pattern is not asked)."""
        flags = 0
        for marker, flag in self.markers.items():
            if not flags & flag and marker in data:
                flags |= flag
        return flags

    def _matches(self, data: bytes) -> list[tuple[int, int]]:
        """The last byte and the number of each match, in order."""
        if self._database is None:
            return self._find(data)
        scratch = getattr(self._local, "scratch", None)
        if scratch is None:
            scratch = self._local.scratch = hyperscan.Scratch(self._database)
        found: list[tuple[int, int]] = []
        append = found.append
        self._database.scan(
            data, match_event_handler=lambda number, _from, to, _f, _c: append((to - 1, number)), scratch=scratch
        )
        found.sort()
        return found

    def _find(self, data: bytes) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for number, marker in enumerate(self.markers):
            position = data.find(marker)
            while position >= 0:
                last = position + len(marker) - 1
                found.append((last, number))
                # One match per line is enough.
                position = data.find(b"\n", last)
                if position >= 0:
                    position = data.find(marker, position)
        number = len(self.markers)
        found.extend((match.end() - 1, number) for match in self._pattern.finditer(data))
        found.sort()
        return found


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
