"""A JSON document (an array, pretty-printed or concatenated objects, one object that holds an array) -> its records.

The document is never held whole: a record is given as soon as its last bracket is read. The records of one big object
are given in that object's skeleton (`{"events":[...]}`), so that the same envelopes take them apart as on one line.
"""

import re
from collections.abc import Iterable, Iterator

from ingest.decode import compact
from ingest.parse import Element
from ingest.splits import Split, rejoined, split_on

LARGEST = 16 * 1024 * 1024
TOO_LONG = f"the record is longer than {LARGEST // 2**20} MiB"
_TOKEN = re.compile(rb'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[{}\[\]]|"')
_HOLDERS = {b'"events"', b'"logEvents"', b'"entries"', b'"records"', b'"resourceLogs"', b'"results"'}
_MESSAGES = {b'"message"', b'"msg"', b'"log"', b'"line"', b'"_source"', b'"jsonPayload"', b'"textPayload"'}


class Rejoiner:
    """Takes the records of a document, gives them with Google Cloud entries that were cut put together again."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[Element, dict[int, Split]]] = {}

    def feed(self, elements: Iterable[Element], *, last: bool = False) -> Iterator[Element]:
        """The records that are whole by now; with `last`, also those of which a part is missing."""
        for element in elements:
            split = split_on(element.data)
            if split is None:
                yield element
                continue
            first, splits = self._open.setdefault(split.uid, (element, {}))
            splits[split.number] = split
            if len(splits) == split.total:
                del self._open[split.uid]
                yield self._whole(first, splits)
        if last:
            yield from (self._whole(first, splits) for first, splits in self._open.values())

    def _whole(self, first: Element, splits: dict[int, Split]) -> Element:
        return first._replace(data=compact(rejoined(splits.values())).encode())


class Splitter:
    """Takes chunks of a document, gives its records."""

    def __init__(self) -> None:
        self._buffer = b""
        self._base = 0  # offset of the buffer in the document
        self._counted = 0  # up to where line feeds were counted in the buffer
        self._feeds = 0  # how many there are before that in the document
        self._scanned = 0  # up to where the buffer was scanned
        self._depth = 0
        self._start: int | None = None  # where the open record starts, in the buffer
        self._gap = 0  # where what lies between records starts, in the buffer
        self._level = 0  # depth at which records stand
        self._wrap: tuple[bytes, bytes] = (b"", b"")
        self._key = b""
        self._spoken = False  # the open top-level object has a message of its own
        self._in_hits = False
        self._held = False  # the open top-level object gave its records one by one

    def feed(self, data: bytes, *, last: bool = False) -> Iterator[Element]:
        """The records that end within `data`; with `last`, also what is left over at the end."""
        self._buffer += data
        while found := _TOKEN.search(self._buffer, self._scanned):
            token = found.group()
            if token == b'"' and b"\n" not in self._buffer[found.start() :] and not last:
                break  # the string may go on in the next chunk
            if token[:1] == b'"' and len(token) > 1 and found.end() >= len(self._buffer) and not last:
                break  # whether it is a key is told by what follows
            self._scanned = found.end()
            yield from self._token(token, found.start(), found.end())
        else:
            self._scanned = len(self._buffer)
        if last:
            yield from self._end()
        else:
            yield from self._shorten()

    def _token(self, token: bytes, start: int, end: int) -> Iterator[Element]:
        if token[:1] == b'"':
            if self._start is None or self._depth <= 2:
                self._string(token, end)
            return
        if token in b"{[":
            yield from self._opens(token, start)
        elif self._depth > 0:
            self._depth -= 1
            if self._start is not None and self._depth == self._level:
                yield self._element(self._start, end)
                self._start, self._gap = None, end
            elif self._start is None and self._depth < self._level:
                # The array of records has ended.
                yield from self._between(start)
                self._gap = end
                self._level = 0
                self._wrap = (b"", b"")

    def _opens(self, token: bytes, start: int) -> Iterator[Element]:
        holder = self._holder(token)
        self._depth += 1
        if holder:
            self._wrap = holder
            self._start, self._level, self._held, self._gap = None, self._depth, True, start + 1
        elif self._start is None and self._depth == self._level + 1:
            if token == b"[" and self._depth == 1:
                yield from self._between(start)
                self._level, self._gap = 1, start + 1
            elif not self._held or self._level:
                yield from self._between(start)
                self._start, self._spoken, self._in_hits = start, False, False
        self._key = b""
        if self._depth == 1:
            self._held = False
            if token == b"{":
                self._start, self._spoken, self._in_hits = start, False, False

    def _holder(self, token: bytes) -> tuple[bytes, bytes] | None:
        if self._start is None or self._level or self._spoken:
            return None
        if token == b"[" and self._depth == 1 and self._key in _HOLDERS:
            return b"{" + self._key + b":[", b"]}"
        if token == b"{" and self._depth == 1:
            self._in_hits = self._key == b'"hits"'
        if token == b"[" and self._depth == 2 and self._in_hits and self._key == b'"hits"':
            return b'{"hits":{"hits":[', b"]}}"
        return None

    def _string(self, token: bytes, end: int) -> None:
        rest = self._buffer[end : end + 64].lstrip()
        if rest[:1] == b":":
            self._key = token
            self._spoken = self._spoken or (self._depth == 1 and token in _MESSAGES)

    def _element(self, start: int, end: int) -> Element:
        before, after = self._wrap
        return Element(before + self._buffer[start:end] + after, self._base + start, self._line(start))

    def _line(self, place: int) -> int:
        """How many line feeds stand before a place in the buffer: counted from the last such place, or it takes forever."""
        counted = self._counted
        if place >= counted:
            self._feeds += self._buffer.count(b"\n", counted, place)
        else:
            self._feeds -= self._buffer.count(b"\n", place, counted)
        self._counted = place
        return self._feeds

    def _between(self, until: int) -> Iterator[Element]:
        """Text between records is no JSON, but it may hold lines that matter."""
        position = self._gap
        for raw in self._buffer[self._gap : until].split(b"\n"):
            if raw.strip(b" \t\r,\x00\xef\xbb\xbf"):
                yield Element(raw, self._base + position, self._line(position))
            position += len(raw) + 1

    def _shorten(self) -> Iterator[Element]:
        keep = self._start if self._start is not None else min(self._gap, self._scanned)
        if self._start is None and self._scanned - keep > LARGEST:
            yield from self._between(self._scanned)
            keep = self._gap = self._scanned
        if self._start is not None and len(self._buffer) - self._start > LARGEST:
            # Too large to be held: what is here is given as it is, and will be refused if it holds a marker.
            yield self._element(self._start, len(self._buffer))._replace(why=TOO_LONG)
            self._start = keep = self._scanned = len(self._buffer)
        self._line(keep)
        self._counted = 0
        self._buffer = self._buffer[keep:]
        self._base += keep
        self._scanned -= keep
        self._gap = max(0, self._gap - keep)
        if self._start is not None:
            self._start -= keep

    def _end(self) -> Iterator[Element]:
        if self._start is not None:
            yield self._element(self._start, len(self._buffer))
        else:
            yield from self._between(len(self._buffer))
