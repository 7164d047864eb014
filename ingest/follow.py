"""Reading on as logs grow: the files are looked at twice a second, and what is new is stored at once.

A file is held open and known by its inode, so that it is read to its end also after it was renamed. A copy, a compressed
copy, and a file that began anew under its name are told by what they hold, as in any other ingest.
"""

import os
import signal
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ingest import framing
from ingest.compression import compression_of
from ingest.derived import derive
from ingest.discover import STDIN, Found, discover, shown, stream_of
from ingest.errors import IngestError, UnreadableError
from ingest.identity import Stamp, head_digest
from ingest.link import link
from ingest.reader import Part, Seen, Tail, started
from ingest.redact import Redaction
from ingest.run import Run, Summary, begin, finish
from ingest.settings import IngestSettings
from ingest.spools import opened_now
from ingest.store import ConflictError
from storefile import StoreError

POLL_SECONDS = 0.5
QUIET_SECONDS = 2.0
"""What is written as a whole (an archive, a document) is read when it has not changed for so long."""
LINGER_SECONDS = 10.0
"""A file that is gone from its folder is still read from for so long after its last line: its writer may still hold it."""
RECENT_SECONDS = 120.0
"""A rotated file that was not asked for is looked at when it was written to within so long, or when following begins."""
LARGEST_CHECKED = 64 * 1024 * 1024
"""So much is held until it is certain that the file was not truncated while it was read."""
GUARD = 1024
"""So many bytes before the place to go on from tell whether the file is still the one that was read."""


@dataclass(slots=True)
class Watched:
    """A file as it was last looked at. `raw` is open while it is read line by line."""

    path: str
    stamp: tuple[int, int] | None = None
    changed: float = 0.0
    raw: BinaryIO | None = None
    tail: Tail | None = None
    guard: bytes = b""
    size: int = 0

    def close(self) -> None:
        if self.raw:
            self.raw.close()
        self.raw = self.tail = self.stamp = None


def follow(
    paths: Sequence[str],
    db: Path,
    stop: threading.Event,
    *,
    tz: str = "UTC",
    settings: IngestSettings | None = None,
    redact: Redaction | None = None,
    dedupe: bool = False,
    tell: Callable[[str], None] = lambda sentence: None,
) -> Summary:
    """Read the logs at `paths` into the store `db`, and go on as they grow until `stop` is set.

    A last line without a line feed waits for it. `tell` is told what cannot be done for now. Raises as `ingest` does, but a
    store that is in use, or a disk that is full, is waited for.
    """
    if STDIN in paths:
        raise IngestError("-: standard input is read to its end and cannot be followed; leave out --follow")
    for path in discover(paths).named:  # a misspelt path is told at once, one that vanishes later is waited for
        with suppress(OSError):
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise IngestError(
                    f"{path}: a pipe or a device can be read but once and not be followed; leave out --follow"
                )
    run = begin(db, tz=tz, settings=settings, redact=redact)
    follower = _Follower(run, paths, tell)
    try:
        while not stop.wait(POLL_SECONDS if follower.rounds else 0):
            follower.look()
        follower.look(last=True)
        return finish(run, follower.found, dedupe=dedupe)
    finally:
        follower.close()


@contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
    """An event that SIGTERM and Ctrl-C set; a second Ctrl-C interrupts as usual."""
    stop = threading.Event()
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def ask(number: int, _frame: object) -> None:
        stop.set()
        signal.signal(number, before[signal.Signals(number)])

    for number in before:
        signal.signal(number, ask)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Follower:
    """The files that are followed, and the run that stores what they hold."""

    def __init__(self, run: Run, paths: Sequence[str], tell: Callable[[str], None]) -> None:
        self.run, self.paths, self.tell = run, paths, tell
        self.found = Found()
        self.rounds = 0
        self._files: dict[tuple[int, int], Watched] = {}
        self._places: dict[str, tuple[int, int]] = {}  # the inode that each path stood for
        self._beside: dict[str, float] = {}  # rotated files that were not asked for, and since when
        self._trouble = ""
        self._linked = (0, 0.0)  # events at the last link, and when the next may be

    def look(self, *, last: bool = False) -> None:
        """Read what is new, and store it; what cannot be stored now is kept for the next time, unless it is the `last`."""
        self.rounds += 1
        try:
            self.run.flush()  # what was left from a round that failed, before anything is read on
            self._places = self._listed()
            for path, key in list(self._places.items()):
                self._one(key, path, last)
            self._gone(last)
            self.run.flush()
            self._link()
        except ConflictError:
            self._start_over()
            if last:
                self.look(last=True)
        except StoreError as error:
            if last:
                raise
            if str(error) != self._trouble:
                self._trouble = str(error)
                self.tell(f"{error}; what is read waits for it")
        else:
            self._trouble = ""

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self.run.spools.close()

    def _listed(self) -> dict[str, tuple[int, int]]:
        """The files that are there now with their inodes, and those beside a file that began anew."""
        found = Found()
        for path in self.paths:
            with suppress(IngestError):  # it is being rotated, or was removed
                one = discover([path])
                found.files += one.files
                found.named |= one.named
                found.unread += one.unread
                found.passed += one.passed
        self.found = found
        there = _inodes(found.files)
        for path, key in there.items():
            if self._places.get(path) != key and path in found.named:
                self._beside |= dict.fromkeys(self._siblings(path), time.monotonic())
        for path, key in _inodes(self._beside).items():
            file = self._files.get(key)
            waits = file is not None and file.tail is None and file.changed
            if path in there or (time.monotonic() - self._beside[path] > LINGER_SECONDS and not waits):
                del self._beside[path]
            else:
                there[path] = key
        return there

    def _siblings(self, path: str) -> Iterator[str]:
        """Rotated files of the same stream that hold what was written before the rotation: those that go on with one that is
        known, and those written to since the log at `path` was last read, for it may have been rotated more than once."""
        absolute = os.path.abspath(path)
        seen, named = self.run.seen.get(path), self.run.known.names.get(shown(absolute))
        read = seen.stamp if seen and seen.stamp else named[0] if named else None
        for name in sorted(os.listdir(os.path.dirname(absolute))):
            other = os.path.join(os.path.dirname(absolute), name)
            if other == absolute or stream_of(other) != stream_of(absolute):
                continue
            with suppress(OSError):
                status = os.lstat(other)
                if not stat.S_ISREG(status.st_mode):
                    continue  # a pipe would be waited for, and a link may lead anywhere
                stamp = Stamp(status.st_size, status.st_mtime_ns, status.st_ino)
                if self.run.known.untouched(shown(other), stamp):
                    continue
                since = read is not None and stamp.mtime_ns >= read.mtime_ns
                recent = self.rounds == 1 or status.st_mtime > time.time() - RECENT_SECONDS
                if since or (recent and self._goes_on(other)):
                    yield other

    def _goes_on(self, path: str) -> bool:
        """Whether the file begins with the first line of one that is known."""
        with suppress(OSError, UnreadableError), opened_now(path) as raw:
            _, head = started(raw, compression_of(raw.read(8)))
            return bool(head) and bool(self.run.known.candidates(head_digest(head), ""))
        return False

    def _one(self, key: tuple[int, int], path: str, last: bool) -> None:
        file = self._files.setdefault(key, Watched(path))
        file.path = path
        if file.tail:
            self._grow(file)
        if file.tail:
            return
        with suppress(OSError):
            status = os.stat(path)
            stamp = (status.st_size, status.st_mtime_ns)
            if stamp != file.stamp:
                file.stamp, file.changed = stamp, time.monotonic()
            elif not file.changed:
                return
            if self._is_whole(path) and time.monotonic() - file.changed < QUIET_SECONDS and not last:
                return
            self._read(file)

    def _is_whole(self, path: str) -> bool:
        """Whether the file is written as a whole: an archive, a document, a table."""
        with suppress(UnreadableError), opened_now(path) as raw:
            compression = compression_of(raw.read(8))
            return compression is not None or framing.framing_of(started(raw, None)[1]) != "lines"
        return False

    def _read(self, file: Watched) -> None:
        """Read a file by what it holds, and hold it open where it is one of lines."""
        before = self.run.seen.get(file.path)
        reader = self.run.file(file.path, hold=True)
        file.changed = 0.0
        if reader.seen.problem and not os.path.exists(file.path):
            del self.run.seen[file.path]  # it was rotated away just now
            if before:
                self.run.seen[file.path] = before
        elif reader.seen.problem and not reader.seen.binary:
            self.tell(f"{file.path}: {reader.seen.problem}")
        if reader.tail is None or reader.tail.file.copy_of:
            return
        with suppress(OSError):
            raw = opened_now(file.path)  # held open as long as it is followed
            status = os.fstat(raw.fileno())
            if reader.seen.stamp and status.st_ino == reader.seen.stamp.inode:
                file.raw, file.tail, file.size = raw, reader.tail, -1
                file.guard = _before(raw, file.tail.file.progress.resume_at)
                file.changed = time.monotonic()
            else:
                raw.close()

    def _grow(self, file: Watched) -> None:
        """Read what was written to a file that is held open; one that began anew is let go."""
        assert file.raw is not None
        assert file.tail is not None
        place = file.tail.file.progress.resume_at
        status = os.fstat(file.raw.fileno())
        if (
            status.st_size < place
            or _before(file.raw, place) != file.guard
            or file.tail.file.copy_of
            or self._is_another(file, status.st_size)
        ):
            file.close()
            self._beside |= dict.fromkeys(self._siblings(file.path), time.monotonic())
            return
        if status.st_size == file.size:
            return
        parts: Iterable[Part] = file.tail.parts(file.raw, self.run.parser)
        checked = status.st_size - place < LARGEST_CHECKED
        if checked:
            parts = list(parts)
            if _before(file.raw, place) != file.guard:
                raise ConflictError  # it was truncated while it was read: what was read may be of both
        seen = self.run.seen.get(file.path)
        if seen is None or seen.file is not file.tail.file:
            seen = self.run.seen[file.path] = Seen(
                shown(os.path.abspath(file.path)), shown(file.path), file=file.tail.file, known=True
            )
        if checked:
            for part in _noted(parts, seen):
                self.run.add(file.path, part)  # all of them, before a store that is in use stops it: they are read
        else:
            self.run.take(file.path, _noted(parts, seen))
        seen.stamp = Stamp(status.st_size, status.st_mtime_ns, status.st_ino)
        file.size, file.changed = status.st_size, time.monotonic()
        file.guard = _before(file.raw, file.tail.file.progress.resume_at)

    def _is_another(self, file: Watched, size: int) -> bool:
        """Whether the file has grown to hold all of another that is known, so that it is a copy, which goes on with that one."""
        assert file.raw is not None
        assert file.tail is not None
        place, hasher = file.tail.file.progress.resume_at, file.tail.hasher.copy()
        others = [
            (other.progress.bytes, other.progress.digest)
            for other in self.run.known.candidates(file.tail.file.head_digest, "")
            if other is not file.tail.file and place < other.progress.bytes <= size and other.framing == "lines"
        ]
        file.raw.seek(place)
        for end, digest in sorted(others):
            for data in _pieces(file.raw, end - place):
                hasher.update(data)
            place = end
            if hasher.hexdigest() == digest:
                return True
        return False

    def _gone(self, last: bool) -> None:
        """Read on from files that have lost their place to another, until their writers have let go of them."""
        listed = set(self._places.values())
        for key, file in list(self._files.items()):
            if key in listed:
                continue
            if file.tail:
                self._grow(file)
            if file.tail is None or last or time.monotonic() - file.changed > LINGER_SECONDS:
                file.close()
                del self._files[key]

    def _link(self) -> None:
        """Put together what belongs together, seldom enough that most of the time is left for reading."""
        events, after = self._linked
        now = time.monotonic()
        if self.run.summary.events != events and now >= after:
            self.run.pairs += link(self.run.db)
            derive(self.run.db)
            self._linked = self.run.summary.events, now + 10 * (time.monotonic() - now)

    def _start_over(self) -> None:
        """Let go of all that is not stored, and look again for the files that held it, wherever they are by now."""
        self._beside = dict.fromkeys([*self._beside, *self.run.waiting], time.monotonic())
        self._places = {}
        self.run.forget()
        for file in self._files.values():
            file.close()


def _noted(parts: Iterable[Part], seen: Seen) -> Iterator[Part]:
    for part in parts:
        seen.known = False
        seen.chained = seen.chained or "audit" in part.rows.envelopes()
        yield part


def _pieces(raw: BinaryIO, count: int) -> Iterator[bytes]:
    while count and (data := raw.read(min(count, framing.BLOCK))):
        count -= len(data)
        yield data


def _inodes(paths: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Which inode each path stands for; none for what is gone, or is no regular file (any more)."""
    found = {}
    for path in dict.fromkeys(paths):
        with suppress(OSError):
            status = os.stat(path)
            if stat.S_ISREG(status.st_mode):
                found[path] = (status.st_dev, status.st_ino)
    return found


def _before(raw: BinaryIO, place: int) -> bytes:
    start = max(0, place - GUARD)
    return os.pread(raw.fileno(), place - start, start)
