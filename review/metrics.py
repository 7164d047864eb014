"""What a rule can compare: every metric in one table, with what it measures and how it is worked out from the store.

A share is two counts of the question *rule_figures*; so is a mean. The rest count checks or decisions.
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
from review.decisions import Decisions, stale
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
        self, db: Path, window: Window, thresholds: Thresholds, decisions: Decisions | None, now: dt.datetime
    ) -> None:
        self.db, self.window, self.thresholds, self.now = db, window, thresholds, now
        self._decisions = decisions

    @cached_property
    def figures(self) -> Mapping[str, int | None]:
        with opened(self.db) as connection:
            return ask(connection, "rule_figures", self.window).row(0, named=True)

    @cached_property
    def checks(self) -> Mapping[str, Mapping[str, Any]]:
        """The judged row of each check by its id."""
        with opened(self.db) as connection:
            frame = judge(evidence(connection, self.window, self.thresholds), self.thresholds)
        return {row["check_id"]: row for row in frame.iter_rows(named=True)}

    @cached_property
    def check_ids(self) -> tuple[str, ...]:
        with opened(self.db) as connection:
            return tuple(connection.sql("SELECT check_id FROM check_totals ORDER BY check_id").pl()["check_id"])

    def count_checks(self, wanted: Callable[[Mapping[str, Any]], bool]) -> int:
        return sum(wanted(row) for row in self.checks.values())

    def count_decisions(self, wanted: Callable[[str], bool]) -> int | None:
        return None if self._decisions is None else sum(wanted(name) for name in self._decisions.by_check)

    def keeps(self, check_id: str) -> bool:
        """Whether a decision says to keep it."""
        decision = self._decisions.by_check.get(check_id) if self._decisions else None
        return decision is not None and decision.action == "keep"

    def is_stale(self, check_id: str) -> bool:
        assert self._decisions is not None
        return bool(stale(self._decisions.by_check[check_id], self.checks.get(check_id, {}), self.now))


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
        return Measure(facts.figures[numerator], facts.figures[denominator], divides=True)

    return Metric(name, more.pop("unit", "share"), of, out_of, measure, **more)


def _count(name: str, of: str, figure: str, **more: Any) -> Metric:
    return Metric(name, "count", of, "", lambda facts, _: Measure(facts.figures[figure]), **more)


def _rate(facts: Facts, check_id: str) -> Measure:
    row = facts.checks[check_id]
    return Measure(row["evaluated_fires"] if row["rate"] is not None else None, row["evaluated"], divides=True)


def _never_fired(facts: Facts, verdict: str) -> Measure:
    return Measure(
        facts.count_checks(
            lambda row: row["fires"] == 0 and not row["retired"] and (not verdict or row["verdict"] == verdict)
        )
    )


def _prunable(facts: Facts, _: str) -> Measure:
    return Measure(
        facts.count_checks(
            lambda row: row["verdict"] == "candidate" and not row["kept_because"] and not facts.keeps(row["check_id"])
        )
    )


TABLE: tuple[Metric, ...] = (
    _share("silent_share", "complete runs that ended in silence", "silent", "complete runs", "runs"),
    _share("template_share", "complete runs posted from the template", "posted_template", "complete runs", "runs"),
    _share("mean_attempts", "writer calls", "writer_calls", "complete runs", "runs", unit="mean"),
    _share("failed_calls_share", "writer calls that failed", "failed_calls", "writer calls", "writer_calls"),
    _share(
        "first_draft_rejected_share",
        "first drafts that were rejected",
        "first_drafts_rejected",
        "first drafts",
        "first_drafts",
    ),
    _share("incomplete_share", "runs without a summary", "incomplete_runs", "runs", "all_runs"),
    _share(
        "inconsistent_share",
        "complete runs whose lines do not add up to their summary",
        "inconsistent_runs",
        "complete runs",
        "runs",
    ),
    _share(
        "slots_rejected_share",
        "slot sets that were rejected",
        "slots_rejected",
        "slot sets that are known",
        "slot_sets",
    ),
    _share(
        "honesty_fired_share",
        "final texts at which the honesty gate fired",
        "honesty_fired",
        "final texts judged",
        "final_texts",
    ),
    _share("guardrail_drop_share", "posts that a guardrail dropped", "posts_dropped", "posts that are known", "posts"),
    _share(
        "rejected_share",
        "records that could not be read",
        "rejects",
        "records that should have been events",
        "records_and_rejects",
        whole_store=True,
    ),
    _share("undated_share", "records without a time", "undated", "records", "records_in_store", whole_store=True),
    _share("unmapped_share", "reasons that belong to no known check", "unmapped", "reasons", "reasons"),
    _count("records", "relevant records", "records"),
    _count("runs", "complete runs", "runs"),
    _count("rejects", "records that could not be read", "rejects", whole_store=True),
    _count("unmapped", "reasons that belong to no known check", "unmapped"),
    _count("days_without_logs", "days without any logs", "days_without_logs"),
    Metric("never_fired", "count", "checks that never fired", "", _never_fired, "VERDICT", optional=True),
    Metric(
        "verdict",
        "count",
        "checks with this verdict",
        "",
        lambda facts, name: Measure(facts.count_checks(lambda row: row["verdict"] == name)),
        "VERDICT",
    ),
    Metric("prunable", "count", "candidates that neither the keep-list nor a decision keeps", "", _prunable),
    Metric("fires", "count", "fires", "", lambda facts, name: Measure(facts.checks[name]["fires"]), "CHECK"),
    Metric("rate", "share", "fires", "evaluations", _rate, "CHECK"),
    Metric(
        "decisions",
        "count",
        "decisions",
        "",
        lambda facts, _: Measure(facts.count_decisions(lambda name: True)),
        untold="no decisions were read",
    ),
    Metric(
        "stale_decisions",
        "count",
        "decisions whose evidence no longer holds",
        "",
        lambda facts, _: Measure(facts.count_decisions(facts.is_stale)),
        untold="no decisions were read",
    ),
)
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
