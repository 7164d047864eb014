"""One file -> parts: rows with the progress that they stand for. No database; what is known of files is handed in."""

import codecs
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

import xxhash

from ingest import framing
from ingest.ahead import ahead
from ingest.block import Found, Origin
from ingest.compression import Decompressed, Source, compression_of
from ingest.discover import STDIN, shown, stream_of
from ingest.document import Rejoiner, Splitter
from ingest.errors import BinaryError, UnreadableError
from ingest.framing import Transcoded, chunks
from ingest.identity import (
    Known,
    KnownFile,
    Match,
    Progress,
    Stamp,
    digest_of,
    finished,
    head_digest,
    match,
    unread_progress,
)
from ingest.line import Parser
from ingest.longline import LongLine
from ingest.parse import read_block, read_elements
from ingest.rows import Rows
from ingest.spools import Spools, opened_now
from ingest.table import Table

LARGEST_CARRY = 4 * framing.BLOCK


@dataclass(slots=True)
class Part:
    """Some rows of a file, and its progress once they are stored; `before` is what it was without them.

    Rows of the file from `replace_from` on (a byte offset; None for none) give way to these. `held` says that nothing
    follows as yet, but a line that may not be whole.
    """

    file: KnownFile
    rows: Rows
    before: Progress
    progress: Progress
    replace_from: int | None
    offset: int
    held: bool = False

    def cut(self, start: int) -> None:
        """Let go of the rows from byte `start` on, which others are to replace."""
        self.rows.split(start)
        if self.offset >= start:
            self.rows.days = {}

    def split(self, count: int) -> "Part":
        """Take out the rows that have `count` before them, but none of a line with some that stay; what was taken out.

        The rows that stay do not count as progress: where nothing follows them, they are read again and give way. But
        they are noted, so that another ingest that read the same lines does not take its own for what follows them.
        """
        start = self.rows.offset_of(count)
        rest = replace(self, rows=self.rows.split(start), replace_from=None)
        self.progress = replace(self.before, beyond=start)
        return rest


@dataclass(slots=True)
class Seen:
    """What became of a file: `known` when nothing new was in it, `empty` when nothing was in it at all, `binary` when it is
    no log, `chained` when audit events with hashes may stand in it. `name` is absolute, `path` as it was given."""

    name: str
    path: str
    stamp: Stamp | None = None
    file: KnownFile | None = None
    known: bool = False
    empty: bool = False
    replaced: bool = False
    chained: bool = False
    binary: bool = False
    problem: str | None = None


@dataclass(slots=True)
class Tail:
    """Where a file of lines was left: `hasher` has digested all before `file.progress.resume_at`."""

    file: KnownFile
    hasher: xxhash.xxh3_128

    def parts(self, raw: BinaryIO, parser: Parser) -> Iterator[Part]:
        """What was written since then; a last line without a line feed is left where it is."""
        progress = self.file.progress
        raw.seek(progress.resume_at)
        again = progress.resume_at if progress.bytes > progress.resume_at else None
        reading = _Reading(self.file, parser, self.file.head_digest, again, lambda size: None, hold=True)
        for part in reading.lines(raw, b"", self.hasher):
            self.hasher = reading.hasher  # at once: whoever takes the parts may stop after any
            yield part


class FileReader:
    """Reads one file; `seen` says what became of it once `parts` has ended, and `tail` where it goes on, with `hold`.

    With `hold` the last line waits for its line feed, and nothing is taken for unchanged by its time and size.
    """

    def __init__(
        self,
        path: str,
        known: Known,
        parser: Parser,
        spools: Spools,
        advance: Callable[[int], None],
        *,
        hold: bool = False,
    ) -> None:
        self.hold = hold
        self.tail: Tail | None = None
        self.path, self.known, self.parser, self.spools, self.advance = path, known, parser, spools, advance
        self.seen = Seen(path if path == STDIN else shown(os.path.abspath(path)), shown(path))

    def parts(self) -> Iterator[Part]:
        """The parts of the file, in order; what keeps it from being read becomes `seen.problem`."""
        try:
            raw = self._open()
        except (OSError, ValueError) as error:
            self.seen.problem = (getattr(error, "strerror", None) or str(error)).lower()
            return
        if raw is None:
            return
        try:
            for part in self._read(raw):
                self.seen.chained = self.seen.chained or "audit" in part.rows.envelopes()
                yield part
        except UnreadableError as error:
            self.seen.problem, self.seen.binary = str(error), isinstance(error, BinaryError)
        except OSError as error:
            self.seen.problem = (error.strerror or str(error)).lower()
        finally:
            if self.seen.stamp:
                raw.close()

    def _open(self) -> BinaryIO | None:
        if self.path == STDIN or self.path in self.spools.files:
            return self.spools.of(self.path, None)
        raw = opened_now(self.path) if self.hold else open(self.path, "rb")  # noqa: SIM115 - closed by the caller
        status = os.fstat(raw.fileno())
        if not stat.S_ISREG(status.st_mode):
            return self.spools.of(self.path, raw)
        self.seen.stamp = Stamp(status.st_size, status.st_mtime_ns, status.st_ino)
        file = None if self.hold else self.known.untouched(self.seen.name, self.seen.stamp)
        if file is None:
            return raw
        self.seen.file, self.seen.known = file, True
        self.advance(status.st_size)
        raw.close()
        return None

    def _read(self, raw: BinaryIO) -> Iterator[Part]:
        raw.seek(0)
        compression = compression_of(raw.read(8))
        stream, head = started(raw, compression)
        if not head:
            self.seen.empty = True
            return
        self.seen.chained = b"prevHash" in head
        if framing.looks_binary(head):
            stream.read(1)  # raises where the data is damaged, which says more than what it left
            raise BinaryError("it is a binary file, not a log; give text, or text compressed as gz, bz2, xz or zst")
        candidates = self.known.candidates(head_digest(head), self.seen.name)
        found = Match(None, False, xxhash.xxh3_128())
        if candidates:
            found = match(stream, head, candidates)
            if found.whole and found.file and found.file.progress.complete:
                self.seen.file, self.seen.known = found.file, True
                self.advance(self.seen.stamp.size if self.seen.stamp else 0)
                if found.file.framing == "lines":
                    self._leave(found.file, found.hasher, stream, compression)
                return
            stream, head = started(raw, compression)
        layout = framing.framing_of(head)
        self.hold = self.hold and not compression
        if self.hold and layout == "lines" and b"\n" not in head and len(head) < framing.HEAD:
            return  # its first line, by which it is known again, is not whole
        file = found.file or self._same_document(candidates, layout)
        replace_from = None
        if file is None:
            file = KnownFile(
                self.seen.path, stream_of(self.seen.name), compression, layout, head_digest(head), unread_progress()
            )
            self.known.add(file)
        elif layout != "lines":
            replace_from, self.seen.replaced = 0, True
        else:
            replace_from = file.progress.resume_at
        self.seen.file = file
        reading = _Reading(file, self.parser, head_digest(head), replace_from, self.advance, hold=self.hold)
        if layout != "lines":
            yield from reading.document(stream, head, Table() if layout == "csv" else Splitter())
        else:
            head = _skip(stream, head, file.progress.resume_at)
            yield from reading.lines(stream, head, found.hasher)
            self._leave(file, reading.hasher, stream, compression)

    def _leave(self, file: KnownFile, hasher: xxhash.xxh3_128, stream: Source, compression: str | None) -> None:
        if self.hold and not compression and not isinstance(stream, Transcoded):
            self.tail = Tail(file, hasher)

    def _same_document(self, candidates: list[KnownFile], layout: str) -> KnownFile | None:
        if layout == "lines":
            return None
        return next(
            (
                file
                for file in candidates
                if file.framing == layout and file.file == self.seen.path and self.path != STDIN
            ),
            None,
        )


class _Reading:
    """The parts of one file that is to be read."""

    def __init__(
        self,
        file: KnownFile,
        parser: Parser,
        head: str,
        replace_from: int | None,
        advance: Callable[[int], None],
        *,
        hold: bool = False,
    ) -> None:
        self.hold = hold
        self.file, self.parser, self.replace_from, self.advance = file, parser, replace_from, advance
        self.file.head_digest = head if replace_from == 0 else file.head_digest

    def lines(self, stream: Source, head: bytes, hasher: xxhash.xxh3_128) -> Iterator[Part]:
        start = self.file.progress
        self.offset, self.line, self.hasher = start.resume_at, start.resume_line, hasher
        pending = b""
        error: UnreadableError | None = None
        long: LongLine | None = None
        source = ahead(chunks(stream, head), self.parser)
        while True:
            try:
                found = next(source, None)
            except UnreadableError as damage:
                error, found = damage, None
            if found is None:
                break
            chunk, in_chunk = found
            self.advance(len(chunk.data))
            if chunk.kind == "long":
                if pending:
                    yield self._block(pending, last=True)
                    pending = b""
                long = long or LongLine(self.hasher.copy())
                if long.add(chunk, self.parser):
                    yield self._long(long)
                    long = None
                continue
            data = pending + chunk.data if pending else chunk.data
            if chunk.kind == "tail":
                pending = data
                continue  # damage behind it is still to be heard of
            part = self._block(data, last=len(pending) > LARGEST_CARRY, found=None if pending else in_chunk)
            pending = data[part.rows.consumed :]
            yield part
        if not self.hold or error:
            yield self._end(pending, long, error)
        elif self.file.progress != start or start.complete == bool(pending or long) or self.file.stored is None:
            yield self._held(complete=not pending and not long)
        if error:
            raise error

    def _block(self, data: bytes, *, last: bool, found: Found | None = None) -> Part:
        origin = Origin(self.offset, self.line, self.file.stream)
        rows = read_block(data, origin, self.parser, last=last, found=found)
        self.hasher.update(data[: rows.consumed])
        return self._advanced(rows, rows.consumed, self.offset)

    def _long(self, long: "LongLine") -> Part:
        rows, offset = long.rows(self.file.stream, self.line, self.offset), self.offset
        self.hasher = long.hasher
        return self._advanced(rows, long.size, offset)

    def _advanced(self, rows: Rows, size: int, offset: int) -> Part:
        self.offset += size
        self.line += rows.lines
        digest = self.hasher.hexdigest()
        return self._part(rows, Progress(self.offset, digest, self.offset, self.line, digest, self.line, False), offset)

    def _end(self, pending: bytes, long: LongLine | None, error: UnreadableError | None) -> Part:
        """What follows the last line feed: it is read now, and again when the file has grown."""
        resume = self.hasher.hexdigest()
        if long:
            rows = long.rows(self.file.stream, self.line, self.offset)
            hasher, size = long.hasher, long.size
        else:
            rows = read_block(pending, Origin(self.offset, self.line, self.file.stream), self.parser, last=True)
            hasher, size = self.hasher.copy(), len(pending)
            hasher.update(pending)
        progress = Progress(
            self.offset + size,
            hasher.hexdigest(),
            self.offset,
            self.line,
            resume,
            self.line + rows.lines,
            error is None,
            str(error) if error else None,
        )
        return self._part(rows, progress, self.offset)

    def _held(self, *, complete: bool) -> Part:
        """Nothing but how far the file was read: what follows its last line feed is not there yet."""
        digest = self.hasher.hexdigest()
        progress = Progress(self.offset, digest, self.offset, self.line, digest, self.line, complete)
        part = self._part(Rows(self.file.stream), progress, self.offset)
        part.held = True
        return part

    def document(self, stream: Source, head: bytes, splitter: Splitter | Table) -> Iterator[Part]:
        hasher, size, lines = xxhash.xxh3_128(), 0, 0
        nothing = digest_of(b"")
        error: UnreadableError | None = None
        data, ends_line, whole = head, True, Rejoiner()
        while data:
            self.advance(len(data))
            rows = read_elements(list(whole.feed(splitter.feed(data))), self.file.stream, self.parser)
            hasher.update(data)
            offset, size = size, size + len(data)
            lines += data.count(b"\n")
            ends_line = data.endswith(b"\n")
            yield self._part(rows, Progress(size, hasher.hexdigest(), 0, 0, nothing, lines, False), offset)
            try:
                data = stream.read(framing.BLOCK)
            except UnreadableError as damage:
                error, data = damage, b""
        left = list(whole.feed(splitter.feed(b"", last=True), last=True))
        rows = read_elements(left, self.file.stream, self.parser)
        progress = Progress(size, hasher.hexdigest(), 0, 0, nothing, lines + (not ends_line), False)
        yield self._part(rows, finished(progress, complete=error is None, note=str(error) if error else None), size)
        if error:
            raise error

    def _part(self, rows: Rows, progress: Progress, offset: int) -> Part:
        part = Part(self.file, rows, self.file.progress, progress, self.replace_from, offset)
        self.replace_from = None
        self.file.progress = progress
        return part


def started(raw: BinaryIO, compression: str | None) -> tuple[Source, bytes]:
    """The decompressed stream as UTF-8, from its start, and its first bytes."""
    raw.seek(0)
    stream: Source = Decompressed(raw, compression)
    head = stream.read(framing.HEAD)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        stream = Transcoded(stream, head)
        head = stream.read(framing.HEAD)
    return stream, head


def _skip(stream: Source, head: bytes, count: int) -> bytes:
    """Go on to byte `count`; the bytes after it that are read already."""
    while count > len(head):
        count -= len(head)
        head = stream.read(framing.BLOCK)
        if not head:
            raise UnreadableError("it became shorter while it was read")
    return head[count:]
