"""Purging: records of before a time, or of one session, leave the store, and no byte of them stays in its file.

Whole records go, with their reasons and what was put together from them, so that nothing is counted whose text is gone;
the files that they came from stay known, and what was purged is not taken in again (`ingest/purged.py`). The file is
written anew: DuckDB leaves deleted rows in it until their place is needed. Copies, backups and the blocks that the
file system frees are out of reach.
"""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ingest.derived import derive
from ingest.errors import IngestError
from ingest.purged import session_digest
from storefile import opened, rewrite


class NothingToPurgeError(IngestError):
    """Nothing in the store meets the condition."""


@dataclass(slots=True)
class Removed:
    """What a purge removed. `undated` records and rejects stay because nothing tells how old they are; `mentions` are
    records of other sessions that hold the session's name in a text or field, and stay as well."""

    of: str
    events: int = 0
    fires: int = 0
    rejects: int = 0
    undated: int = 0
    mentions: int = 0

    def sentence(self) -> str:
        records, reasons = _amount(self.events, "record"), _amount(self.fires, "reason")
        told = f"{self.of}: removed {records} with {reasons}, and {_amount(self.rejects, 'reject')}; no byte of them is in the file"
        if self.undated:
            told += f"; {self.undated:,} stay, because nothing tells their time"
        if self.mentions:
            told += f"; {_amount(self.mentions, 'record')} of other sessions that name this one stay"
        return told


def purge_before(db: Path, before: dt.datetime) -> Removed:
    """Remove what was logged before `before` (naive UTC).

    An undated record or a reject is as old as the dated record before it in its file, else the one after it, else the
    newest time seen in the file. Raises NothingToPurgeError, storefile.StoreError.
    """
    removed = Removed(f"before {before.isoformat()}Z")

    def mark(connection: duckdb.DuckDBPyConnection) -> None:
        connection.execute(
            "CREATE TEMP TABLE dated AS SELECT file_id, byte_offset, max(time) AS time FROM events "
            "WHERE time IS NOT NULL GROUP BY ALL"
        )
        told = "coalesce({own}b.time, a.time, f.last_time)"
        around = (
            " FROM {table} x ASOF LEFT JOIN dated b ON x.file_id = b.file_id AND x.byte_offset >= b.byte_offset"
            " ASOF LEFT JOIN dated a ON x.file_id = a.file_id AND x.byte_offset <= a.byte_offset"
            " LEFT JOIN files f ON f.file_id = x.file_id"
        )
        for table, key, own in (("events", "x.event_id", "x.time, "), ("rejects", "x.rowid", "")):
            connection.execute(
                f"CREATE TEMP TABLE told_{table} AS SELECT {key} AS key, {told.format(own=own)} AS time"
                + around.format(table=table)
            )
            connection.execute(
                f"CREATE TEMP TABLE gone_{table} AS SELECT key FROM told_{table} WHERE time < ?", [before]
            )
            removed.undated += _count(connection, f"SELECT count(*) FROM told_{table} WHERE time IS NULL")

    _purge(db, removed, mark, before=before)
    return removed


def purge_session(db: Path, session: str) -> Removed:
    """Remove what belongs to `session`, and the rejects whose excerpt names it.

    Raises NothingToPurgeError, storefile.StoreError.
    """
    removed = Removed(f"session {session}")
    word = re.compile(rf"(?<![\w-]){re.escape(session)}(?![\w-])")

    def mark(connection: duckdb.DuckDBPyConnection) -> None:
        connection.execute(
            "CREATE TEMP TABLE gone_events AS SELECT event_id AS key FROM events WHERE session = ?", [session]
        )
        found = connection.execute(
            "SELECT rowid, excerpt FROM rejects WHERE contains(excerpt, ?)", [session]
        ).fetchall()
        connection.execute("CREATE TEMP TABLE gone_rejects (key BIGINT)")
        for row, excerpt in found:
            if word.search(excerpt):
                connection.execute("INSERT INTO gone_rejects VALUES (?)", [row])
        others = connection.execute(
            "SELECT concat_ws(' ', text, extra) AS words FROM events WHERE session IS DISTINCT FROM $s "
            "AND (contains(text, $s) OR contains(extra::VARCHAR, $s))",
            {"s": session},
        ).fetchall()
        removed.mentions = sum(bool(word.search(words)) for (words,) in others)

    _purge(db, removed, mark, session=session)
    return removed


def _purge(
    db: Path,
    removed: Removed,
    mark: Callable[[duckdb.DuckDBPyConnection], None],
    *,
    before: dt.datetime | None = None,
    session: str | None = None,
) -> None:
    with opened(db):
        pass  # says so where there is no store

    def kept(connection: duckdb.DuckDBPyConnection) -> Mapping[str, str]:
        mark(connection)
        removed.events = _count(connection, "SELECT count(*) FROM gone_events")
        removed.rejects = _count(connection, "SELECT count(*) FROM gone_rejects")
        removed.fires = _count(connection, "SELECT count(*) FROM fires WHERE event_id IN (SELECT key FROM gone_events)")
        if not removed.events and not removed.rejects:
            what = "is known here" if session is not None else "was logged then"
            raise NothingToPurgeError(f"{db}: {removed.of}: nothing {what}; the store is as it was")
        return _kept(removed, before, session)

    rewrite(db, kept)
    derive(db)


def _kept(removed: Removed, before: dt.datetime | None, session: str | None) -> Mapping[str, str]:
    stays = "WHERE event_id NOT IN (SELECT key FROM gone_events)"
    moment = f"TIMESTAMP '{before.isoformat(sep=' ')}'" if before else "NULL::TIMESTAMP"
    digest = f"'{session_digest(session)}'" if session is not None else "NULL"
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None).isoformat(sep=" ")
    # What is derived goes with the whole place, and is worked out anew from the records that stay in it.
    touched = (
        "place IN (SELECT p.place FROM places p JOIN events e ON p.name = coalesce(e.session, e.stream)"
        " WHERE e.event_id IN (SELECT key FROM gone_events) OR e.duplicate_of IN (SELECT key FROM gone_events))"
    )
    named = f"name IN (SELECT coalesce(session, stream) FROM events {stays})"
    return {
        "places": f"SELECT * FROM places WHERE {named}",
        "stale": f"SELECT * FROM stale WHERE place IN (SELECT place FROM places WHERE {named}) "
        f"UNION ALL SELECT place, -1 FROM places WHERE {touched} AND {named}",
        "stage_runs": f"SELECT * FROM stage_runs WHERE NOT {touched}",
        "judged": f"SELECT * FROM judged WHERE NOT {touched}",
        "objections": f"SELECT * FROM objections WHERE objection IN (SELECT objection FROM judged WHERE NOT {touched})",
        "events": "SELECT * REPLACE (CASE WHEN duplicate_of IN (SELECT key FROM gone_events) THEN NULL "
        f"ELSE duplicate_of END AS duplicate_of) FROM events {stays}",
        "fires": f"SELECT * FROM fires {stays}",
        "inferred_runs": f"SELECT * FROM inferred_runs {stays}",
        "rejects": "SELECT * FROM rejects WHERE rowid NOT IN (SELECT key FROM gone_rejects)",
        "coverage": f"""
            SELECT c.* REPLACE (greatest(c.relevant - coalesce(g.records, 0), 0) AS relevant)
            FROM coverage c LEFT JOIN (
                SELECT e.file_id, b.byte_offset, b.day, count(*) AS records
                FROM (SELECT file_id, byte_offset, time::DATE AS day FROM events WHERE event_id IN (SELECT key FROM gone_events)) e
                ASOF JOIN coverage b ON b.file_id = e.file_id AND b.day = e.day AND b.byte_offset <= e.byte_offset
                GROUP BY ALL
            ) g ON g.file_id = c.file_id AND g.byte_offset = c.byte_offset AND g.day = c.day
            WHERE {moment} IS NULL OR c.day >= {moment}::DATE""",
        "purges": f"SELECT * FROM purges UNION ALL SELECT TIMESTAMP '{now}', {moment}, {digest}, "
        f"{removed.events}, {removed.fires}, {removed.rejects}",
    }


def _amount(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _count(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    return int(connection.execute(sql).fetchall()[0][0])
