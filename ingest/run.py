"""The whole of an ingest: files one after the other, parsed with no store open, stored in batches, then linked."""

import os
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from ingest.discover import STDIN, discover
from ingest.identity import Known
from ingest.link import link
from ingest.mapping import current_mapping, with_checks
from ingest.parse import Parser
from ingest.progress import Progress, Silent
from ingest.reader import FileReader, Seen, Spools
from ingest.redact import Redaction, Redactor, digest, redactor
from ingest.search import standard_search
from ingest.settings import IngestSettings
from ingest.store import (
    Batch,
    ConflictError,
    choose_redaction,
    known_files,
    map_again,
    note_key,
    prepare,
    store_batch,
    store_names,
)
from ingest.times import zone
from ingest.unwrap import Unwrapper
from ingest.verify import keep_chains

FIGURES = ("files", "bytes", "lines", "events", "fires", "rejected", "undated", "unmapped", "skipped_files", "seconds")


@dataclass(slots=True)
class Summary:
    """What one ingest did: this call's figures. `problems` are files that were not read, or not to their end, with the
    reason; `notes` are things worth knowing that are no failure."""

    files: int = 0
    bytes: int = 0
    lines: int = 0
    events: int = 0
    fires: int = 0
    rejected: int = 0
    undated: int = 0
    unmapped: int = 0
    skipped_files: int = 0
    left_out: int = 0
    seconds: float = 0.0
    problems: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """The object that `gatecov ingest --json` prints."""
        everything = asdict(self)
        return {name: everything[name] for name in FIGURES}


def ingest(
    paths: Sequence[str],
    db: Path,
    *,
    tz: str = "UTC",
    settings: IngestSettings | None = None,
    progress: Progress | None = None,
    stdin: BinaryIO | None = None,
    redact: Redaction | None = None,
) -> Summary:
    """Read the logs at `paths` (files, folders, patterns, `-` for `stdin`) into the store `db`.

    Local times are read as times in `tz`. What was read before adds nothing. `redact` says what is done to texts before
    they are stored; without it the same as in the last ingest into this store. Raises IngestError for a path that does
    not exist or an unknown zone, and storefile.StoreError for a store that cannot be used; a file that cannot be read
    is a problem in the summary, and the others are read all the same.
    """
    started = time.time_ns()
    found = discover(paths)
    parser = Parser(Unwrapper(zone(tz), settings or IngestSettings()), standard_search())
    prepare(db)
    hide = redactor(Redaction(choose_redaction(db, redact)), db)
    other_key = hide.choice is not Redaction.none and note_key(db, digest(hide.key, "gatecov")[:16])
    run = _Run(db, parser, progress or Silent(), stdin, hide)
    run.progress.start(sum(_size(file) for file in found.files))
    try:
        run.read(found.files)
        broken = keep_chains(db, run.seen, run.spools)
    finally:
        run.progress.stop()
        run.spools.close()
    store_names(db, run.seen.values(), started)
    summary = run.summary
    map_again(db, current_mapping())
    pairs = link(db)
    summary.problems += [*found.unread, *((folder, "the folder holds no files") for folder in found.empty_folders)]
    _count(summary, run.seen.values())
    summary.notes += [f"hash chain of {one.sentence()}" for one in broken]
    if summary.left_out:
        summary.notes.append(f"left out, because the store was purged of such records: {summary.left_out}")
    if other_key:
        summary.notes.append(
            "texts are hashed with another key than before: equal texts of then and now are not told as equal"
        )
    if pairs:
        summary.notes.append(f"{pairs} fires stood both in an audit file and on the console; each counts once")
    if run.mentions:
        summary.notes.append(f"{run.mentions} lines merely mention a marker in their text and are no records of it")
    summary.seconds = round((time.time_ns() - started) / 1e9, 3)
    return summary


class _Run:
    """One ingest under way."""

    def __init__(
        self, db: Path, parser: Parser, progress: Progress, stdin: BinaryIO | None, redactor: Redactor
    ) -> None:
        self.redactor = redactor
        self.db, self.parser, self.progress, self.spools = db, parser, progress, Spools(stdin)
        self.known: Known = known_files(db)
        self.batch = Batch()
        self.waiting: list[str] = []  # files with parts in the batch
        self.seen: dict[str, Seen] = {}
        self.summary = Summary()
        self.mentions = 0

    def read(self, files: Sequence[str]) -> None:
        queue = deque(files)
        while queue or self.batch.parts:
            try:
                if queue:
                    self._file(queue[0])
                    queue.popleft()
                if self.batch.full or not queue:
                    self._flush()
            except ConflictError:
                # Another ingest stored some of these files: what it left is found by looking at them again.
                again = [file for file in self.waiting if not queue or file != queue[0]]
                queue.extendleft(reversed(again))
                self.batch, self.waiting = Batch(), []
                self.known = known_files(self.db)

    def _file(self, file: str) -> None:
        self.progress.file(os.path.basename(file))
        reader = FileReader(file, self.known, self.parser, self.spools, self.progress.advance)
        for part in reader.parts():
            if file not in self.waiting:
                self.waiting.append(file)
            # Reasons are told from what was logged; only then is it taken out.
            fires = with_checks(part.frames.fires, current_mapping())
            part.frames = self.redactor.frames(replace(part.frames, fires=fires))
            self.batch.add(part)
            if self.batch.full:
                self._flush()
        self.seen[file] = reader.seen

    def _flush(self) -> None:
        if not self.batch.parts:
            return
        counts = store_batch(self.db, self.batch, self.known, self.redactor.choice)
        for name in counts.__slots__:
            setattr(self.summary, name, getattr(self.summary, name) + getattr(counts, name))
        self.mentions += sum(part.frames.mentions for part in self.batch.parts)
        self.batch, self.waiting = Batch(), []


def _count(summary: Summary, seen: Iterable[Seen]) -> None:
    for one in seen:
        if one.problem:
            summary.problems.append((one.name, one.problem))
        if one.known:
            summary.skipped_files += 1
        elif one.file or one.empty:
            summary.files += 1
        if one.replaced:
            summary.notes.append(f"{one.name}: the document changed since it was read, and was read anew as a whole")


def _size(file: str) -> int:
    try:
        return 0 if file == STDIN else os.path.getsize(file)
    except OSError:
        return 0
