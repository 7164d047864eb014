"""Which lines of a block hold a marker: the step that spares all the others from being decoded.

With hyperscan one pass finds every marker, and other threads run meanwhile; without it `bytes.find` goes through the
block once per marker. Both give the same lines.
"""

import re
import threading
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ingest.envelope import envelopes
from ingest.pieces import PARTIAL_PATTERN
from ingest.source import sources

hyperscan: Any
try:
    import hyperscan
except ImportError:  # the extra `fast` is not installed
    hyperscan = None

Span = tuple[int, int]
"""Start of a line and the place of its line feed (or the end of the block)."""


class Search:
    """Finds the lines that hold any of `markers`, or match `pattern` within one line."""

    def __init__(self, markers: Iterable[bytes], pattern: bytes | None = None, engine: str | None = None) -> None:
        self.markers = tuple(dict.fromkeys(markers))
        self.pattern = pattern
        self.engine = engine or ("hyperscan" if hyperscan else "find")
        self._compiled = re.compile(pattern) if pattern else None
        self._local = threading.local()
        self._database: Any = None
        if self.engine == "hyperscan":
            expressions = [re.escape(marker) for marker in self.markers] + ([pattern] if pattern else [])
            self._database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
            self._database.compile(
                expressions=expressions,
                ids=list(range(len(expressions))),
                elements=len(expressions),
                flags=[0] * len(expressions),
            )

    def lines(self, data: bytes) -> list[Span]:
        """The spans of the lines of `data` that match, in order."""
        spans: list[Span] = []
        end = -1
        for position in self._positions(data):
            if position < end:
                continue
            start = data.rfind(b"\n", max(end, 0), position) + 1
            if start == 0 and end > 0:
                start = end + 1
            end = data.find(b"\n", position)
            if end < 0:
                end = len(data)
            spans.append((start, end))
        return spans

    def holds(self, data: bytes) -> bool:
        """Whether any marker is in `data` (the pattern is not asked)."""
        return any(marker in data for marker in self.markers)

    def _positions(self, data: bytes) -> list[int]:
        """For each match, in order, a place within it (its last byte)."""
        if self._database is None:
            return self._find(data)
        scratch = getattr(self._local, "scratch", None)
        if scratch is None:
            scratch = self._local.scratch = hyperscan.Scratch(self._database)
        ends: list[int] = []
        append = ends.append
        self._database.scan(
            data, match_event_handler=lambda _id, _from, to, _flags, _context: append(to - 1), scratch=scratch
        )
        ends.sort()
        return ends

    def _find(self, data: bytes) -> list[int]:
        found: list[int] = []
        for marker in self.markers:
            position = data.find(marker)
            while position >= 0:
                last = position + len(marker) - 1
                found.append(last)
                # One match per line is enough.
                position = data.find(b"\n", last)
                if position >= 0:
                    position = data.find(marker, position)
        if self._compiled:
            found.extend(match.end() - 1 for match in self._compiled.finditer(data))
        found.sort()
        return found


@lru_cache(maxsize=2)
def standard_search(engine: str | None = None) -> Search:
    """The search for the markers of every source and every envelope."""
    markers = [marker for source in sources() for marker in source.markers]
    markers += [marker for envelope in envelopes() for marker in envelope.markers]
    return Search(markers, PARTIAL_PATTERN, engine)


@lru_cache(maxsize=1)
def source_markers() -> tuple[bytes, ...]:
    return tuple(dict.fromkeys(marker for source in sources() for marker in source.markers))
