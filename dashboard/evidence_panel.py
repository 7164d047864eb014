"""Checks beside each other and over time: overlap, shadowing, trend, deployments, and what only code or only logs know.

Names of agents and versions are log text: they are shown by `st.text` and in tables alone.
"""

import polars as pl
import streamlit as st

from checks.families import FAMILIES
from dashboard import components, data, evidence_charts
from dashboard.components import Filters
from queries.deployments import UNNAMED, judged, some_only
from queries.overlap import containments, overlaps
from queries.trend import Trend, told, trends, weekly
from queries.wording import plural

MOST = 12
"""As many findings are told in sentences; the tables hold all."""


def changes(chosen: Filters) -> dict[str, Trend]:
    """The finding for every check of the window; they share the level, so a family's page shows the same ones."""
    return trends(data.ask("fires_by_week", chosen.window))


def trend(found: dict[str, Trend], check_id: str, chosen: Filters) -> None:
    """The checks that went quiet or loud, and one check's weeks with what they are out of."""
    st.subheader("What went quiet or loud", anchor=False)
    changed = [one for one in told(found) if not chosen.family or one.check_id.rpartition(".")[0] == chosen.family]
    for one in changed[:MOST]:
        st.markdown(f"`{one.check_id}`")
        st.text(one.sentence())
    if not changed:
        st.info("No check went quiet or loud by more than chance: what differs from week to week is noise.")
    weeks = weekly(data.ask("fires_by_week", chosen.window), data.thresholds()).filter(pl.col("check_id") == check_id)
    if weeks.is_empty():
        return
    st.markdown(f"**Fires per week** of `{check_id}`; pale weeks are thin")
    components.chart(evidence_charts.trend(weeks), "trend", says="Fires of one check per week, with the evaluations")
    if check_id in found and found[check_id] not in changed:
        st.text(found[check_id].sentence())
    components.table(
        weeks, "weeks", empty="It was evaluated in no week of this window.", columns={"rate": percent(), "week": date()}
    )


def overlap(chosen: Filters) -> None:
    """How often two checks object to the same draft, and which lies within which."""
    st.subheader("Which object to the same drafts", anchor=False)
    pairs = overlaps(data.of_family(data.ask("together", chosen.window), chosen.family, "check_a"))
    if pairs.is_empty():
        st.info("No two checks that report every failure objected to the same draft in this window.")
        return
    st.caption("Of the fires of the check in the row, so many in a hundred are also fires of the check in the column.")
    components.chart(
        evidence_charts.overlap(pairs), "overlap", says="Share of one check's fires that are also another's"
    )
    for check_a, _, sentence in containments(pairs)[:MOST]:
        st.markdown(f"`{check_a}`")
        st.text(sentence)
    components.table(
        pairs,
        "overlaps",
        empty="",
        columns={name: percent() for name in ("share", "outside_bound")} | {"by_chance": tiny()},
        order=[
            "check_a",
            "check_b",
            "together",
            "fires_a",
            "fires_b",
            "share",
            "contained",
            "outside_bound",
            "by_chance",
        ],
    )


def shadowing(chosen: Filters) -> None:
    """How often the checks of a first-match family were reached, and what stopped the chain before them."""
    st.subheader("Which stop the chain before others", anchor=False)
    stopped = data.of_family(data.ask("shadowing", chosen.window), chosen.family)
    if stopped.is_empty():
        st.info("No item of a family that stops at the first failed check is known in this window.")
        return
    for (family,), rows in stopped.group_by("family", maintain_order=True):
        total = plural(int(rows["family_evaluated"][0]), FAMILIES[str(family)].item)
        st.markdown(f"**{FAMILIES[str(family)].title}**, {total}")
        components.chart(
            evidence_charts.reach(rows),
            f"reach-{family}",
            says="How many items reached each check, and what stopped the rest",
        )
    components.table(stopped, "shadowing", empty="")


def deployments(check_id: str, chosen: Filters) -> None:
    """Verdicts per agent and per version, and the checks that fire in some of them only."""
    st.subheader("In which deployments", anchor=False)
    by = st.segmented_control("Compare by", ["agent", "version"], default="agent", key="deployments-by") or "agent"
    rows = data.of_family(data.ask("deployments", chosen.window, by=by), chosen.family)
    if rows.is_empty():
        st.info("No record of this window was judged by a check.")
        return
    found = [one for one in some_only(rows) if not one.noise]
    for one in found[:MOST]:
        st.markdown(f"`{one.check_id}`")
        st.text(one.sentence())
    if not found:
        st.info(f"No check fires in some of these only by more than chance, as far as records name the {by}.")
    of_check = judged(rows, chosen.window, data.thresholds()).with_columns(pl.col("deployment").fill_null(UNNAMED))
    components.table(
        of_check.filter(pl.col("check_id") == check_id) if check_id else of_check,
        "deployments",
        empty="No deployment evaluated this check in this window.",
        columns={"upper_bound": percent(), "upper_bound_sessions": percent()},
        order=[
            *("check_id", "deployment", "verdict", "fires", "evaluated", "upper_bound", "sessions"),
            *("upper_bound_sessions", "days", "last_fired", "explanation"),
        ],
    )


def strangers(checks: pl.DataFrame) -> None:
    """What only the logs know any more, and what only the code knows so far."""
    left, right = st.columns(2)
    with left:
        st.subheader("In the logs, not in the code", anchor=False)
        told = pl.col("fires") + pl.col("template_fires") + pl.col("fires_before") > 0
        retired = checks.filter(pl.col("retired") & told)
        components.table(
            retired.select("check_id", "fires", "first_fired", "last_fired"),
            "retired",
            empty="Every check that the logs name is in the catalog.",
            records=lambda row: {"check_id": row["check_id"]},
        )
    with right:
        st.subheader("In the code, never in the logs", anchor=False)
        silent = checks.filter(~pl.col("retired") & ~told)
        components.table(
            silent.select("check_id", "verdict", "evaluated", "sessions", "days", "source_date"),
            "never",
            empty="Each check of the catalog fired at least once.",
        )


def tiny() -> object:
    return st.column_config.NumberColumn(format="scientific")


def date() -> object:
    return st.column_config.DateColumn("week of", format="YYYY-MM-DD")


def percent() -> object:
    return st.column_config.NumberColumn(format="percent")
