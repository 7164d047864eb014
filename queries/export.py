"""Writes the tables as CSV: UTF-8, a header row, LF, RFC 4180, times as ISO 8601 Z, an empty cell for what is unknown.

A text that a spreadsheet would take for a formula gets an apostrophe before it, and so does one that starts with an
apostrophe; a number stays a number. Whoever reads the files takes one leading apostrophe away (`wording.as_logged`).
"""

import datetime as dt
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from queries.loader import ask
from queries.thresholds import Thresholds
from queries.verdicts import evidence, judge
from queries.window import Window
from queries.wording import harmless, timestamp
from storefile import UserError, opened


class ExportError(UserError):
    """A file cannot be written; the message names it, the reason and what to do."""


@dataclass(frozen=True, slots=True)
class Table:
    """One CSV file: the question that it answers (checks.csv: the verdicts), and its columns in their order."""

    name: str
    question: str
    columns: Mapping[str, str]
    """Each column with its meaning."""


SEEN = {"first_seen": "time of the first such record", "last_seen": "time of the last such record"}

TABLES = (
    Table(
        "checks",
        "check_totals",
        {
            "check_id": "the check",
            "family": "checks that are evaluated together",
            "title": "what it is called",
            "verdict": "what the evidence says of it: candidate, thin, no_evidence, shadowed, quiet, redundant, strict, fires, retired",
            "recommendation": "what to do about it",
            "decision": "what a person decided in gatecov.toml: keep, prune, watch",
            "fires": "records in which it objected",
            "evaluated": "items that it is known to have judged",
            "evaluated_basis": "how they are known: logged (a record says so), derived (worked out from attempts), unknown",
            "rate": "share of the evaluated items to which it objected; empty where nobody knows how many there were",
            "rate_low": "lower end of its Wilson 95 % interval",
            "rate_high": "upper end of its Wilson 95 % interval",
            "first_drafts": "drafts of attempt 1 in complete runs",
            "first_draft_fires": "those of them to which it objected",
            "sole_fires": "fires in which no other check failed",
            "template_fires": "templates to which it objected, not among the fires",
            "sessions": "conversations in which it was evaluated",
            "days": "days on which it was evaluated",
            "first_fired": "time of its first fire",
            "last_fired": "time of its last fire",
            "last_evaluated": "time of the last item that it judged",
            "source": "file of its code, from the checkout; empty where it runs elsewhere",
            "source_sha256": "SHA-256 of that file",
        },
    ),
    Table(
        "reasons",
        "reasons",
        {
            "check_id": "the check, empty while unmapped",
            "fragment": "the reason as logged",
            "count": "records that give it",
        }
        | SEEN,
    ),
    Table(
        "attempts",
        "attempts",
        {
            "system": "socratic or probe",
            "attempts": "number of calls used",
            "outcome": "how it ended",
            "runs": "complete runs (or answers)",
        },
    ),
    Table(
        "gates",
        "gates",
        {
            "gate": "honesty or one of its siblings",
            "reason": "the code as logged",
            "severity": "severity as logged",
            "fires": "records of it",
            "ok_count": "sum of the tool results that succeeded",
            "fail_count": "sum of the tool results that failed",
        }
        | SEEN,
    ),
    Table(
        "guardrails",
        "guardrails",
        {
            "guardrail": "its name",
            "agent": "agent whose post it was",
            "goal": "goal or intervention type",
            "drops": "posts dropped",
        }
        | SEEN,
    ),
    Table(
        "rejects",
        "rejects",
        {
            "file": "path as given",
            "line": "line, from 1",
            "byte_offset": "where the line starts",
            "why": "what was wrong",
            "excerpt": "start of the line",
        },
    ),
    Table(
        "unmapped",
        "unmapped",
        {"family": "family that it may belong to", "fragment": "the reason as logged", "count": "how often"} | SEEN,
    ),
    Table(
        "files",
        "files",
        {
            "file": "path as given",
            "bytes": "read so far, decompressed",
            "lines": "lines read",
            "events": "relevant records",
            "rejected": "records that could not be read",
            "first_time": "earliest time in it",
            "last_time": "latest time in it",
            "complete": "true when read to its end",
        },
    ),
)

COLUMNS = {f"{table.name}.csv": tuple(table.columns) for table in TABLES}
"""The columns of each file, in their order: what the README's table is generated from."""


def export(
    db: Path,
    directory: Path,
    window: Window | None = None,
    thresholds: Thresholds | None = None,
    decisions: Mapping[str, str] | None = None,
) -> list[Path]:
    """Write every table into `directory`, each whole or not at all, and return their paths. Raises ExportError, StoreError."""
    frames = tables(db, window, thresholds, decisions)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(f"{directory}: the folder cannot be made ({error.strerror}); name another") from error
    return [_write(directory / f"{name}.csv", csv_text(frame)) for name, frame in frames.items()]


def tables(
    db: Path,
    window: Window | None = None,
    thresholds: Thresholds | None = None,
    decisions: Mapping[str, str] | None = None,
) -> dict[str, pl.DataFrame]:
    """Each table by its name, with exactly its columns."""
    asked, limits = window or Window(), thresholds or Thresholds()
    with opened(db) as connection:
        return {table.name: _table(connection, table, asked, limits, decisions) for table in TABLES}


def _table(
    connection: duckdb.DuckDBPyConnection,
    table: Table,
    window: Window,
    thresholds: Thresholds,
    decisions: Mapping[str, str] | None,
) -> pl.DataFrame:
    if table.name == "checks":
        frame = judge(evidence(connection, window, thresholds), thresholds, decisions)
    else:
        frame = ask(connection, table.question, window)
    if table.name == "reasons":
        # What only templates failed is counted apart, as template_fires in checks.csv.
        frame = frame.filter(pl.col("count") > 0)
    if table.name == "guardrails":
        frame = frame.filter(pl.col("drops") > 0)
    return frame.select(list(table.columns))


def csv_text(frame: pl.DataFrame) -> str:
    """A frame as CSV text, by the rules at the top of this module."""
    lines = [frame.columns, *frame.iter_rows()]
    return "".join(",".join(_quoted(_cell(value)) for value in line) + "\n" for line in lines)


def _quoted(cell: str) -> str:
    # The standard writer leaves a lone carriage return bare, which readers take for the end of the row.
    return '"' + cell.replace('"', '""') + '"' if any(char in cell for char in '",\r\n') else cell


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.6g}"
        case dt.datetime():
            return timestamp(value)
        case str():
            return harmless(value)
        case _:
            return str(value)


def _write(path: Path, text: str) -> Path:
    # A reader finds the old file or the new one, never half of one.
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8", newline="")
        os.replace(unfinished, path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise ExportError(
            f"{path}: it cannot be written ({error.strerror}); free some space or name another folder"
        ) from error
    return path
