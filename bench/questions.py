"""How fast is a question on a store of ten million events? Makes the store, asks every question, prints one table.

    make bench-questions   or: python bench/questions.py [--events 10000000] [--sessions 100] [--db FILE] [--times 3]

A small log and `sample_logs` are ingested, and their rows are put into a new store again and again, under other
sessions, files and times, so that what was asked is as varied as what was read. What is derived is worked out as an ingest does it.
"""

import argparse
import datetime as dt
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from bench import logs  # noqa: E402 - this file is run as a script
from ingest import ingest  # noqa: E402
from queries import Window, questions, run  # noqa: E402
from queries.export import export  # noqa: E402
from queries.report import report  # noqa: E402
from queries.whatif import whatif  # noqa: E402
from review.trace import trace  # noqa: E402
from storefile import create, derive  # noqa: E402

WEEKS = 8
SHARE_OF_STAGE = 0.9
"""Of the events; the others are those of sample_logs, which hold every system."""
LONG, DIGITS = "socratic.shape.word_limit", "socratic.shape.no_digits"
SMALL_MB = 30.0

_COPY = """
INSERT INTO events BY NAME SELECT * REPLACE (
    event_id + {event} AS event_id, file_id + {file} AS file_id, time + {later} AS time, {session} AS session, stream || '-{copy}' AS stream,
    duplicate_of + {event} AS duplicate_of, text || ' {copy}' AS text
) FROM small.events ORDER BY event_id;
INSERT INTO fires BY NAME SELECT * REPLACE (event_id + {event} AS event_id) FROM small.fires ORDER BY event_id, position;
INSERT INTO rejects BY NAME SELECT * REPLACE (file_id + {file} AS file_id) FROM small.rejects;
INSERT INTO inferred_runs
    SELECT i.event_id + {event}, e.stream || '-{copy}#' || (split_part(i.run, '#', -1)::BIGINT + {event})
    FROM small.inferred_runs i JOIN small.events e USING (event_id);
INSERT INTO files BY NAME SELECT * REPLACE (
    file_id + {file} AS file_id, file || '-{copy}' AS file, stream || '-{copy}' AS stream, first_time + {later} AS first_time, last_time + {later} AS last_time
) FROM small.files;
INSERT INTO coverage BY NAME SELECT * REPLACE (file_id + {file} AS file_id, (day + {later})::DATE AS day) FROM small.coverage;
"""


def make(db: Path, events: int, sessions: int, folder: Path) -> None:
    """Write a store of about `events` events to `db`: per copy of the log so many `sessions` of many runs, and those of sample_logs."""
    log, stage, samples = folder / "stage.log", folder / "stage.duckdb", folder / "samples.duckdb"
    logs.write(log, min(SMALL_MB, max(0.5, events / 100_000)), 0.9)
    ingest([str(log)], stage)
    ingest([str(ROOT / "sample_logs")], samples)
    db.unlink(missing_ok=True)
    with duckdb.connect(str(db)) as connection:
        create(connection)
        event = file = 0
        for small, share in ((stage, SHARE_OF_STAGE), (samples, 1 - SHARE_OF_STAGE)):
            connection.execute(f"ATTACH '{small}' AS small (READ_ONLY)")
            size, files, first, last = connection.execute(
                "SELECT max(event_id), (SELECT max(file_id) FROM small.files), min(time), max(time) FROM small.events"
            ).fetchall()[0]
            copies = max(1, round(events * share / size))
            spare = dt.timedelta(weeks=WEEKS) - (last - first)
            for copy in range(copies):
                later = logs.START.replace(tzinfo=None) - first + spare * (copy / copies)
                session = (
                    f"'c' || hash(session) % {sessions} || '-{copy}'" if small is stage else f"session || '-{copy}'"
                )
                sql = _COPY.format(
                    event=event,
                    file=file,
                    copy=copy,
                    session=session,
                    later=f"INTERVAL '{later.total_seconds():.0f} seconds'",
                )
                connection.execute(sql)
                event, file = event + size, file + files
            if small is stage:
                connection.execute("INSERT INTO checks SELECT * FROM small.checks")
            connection.execute("DETACH small")
        derive(connection, anew=True)
        connection.execute("CHECKPOINT")


def asked(db: Path, folder: Path) -> Mapping[str, Callable[[], object]]:
    """Everything that is measured, by its name."""
    fortnight = Window.parse("2026-09-20T10:30:00", "2026-10-04T16:45:00")
    agent = Window(agent=_some(db, "SELECT max(agent) FROM events"))
    session = str(_some(db, "SELECT session FROM events WHERE system = 'socratic' AND session IS NOT NULL LIMIT 1"))
    lesson = str(_some(db, "SELECT coalesce(session, stream) FROM events WHERE system = 'lesson' LIMIT 1"))
    given: dict[str, dict[str, Any]] = {
        "rejected_drafts": {"check_id": DIGITS},
        "lesson_plan": {"lesson": lesson},
        "deployments": {"by": "version"},
        "whatif_runs": {"removed": [LONG]},
        "whatif_stops": {"removed": ["honesty.failures_with_claim"]},
        "texts": {"events": list(range(1000, 1200))},
        "fired_before": {"since": fortnight.until},
        "conversation": {"session": session},
        "conversation_of": {"event_id": 1000},
        "replay_records": {"systems": "socratic"},
        "unclaimed_records": {"streams": ["app.log"], "from_time": fortnight.since, "to_time": fortnight.until},
        "rejects": {"limit": 200},
    }
    found: dict[str, Callable[[], object]] = {
        name: (lambda name=name: run(db, name, Window(), **given.get(name, {}))) for name in questions()
    }
    for name in ("check_totals", "fires_by_week", "deployments", "coverage", "records", "run_states"):
        more = given.get(name, {})
        found[f"{name}, two weeks and a bit"] = lambda name=name, more=more: run(db, name, fortnight, **more)
        found[f"{name}, one agent"] = lambda name=name, more=more: run(db, name, agent, **more)
    records: dict[str, dict[str, Any]] = {
        "of a check": {"check_id": DIGITS, "kind": "draft_rejected"},
        "of a pair of checks": {"check_id": DIGITS, "also": LONG},
        "of a check alone": {"check_id": DIGITS, "sole": True},
        "evaluated": {"evaluated": DIGITS},
        "first drafts": {"evaluated": DIGITS, "first_draft": True},
        "of a reason": {"family": "socratic.shape", "fragment": _some(db, "SELECT max(fragment) FROM fires")},
        "of a day": {"day": "2026-10-01"},
        "of a session": {"session": session},
        "of an outcome": {"outcome": "silent"},
        "undated": {"undated": True},
        "without a session": {"missing": "session"},
        "by number": {"event_id": 1000},
        "repeated": {"repeats": True},
        "answers not read": {"answer": "unread"},
    }
    for name, more in records.items():
        found[f"records, {name}"] = lambda more=more: run(db, "records", Window(), **more)
    found["find_conversations, by name"] = lambda: run(db, "find_conversations", Window(), session=session[1:4])
    found["find_conversations, by text"] = lambda: run(db, "find_conversations", Window(), text="transcript poll")
    found["deployments, by agent"] = lambda: run(db, "deployments", Window(), by="agent")
    found["report"] = lambda: report(db)
    found["report, two weeks and a bit"] = lambda: report(db, fortnight)
    found["export"] = lambda: export(db, folder / "csv")
    found["whatif"] = lambda: whatif(db, Window(), [LONG])
    found["trace"] = lambda: trace(db, session)
    return found


def _some(db: Path, sql: str) -> Any:
    with duckdb.connect(str(db), read_only=True) as connection:
        return connection.execute(sql).fetchall()[0][0]


def measure(question: Callable[[], object], times: int) -> tuple[float, float]:
    """Seconds of the processors and on the clock, opening the store included: the median of `times`, after one more."""
    question()
    took = []
    for _ in range(times):
        cpu, wall = time.process_time(), time.perf_counter()
        question()
        took.append((time.process_time() - cpu, time.perf_counter() - wall))
    return statistics.median(cpu for cpu, _ in took), statistics.median(wall for _, wall in took)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--sessions", type=int, default=100, help="of the stage, per hundred thousand events [100]")
    parser.add_argument("--db", type=Path, help="keep the store here, and ask the one that is there already")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", default="", help="part of the names of the questions to ask")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        db = given.db or folder / "store.duckdb"
        if not db.exists():
            make(db, given.events, given.sessions, folder)
        events = _some(db, "SELECT count(*) FROM events")
        print(
            f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, DuckDB {duckdb.__version__}"
        )
        print(
            f"{events:,} events, {db.stat().st_size / 1e6:,.0f} MB\n\n| question | cpu s | wall s |\n| --- | ---: | ---: |"
        )
        for name, question in asked(db, folder).items():
            if given.only in name:
                cpu, wall = measure(question, given.times)
                print(f"| {name} | {cpu:.2f} | {wall:.2f} |", flush=True)


if __name__ == "__main__":
    main()
