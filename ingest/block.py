"""The lines of a block, from top to bottom: lines that go on in others, pieces of lines, and samples of chatter."""

import re
from itertools import islice
from typing import NamedTuple

import numpy as np

from ingest import decode
from ingest.columns import DAY_US
from ingest.errors import UndecodableError
from ingest.line import Parser, event_of, rows_of, settle, time_of
from ingest.pieces import MAX_PIECES, Piece, joined, piece_of
from ingest.pretty import object_around
from ingest.record import Record
from ingest.rows import Rows, Shaped
from ingest.search import Lines, any_source_flag, partial_flag
from ingest.shapes import Taken
from ingest.source import Event, Reject
from ingest.splits import Split, rejoined, split_on

MAX_JOINED = 4 * 1024 * 1024
MAX_CLAIM_LINES = 20
BEGINS = re.compile(rb'\{"|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:')
"""A line that begins a record of its own, whatever went before it."""
_SEAM = re.compile(rb"\x00{8,}|(?<=\})(?=\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)")
"""Where two records stand on one line: after a loss of power, or what was written at once by two."""
_OBJECT = re.compile(rb'\{"')
SAMPLE_STEP = 512 * 1024
FINEST_SAMPLE = 4 * 1024


class Origin(NamedTuple):
    """Where a block stands: its first byte, the number of lines before it, and the stream of its file."""

    offset: int
    line: int
    stream: str


class Found(NamedTuple):
    """The lines of a block that matter, and what shapes read of them: what can be done for several blocks at once."""

    lines: Lines
    taken: list[Taken]


class Block:
    """The lines of one block, read from top to bottom."""

    def __init__(self, data: bytes, origin: Origin, parser: Parser, last: bool) -> None:
        self.data, self.origin, self.parser, self.last = data, origin, parser, last
        self.rows = Rows(origin.stream)
        self.line = origin.line
        self.relevant: set[int] = set()
        self.joined: set[int] = set()  # where lines start that were read with another

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
        consumed = self._exact(rest)
        for one in taken:
            self._keep(one, lines, consumed)
        return consumed

    def _keep(self, taken: Taken, lines: Lines, consumed: int) -> None:
        """Take over the rows of a shape, but for lines that turned out to be the end of others or are left for later."""
        starts = lines.starts[taken.places]
        kept = starts < consumed
        if self.joined:
            kept &= ~np.isin(starts, list(self.joined))
        if not kept.all():
            taken, starts = taken.only(kept), starts[kept]
        numbers = lines.before[taken.places] + self.origin.line + 1
        self.rows.take(Shaped(taken.shape, taken.rows, numbers, starts + self.origin.offset), taken.times)

    def _exact(self, lines: Lines) -> int:
        places = zip(
            *(column.tolist() for column in (lines.starts, lines.ends, lines.flags, lines.before)), strict=True
        )
        start: int
        for start, end, flags, before in places:
            if start in self.joined:
                continue
            self.line = self.origin.line + before
            raw = self.data[start:end]
            if flags & partial_flag():
                whole = self._whole(raw, start, end)
                if whole is None:
                    return start
                flags = flags & ~partial_flag() if whole is raw else self.parser.search.flags_of(whole)
                raw = whole
                if not flags:
                    continue
            *before, (at, raw) = _sewn(raw)
            left = self._line(raw, self.parser.search.flags_of(raw) if before else flags, start, end, at)
            if left is not None:
                return left
            for place, piece in before:
                self._read(piece, start + place)
        return len(self.data)

    def _line(self, raw: bytes, flags: int, start: int, end: int, at: int) -> int | None:
        """Read one line, or what stands in it from its byte `at` on; where the lines after this block are needed for it, the
        place from which it is to be read again."""
        found = object_around(self.data, start, last=self.last)
        if found is not None:
            return self._spread(*found, start, flags)
        unfinished = rows_of(raw, flags, self.line + 1, self.origin.offset + start + at, self.parser, self.rows)
        if unfinished is None:
            return None
        if isinstance(unfinished, Reject):
            if unfinished.unfinished:
                return self._torn(raw, unfinished, flags, start, end, at)
            self._refuse(raw, unfinished, start + at)
            return None
        record, result = unfinished
        following = self._following(raw, record, end)
        if following is None:
            return start
        message, starts = following
        first, taken = record, 0
        for count in range(1, len(message) + 1):
            whole = Record(**{name: getattr(first, name) for name in Record.__slots__})
            whole.message = "\n".join([first.message, *message[:count]])
            longer = event_of(whole, flags)
            if isinstance(longer, Event) and (isinstance(result, Reject) or not longer.unfinished):
                record, result, taken = whole, longer, count
                if not longer.unfinished:
                    break
        self.joined.update(starts[:taken])
        settle((record, result), self.rows, raw, self.line + 1, self.origin.offset + start + at)
        return None

    def _read(self, raw: bytes, place: int) -> None:
        """Read a record by itself, if it is one."""
        if flags := self.parser.search.flags_of(raw):
            unfinished = rows_of(raw, flags, self.line + 1, self.origin.offset + place, self.parser, self.rows)
            if unfinished:
                settle(unfinished, self.rows, raw, self.line + 1, self.origin.offset + place)

    def _refuse(self, raw: bytes, reject: Reject, place: int) -> None:
        """Refuse a line, but for a whole record at its end: who writes it was stopped within one, and began anew."""
        for begin in islice(_OBJECT.finditer(raw, 1), MAX_CLAIM_LINES):
            if self._is_event(raw[begin.start() :]):
                self._read(raw[begin.start() :], place + begin.start())
                raw = raw[: begin.start()]
                if not self.parser.search.flags_of(raw):
                    return
                break
        self.rows.reject(reject.why, raw, self.line + 1, self.origin.offset + place)

    def _torn(self, raw: bytes, reject: Reject, flags: int, start: int, end: int, at: int) -> int | None:
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
            if line.rstrip().endswith((b"}", b"]")) and not rows_of(
                text, flags, self.line + 1, self.origin.offset + start + at, self.parser, self.rows
            ):
                self.joined.update(starts)
                return None
        self._refuse(raw, reject, start + at)
        return None

    def _spread(self, begin: int, end: int, start: int, flags: int) -> int | None:
        """Read an object that is printed over several lines, one of which, at `start`, holds a marker."""
        if end < 0:
            return begin
        raw = self.data[begin:end]
        line = self.line - self.data.count(b"\n", begin, start)
        offset = self.origin.offset + begin
        unfinished = rows_of(raw, self.parser.search.flags_of(raw) | flags, line + 1, offset, self.parser, self.rows)
        if unfinished:
            settle(unfinished, self.rows, raw, line + 1, offset)
        place = begin
        while 0 <= place < end:
            self.joined.add(place)
            place = self.data.find(b"\n", place) + 1 or end
        return None

    def _following(self, raw: bytes, record: Record, end: int) -> tuple[list[str], list[int]] | None:
        """The messages of the next lines that may belong to `record`, and where they start; None where more is needed.

        Lines of the container's other stream may stand between.
        """
        wrappers = tuple(name for name in record.envelopes if name in ("cri", "docker")) or ("text",)
        own = piece_of(raw)
        messages: list[str] = []
        starts: list[int] = []
        position = end + 1
        for _ in range(MAX_PIECES):
            if len(messages) == MAX_CLAIM_LINES:
                break
            if position >= len(self.data):
                return (messages, starts) if self.last else None
            stop = self.data.find(b"\n", position)
            stop = len(self.data) if stop < 0 else stop
            line = self.data[position:stop]
            piece = piece_of(line) if own else None
            if own and piece and piece.stream != own.stream:
                position = stop + 1
                continue
            try:
                found = self.parser.unwrapper.records(line)
            except UndecodableError:
                break
            if len(found) != 1 or found[0].envelopes != wrappers or event_of(found[0], any_source_flag()) is not None:
                break
            messages.append(found[0].message)
            starts.append(position)
            position = stop + 1
        return messages, starts

    def _whole(self, raw: bytes, start: int, end: int) -> bytes | None:
        """The line that the one at `start` is a piece of, itself where it is none; None where more of the file is needed."""
        if split := split_on(raw):
            return self._rejoin(split, start)
        piece = piece_of(raw)
        return self._join(piece, end) if piece and piece.partial else raw

    def _join(self, first: Piece, end: int) -> bytes | None:
        """The whole line that begins with the piece `first`; None where its end is not in this block."""
        pieces, size, position = [first], len(first.content), end + 1
        for _ in range(MAX_PIECES):
            if position >= len(self.data):
                if not self.last:
                    return None
                break
            stop = self.data.find(b"\n", position)
            stop = len(self.data) if stop < 0 else stop
            line = self.data[position:stop]
            piece = piece_of(line)
            if piece is None or piece.kind != first.kind:
                break
            if piece.stream == first.stream and position not in self.joined:
                if self._is_event(line) and not self._is_event(joined([*pieces, piece])):
                    break  # the program ended in the middle of its line, and was started again
                size += len(piece.content)
                if size > MAX_JOINED:
                    break
                pieces.append(piece)
                self.joined.add(position)
                if not piece.partial:
                    break
            position = stop + 1
        return joined(pieces)

    def _is_event(self, line: bytes) -> bool:
        try:
            found = self.parser.unwrapper.records(line)
        except UndecodableError:
            return False
        return any(isinstance(event_of(record, any_source_flag()), Event) for record in found)

    def _rejoin(self, first: Split, start: int) -> bytes | None:
        """The entry that the one at `start` was cut from; None where a part of it is not in this block."""
        sign, splits, position = first.uid.encode(), {first.number: first}, start
        while len(splits) < first.total and (place := self.data.find(sign, position)) >= 0:
            begin, stop = self.data.rfind(b"\n", 0, place) + 1, self.data.find(b"\n", place)
            position = stop = stop if stop >= 0 else len(self.data)
            split = split_on(self.data[begin:stop])
            if split and split.uid == first.uid and begin >= start:
                splits[split.number] = split
                self.joined.add(begin)
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
        time = time_of(self.data[start : stop if stop >= 0 else consumed], self.parser)
        if time is not None and start not in self.relevant:
            self.relevant.add(start)
            self.rows.seen(time, 1)
        return None if time is None else time // DAY_US


def _sewn(raw: bytes) -> list[tuple[int, bytes]]:
    """What stands on a line before, between and behind its seams, each with its place; mostly the line itself."""
    places = [0, *(place for seam in _SEAM.finditer(raw) for place in seam.span()), len(raw)]
    pieces = [(start, raw[start:end]) for start, end in zip(places[::2], places[1::2], strict=True)]
    return [piece for piece in pieces if piece[1].strip()] or pieces[:1]
