"""What a rule can compare: every metric in one table, with what it measures and how it is worked out from the store.

A share is two counts of the questions *run_figures*, *item_figures* and *record_figures*; so is a mean. The rest count
checks, by their verdicts, or decisions.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import polars as pl

from queries import Window, ask
from queries.thresholds import Thresholds
from queries.verdicts import VERDICTS, evidence, judge
from review.decisions import Decision, Decisions, stale
from storefile import opened

Unit = Literal["share", "count", "mean"]
Argument = Literal["", "CHECK", "VERDICT"]


@dataclass(frozen=True, slots=True)
class Measure:
    """One metric measured: a count, or a count of `denominator`. None where the logs do not tell."""

    numerator: int | None
    denominator: int | None = None
    divides: bool = False

    @property
    def value(self) -> Fraction | None:
        """Exact, so that 1 in 20 is not more than 0.05; None where it is unknown."""
        if self.numerator is None:
            return None
        if not self.divides:
            return Fraction(self.numerator)
        return Fraction(self.numerator, self.denominator) if self.denominator else None


class Facts:
    """What the metrics are worked out from: each question is asked once, and only if a rule needs it."""

    def __init__(
        self,
        db: Path,
        window: Window,
        thresholds: Thresholds,
        decisions: Decisions | None,
        now: dt.datetime,
        judged: pl.DataFrame | None = None,
    ) -> None:
        self.db, self.window, self.thresholds, self.now = db, window, thresholds, now
        self.decisions, self._judged = decisions, judged
        self._answers: dict[str, Mapping[str, int | None]] = {}

    def figure(self, name: str) -> int | None:
        """One count, named by its question and column: run_figures.silent."""
        question, _, column = name.partition(".")
        if question not in self._answers:
            with opened(self.db) as connection:
                self._answers[question] = ask(connection, question, self.window).row(0, named=True)
        return self._answers[question][column]

    @cached_property
    def checks(self) -> Mapping[str, Mapping[str, Any]]:
        """The judged row of each check by its id."""
        frame = self._judged
        if frame is None:
            with opened(self.db) as connection:
                frame = judge(evidence(connection, self.window, self.thresholds), self.thresholds)
        return {row["check_id"]: row for row in frame.iter_rows(named=True)}

    @cached_property
    def check_ids(self) -> tuple[str, ...]:
        """Every check that the catalog or the logs know."""
        with opened(self.db) as connection:
            return tuple(ask(connection, "known_checks")["check_id"])

    def count_checks(self, wanted: Callable[[Mapping[str, Any]], bool]) -> Measure:
        return Measure(sum(wanted(row) for row in self.checks.values()))

    def count_decisions(self, wanted: Callable[[Decision], bool]) -> Measure:
        if self.decisions is None:
            return Measure(None)
        return Measure(sum(wanted(decision) for decision in self.decisions.by_check.values()))


@dataclass(frozen=True, slots=True)
class Metric:
    """A row of the table. `of` names what is counted, `out_of` the denominator in words; empty where there is none.

    `untold` says why it is unknown, where that is not for want of a denominator.
    """

    name: str
    unit: Unit
    of: str
    out_of: str
    measure: Callable[[Facts, str], Measure]
    argument: Argument = ""
    optional: bool = False
    whole_store: bool = False
    untold: str = "the logs do not tell"

    @property
    def usage(self) -> str:
        """The metric as a rule writes it: rate(CHECK)."""
        return f"{self.name}({self.argument})" if self.argument else self.name


def _share(name: str, of: str, numerator: str, out_of: str, denominator: str, **more: Any) -> Metric:
    def measure(facts: Facts, _: str) -> Measure:
        return Measure(facts.figure(numerator), facts.figure(denominator), divides=True)

    return Metric(name, more.pop("unit", "share"), of, out_of, measure, **more)


def _count(name: str, of: str, figure: str, **more: Any) -> Metric:
    return Metric(name, "count", of, "", lambda facts, _: Measure(facts.figure(figure)), **more)


def _rate(facts: Facts, check_id: str) -> Measure:
    row = facts.checks[check_id]
    return Measure(row["evaluated_fires"] if row["rate"] is not None else None, row["evaluated"], divides=True)


def _never_fired(facts: Facts, verdict: str) -> Measure:
    return facts.count_checks(
        lambda row: row["fires"] == 0 and not row["retired"] and (not verdict or row["verdict"] == verdict)
    )


def _with_verdict(facts: Facts, verdict: str) -> Measure:
    return facts.count_checks(lambda row: row["verdict"] == verdict)


def _prunable(facts: Facts, _: str) -> Measure:
    actions = facts.decisions.actions if facts.decisions else {}
    return facts.count_checks(
        lambda row: row["verdict"] == "candidate" and not row["kept_because"] and actions.get(row["check_id"]) != "keep"
    )


def _decisions(facts: Facts, _: str) -> Measure:
    return facts.count_decisions(lambda decision: True)


def _stale_decisions(facts: Facts, _: str) -> Measure:
    return facts.count_decisions(
        lambda decision: bool(stale(decision, facts.checks.get(decision.check_id, {}), facts.now))
    )


# fmt: off
TABLE: tuple[Metric, ...] = (
    _share("silent_share", "complete runs that ended in silence", "run_figures.silent", "complete runs", "run_figures.runs"),
    _share("template_share", "complete runs posted from the template", "run_figures.posted_template", "complete runs", "run_figures.runs"),
    _share("mean_attempts", "writer calls", "run_figures.writer_calls", "complete runs", "run_figures.runs", unit="mean"),
    _share("failed_calls_share", "writer calls that failed", "run_figures.failed_calls", "writer calls", "run_figures.writer_calls"),
    _share("incomplete_share", "runs without a summary", "run_figures.incomplete_runs", "runs", "run_figures.all_runs"),
    _share("inconsistent_share", "complete runs whose lines do not add up to their summary", "run_figures.inconsistent_runs", "complete runs", "run_figures.runs"),
    _share("first_draft_rejected_share", "first drafts that were rejected", "item_figures.first_drafts_rejected", "first drafts", "item_figures.first_drafts"),
    _share("slots_rejected_share", "slot sets that were rejected", "item_figures.slots_rejected", "slot sets that are known", "item_figures.slot_sets"),
    _share("honesty_fired_share", "final texts at which the honesty gate fired", "item_figures.honesty_fired", "final texts judged", "item_figures.final_texts"),
    _share("guardrail_drop_share", "posts that a guardrail dropped", "item_figures.posts_dropped", "posts that are known", "item_figures.posts"),
    _share("rejected_share", "records that could not be read", "record_figures.rejects", "records that should have been events", "record_figures.records_and_rejects", whole_store=True),
    _share("undated_share", "records without a time", "record_figures.undated", "records", "record_figures.records_in_store", whole_store=True),
    _share("unmapped_share", "reasons that belong to no known check", "record_figures.unmapped", "reasons", "record_figures.reasons"),
    _count("records", "relevant records", "record_figures.records"),
    _count("runs", "complete runs", "run_figures.runs"),
    _count("rejects", "records that could not be read", "record_figures.rejects", whole_store=True),
    _count("unmapped", "reasons that belong to no known check", "record_figures.unmapped"),
    _count("days_without_logs", "days without any logs", "record_figures.days_without_logs"),
    Metric("never_fired", "count", "checks that never fired", "", _never_fired, "VERDICT", optional=True),
    Metric("verdict", "count", "checks with this verdict", "", _with_verdict, "VERDICT"),
    Metric("prunable", "count", "candidates that neither the keep-list nor a decision keeps", "", _prunable),
    Metric("fires", "count", "fires", "", lambda facts, name: Measure(facts.checks[name]["fires"]), "CHECK"),
    Metric("rate", "share", "fires", "evaluations", _rate, "CHECK"),
    Metric("decisions", "count", "decisions", "", _decisions, untold="no decisions were read"),
    Metric("stale_decisions", "count", "decisions whose evidence no longer holds", "", _stale_decisions, untold="no decisions were read"),
)
# fmt: on
METRICS: dict[str, Metric] = {metric.name: metric for metric in TABLE}
ARGUMENTS: dict[Argument, tuple[str, ...]] = {"VERDICT": VERDICTS}


def table() -> pl.DataFrame:
    """The metrics for a person to read: metric, unit, measures."""
    return pl.DataFrame(
        [
            {"metric": m.usage, "unit": m.unit, "measures": f"{m.of} out of {m.out_of}" if m.out_of else m.of}
            for m in TABLE
        ]
    )
