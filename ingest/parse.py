"""A block of bytes -> rows. Pure: no file, no database, no clock.

Only lines that hold a marker (or a piece of a cut line) are decoded. A line whose record may go on in the next one is
left unconsumed at the end of a block, with all that follows it, unless the block is the `last`.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from ingest.block import Block, Found, Origin
from ingest.frames import Frames, together
from ingest.line import Parser, rows_of, settle, time_of, told_of
from ingest.rows import Rows
from ingest.search import any_source_flag


class Element(NamedTuple):
    """One record of a document: its bytes, where they start, and the number of line feeds before them.

    `value` is the record where it is not the JSON of its bytes (a row of a table), `why` what makes it none, should it be one.
    """

    data: bytes
    offset: int
    line: int
    value: Mapping[str, Any] | None = None
    why: str | None = None


def find(blocks: Sequence[bytes], parser: Parser) -> list[Found]:
    """For each block the lines that hold a marker, and those of them that have a known shape, read as columns.

    Never pieces of lines, nor pages whose source is not known.
    """
    lines = [parser.search.find(data) for data in blocks]
    clocks = parser.unwrapper.tz.key == "UTC"
    ask = partial(told_of, parser)
    taken = parser.shapes.take(list(zip(blocks, lines, strict=True)), any_source_flag(), ask, clocks=clocks)
    return list(map(Found, lines, taken))


def parse_block(data: bytes, origin: Origin, parser: Parser, *, last: bool = False) -> Frames:
    """The rows of a block of whole lines."""
    return together([read_block(data, origin, parser, last=last)])


def read_block(data: bytes, origin: Origin, parser: Parser, *, last: bool = False, found: Found | None = None) -> Rows:
    """The rows of a block of whole lines, not put together yet; `found` where the block was searched before."""
    found = found or find([data], parser)[0]
    block = Block(data, origin, parser, last)
    consumed = block.read(found)
    block.sample(consumed)
    feeds = found.lines.feeds if consumed == len(data) else data.count(b"\n", 0, consumed)
    ended = not consumed or data[consumed - 1 : consumed] == b"\n"
    return block.rows.close(lines=feeds if ended else feeds + 1, consumed=consumed)


def parse_elements(elements: list[Element], stream: str, parser: Parser) -> Frames:
    """The rows of records of a JSON document."""
    return together([read_elements(elements, stream, parser)])


def read_elements(elements: list[Element], stream: str, parser: Parser) -> Rows:
    """The rows of records of a JSON document, not put together yet."""
    rows = Rows(stream)
    step = max(1, len(elements) // 64)
    for number, element in enumerate(elements):
        flags = any_source_flag() if element.value is not None else parser.search.flags_of(element.data)
        if element.why and flags:
            rows.reject(element.why, element.data, element.line + 1, element.offset)
        elif flags:
            unfinished = rows_of(element.data, flags, element.line + 1, element.offset, parser, rows, element.value)
            if unfinished:
                settle(unfinished, rows, element.data, element.line + 1, element.offset)
        elif number % step == 0 or number == len(elements) - 1:
            time = time_of(element.data, parser)
            if time is not None:
                rows.seen(time, 1)
    return rows.close(lines=0, consumed=0)
