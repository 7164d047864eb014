"""Which checks of a collect-all family say the same: how often they object together, and which lies within which."""

from collections.abc import Mapping

import polars as pl

from queries.exact import ALPHA, all_inside
from queries.intervals import upper_bound
from queries.wording import amount, percent, plural


def overlaps(pairs: pl.DataFrame) -> pl.DataFrame:
    """The pairs of together.sql with three shares added, each from 0 to 1.

    `share` is the part of check_a's fires that are also check_b's. Where check_a is contained, `outside_bound` is the exact
    one-sided 95 % bound of the part that may lie outside check_b all the same, and `by_chance` the probability that all of
    its fires fall on check_b's drafts if the two had nothing to do with each other; both are NULL elsewhere.
    """
    rows = [_contained(row) if row["contained"] else (None, None) for row in pairs.iter_rows(named=True)]
    added = pl.DataFrame(rows, schema={"outside_bound": pl.Float64, "by_chance": pl.Float64}, orient="row")
    share = (pl.col("together") / pl.col("fires_a")).alias("share")
    return pl.concat([pairs.with_columns(share), added], how="horizontal")


def _contained(row: Mapping[str, int]) -> tuple[float, float]:
    return upper_bound(0, row["fires_a"]), all_inside(row["fires_a"], row["fires_b"], row["drafts"])


def containments(pairs: pl.DataFrame) -> list[tuple[str, str, str]]:
    """check_a, check_b and a sentence for each pair of `overlaps` in which check_a lies within check_b, the surest first.

    A containment that chance alone would bring about in one case of twenty or more, shared between all containments that
    were looked at, is no finding, and the sentence says so.
    """
    found = pairs.filter("contained").sort("by_chance", "check_a", "check_b")
    level = ALPHA / max(1, found.height)
    return [(row["check_a"], row["check_b"], _sentence(row, level)) for row in found.iter_rows(named=True)]


def _sentence(row: Mapping[str, object], level: float) -> str:
    fires, others, drafts = (int(str(row[name])) for name in ("fires_a", "fires_b", "drafts"))
    bound, chance = float(str(row["outside_bound"])), float(str(row["by_chance"]))
    of = "Its only fire" if fires == 1 else f"Every one of its {plural(fires, 'fire')}"
    if chance >= level:
        return (
            f"{of} is also one of {row['check_b']}, which says little: that check fires on {amount(others)} of "
            f"{plural(drafts, 'draft')}, so chance alone brings this about in {percent(chance)} of cases."
        )
    return (
        f"{of} is also one of {row['check_b']} ({amount(others)} of {plural(drafts, 'draft')}): without it they would all "
        f"have been rejected just the same. With 95 % confidence less than {percent(bound)} of its fires lie outside."
    )
