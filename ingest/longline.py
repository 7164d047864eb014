"""A line that is too long to be held: its middle is searched and let go."""

import xxhash

from ingest import framing
from ingest.framing import Chunk
from ingest.line import Parser
from ingest.rows import Rows

LONGEST_MARKER = 64


class LongLine:
    """A line that is too long to be held: its start, whether a marker is in it, its digest."""

    def __init__(self, hasher: xxhash.xxh3_128) -> None:
        self.hasher = hasher
        self.size = 0
        self._excerpt = b""
        self._seam = b""
        self._marked = False

    def add(self, chunk: Chunk, parser: Parser) -> bool:
        """Take one more part of the line; True when it was the last."""
        data = chunk.data
        if not self._excerpt:
            self._excerpt = data[:4096]
        self._marked = self._marked or bool(
            parser.search.flags_of(self._seam + data[:LONGEST_MARKER]) or parser.search.flags_of(data)
        )
        self._seam = data[-LONGEST_MARKER:]
        self.size += len(data)
        self.hasher.update(data)
        return data.endswith(b"\n")

    def rows(self, stream: str, line: int, offset: int) -> Rows:
        rows = Rows(stream)
        if self._marked:
            rows.reject(f"the line is longer than {framing.LONGEST_LINE // 2**20} MiB", self._excerpt, line + 1, offset)
        return rows.close(lines=1, consumed=self.size)
