"""What belongs together: Socratic runs that carry no session, and one fire that was logged in two places.

Both are pure functions over rows; `link` runs them for what the newest events touched.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from ingest.derived import mark
from ingest.lessons import link_calls
from storefile import opened, transaction

STALE_US = 10 * 60 * 1_000_000
"""A run that was silent for this long is over: a stage makes at most four model calls."""
STALE_EVENTS = 500
"""The same for undated lines: so many stage lines of other runs have gone by."""
PAIR_US = 5 * 1_000_000
MOST_ATTEMPTS = 4


class StageLine(NamedTuple):
    """A Socratic stage event without a session; `time` in microseconds, None where undated."""

    event_id: int
    kind: str
    attempt: int | None
    attempts: int | None
    outcome: str | None
    time: int | None


@dataclass(slots=True)
class _Run:
    name: str
    used: int  # writer calls so far
    stage: str  # drafting, fallback, used, failed
    time: int | None
    number: int  # of the line that touched it last


def infer_runs(lines: Iterable[StageLine], stream: str) -> list[tuple[int, str]]:
    """Event id and run name of each line of one stream, in the order in which they were logged.

    A line goes to the run that can have it: a draft to one that has used exactly the attempts before it, a summary to one
    that has come as far as it says. Among several the one that waited longest gets it, but a summary closes the newest, since an
    older one may have been broken off. A line that fits none opens its own.
    """
    runs: dict[str, _Run] = {}  # the one that waited longest first
    placed: list[tuple[int, str]] = []
    lines = list(lines)
    undated = any(line.time is None for line in lines)
    for number, line in enumerate(lines):
        if (
            undated
        ):  # what is over for one line may go on for the next; else it is enough to look at those that are asked
            runs = {run.name: run for run in runs.values() if not _stale(run, line, number)}
        run = _taken(runs, line, number) or _Run(f"{stream}#{line.event_id}", 0, "drafting", line.time, number)
        placed.append((line.event_id, run.name))
        run.number = number
        run.time = line.time if line.time is not None else run.time
        if line.kind == "draft_rejected":
            run.used = line.attempt or run.used + 1
        elif line.kind == "writer_failed":
            run.used += 1
        elif line.kind == "template_fallback":
            run.used, run.stage = max(run.used, MOST_ATTEMPTS), "fallback"
        elif line.kind in ("template_used", "template_failed"):
            run.stage = line.kind
        if line.kind != "summary":
            runs[run.name] = run
    return placed


def _taken(runs: dict[str, _Run], line: StageLine, number: int) -> _Run | None:
    """Take out the run that gets a line, and those before it that are over."""
    if line.kind == "draft_rejected" and (line.attempt or 1) == 1:
        return None  # it begins one; there may be thousands that it need not be held against
    over: list[str] = []
    found = None
    for run in reversed(runs.values()) if line.kind == "summary" else runs.values():
        if _stale(run, line, number):
            over.append(run.name)
        elif _fits(run, line):
            found = run
            break
    for name in (*over, *([found.name] if found else [])):
        del runs[name]
    return found


def _fits(run: _Run, line: StageLine) -> bool:
    if line.kind == "draft_rejected":
        return (
            run.stage == "drafting" and line.attempt is not None and line.attempt > 1 and run.used == line.attempt - 1
        )
    if line.kind == "writer_failed":
        return run.stage == "drafting" and run.used < MOST_ATTEMPTS
    if line.kind == "template_fallback":
        return run.stage == "drafting" and run.used == MOST_ATTEMPTS
    if line.kind in ("template_used", "template_failed"):
        return run.stage == "fallback"
    if line.outcome == "posted-template":
        return run.stage == "template_used" and run.used == (line.attempts or run.used)
    if line.outcome == "silent":
        return run.stage == "template_failed" and run.used == (line.attempts or run.used)
    return run.stage == "drafting" and run.used > 0 and line.attempts is not None and run.used == line.attempts - 1


def _stale(run: _Run, line: StageLine, number: int) -> bool:
    if run.time is not None and line.time is not None:
        return line.time - run.time > STALE_US
    return number - run.number > STALE_EVENTS


class Fired(NamedTuple):
    """A fire as it may stand in two places; `key` is all that must be equal in both."""

    event_id: int
    key: tuple[object, ...]
    console: bool
    time: int | None


def pair_fires(fires: Iterable[Fired]) -> list[tuple[int, int]]:
    """(console event, audit event) for each fire that was logged in both, one to one, at most five seconds apart.

    A console line has no time of its own; where no envelope dates it, it is paired in order.
    """
    audits: dict[tuple[object, ...], list[Fired]] = {}
    consoles: list[Fired] = []
    for fire in fires:
        if fire.console:
            consoles.append(fire)
        else:
            audits.setdefault(fire.key, []).append(fire)
    pairs: list[tuple[int, int]] = []
    dated_first = sorted(consoles, key=lambda fire: (fire.time is None, fire.time or 0, fire.event_id))
    for fire in dated_first:
        rivals = audits.get(fire.key, [])
        best = min(rivals, key=lambda other: _apart(fire, other), default=None)
        if best is not None and _apart(fire, best) <= PAIR_US:
            pairs.append((fire.event_id, best.event_id))
            rivals.remove(best)
    return pairs


def _apart(one: Fired, other: Fired) -> int:
    return abs(one.time - other.time) if one.time is not None and other.time is not None else 0


_STREAMS = """
SELECT e.stream, e.event_id, e.kind, e.attempt, e.attempts, e.outcome, epoch_us(e.time) AS time
FROM events e
JOIN (SELECT file_id, min(time) AS first FROM events WHERE system = 'socratic' GROUP BY file_id) f USING (file_id)
WHERE e.system = 'socratic' AND e.session IS NULL AND e.stream IN
    (SELECT stream FROM events WHERE event_id > ? AND system = 'socratic' AND session IS NULL)
ORDER BY e.stream, f.first, e.file_id, e.byte_offset, e.part
"""
_FIRES = """
SELECT e.event_id, e.session, e.system, e.kind, e.subject, e.text, e.form, epoch_us(e.time) AS time,
    string_agg(f.fragment, ';' ORDER BY f.position) AS reason
FROM events e LEFT JOIN fires f USING (event_id)
WHERE e.system IN ('honesty', 'gates', 'reflection', 'protocol') AND e.kind <> 'gate_passed' AND e.session IN
    (SELECT session FROM events WHERE event_id > ? AND system IN ('honesty', 'gates', 'reflection', 'protocol'))
GROUP BY ALL
"""


def link(db: Path) -> int:
    """Put together what the events since the last call touch; how many pairs were found among them."""
    with opened(db, write=True) as connection, transaction(connection):
        found = connection.execute("SELECT value FROM meta WHERE key = 'linked_to'").fetchall()
        since = int(found[0][0]) if found else -1
        newest = connection.execute("SELECT coalesce(max(event_id), -1) FROM events").fetchall()[0][0]
        if newest <= since:
            return 0
        lines = connection.execute(_STREAMS, [since]).fetchall()
        runs = [
            placed
            for stream, rows in _by_first(lines)
            for placed in infer_runs((StageLine(*row[1:]) for row in rows), stream)
        ]
        if runs:
            connection.register(
                "runs_now", pl.DataFrame(runs, schema={"event_id": pl.Int64, "run": pl.String}, orient="row")
            )
            connection.execute("DELETE FROM inferred_runs WHERE event_id IN (SELECT event_id FROM runs_now)")
            connection.execute("INSERT INTO inferred_runs BY NAME SELECT * FROM runs_now")
            mark(connection, "event_id IN (SELECT event_id FROM runs_now)")
        fires = [
            Fired(event_id, (session, system, kind, subject, text or "", reason), form == "console", time)
            for event_id, session, system, kind, subject, text, form, time, reason in connection.execute(
                _FIRES, [since]
            ).fetchall()
        ]
        pairs = pair_fires(fires)
        if pairs:
            connection.register(
                "pairs", pl.DataFrame(pairs, schema={"event_id": pl.Int64, "same": pl.Int64}, orient="row")
            )
            connection.execute(
                "UPDATE events SET duplicate_of = p.same FROM pairs p WHERE p.event_id = events.event_id"
            )
            mark(connection, "event_id IN (SELECT event_id FROM pairs)")
        link_calls(connection, since)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'linked_to'", [str(newest)])
        return sum(console > since or audit > since for console, audit in pairs)


def _by_first(rows: Sequence[tuple[Any, ...]]) -> Iterable[tuple[str, list[tuple[Any, ...]]]]:
    groups: dict[str, list[tuple[Any, ...]]] = {}
    for row in rows:
        groups.setdefault(str(row[0]), []).append(row)
    return groups.items()
