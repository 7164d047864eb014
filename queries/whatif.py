"""What if these checks were gone: which rejected texts would have passed, what that saves, and what would have been posted.

It is worked out from the log alone. A draft of a collect-all family passes exactly where every reason that the log gives
for it is one of the removed checks'; the first that passes ends its run, so the calls after it are saved. A reason that
belongs to no known check is another failure. Two things cannot be known, and are said: in a first-match family, what the
checks after the removed one would have said of a text that never reached them; and what a writer would have written who
had not been handed the removed checks' reasons (later drafts are taken as they were logged).
"""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from checks.families import FAMILIES
from queries.loader import ask
from queries.whatifwords import sentence
from queries.window import Window
from storefile import UserError, opened

TEXTS = 200
"""As many texts are fetched to be read, the worst first; all of them are counted."""
TOTALS = ("runs", "writer_calls", "rejected_drafts", "posted_writer", "posted_template", "silent")
POSTED = {
    "event_id": pl.Int64,
    "family": pl.String,
    "what": pl.String,
    "certain": pl.Boolean,
    "objections": pl.Int64,
    "before": pl.String,
    "attempt": pl.Int64,
    "attempts": pl.Int64,
    "time": pl.Datetime("us"),
    "session": pl.String,
    "agent": pl.String,
}
"""Columns of the texts that would have got through, before the words themselves are fetched."""
ENDED_WORST = ("silent", "posted-template")
"""Ends of a run that a removal turns into a post of the writer's, the worst first; then the later ends, attempt by attempt."""


class UnknownCheckError(UserError):
    """A check id that neither the store's catalog nor its logs know; the message names near ones."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The answer for `checks` in `window`.

    `runs` has one row per complete Socratic run that would have ended otherwise (whatif_runs.sql), `open_runs` the same
    for runs without a summary, of which no end is known. `stops` has one row per record of another family that there would
    not have been (whatif_stops.sql). `posted` holds the texts that would have got through, worst first, at most TEXTS of
    them with their words. `weeks` has each week's totals as they were and, with `_after`, as they would have been.
    """

    window: Window
    checks: tuple[str, ...]
    modes: Mapping[str, str]
    runs: pl.DataFrame
    open_runs: pl.DataFrame
    stops: pl.DataFrame
    posted: pl.DataFrame
    posted_total: int
    weeks: pl.DataFrame

    @property
    def before(self) -> dict[str, int]:
        """The totals of all weeks as they were (`TOTALS`)."""
        return {name: int(self.weeks[name].sum()) for name in TOTALS}

    @property
    def after(self) -> dict[str, int]:
        """The same as they would have been."""
        return {name: int(self.weeks[f"{name}_after"].sum()) for name in TOTALS}

    @property
    def passed(self) -> dict[int, int]:
        """How many rejected drafts would have passed, by attempt."""
        drafts = self.runs.filter(pl.col("passes") == "draft").group_by("attempt").len().sort("attempt")
        return {int(attempt): int(count) for attempt, count in drafts.iter_rows()}

    @property
    def saved_calls(self) -> int:
        return int(self.runs["saved_calls"].sum())

    @property
    def avoided(self) -> dict[str, int]:
        """Templates and silences that there would not have been; a silence also ends where its template passes."""
        outcomes = self.runs.filter((pl.col("passes") == "draft") | (pl.col("outcome") == "silent"))["outcome"]
        return {name: int((outcomes == name).sum()) for name in ("posted-template", "silent")}

    @property
    def unknown(self) -> int:
        """Texts of which it cannot be said whether another check would have stopped them."""
        return int((~self.stops["certain"]).sum())

    @property
    def changes_anything(self) -> bool:
        return bool(self.runs.height or self.open_runs.height or self.stops.height)

    def sentence(self) -> str:
        """The answer in a sentence or three, for the pruning plan."""
        return sentence(self)


def whatif(db: Path, window: Window, checks: Sequence[str]) -> WhatIf:
    """What the logs of `window` would have been without `checks`. Raises UnknownCheckError, StoreError.

    No check at all is a question too: its answer is that nothing changes.
    """
    removed = tuple(dict.fromkeys(checks))
    with opened(db) as connection:
        known = ask(connection, "known_checks")["check_id"].to_list()
        for check_id in removed:
            if check_id not in known:
                raise UnknownCheckError(_unknown(check_id, known))
        runs = ask(connection, "whatif_runs", window, removed=list(removed))
        stops = ask(connection, "whatif_stops", window, removed=list(removed))
        weeks = ask(connection, "whatif_weeks", window)
        ended = runs.filter("complete")
        posted = worst_first(ended, stops)
        return WhatIf(
            window=window,
            checks=removed,
            modes={check_id: _mode(check_id) for check_id in removed},
            runs=ended,
            open_runs=runs.filter(~pl.col("complete")),
            stops=stops,
            posted=_with_words(connection, posted.head(TEXTS)),
            posted_total=posted.height,
            weeks=without(weeks, ended),
        )


def without(weeks: pl.DataFrame, changed: pl.DataFrame) -> pl.DataFrame:
    """The weeks of whatif_weeks.sql, each total also as it would have been with the `changed` runs ended otherwise."""
    drafts, templates = pl.col("passes") == "draft", pl.col("passes") == "template"
    moved = changed.group_by("week").agg(
        writer_calls=pl.col("saved_calls").sum(),
        rejected_drafts=pl.col("spared_drafts").sum(),
        from_template=((pl.col("outcome") == "posted-template") & drafts).sum(),
        from_silent=(pl.col("outcome") == "silent").sum(),
        to_writer=(drafts & (pl.col("outcome") != "posted-writer")).sum(),
        to_template=templates.sum(),
    )
    gone = {
        "runs": pl.lit(0),
        "writer_calls": pl.col("writer_calls_right"),
        "rejected_drafts": pl.col("rejected_drafts_right"),
        "posted_writer": -pl.col("to_writer"),
        "posted_template": pl.col("from_template") - pl.col("to_template"),
        "silent": pl.col("from_silent"),
    }
    moved = moved.with_columns(pl.selectors.unsigned_integer().cast(pl.Int64))
    joined = weeks.join(moved, on="week", how="left", nulls_equal=True, maintain_order="left")
    filled = joined.with_columns(pl.selectors.integer().fill_null(0))
    return filled.select(
        *weeks.columns, *((pl.col(name) - gone[name].cast(pl.Int64)).alias(f"{name}_after") for name in TOTALS)
    )


def worst_first(runs: pl.DataFrame, stops: pl.DataFrame) -> pl.DataFrame:
    """The texts that would have got through (columns POSTED), for a person to read: those to worry about first.

    First the certain ones, to which no check that stays objected or could have; then the more of the removed checks
    objected; then where the run ended worst, in silence, then in the template, then after the most attempts, for there
    the removal changes what people saw most; then the newest.
    """
    drafts = runs.select(
        "event_id",
        family=pl.lit("socratic.shape"),
        what="passes",
        certain=pl.lit(True),
        objections="objections",
        before="outcome",
        attempt="attempt",
        attempts="attempts",
        time="time",
        session=pl.coalesce("session", "run"),
        agent="agent",
    ).cast(POSTED)  # type: ignore[arg-type]
    others = stops.select(
        "event_id",
        "family",
        what="kind",
        certain="certain",
        objections=pl.col("check_ids").list.len(),
        before="action",
        attempt=pl.lit(None),
        attempts=pl.lit(None),
        time="time",
        session="session",
        agent="agent",
    ).cast(POSTED)  # type: ignore[arg-type]
    place = pl.col("before").replace_strict(
        dict(zip(ENDED_WORST, range(len(ENDED_WORST)), strict=True)), default=len(ENDED_WORST), return_dtype=pl.Int64
    )
    return pl.concat([drafts, others]).sort(
        ~pl.col("certain"),
        -pl.col("objections"),
        place,
        -pl.col("attempts").fill_null(0),
        -pl.col("time").cast(pl.Int64).fill_null(0),
        "event_id",
    )


def _with_words(connection: duckdb.DuckDBPyConnection, posted: pl.DataFrame) -> pl.DataFrame:
    texts = ask(connection, "texts", events=posted["event_id"].to_list())
    return posted.join(texts, on="event_id", how="left", maintain_order="left")


def _mode(check_id: str) -> str:
    family = FAMILIES.get(check_id.rpartition(".")[0])
    return family.mode if family else "independent"


def _unknown(check_id: str, known: Sequence[str]) -> str:
    last = {name.rpartition(".")[2]: name for name in known}
    near = [last[name] for name in difflib.get_close_matches(check_id.rpartition(".")[2], list(last), 3, 0.7)]
    found = near or difflib.get_close_matches(check_id, known, 3, 0.8)
    hint = f"did you mean {' or '.join(found)}?" if found else "the ids are listed by: gatecov checks"
    return f"{check_id}: neither the store's catalog nor its logs know this check; {hint}"


def row_of(found: WhatIf) -> dict[str, Any]:
    """The figures as plain values: what `--format json` prints first."""
    return {
        "checks": list(found.checks),
        "changed_runs": found.runs.height,
        "passed_by_attempt": {str(attempt): count for attempt, count in found.passed.items()},
        "writer_calls_saved": found.saved_calls,
        "templates_avoided": found.avoided["posted-template"],
        "silences_avoided": found.avoided["silent"],
        "templates_that_pass": int((found.runs["passes"] == "template").sum()),
        "texts_posted": found.posted_total,
        "other_stops": found.stops.height,
        "other_stops_unknown": found.unknown,
        "incomplete_runs_left_out": found.open_runs.height,
        "before": found.before,
        "after": found.after,
    }
