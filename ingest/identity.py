"""Which file is it? Told by what it holds, so that a copy, a compressed copy or a renamed file is the same one."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import xxhash

from ingest.compression import Source
from ingest.errors import UnreadableError

HEAD_LINE = 4096
STEP = 4 * 1024 * 1024
RACY_NS = 2_000_000_000
"""A file that changed within this time before it was read may have changed again without a new time stamp."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a file was read: the columns of `files` that change as it is. Two that are equal stand for the same rows."""

    bytes: int
    digest: str
    resume_at: int
    resume_line: int
    resume_digest: str
    lines: int
    complete: bool
    note: str | None = None
    beyond: int | None = None


@dataclass(slots=True, eq=False)
class KnownFile:
    """A row of `files`. `stored` is its progress in the store, None while it is not there yet.

    `copy_of` is the longer file that all of it stands in, where this was just found out.
    """

    file: str
    stream: str
    compression: str | None
    framing: str
    head_digest: str
    progress: Progress
    file_id: int | None = None
    stored: Progress | None = None
    copy_of: str | None = None


@dataclass(frozen=True, slots=True)
class Stamp:
    """What the file system says of a file."""

    size: int
    mtime_ns: int
    inode: int


@dataclass(slots=True)
class Known:
    """All the files that are known: those in the store and those on their way into it."""

    files: list[KnownFile] = field(default_factory=list)
    names: dict[str, tuple[Stamp, KnownFile, int]] = field(default_factory=dict)
    _by_head: dict[str, list[KnownFile]] = field(default_factory=dict)

    def add(self, file: KnownFile) -> None:
        self.files.append(file)
        self._by_head.setdefault(file.head_digest, []).append(file)

    def untouched(self, name: str, stamp: Stamp) -> KnownFile | None:
        """The file that `name` stood for when it was last read to its end, if it has not been touched since."""
        seen = self.names.get(name)
        if seen is None:
            return None
        old, file, seen_ns = seen
        sure = stamp.mtime_ns < seen_ns - RACY_NS
        return file if old == stamp and file.progress.complete and sure else None

    def candidates(self, head: str, name: str) -> list[KnownFile]:
        """The files that a file with this digest of its first line, under this name, may be."""
        found = list(self._by_head.get(head, ()))
        named = self.names.get(name)
        if named and all(named[1] is not file for file in found):
            found.append(named[1])
        return found


@dataclass(slots=True)
class Match:
    """The known file that a stream of bytes is or continues, None for a new one.

    `whole` says that nothing follows what is known. `hasher` has digested the bytes before `resume_at` of the match.
    """

    file: KnownFile | None
    whole: bool
    hasher: xxhash.xxh3_128


def head_digest(head: bytes) -> str:
    """The digest of the first line, of which at most HEAD_LINE bytes count."""
    return digest_of(head[:HEAD_LINE].partition(b"\n")[0])


def digest_of(data: bytes) -> str:
    return str(xxhash.xxh3_128(data).hexdigest())


def match(stream: Source, head: bytes, candidates: Iterable[KnownFile]) -> Match:
    """Compare the stream (`head` was already read from it) with the candidates; the longest that fits is it."""
    known = list(candidates)
    marks = sorted({place for file in known for place in (file.progress.bytes, file.progress.resume_at)})
    hasher = xxhash.xxh3_128()
    states: dict[int, xxhash.xxh3_128] = {}
    position, waiting, more = 0, head, True
    for mark in marks:
        while position < mark and more:
            if not waiting:
                waiting, more = _read(stream)
            part, waiting = waiting[: mark - position], waiting[mark - position :]
            hasher.update(part)
            position += len(part)
        if position < mark:
            break
        states[mark] = hasher.copy()
    if not waiting and more:
        waiting, more = _read(stream)
    best = None
    for file in known:
        state = states.get(file.progress.bytes)
        if (
            state is not None
            and state.hexdigest() == file.progress.digest
            and (best is None or file.progress.bytes > best.progress.bytes)
        ):
            best = file
    if best is None:
        return Match(None, False, xxhash.xxh3_128())
    whole = best.progress.bytes == position and not waiting
    return Match(best, whole, states[best.progress.resume_at])


def _read(stream: Source) -> tuple[bytes, bool]:
    try:
        data = stream.read(STEP)
    except UnreadableError:
        return b"", False
    return data, bool(data)


def unread_progress() -> Progress:
    """The progress of a file of which nothing was read."""
    nothing = digest_of(b"")
    return Progress(0, nothing, 0, 0, nothing, 0, False)


def finished(progress: Progress, *, note: str | None = None, complete: bool = True) -> Progress:
    return replace(progress, complete=complete, note=note)
