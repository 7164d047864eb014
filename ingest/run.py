"""The whole of an ingest: files one after the other, parsed with no store open, stored in batches, then linked."""

import os
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from ingest.copies import dedupe as copies_of_records
from ingest.derived import derive
from ingest.discover import STDIN, Found, discover, shown
from ingest.frames import together
from ingest.identity import Known
from ingest.line import Parser
from ingest.link import link
from ingest.mapping import current_mapping, with_checks
from ingest.progress import Progress, Silent
from ingest.reader import FileReader, Part, Seen
from ingest.redact import Redaction, Redactor, digest, redactor
from ingest.search import standard_search
from ingest.settings import IngestSettings
from ingest.spools import Spools
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
from storefile import StoreError, opened

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
    dedupe: bool = False,
) -> Summary:
    """Read the logs at `paths` (files, folders, patterns, `-` for `stdin`) into the store `db`.

    Local times are read as times in `tz`. What was read before adds nothing. `redact` says what is done to texts before
    they are stored; without it the same as in the last ingest into this store. With `dedupe` records that stand in several
    files of the store count once. Raises IngestError for a path that does
    not exist or an unknown zone, and storefile.StoreError for a store that cannot be used; a file that cannot be read
    is a problem in the summary, and the others are read all the same.
    """
    found = discover(paths)
    run = begin(db, tz=tz, settings=settings, progress=progress, stdin=stdin, redact=redact)
    run.progress.start(sum(_size(file) for file in found.files))
    try:
        run.read(found.files)
        return finish(run, found, dedupe=dedupe)
    finally:
        run.progress.stop()
        run.spools.close()


def begin(
    db: Path,
    *,
    tz: str = "UTC",
    settings: IngestSettings | None = None,
    progress: Progress | None = None,
    stdin: BinaryIO | None = None,
    redact: Redaction | None = None,
) -> "Run":
    """A run that has read nothing yet, into a store that is ready for it; raises as `ingest` does."""
    started = time.time_ns()
    parser = Parser(Unwrapper(zone(tz), settings or IngestSettings()), standard_search())
    with opened(db, write=True):  # what is opened within it is open already, and costs no time
        prepare(db)
        hide = redactor(Redaction(choose_redaction(db, redact)), db)
        other_key = hide.choice is not Redaction.none and note_key(db, digest(hide.key, "gatecov")[:16])
        run = Run(db, parser, progress or Silent(), stdin, hide)
    run.started, run.other_key = started, other_key
    return run


def finish(run: "Run", found: Found, *, dedupe: bool = False) -> Summary:
    """Put together what was read, and sum it up."""
    db, summary = run.db, run.summary
    run.progress.stop()
    broken = keep_chains(db, run.seen, run.spools)
    with opened(db, write=True):
        store_names(db, run.seen.values(), run.started)
        map_again(db)
        pairs = run.pairs + link(db)
        copies = copies_of_records(db) if dedupe else 0
        derived = derive(db)
    summary.problems += [
        *found.unread,
        *((folder, "the folder holds no files; name the one that holds the logs") for folder in found.empty_folders),
    ]
    _count(summary, run.seen.values(), found.named)
    summary.notes += [f"{shown(path)}: {why}" for path, why in found.passed]
    summary.notes += [f"hash chain of {one.sentence()}" for one in broken]
    if summary.left_out:
        summary.notes.append(f"left out, because the store was purged of such records: {summary.left_out}")
    if run.other_key:
        summary.notes.append(
            "texts are hashed with another key than before: equal texts of then and now are not told as equal"
        )
    if dedupe:
        summary.notes.append(f"copies of records in other files, which count once (--dedupe): {copies}")
    if pairs:
        summary.notes.append(f"fires that stood both in an audit file and on the console, and count once: {pairs}")
    if not derived:
        summary.notes.append(
            "DuckDB's memory does not suffice to work out beforehand what questions are answered from; answers are right, but slow,"
            " until an ingest manages it"
        )
    if run.mentions:
        summary.notes.append(
            f"lines that hold a marker, but not at the start of their message: {run.mentions}; they count as neither events nor"
            " rejects, so look whether they are talk, or records behind a prefix that is not known (grep -F for '[SocraticStage]')"
        )
    summary.seconds = round((time.time_ns() - run.started) / 1e9, 3)
    return summary


class Run:
    """One ingest under way."""

    started = 0
    other_key = False
    pairs = 0

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
                    self.file(queue[0])
                    queue.popleft()
                if self.batch.full or not queue:
                    self.flush()
            except ConflictError:
                again = [file for file in self.waiting if not queue or file != queue[0]]
                queue.extendleft(reversed(again))
                self.forget()

    def forget(self) -> None:
        """Let go of what is not stored: another ingest stored some of these files, and what it left is found by looking again."""
        self.batch, self.waiting = Batch(), []
        self.known = known_files(self.db)

    def file(self, file: str, *, hold: bool = False) -> FileReader:
        """Read a file, as far as it goes; with `hold` a last line that has no line feed yet is left for later."""
        self.progress.file(shown(os.path.basename(file)))
        reader = FileReader(file, self.known, self.parser, self.spools, self.progress.advance, hold=hold)
        self.take(file, reader.parts())
        self.seen[file] = reader.seen
        return reader

    def take(self, file: str, parts: Iterable[Part]) -> None:
        """Put the parts of a file with those that are to be stored."""
        for part in parts:
            self.add(file, part)
            if self.batch.full:
                self.flush(whole=False)

    def add(self, file: str, part: Part) -> None:
        """Put a part of a file with what is to be stored."""
        if file not in self.waiting:
            self.waiting.append(file)
        self.batch.add(part)

    def flush(self, *, whole: bool = True) -> None:
        """Store what is waiting for it, or else as much as is quickly stored; raises ConflictError where another ingest
        was faster, and StoreError where the store cannot be used now: everything waits for the next time then."""
        if not self.batch.parts:
            return
        rest = Batch() if whole else self.batch.rest()
        frames = together([part.rows for part in self.batch.parts])
        # Reasons are told from what was logged; only then is it taken out.
        frames = self.redactor.frames(replace(frames, fires=with_checks(frames.fires, current_mapping())))
        try:
            counts = store_batch(self.db, self.batch, frames, self.known, self.redactor.choice)
        except StoreError:
            for part in rest.parts:
                self.batch.add(part)
            raise
        for name in counts.__slots__:
            setattr(self.summary, name, getattr(self.summary, name) + getattr(counts, name))
        self.mentions += frames.mentions
        self.batch, self.waiting = rest, self.waiting[-1:] if rest.parts else []


def _count(summary: Summary, seen: Iterable[Seen], named: set[str]) -> None:
    given = {shown(path) for path in named}
    for one in seen:
        if one.problem and one.binary and one.path not in given:
            summary.notes.append(f"{one.path}: {one.problem}")
        elif one.problem:
            summary.problems.append((one.path, one.problem))
        if one.file and one.file.copy_of:
            summary.skipped_files += 1
            summary.notes.append(f"{one.path}: all of it stands in {one.file.copy_of}, and counts there")
        elif one.known:
            summary.skipped_files += 1
        elif one.file or one.empty:
            summary.files += 1
        if one.replaced:
            summary.notes.append(f"{one.path}: the document changed since it was read, and was read anew as a whole")


def _size(file: str) -> int:
    try:
        return 0 if file == STDIN else os.path.getsize(file)
    except OSError:
        return 0
