"""Did a check go quiet or loud? Fires per week with what they are out of, and an exact test that allows for few events.

Conversations are counted, not drafts, since the drafts of one conversation are alike. The weeks are cut in two at each
place in turn, and the conversations with a fire before it are compared with those after it by Fisher's exact test. The
place with the smallest p-value is told where that lies below 0.05 shared between all comparisons that were made: every cut
of every check that fired (Bonferroni). Anything less is noise, and is called so.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from queries.exact import ALPHA, fisher
from queries.thresholds import Thresholds
from queries.wording import amount, day, percent, plural

Kind = Literal["quiet", "loud", "noise", "never", "unknown"]


@dataclass(frozen=True, slots=True)
class Counts:
    """Conversations with a fire, out of all in which the check was evaluated."""

    fired: int
    of: int

    @property
    def rate(self) -> float:
        return self.fired / self.of if self.of else 0.0

    def __str__(self) -> str:
        return f"{amount(self.fired)} of {plural(self.of, 'conversation')}"


@dataclass(frozen=True, slots=True)
class Trend:
    """What the weeks say of one check. `week` is the first of the new state (its Monday); it, `p`, `before` and `after`
    are those of the sharpest cut, None where there is nothing to compare. `level` is what p must lie below."""

    check_id: str
    kind: Kind
    week: dt.date | None = None
    p: float | None = None
    level: float | None = None
    before: Counts | None = None
    after: Counts | None = None

    def sentence(self) -> str:
        """The finding in plain words, with its figures."""
        if self.kind == "never":
            return "It fired in no week, so there is no change to tell."
        if self.kind == "unknown" or not (self.before and self.after):
            return (
                "Whether it grew quieter or louder cannot be told: the logs do not say, for two weeks or more, how often it "
                "could have fired."
            )
        figures = f"{self.before} before the week of {day(self.week)}, {self.after} since"
        test = f"(Fisher's exact test, p = {_p(self.p)}, {{}} {_p(self.level)} for all comparisons made)"
        if self.kind == "noise":
            return f"No change that these numbers could show; the sharpest difference is noise: {figures} {test.format('not below')}."
        if self.kind == "quiet":
            word = "went quiet" if self.after.fired == 0 else f"grew quieter ({_change(self.before, self.after)})"
        else:
            word = "began to fire" if self.before.fired == 0 else f"grew louder ({_change(self.before, self.after)})"
        return f"It {word} in the week of {day(self.week)}: {figures} {test.format('below')}."


def _change(before: Counts, after: Counts) -> str:
    return f"from {percent(before.rate)} to {percent(after.rate)} of conversations"


def _p(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2g}"


def weekly(weeks: pl.DataFrame, thresholds: Thresholds | None = None) -> pl.DataFrame:
    """The weeks of fires_by_week.sql with `rate` (0 to 1, NULL where it is not known) and `thin`: too few evaluations."""
    limits = thresholds or Thresholds()
    known = pl.col("evaluated") > 0
    return weeks.with_columns(
        rate=pl.when(known & (pl.col("fires") <= pl.col("evaluated"))).then(pl.col("fires") / pl.col("evaluated")),
        thin=(pl.col("evaluated").fill_null(0) < limits.min_week_evaluations),
    )


def trends(weeks: pl.DataFrame) -> dict[str, Trend]:
    """The finding for each check of fires_by_week.sql. Give it all checks of the window: they share the level."""
    series = {
        str(check_id): [
            (row["week"], Counts(row["fired_sessions"], row["sessions"]))
            for row in rows.sort("week").iter_rows(named=True)
            if row["sessions"]
        ]
        for (check_id,), rows in weeks.group_by("check_id", maintain_order=True)
    }
    fires = dict(weeks.group_by("check_id").agg(pl.col("fires").sum()).iter_rows())
    tested = {check_id for check_id, counts in series.items() if len(counts) > 1 and any(c.fired for _, c in counts)}
    comparisons = sum(len(series[check_id]) - 1 for check_id in tested)
    return {
        check_id: sharpest(check_id, counts, ALPHA / comparisons)
        if check_id in tested
        else Trend(check_id, "never" if fires[check_id] == 0 else "unknown")
        for check_id, counts in series.items()
    }


def sharpest(check_id: str, counts: Sequence[tuple[dt.date, Counts]], level: float) -> Trend:
    """The cut of two weeks or more with the smallest p-value, the earliest of equals."""
    cuts = []
    for place in range(1, len(counts)):
        before, after = (_sum([count for _, count in part]) for part in (counts[:place], counts[place:]))
        cuts.append((fisher(before.fired, before.of, after.fired, after.of), counts[place][0], before, after))
    p, week, before, after = min(cuts, key=lambda cut: cut[:2])
    kind: Kind = "noise" if p >= level else "quiet" if after.rate < before.rate else "loud"
    return Trend(check_id, kind, week, p, level, before, after)


def _sum(counts: Sequence[Counts]) -> Counts:
    return Counts(sum(count.fired for count in counts), sum(count.of for count in counts))


def told(found: Mapping[str, Trend]) -> list[Trend]:
    """Those that went quiet or loud, the surest first."""
    return sorted(
        (trend for trend in found.values() if trend.kind in ("quiet", "loud")),
        key=lambda trend: (trend.p or 0, trend.check_id),
    )
