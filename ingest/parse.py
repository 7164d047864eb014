"""A block of bytes -> frames of rows. Pure: no file, no database, no clock.

Only lines that hold a marker (or a piece of a cut line) are decoded. A line whose record may go on in the next one is
left unconsumed at the end of a block, with all that follows it, unless the block is the `last`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ingest import decode
from ingest.errors import CutOffError, UndecodableError
from ingest.frames import DAY_US, EVENT_SCHEMA, Frames, Rows, Shaped, together
from ingest.pieces import MAX_PIECES, Piece, joined, piece_of
from ingest.pretty import object_around
from ingest.record import Record
from ingest.search import Lines, Search, any_source_flag, partial_flag, sources_of
from ingest.shape import Told
from ingest.shapes import Shapes, Taken
from ingest.source import Event, Reject
from ingest.splits import Split, rejoined, split_on
from ingest.unwrap import Unwrapper

MAX_JOINED = 4 * 1024 * 1024
MAX_CLAIM_LINES = 20
BEGINS = re.compile(rb'\{"|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:')
"""A line that begins a record of its own, whatever went before it."""
Unfinished = Reject | tuple[Record, Event | Reject]
"""A record that may go on in the next line, and what it is if it does not; or why a line cannot be decoded by itself."""
SAMPLE_STEP = 512 * 1024
FINEST_SAMPLE = 4 * 1024


class Origin(NamedTuple):
    """Where a block stands: its first byte, the number of lines before it, and the stream of its file."""

    offset: int
    line: int
    stream: str


class Element(NamedTuple):
    """One record of a document: its bytes, where they start, and the number of line feeds before them.

    `value` is the record where it is not the JSON of its bytes (a row of a table), `why` what makes it none, should it be one.
    """

    data: bytes
    offset: int
    line: int
    value: Mapping[str, Any] | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Parser:
    """What parsing needs to know beside the bytes; `shapes` remembers what lines look like, which changes no result."""

    unwrapper: Unwrapper
    search: Search
    shapes: Shapes = field(default_factory=Shapes, compare=False)


class Found(NamedTuple):
    """The lines of a block that matter, and what shapes read of them: what can be done for several blocks at once."""

    lines: Lines
    taken: list[Taken]


def find(blocks: Sequence[bytes], parser: Parser) -> list[Found]:
    """For each block the lines that hold a marker, and those of them that have a known shape, read as columns.

    Never pieces of lines, nor pages whose source is not known.
    """
    lines = [parser.search.find(data) for data in blocks]
    clocks = parser.unwrapper.tz.key == "UTC"
    ask = partial(_told, parser)
    taken = parser.shapes.take(list(zip(blocks, lines, strict=True)), any_source_flag(), ask, clocks=clocks)
    return list(map(Found, lines, taken))


def parse_block(data: bytes, origin: Origin, parser: Parser, *, last: bool = False) -> Frames:
    """The rows of a block of whole lines."""
    return together([read_block(data, origin, parser, last=last)])


def read_block(data: bytes, origin: Origin, parser: Parser, *, last: bool = False, found: Found | None = None) -> Rows:
    """The rows of a block of whole lines, not put together yet; `found` where the block was searched before."""
    found = found or find([data], parser)[0]
    block = _Block(data, origin, parser, last)
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
            unfinished = _rows_of(element.data, flags, element.line + 1, element.offset, parser, rows, element.value)
            if unfinished:
                _settle(unfinished, rows, element.data, element.line + 1, element.offset)
        elif number % step == 0 or number == len(elements) - 1:
            time = _time_of(element.data, parser)
            if time is not None:
                rows.seen(time, 1)
    return rows.close(lines=0, consumed=0)


class _Block:
    """The lines of one block, read from top to bottom."""

    def __init__(self, data: bytes, origin: Origin, parser: Parser, last: bool) -> None:
        self.data, self.origin, self.parser, self.last = data, origin, parser, last
        self.rows = Rows(origin.stream)
        self.line = origin.line
        self.relevant: set[int] = set()

    def read(self, found: Found) -> int:
        """Read the lines that matter; how many bytes of the block are dealt with."""
        lines, taken = found
        self.relevant.update(lines.starts.tolist())
        rest = lines
        if taken:
            exact = np.ones(len(lines), dtype=np.bool_)
            for one in taken:
                exact[one.places] = False
            rest = lines.only(exact)
        joined_already: set[int] = set()
        consumed = self._exact(rest, joined_already)
        for one in taken:
            self._keep(one, lines, consumed, joined_already)
        return consumed

    def _keep(self, taken: Taken, lines: Lines, consumed: int, joined_already: set[int]) -> None:
        """Take over the rows of a shape, but for lines that turned out to be the end of others or are left for later."""
        starts = lines.starts[taken.places]
        kept = starts < consumed
        if joined_already:
            kept &= ~np.isin(starts, list(joined_already))
        if not kept.all():
            taken, starts = taken.only(kept), starts[kept]
        numbers = lines.before[taken.places] + self.origin.line + 1
        self.rows.take(Shaped(taken.shape, taken.rows, numbers, starts + self.origin.offset), taken.times)

    def _exact(self, lines: Lines, joined_already: set[int]) -> int:
        pieces = partial_flag()
        places = zip(
            *(column.tolist() for column in (lines.starts, lines.ends, lines.flags, lines.before)), strict=True
        )
        start: int
        for start, end, flags, before in places:
            if start in joined_already:
                continue
            self.line = self.origin.line + before
            raw = self.data[start:end]
            if flags & pieces:
                piece = piece_of(raw)
                split = split_on(raw)
                if split:
                    found = self._rejoin(split, start, joined_already)
                    if found is None:
                        return start
                    raw = found
                    flags = self.parser.search.flags_of(raw)
                elif piece and piece.partial:
                    found = self._join(piece, end, joined_already)
                    if found is None:
                        return start
                    raw = found
                    flags = self.parser.search.flags_of(raw)
                else:
                    flags &= ~pieces
                if not flags:
                    continue
            left = self._line(raw, flags, start, end, joined_already)
            if left is not None:
                return left
        return len(self.data)

    def _line(self, raw: bytes, flags: int, start: int, end: int, joined_already: set[int]) -> int | None:
        """Read one line; where the lines after this block are needed for it, the place from which it is to be read again."""
        found = object_around(self.data, start, last=self.last)
        if found is not None:
            return self._spread(*found, flags, joined_already)
        unfinished = _rows_of(raw, flags, self.line + 1, self.origin.offset + start, self.parser, self.rows)
        if unfinished is None:
            return None
        if isinstance(unfinished, Reject):
            return self._torn(raw, unfinished, flags, start, end, joined_already)
        record, result = unfinished
        following = self._following(record, end, joined_already)
        if following is None:
            return start
        message, starts = following
        first, taken = record, 0
        for count in range(1, len(message) + 1):
            whole = Record(**{name: getattr(first, name) for name in Record.__slots__})
            whole.message = "\n".join([first.message, *message[:count]])
            longer = _read(whole, flags)
            if isinstance(longer, Event) and (isinstance(result, Reject) or not longer.unfinished):
                record, result, taken = whole, longer, count
                if not longer.unfinished:
                    break
        joined_already.update(starts[:taken])
        _settle((record, result), self.rows, raw, self.line + 1, self.origin.offset + start)
        return None

    def _torn(
        self, raw: bytes, reject: Reject, flags: int, start: int, end: int, joined_already: set[int]
    ) -> int | None:
        """Read a line whose JSON goes on in the next ones: a line feed that was not escaped, or an object in several lines."""
        starts: list[int] = []
        text, position = raw, end + 1
        while len(starts) < MAX_CLAIM_LINES and len(text) < MAX_JOINED:
            if position >= len(self.data) and not self.last:
                return start
            stop = self.data.find(b"\n", position)
            stop = len(self.data) if stop < 0 else stop
            line = self.data[position:stop]
            if position >= len(self.data) or BEGINS.match(line):
                break
            text += b"\n" + line
            starts.append(position)
            position = stop + 1
            if line.rstrip().endswith((b"}", b"]")) and not _rows_of(
                text, flags, self.line + 1, self.origin.offset + start, self.parser, self.rows, whole=True
            ):
                joined_already.update(starts)
                return None
        self.rows.reject(reject.why, raw, self.line + 1, self.origin.offset + start)
        return None

    def _spread(self, begin: int, end: int, flags: int, joined_already: set[int]) -> int | None:
        """Read an object that is printed over several lines."""
        if end < 0:
            return begin
        raw = self.data[begin:end]
        line = self.origin.line + self.data.count(b"\n", 0, begin)
        offset = self.origin.offset + begin
        unfinished = _rows_of(raw, self.parser.search.flags_of(raw) | flags, line + 1, offset, self.parser, self.rows)
        if unfinished:
            _settle(unfinished, self.rows, raw, line + 1, offset)
        place = begin
        while 0 <= place < end:
            joined_already.add(place)
            place = self.data.find(b"\n", place) + 1 or end
        return None

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

    def _rejoin(self, first: Split, start: int, joined_already: set[int]) -> bytes | None:
        """The entry that the one at `start` was cut from; None where a part of it is not in this block."""
        sign, splits, position = first.uid.encode(), {first.number: first}, start
        while len(splits) < first.total and (place := self.data.find(sign, position)) >= 0:
            begin, stop = self.data.rfind(b"\n", 0, place) + 1, self.data.find(b"\n", place)
            position = stop = stop if stop >= 0 else len(self.data)
            split = split_on(self.data[begin:stop])
            if split and split.uid == first.uid and begin >= start:
                splits[split.number] = split
                joined_already.add(begin)
        if len(splits) < first.total and not self.last:
            return None
        return decode.compact(rejoined(splits.values())).encode()

    def sample(self, consumed: int) -> None:
        """Note the times of some chatter lines, so that days without a relevant record are not taken for gaps.

        One in every SAMPLE_STEP bytes, and where two of them are of different days, those between them too.
        """
        last = self.data.rfind(b"\n", 0, max(consumed - 1, 0)) + 1
        places = [*range(0, consumed, SAMPLE_STEP), last]
        days = [self._sample(place, consumed) for place in places]
        for place, following, day, next_day in zip(places, places[1:], days, days[1:], strict=False):
            self._between(place, following, day, next_day, consumed)

    def _between(self, place: int, following: int, day: int | None, next_day: int | None, consumed: int) -> None:
        if day != next_day and following - place > FINEST_SAMPLE:
            middle = (place + following) // 2
            between = self._sample(middle, consumed)
            self._between(place, middle, day, between, consumed)
            self._between(middle, following, between, next_day, consumed)

    def _sample(self, place: int, consumed: int) -> int | None:
        """The day of the line at `place`; it is counted unless it is a relevant one or was counted before."""
        start = self.data.rfind(b"\n", 0, place) + 1 if place else 0
        if start >= consumed:
            return None
        stop = self.data.find(b"\n", start)
        time = _time_of(self.data[start : stop if stop >= 0 else consumed], self.parser)
        if time is not None and start not in self.relevant:
            self.relevant.add(start)
            self.rows.seen(time, 1)
        return None if time is None else time // DAY_US


def _rows_of(
    raw: bytes,
    flags: int,
    line: int,
    offset: int,
    parser: Parser,
    rows: Rows,
    value: Mapping[str, Any] | None = None,
    *,
    whole: bool = False,
) -> Unfinished | None:
    """Add the rows of one line; a record whose rest may stand on the next line is given back instead, or why it cannot be
    told yet. With `whole` nothing is added of what cannot be decoded, and it is given back."""
    try:
        records = parser.unwrapper.records(raw) if value is None else parser.unwrapper.value(value)
    except UndecodableError as error:
        if whole or isinstance(error, CutOffError):
            return Reject(str(error))
        rows.reject(str(error), raw, line, offset)
        return None
    known = False
    for part, record in enumerate(records):
        result = _read(record, flags)
        if (
            result is not None
            and result.unfinished
            and len(records) == 1
            and (isinstance(result, Reject) or not record.fields)
        ):
            return record, result
        if isinstance(result, Event):
            rows.event(result, record, line, offset, part)
        elif isinstance(result, Reject):
            rows.reject(result.why, raw, line, offset, part)
        known = known or result is not None
    if not known and flags & (any_source_flag() - 1):
        rows.mentions += 1
    return None


def _settle(unfinished: Unfinished, rows: Rows, raw: bytes, line: int, offset: int) -> None:
    """Add what nothing follows as what it is by itself."""
    if isinstance(unfinished, Reject):
        rows.reject(unfinished.why, raw, line, offset)
        return
    record, result = unfinished
    if isinstance(result, Event):
        rows.event(result, record, line, offset, 0)
    else:
        rows.reject(result.why, raw, line, offset)


def _read(record: Record, flags: int) -> Event | Reject | None:
    for source in sources_of(flags):
        result = source.read(record)
        if result is not None:
            return result
    return None


def _told(parser: Parser, raw: bytes, flags: int) -> Told | None:
    """What one line by itself is read as: the columns of its event and its fires; None unless it is one event."""
    rows = Rows("")
    if _rows_of(raw, flags, 1, 0, parser, rows) or rows.rejects or len(rows.events) != 1:
        return None
    columns = dict(zip(EVENT_SCHEMA, rows.events[0], strict=True))
    return columns, tuple(fire[1:] for fire in rows.fires)


def _time_of(raw: bytes, parser: Parser) -> int | None:
    """The first time on a line, in microseconds; None where it has none."""
    if not raw.strip():
        return None
    try:
        return next((record.time for record in parser.unwrapper.records(raw[:65536]) if record.time is not None), None)
    except UndecodableError:
        return None
