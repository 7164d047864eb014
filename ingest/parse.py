"""A block of bytes -> frames of rows. Pure: no file, no database, no clock.

Only lines that hold a marker (or a piece of a cut line) are decoded. A line whose record may go on in the next one is
left unconsumed at the end of a block, with all that follows it, unless the block is the `last`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ingest.errors import UndecodableError
from ingest.frames import Frames, Rows
from ingest.pieces import MAX_PIECES, Piece, joined, piece_of
from ingest.record import Record
from ingest.search import Search, Span, any_source_flag, partial_flag, sources_of
from ingest.source import Event, Reject
from ingest.unwrap import Unwrapper

MAX_JOINED = 4 * 1024 * 1024
MAX_CLAIM_LINES = 20
SAMPLE_STEP_AT_START = 4 * 1024
SAMPLE_STEP = 64 * 1024
START = 1024 * 1024


class Origin(NamedTuple):
    """Where a block stands: its first byte, the number of lines before it, and the stream of its file."""

    offset: int
    line: int
    stream: str


class Element(NamedTuple):
    """One record of a document: its bytes, where they start, and the number of line feeds before them.

    `value` is the record where it is not the JSON of its bytes (a row of a table), `why` what makes it none.
    """

    data: bytes
    offset: int
    line: int
    value: Mapping[str, Any] | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Parser:
    """What parsing needs to know beside the bytes."""

    unwrapper: Unwrapper
    search: Search


def parse_block(
    data: bytes, origin: Origin, parser: Parser, *, last: bool = False, spans: list[Span] | None = None
) -> Frames:
    """The rows of a block of whole lines; `spans` are the lines that the search found, where that was already done."""
    block = _Block(data, origin, parser, last)
    consumed = block.read(parser.search.lines(data) if spans is None else spans)
    block.sample(consumed)
    lines = data.count(b"\n", block.counted, consumed) + block.line - origin.line
    if consumed and data[consumed - 1 : consumed] != b"\n":
        lines += 1
    return block.rows.frames(lines=lines, consumed=consumed)


def parse_elements(elements: list[Element], stream: str, parser: Parser) -> Frames:
    """The rows of records of a JSON document."""
    rows = Rows(stream)
    step = max(1, len(elements) // 64)
    for number, element in enumerate(elements):
        flags = any_source_flag() if element.value is not None else parser.search.flags_of(element.data)
        if element.why:
            rows.reject(element.why, element.data, element.line + 1, element.offset)
        elif flags:
            unfinished = _rows_of(
                element.data, flags, element.line + 1, element.offset, parser, rows, element.value
            )
            if unfinished:
                rows.reject(unfinished[1].why, element.data, element.line + 1, element.offset)
        elif number % step == 0 or number == len(elements) - 1:
            _sample(element.data, parser, rows)
    return rows.frames(lines=0, consumed=0)


class _Block:
    """The lines of one block, read from top to bottom."""

    def __init__(self, data: bytes, origin: Origin, parser: Parser, last: bool) -> None:
        self.data, self.origin, self.parser, self.last = data, origin, parser, last
        self.rows = Rows(origin.stream)
        self.line = origin.line
        self.counted = 0
        self.relevant: set[int] = set()

    def read(self, spans: list[Span]) -> int:
        """Read the lines at `spans`; how many bytes of the block are dealt with."""
        joined_already: set[int] = set()
        partial = partial_flag()
        for start, end, flags in spans:
            if start in joined_already:
                continue
            self.line += self.data.count(b"\n", self.counted, start)
            self.counted = start
            raw = self.data[start:end]
            self.relevant.add(start)
            if flags & partial:
                piece = piece_of(raw)
                if piece and piece.partial:
                    found = self._join(piece, end, joined_already)
                    if found is None:
                        return start
                    raw = found
                    flags = self.parser.search.flags_of(raw)
                else:
                    flags &= ~partial
                if not flags:
                    continue
            if not self._line(raw, flags, start, end, joined_already):
                return start
        return len(self.data)

    def _line(self, raw: bytes, flags: int, start: int, end: int, joined_already: set[int]) -> bool:
        """Read one line; False where the lines after this block are needed for it."""
        unfinished = _rows_of(raw, flags, self.line + 1, self.origin.offset + start, self.parser, self.rows)
        if unfinished is None:
            return True
        record, reject = unfinished
        following = self._following(record, end, joined_already)
        if following is None:
            return False
        message, starts = following
        for count in range(1, len(message) + 1):
            whole = Record(**{name: getattr(record, name) for name in Record.__slots__})
            whole.message = "\n".join([record.message, *message[:count]])
            result = _read(whole, flags)
            if isinstance(result, Event):
                self.rows.event(result, whole, self.line + 1, self.origin.offset + start, 0)
                joined_already.update(starts[:count])
                return True
        self.rows.reject(reject.why, raw, self.line + 1, self.origin.offset + start)
        return True

    def _following(self, record: Record, end: int, joined_already: set[int]) -> tuple[list[str], list[int]] | None:
        """The messages of the next lines that may belong to `record`, and where they start; None where more is needed."""
        wrappers = tuple(name for name in record.envelopes if name in ("cri", "docker")) or ("text",)
        messages: list[str] = []
        starts: list[int] = []
        position = end + 1
        while len(messages) < MAX_CLAIM_LINES:
            if position >= len(self.data):
                return (messages, starts) if self.last else None
            stop = self.data.find(b"\n", position)
            stop = len(self.data) if stop < 0 else stop
            try:
                found = self.parser.unwrapper.records(self.data[position:stop])
            except UndecodableError:
                break
            if len(found) != 1 or found[0].envelopes != wrappers or _read(found[0], any_source_flag()) is not None:
                break
            messages.append(found[0].message)
            starts.append(position)
            position = stop + 1
        return messages, starts

    def _join(self, first: Piece, end: int, joined_already: set[int]) -> bytes | None:
        """The whole line that begins with the piece `first`; None where its end is not in this block."""
        pieces, size, position = [first], len(first.content), end + 1
        for _ in range(MAX_PIECES):
            if position >= len(self.data):
                if not self.last:
                    return None
                break
            stop = self.data.find(b"\n", position)
            stop = len(self.data) if stop < 0 else stop
            piece = piece_of(self.data[position:stop])
            if piece is None or piece.kind != first.kind:
                break
            if piece.stream == first.stream and position not in joined_already:
                size += len(piece.content)
                if size > MAX_JOINED:
                    break
                pieces.append(piece)
                joined_already.add(position)
                if not piece.partial:
                    break
            position = stop + 1
        return joined(pieces)

    def sample(self, consumed: int) -> None:
        """Note the times of some chatter lines, so that days without a relevant record are not taken for gaps."""
        step = SAMPLE_STEP_AT_START if self.origin.offset < START else SAMPLE_STEP
        last = self.data.rfind(b"\n", 0, max(consumed - 1, 0)) + 1
        done = -1
        for place in (*range(0, consumed, step), last):
            start = self.data.rfind(b"\n", 0, place) + 1 if place else 0
            if start > done and start < consumed and start not in self.relevant:
                stop = self.data.find(b"\n", start)
                _sample(self.data[start : stop if stop >= 0 else consumed], self.parser, self.rows)
            done = max(done, start)


def _rows_of(
    raw: bytes,
    flags: int,
    line: int,
    offset: int,
    parser: Parser,
    rows: Rows,
    value: Mapping[str, Any] | None = None,
) -> tuple[Record, Reject] | None:
    """Add the rows of one line; a record whose rest may stand on the next line is given back instead."""
    try:
        records = parser.unwrapper.records(raw) if value is None else parser.unwrapper.value(value)
    except UndecodableError as error:
        rows.reject(str(error), raw, line, offset)
        return None
    known = False
    for part, record in enumerate(records):
        result = _read(record, flags)
        if isinstance(result, Event):
            rows.event(result, record, line, offset, part)
        elif isinstance(result, Reject):
            if result.unfinished and len(records) == 1:
                return record, result
            rows.reject(result.why, raw, line, offset, part)
        known = known or result is not None
    if not known and flags & (any_source_flag() - 1):
        rows.mentions += 1
    return None


def _read(record: Record, flags: int) -> Event | Reject | None:
    for source in sources_of(flags):
        result = source.read(record)
        if result is not None:
            return result
    return None


def _sample(raw: bytes, parser: Parser, rows: Rows) -> None:
    if not raw.strip():
        return
    try:
        for record in parser.unwrapper.records(raw[:65536]):
            if record.time is not None:
                rows.seen(record.time, 1)
    except UndecodableError:
        return
