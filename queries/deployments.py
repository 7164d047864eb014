"""Verdicts per agent and per version, and the checks that fire in some deployments only."""

from dataclasses import dataclass

import polars as pl

from queries.exact import ALPHA, all_inside
from queries.thresholds import Thresholds
from queries.verdicts import judge
from queries.window import Window
from queries.wording import amount, percent, plural

UNNAMED = "(not named)"
"""What stands for the records that name no agent or no version."""


def judged(rows: pl.DataFrame, window: Window, thresholds: Thresholds | None = None) -> pl.DataFrame:
    """The rows of deployments.sql judged as `verdicts.judge` does it, each deployment by its own records alone."""
    return judge(rows.with_columns(window=pl.lit(window.describe())), thresholds)


@dataclass(frozen=True, slots=True)
class SomeOnly:
    """A check that fires in some deployments and not in `silent_in`, though it was evaluated there.

    `p` is the probability that none of the conversations with a fire falls there by chance, `level` what it must lie
    below: 0.05 shared between all such comparisons.
    """

    check_id: str
    silent_in: str
    sessions: int
    fires_in: tuple[str, ...]
    fired_sessions: int
    of_sessions: int
    p: float
    level: float

    @property
    def noise(self) -> bool:
        return self.p >= self.level

    def sentence(self) -> str:
        """The finding in plain words; log text (names of agents) may stand in it."""
        figures = (
            f"a fire in {amount(self.fired_sessions)} of {plural(self.of_sessions, 'conversation')} of "
            f"{', '.join(self.fires_in)}, and in none of {amount(self.sessions)} of {self.silent_in}"
        )
        if self.noise:
            return f"{figures}: chance alone does that in {percent(self.p)} of cases, so it is noise."
        return f"It fires in some deployments only: {figures}; chance alone does that in {percent(self.p)} of cases."


def some_only(rows: pl.DataFrame) -> list[SomeOnly]:
    """Every check that fires in one named deployment and in another does not (`rows` is deployments.sql), the surest first.

    Conversations are compared, not drafts. Records that name no deployment say nothing of any, and are left out here; so is
    a deployment that is named on objections alone, since what passed there is not known.
    """
    passes = (pl.col("sessions") > 0) & (pl.col("family_passed") > 0)
    named = rows.filter(pl.col("deployment").is_not_null() & passes & ~pl.col("retired"))
    compared = []
    for (check_id,), of_check in named.group_by("check_id", maintain_order=True):
        firing, silent = of_check.filter(pl.col("fired_sessions") > 0), of_check.filter(pl.col("fires") == 0)
        fired, of = int(firing["fired_sessions"].sum()), int(firing["sessions"].sum())
        for deployment, sessions in silent.select("deployment", "sessions").iter_rows() if fired else ():
            places = tuple(firing["deployment"].to_list())
            compared.append(
                (str(check_id), deployment, sessions, places, fired, of, all_inside(fired, of, of + sessions))
            )
    level = ALPHA / max(1, len(compared))
    return sorted(
        (SomeOnly(*row, level) for row in compared), key=lambda found: (found.p, found.check_id, found.silent_in)
    )
