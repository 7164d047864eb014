"""Writing: the schema, the catalog, and batches of parts, each in one short transaction.

A batch is only stored if the files in it still stand where they stood when it was read; else another ingest was
faster, and the files are looked at again (`ConflictError`).
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb
import polars as pl

from ingest.catalog import write_catalog
from ingest.copies import longer_copy_of
from ingest.derived import mark
from ingest.frames import Frames
from ingest.identity import Known, KnownFile, Progress, Stamp, digest_of
from ingest.mapping import current_mapping
from ingest.purged import purged_of
from ingest.reader import Part, Seen
from storefile import create, opened, transaction

BATCH_BYTES = 1024 * 1024 * 1024
BATCH_ROWS = GROUP_ROWS = 122_880
"""DuckDB writes groups of so many rows; whole ones go to the file at once, and a part of one goes there three times."""
BATCH_PARTS = 256
PROGRESS = "bytes, digest, resume_at, resume_line, resume_digest, lines, complete, note, beyond"
_EPOCH = dt.datetime(1970, 1, 1)


class ConflictError(Exception):
    """Another ingest stored something of the same files meanwhile."""


@dataclass(slots=True)
class Counts:
    """What a batch added to the store, less what it replaced."""

    bytes: int = 0
    lines: int = 0
    events: int = 0
    fires: int = 0
    rejected: int = 0
    undated: int = 0
    unmapped: int = 0
    left_out: int = 0

    def add(self, other: "Counts", sign: int = 1) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + sign * getattr(other, name))


@dataclass(slots=True)
class Batch:
    """Parts that are stored together."""

    parts: list[Part] = field(default_factory=list)
    size: int = 0
    rows: int = 0

    def add(self, part: Part) -> None:
        if part.replace_from is not None:
            for earlier in self.parts:
                if earlier.file is part.file:
                    earlier.cut(part.replace_from)
        self.parts.append(part)
        self.size += max(part.rows.consumed, part.progress.bytes - part.offset)
        self.rows += len(part.rows)

    @property
    def full(self) -> bool:
        return self.size >= BATCH_BYTES or self.rows >= BATCH_ROWS or len(self.parts) >= BATCH_PARTS

    def rest(self) -> "Batch":
        """Take out what is more than whole groups of rows, all of the last part; a batch of its own."""
        rest = Batch()
        more = self.rows % GROUP_ROWS
        last = self.parts[-1]
        if self.rows >= BATCH_ROWS and 0 < more < len(last.rows):
            part = last.split(len(last.rows) - more)
            self.rows -= len(part.rows)
            rest.add(part)
        return rest


def prepare(db: Path) -> None:
    """Make `db` a store of this version: tables, views, and the catalog as it is now."""
    with opened(db, write=True) as connection, transaction(connection):
        if not connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'meta'").fetchall():
            create(connection)
        write_catalog(connection)


def choose_redaction(db: Path, choice: str | None) -> str:
    """What is to be done to texts: as asked, else as the last ingest into this store did; it is noted in the store."""
    with opened(db, write=True) as connection, transaction(connection):
        found = connection.execute("SELECT value FROM meta WHERE key = 'redact'").fetchall()
        chosen = choice or (str(found[0][0]) if found else "none")
        if not found or found[0][0] != chosen:
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('redact', ?)", [chosen])
        return chosen


def note_key(db: Path, fingerprint: str) -> bool:
    """Note by its fingerprint which key texts are hashed with; whether an earlier ingest had another one."""
    with opened(db, write=True) as connection, transaction(connection):
        found = connection.execute("SELECT value FROM meta WHERE key = 'redact_key'").fetchall()
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('redact_key', ?)", [fingerprint])
        return bool(found) and found[0][0] != fingerprint


def known_files(db: Path) -> Known:
    """What the store knows of files."""
    known = Known()
    with opened(db, write=True) as connection:
        columns = f"file_id, file, stream, compression, framing, head_digest, {PROGRESS}"
        by_id: dict[int, KnownFile] = {}
        for file_id, file, stream, compression, layout, head, *progress in connection.execute(
            f"SELECT {columns} FROM files"
        ).fetchall():
            stored = Progress(*progress)
            by_id[file_id] = KnownFile(file, stream, compression, layout, head, stored, file_id, stored)
            known.add(by_id[file_id])
        names = "SELECT name, size, mtime_ns, inode, file_id, epoch_ns(seen) FROM file_names"
        for name, size, mtime_ns, inode, file_id, seen in connection.execute(names).fetchall():
            if file_id in by_id:
                known.names[name] = (Stamp(size, mtime_ns, inode), by_id[file_id], seen)
    return known


def store_batch(db: Path, batch: Batch, frames: Frames, known: Known, redaction: str) -> Counts:
    """Store `batch`, whose rows together are `frames`, and whose texts were treated as `redaction` says; raises ConflictError, having stored nothing, where another ingest was faster."""
    files = list(dict.fromkeys(part.file for part in batch.parts))
    counts = Counts()
    ids: dict[int, int] = {}
    with opened(db, write=True) as connection, transaction(connection):
        _verify(connection, files, {file.file_id for file in known.files if file.file_id is not None})
        free = _one(connection, "SELECT coalesce(max(file_id), 0) + 1 FROM files")
        for file in files:
            ids[id(file)] = file.file_id if file.file_id is not None else free
            free += file.file_id is None
        frames, counts.left_out = purged_of(connection).left_of(frames)
        for part in batch.parts:
            if part.replace_from is not None and part.file.stored is not None:
                counts.add(_remove(connection, ids[id(part.file)], part.replace_from), -1)
        first = _insert(connection, frames, batch.parts, [ids[id(part.file)] for part in batch.parts], counts)
        mark(connection, "event_id >= ?", [first])
        for file in files:
            _write_file(connection, file, ids[id(file)], [part for part in batch.parts if part.file is file], redaction)
            before = file.stored
            counts.bytes += _progress(batch, file).bytes - (before.bytes if before else 0)
            counts.lines += _progress(batch, file).lines - (before.lines if before else 0)
            _leave_out_copy(connection, batch, file, ids[id(file)], counts)
    for file in files:
        file.file_id, file.stored = ids[id(file)], _progress(batch, file)
    return counts


def store_names(db: Path, seen: Iterable[Seen], started_ns: int) -> None:
    """Note under which names the files were seen, so that untouched ones are not read again."""
    rows = [
        (one.name, one.stamp.size, one.stamp.mtime_ns, one.stamp.inode, one.file.file_id, started_ns // 1000)
        for one in seen
        if one.stamp and one.file and one.file.file_id is not None and one.problem is None
    ]
    if not rows:
        return
    frame = pl.DataFrame(rows, schema=["name", "size", "mtime_ns", "inode", "file_id", "seen"], orient="row")
    with opened(db, write=True) as connection, transaction(connection):
        connection.register(
            "new_names", frame.unique("name", keep="last").with_columns(pl.col("seen").cast(pl.Datetime("us")))
        )
        connection.execute("DELETE FROM file_names WHERE name IN (SELECT name FROM new_names)")
        connection.execute("INSERT INTO file_names BY NAME SELECT * FROM new_names")
        connection.execute(
            "UPDATE files SET size = n.size, mtime_ns = n.mtime_ns, inode = n.inode, last_seen = greatest(last_seen, n.seen)"
            " FROM new_names n WHERE n.file_id = files.file_id"
        )


def map_again(db: Path) -> int:
    """Map fragments of earlier ingests that the catalog of today knows; how many rows that were."""
    pairs = "SELECT DISTINCT family, rule, fragment FROM fires WHERE check_id IS NULL"
    found = []
    with opened(db, write=True) as connection:
        unmapped = connection.execute(pairs)
        while some := unmapped.fetchmany(GROUP_ROWS):  # logs may hold as many as they have lines
            found += [(*pair, check) for pair in some if (check := current_mapping().check_of(*pair))]
    if not found:
        return 0
    frame = pl.DataFrame(
        found, schema=dict.fromkeys(("family", "rule", "fragment", "check_id"), pl.String), orient="row"
    )
    with opened(db, write=True) as connection, transaction(connection):
        connection.register("found", frame)
        same = "f.family = fires.family AND f.rule IS NOT DISTINCT FROM fires.rule AND f.fragment = fires.fragment"
        mark(
            connection,
            f"event_id IN (SELECT fires.event_id FROM fires JOIN found f ON {same} WHERE fires.check_id IS NULL)",
        )
        return _one(
            connection,
            f"UPDATE fires SET check_id = f.check_id FROM found f WHERE fires.check_id IS NULL AND {same}",
        )


def _progress(batch: Batch, file: KnownFile) -> Progress:
    return next(part.progress for part in reversed(batch.parts) if part.file is file)


def _verify(connection: duckdb.DuckDBPyConnection, files: list[KnownFile], known_ids: set[int]) -> None:
    for file in files:
        sql = f"SELECT file_id, {PROGRESS} FROM files WHERE head_digest = ? OR file_id = ?"
        stored = {
            row[0]: Progress(*row[1:]) for row in connection.execute(sql, [file.head_digest, file.file_id]).fetchall()
        }
        if file.file_id is not None and stored.get(file.file_id) != file.stored:
            raise ConflictError
        if file.file_id is None and not stored.keys() <= known_ids:
            raise ConflictError  # a file with the same first line came in meanwhile: it may be this very one


def _remove(connection: duckdb.DuckDBPyConnection, file_id: int, start: int) -> Counts:
    """Delete the rows of a file from byte `start` on, and all that hangs on them."""
    where = "file_id = ? AND byte_offset >= ?"
    key = [file_id, start]
    removed = Counts()
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE gone AS SELECT event_id, stream, time FROM events WHERE {where}", key
    )
    removed.events = _one(connection, "SELECT count(*) FROM gone")
    if removed.events:
        removed.undated = _one(connection, "SELECT count(*) FROM gone WHERE time IS NULL")
        removed.fires = _one(connection, "SELECT count(*) FROM fires SEMI JOIN gone USING (event_id)")
        removed.unmapped = _one(
            connection, "SELECT count(*) FROM fires SEMI JOIN gone USING (event_id) WHERE check_id IS NULL"
        )
        mark(connection, "event_id IN (SELECT event_id FROM gone) OR duplicate_of IN (SELECT event_id FROM gone)")
        connection.execute("DELETE FROM fires WHERE event_id IN (SELECT event_id FROM gone)")
        connection.execute("DELETE FROM inferred_runs WHERE event_id IN (SELECT event_id FROM gone)")
        connection.execute("UPDATE events SET duplicate_of = NULL WHERE duplicate_of IN (SELECT event_id FROM gone)")
        connection.execute(f"DELETE FROM events WHERE {where}", key)
        # The numbers of the newest are given again: what gets them is new to `link` all the same.
        connection.execute(
            "UPDATE meta SET value = least(value::BIGINT, (SELECT coalesce(max(event_id), -1) FROM events))::VARCHAR"
            " WHERE key = 'linked_to'"
        )
    removed.rejected = _one(connection, f"SELECT count(*) FROM rejects WHERE {where}", key)
    connection.execute(f"DELETE FROM rejects WHERE {where}", key)
    connection.execute(f"DELETE FROM coverage WHERE {where}", key)
    return removed


def _leave_out_copy(
    connection: duckdb.DuckDBPyConnection, batch: Batch, file: KnownFile, file_id: int, counts: Counts
) -> None:
    """Take out the rows of a file that was read to its end, or as far as it is written, and turned out to be the start of one that is known."""
    last = next(part for part in reversed(batch.parts) if part.file is file)
    progress = last.progress
    ended = progress.complete or progress.note is not None or last.held
    file.copy_of = longer_copy_of(connection, file_id) if ended else None
    if file.copy_of is None:
        return
    counts.add(_remove(connection, file_id, 0), -1)
    if file.stored is None:
        counts.add(Counts(progress.bytes, progress.lines), -1)
    # Where it goes on otherwise later, it is another file after all, and is read again from its start.
    last.progress = file.progress = replace(progress, resume_at=0, resume_line=0, resume_digest=digest_of(b""))
    sql = "UPDATE files SET resume_at = 0, resume_line = 0, resume_digest = ? WHERE file_id = ?"
    connection.execute(sql, [file.progress.resume_digest, file_id])


def _insert(
    connection: duckdb.DuckDBPyConnection, frames: Frames, parts: list[Part], ids: list[int], counts: Counts
) -> int:
    """Add the rows; `ids` are the numbers of the files that the parts are of. Gives the number of the first event."""
    base = _one(connection, "SELECT coalesce(max(event_id), 0) + 1 FROM events")
    events, fires, rejects = frames.events, frames.fires, frames.rejects
    coverage = [
        (ids[block], parts[block].offset, _EPOCH.date() + dt.timedelta(days=day), relevant, sampled)
        for (block, day), (relevant, sampled) in frames.days.items()
    ]
    schema = {"file_id": pl.Int32, "byte_offset": pl.Int64, "day": pl.Date, "relevant": pl.Int64, "sampled": pl.Int64}
    numbers = (pl.col("number") + base).alias("event_id")
    file_ids = pl.Series("file_id", ids, dtype=pl.Int32)
    tables = {
        "events": events.with_columns(numbers, file_ids[events["block"].to_numpy()]).drop("number", "block"),
        "fires": fires.with_columns(numbers).drop("number"),
        "rejects": rejects.with_columns(file_ids[rejects["block"].to_numpy()]).drop("block"),
        "coverage": pl.DataFrame(coverage, schema=schema, orient="row"),
    }
    for table, frame in tables.items():
        if frame.height:
            # The newest layout of strings is the one that both hold them in: nothing is copied.
            connection.register("new_rows", frame.to_arrow(compat_level=pl.CompatLevel.newest()))
            connection.execute(f"INSERT INTO {table} BY NAME SELECT * FROM new_rows")
            connection.unregister("new_rows")
    counts.events += events.height
    counts.fires += fires.height
    counts.rejected += rejects.height
    counts.undated += events["time"].null_count()
    counts.unmapped += fires["check_id"].null_count()
    return base


def _write_file(
    connection: duckdb.DuckDBPyConnection, file: KnownFile, file_id: int, parts: list[Part], redaction: str
) -> None:
    progress = parts[-1].progress
    times = [time for part in parts for time in (part.rows.first_time, part.rows.last_time) if time is not None]
    first = _EPOCH + dt.timedelta(microseconds=min(times)) if times else None
    last = _EPOCH + dt.timedelta(microseconds=max(times)) if times else None
    values = [
        progress.bytes,
        progress.digest,
        progress.resume_at,
        progress.resume_line,
        progress.resume_digest,
        progress.lines,
        progress.complete,
        progress.note,
        progress.beyond,
    ]
    now = _now()
    if file.file_id is None:
        connection.execute(
            f"INSERT INTO files (file_id, file, stream, compression, framing, head_digest, first_time, last_time, first_seen, last_seen, redaction, {PROGRESS})"
            f" VALUES ({', '.join('?' * 20)})",
            [
                file_id,
                file.file,
                file.stream,
                file.compression,
                file.framing,
                file.head_digest,
                first,
                last,
                now,
                now,
                redaction,
                *values,
            ],
        )
    else:
        sets = ", ".join(f"{column} = ?" for column in PROGRESS.split(", "))
        anew = any(part.replace_from == 0 for part in parts)
        both = "CASE WHEN ? OR redaction = ? THEN ? WHEN contains(redaction, ?) THEN redaction ELSE redaction || ', ' || ? END"
        connection.execute(
            f"UPDATE files SET {sets}, head_digest = ?, last_seen = ?, first_time = least(first_time, ?), last_time = greatest(last_time, ?), redaction = {both} WHERE file_id = ?",
            [*values, file.head_digest, now, first, last, anew, *[redaction] * 4, file_id],
        )


def _one(connection: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[object] = ()) -> int:
    # To its end: DuckDB lets nothing else happen on a connection while a result has rows left.
    found = connection.execute(sql, list(parameters)).fetchall()
    return int(found[0][0]) if found else 0


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC).replace(tzinfo=None)
