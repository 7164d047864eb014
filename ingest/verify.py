"""The hash chains of audit files: verified over the file as a whole, after it was read, and kept in the store.

A chain may go on in the next file of a stream (a file that was rotated while a turn ran), so the newest hashes of the
last chains are kept, and every file of the stream may follow on them.
"""

import datetime as dt
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from checks.turn.chain import ChainReport, verify_numbered
from ingest.compression import Source, compression_of
from ingest.discover import discover, stream_of
from ingest.errors import UnreadableError
from ingest.framing import chunks
from ingest.reader import Seen, started
from ingest.spools import Spools
from storefile import opened, transaction

SIGN = b"prevHash"
"""What a line with a hash in it holds."""
MOST_ENDS = 64
"""How many chains may have been going on when a file was rotated."""


@dataclass(frozen=True, slots=True)
class Verified:
    """One file and what was found in it."""

    file: str
    report: ChainReport

    def sentence(self) -> str:
        found = self.report
        if found.status == "not a chain":
            return f"{self.file}: not a chain; no event in it carries a hash"
        events = f"{found.events:,} event{'s' * (found.events != 1)}"
        chains = f"{found.chains:,} chain{'s' * (found.chains != 1)} that begin{'s' * (found.chains == 1)} here"
        if found.status == "broken":
            return f"{self.file}: broken at line {found.line}: {found.why} (before it {events} hold, in {chains})"
        return f"{self.file}: intact, {events} in {chains}; a tail that was cut off cannot be detected"


def verify_stream(raw: BinaryIO, before: Iterable[str] = ()) -> ChainReport:
    """The report on one file's bytes, compressed or not; lines that are too long to be held are passed over.

    Raises UnreadableError for damage.
    """
    raw.seek(0)
    stream, head = started(raw, compression_of(raw.read(8)))
    return verify_numbered(_lines(stream, head), before)


def verify_paths(paths: Iterable[str]) -> tuple[list[Verified], list[tuple[str, str]]]:
    """The files behind `paths` as they are now, the oldest of a stream first, and those that could not be read.

    Raises IngestError for a path that is not there.
    """
    found = discover(list(paths))
    ends: dict[str, list[str]] = {}
    verified, problems = [], list(found.unread)
    for file in found.files:
        stream = stream_of(file)
        try:
            with open(file, "rb") as raw:
                report = verify_stream(raw, ends.get(stream, ()))
        except (OSError, UnreadableError) as error:
            problems.append((file, (getattr(error, "strerror", None) or str(error)).lower()))
            continue
        ends.setdefault(stream, []).extend(report.ends[-MOST_ENDS:])
        verified.append(Verified(file, report))
    return verified, problems


def stored_chains(db: Path) -> list[Verified]:
    """What the last ingests found, by file."""
    columns = "f.file, c.status, c.events, c.chains, c.line, c.why"
    with opened(db) as connection:
        rows = connection.execute(
            f"SELECT {columns} FROM chains c JOIN files f ON f.file_id = c.file_id ORDER BY f.file"
        ).fetchall()
    return [
        Verified(file, ChainReport(status, events, chains, 0, line, why))
        for file, status, events, chains, line, why in rows
    ]


def keep_chains(db: Path, seen: Mapping[str, Seen], spools: Spools) -> list[Verified]:
    """Verify the audit files among those that an ingest has just read, by the path of each, and store the reports.

    A file of the same streams that was broken before is verified again, since it may have lacked an earlier one.
    Gives those that are broken.
    """
    read = {one.file.file_id: path for path, one in seen.items() if one.chained and one.file and one.file.file_id}
    if not read:
        return []
    with opened(db) as connection:
        columns = "f.file_id, f.file, f.stream, c.ends, c.status"
        rows = connection.execute(
            f"SELECT {columns} FROM files f LEFT JOIN chains c ON c.file_id = f.file_id"
        ).fetchall()
    streams = {file_id: stream for file_id, _, stream, _, _ in rows}
    ends: dict[int, list[str]] = {file_id: list(known or ()) for file_id, _, _, known, _ in rows}
    touched = {streams[file_id] for file_id in read if file_id in streams}
    broken = {row[0]: row[1] for row in rows if row[4] == "broken" and row[2] in touched and os.path.isfile(row[1])}
    reports: dict[int, ChainReport] = {}
    for file_id, path in (read | {other: file for other, file in broken.items() if other not in read}).items():
        siblings = [other for other in ends if other != file_id and streams[other] == streams[file_id]]
        try:
            with spools.opened(path) as raw:
                reports[file_id] = verify_stream(raw, (end for other in siblings for end in ends[other]))
        except (OSError, UnreadableError):
            continue  # what cannot be read is told by the ingest itself
        ends[file_id] = list(reports[file_id].ends[-MOST_ENDS:])
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
    with opened(db, write=True) as connection, transaction(connection):
        for file_id, found in reports.items():
            connection.execute(
                "INSERT OR REPLACE INTO chains VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [file_id, found.status, found.chains, found.events, found.line, found.why, ends[file_id], now],
            )
    paths = broken | read
    return [Verified(paths[file_id], found) for file_id, found in reports.items() if found.status == "broken"]


def _lines(stream: Source, head: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines with a hash in them, with their numbers."""
    line = 1
    for chunk in chunks(stream, head):
        data = chunk.data
        counted = 0
        place = data.find(SIGN) if chunk.kind != "long" else -1
        while place >= 0:
            start = data.rfind(b"\n", 0, place) + 1
            stop = data.find(b"\n", place)
            stop = len(data) if stop < 0 else stop
            line += data.count(b"\n", counted, start)
            counted = start
            yield line, data[start:stop]
            place = data.find(SIGN, stop)
        line += data.count(b"\n", counted)
