"""Reading and searching ahead of whoever works on what was found, in threads of their own."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

from ingest.block import Found
from ingest.errors import UnreadableError
from ingest.framing import Chunk
from ingest.line import Parser
from ingest.parse import find

SEARCHERS = 2
"""So many threads search."""
AHEAD = 4
"""So many chunks are searched while others are stored, where many lines matter."""
CHUNKS = 4
FEW_LINES = 200
"""Where fewer lines in a megabyte matter, CHUNKS are dealt with together."""


def ahead(source: Iterator[Chunk], parser: Parser) -> Iterator[tuple[Chunk, Found | None]]:
    """Each chunk with what was found in it: the next ones are read and searched while the caller works on this one.

    Reading and searching let other threads run. Where few lines matter several chunks are dealt with together, as each
    time costs something of its own. What goes wrong while reading is raised where it stands in the file.
    """
    pace = Pace()

    def read() -> tuple[list[Chunk], Future[list[Found]], UnreadableError | None]:
        some: list[Chunk] = []
        damage = None
        try:
            some += islice(source, pace.chunks)
        except UnreadableError as error:
            damage = error
        blocks = [chunk.data for chunk in some if chunk.kind == "lines"]
        return some, searching.submit(_found, blocks, parser, pace), damage

    with ThreadPoolExecutor(SEARCHERS) as searching, ThreadPoolExecutor(1) as reading:
        waiting = deque([reading.submit(read)])
        while True:
            some, searched, damage = waiting.popleft().result()
            if not some and not damage:
                return
            while len(waiting) < (AHEAD if pace.chunks == 1 else SEARCHERS):
                waiting.append(reading.submit(read))
            found = iter(searched.result())
            for chunk in some:
                yield chunk, next(found) if chunk.kind == "lines" else None
            if damage:
                raise damage


@dataclass(slots=True)
class Pace:
    """How many chunks are dealt with together."""

    chunks: int = 1

    def found(self, lines: int, among: int) -> None:
        """Learn that `lines` mattered among so many bytes."""
        self.chunks = CHUNKS if lines * 2**20 < FEW_LINES * among else 1


def _found(blocks: list[bytes], parser: Parser, pace: Pace) -> list[Found]:
    found = find(blocks, parser) if blocks else []
    pace.found(sum(len(one.lines) for one in found), sum(map(len, blocks)))
    return found
