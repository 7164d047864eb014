"""One check, whole: its verdict and evidence, its live source and docs, its history, and the drafts that it rejected."""

from typing import Any

import polars as pl
import streamlit as st

from checks.families import FAMILIES
from checks.registry import HEADINGS, Check
from dashboard import components, data, decision_panel, evidence_charts, replay_panel, whatif_panel, words
from dashboard.components import Filters
from queries.trend import weekly


def show(check_id: str, checks: pl.DataFrame, chosen: Filters) -> None:
    """The panel of the check that the address names."""
    row = next(checks.filter(pl.col("check_id") == check_id).iter_rows(named=True), None)
    live = data.catalog().get(check_id)
    if row is None:
        st.text(f"{check_id}: neither the catalog nor the logs know this check; choose one from the table.")
        return
    st.subheader(f"`{check_id}`", anchor=False)
    evidence(row)
    left, right = st.columns([5, 4])
    with left:
        source(live)
        if live:
            docs(live)
    with right:
        history(check_id, chosen)
        decision_panel.show(check_id, row, chosen)
    rejected_drafts(check_id, chosen)
    whatif_panel.show(check_id, checks["check_id"].to_list(), chosen)
    replay_panel.show(check_id)


def source(live: Check | None) -> None:
    """The code as it was registered, with line numbers, and whether the file has changed since."""
    if live is None:
        st.info("The catalog does not hold this check any more: only the logs know it, so there is no source to show.")
        return
    if live.source_text is None:
        st.info("This check runs elsewhere: there is no source of it here.")
        st.text(live.runs_elsewhere)
        return
    if live.changed_since_registered():
        st.warning(
            "The file on disk has changed since this code was registered; restart the dashboard to see the new one."
        )
    st.caption(f"`{live.source}`, registered at line {live.line} · sha256 `{(live.source_sha256 or '')[:12]}`")
    st.code(live.source_text, language="python", line_numbers=True, wrap_lines=True, height=620)


def evidence(row: dict[str, Any]) -> None:
    """Verdict, recommendation, and the figures that they rest on, each with its link to the records."""
    verdict = row["verdict"]
    with st.container(border=True, key="evidence"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(
                verdict.replace("_", " "), color=words.COLOURS.get(verdict, "gray"), help=words.VERDICTS.get(verdict)
            )
            # Both texts may quote a decision or an agent's name.
            st.text(row["recommendation"])
        st.text(row["explanation"])
        with st.container(horizontal=True, gap="small"):
            for label, conditions in figures(row).items():
                components.follow(label, **conditions)


def figures(row: dict[str, Any]) -> dict[str, components.Conditions]:
    """The records behind each count of a row of check_totals.sql, by the words for it; a count of zero has none."""
    check_id, fires = row["check_id"], data.behind_fires(row["check_id"])
    first = {"evaluated": check_id, "first_draft": "true"}
    counts = [
        (row["fires"], "fire", fires),
        (row["sole_fires"], "fire as the only one", fires | {"sole": "true"}),
        (row["evaluated"], FAMILIES[row["family"]].item, {"evaluated": check_id}),
        (row["first_drafts"], "first draft", first),
        (row["first_draft_fires"], "fire on first drafts", first | {"check_id": check_id}),
        (row["template_fires"], "template", {"check_id": check_id, "kind": "template_failed"}),
    ]
    # Where the source changed, the counts are of the present one, and the records of both.
    either = ", of either source" if row.get("changed_after") else ""
    return {
        (f"The {counted(count, noun)}" if not either else f"{several(noun).capitalize()}{either}"): conditions
        for count, noun, conditions in counts
        if count
    }


def counted(count: int, noun: str) -> str:
    """A count and its noun, of which the first word takes the plural's *s*: *2 fires on first drafts*."""
    return f"{count:,} {noun if count == 1 else several(noun)}"


def several(noun: str) -> str:
    head, _, rest = noun.partition(" ") if noun.startswith("fire") else (noun, "", "")
    return f"{head}s {rest}".strip()


def history(check_id: str, chosen: Filters) -> None:
    """Fires per week, and what they were out of."""
    weeks = weekly(data.ask("fires_by_week", chosen.window), data.thresholds()).filter(pl.col("check_id") == check_id)
    if weeks.is_empty():
        st.info("No dated fire and no dated evaluation lies in this window, so there is no history to draw.")
        return
    st.markdown("**Fires per week**, out of what was evaluated; pale weeks are thin")
    components.chart(
        evidence_charts.trend(weeks),
        "history",
        says="Fires of this check per week, with the number of evaluations",
        records=lambda mark: data.behind_fires(check_id, week=mark["week_of"]),
        more=lambda mark: {"What it judged in that week": {"evaluated": check_id, "week": mark["week_of"]}},
    )


def docs(live: Check) -> None:
    """The docstring under its own headings. It is our own source, so its backticks may speak."""
    with st.container(border=True):
        st.text(live.title)
        st.text(f"Reason in the log: {live.reason}")
        if live.kept_because:
            st.text(f"Kept, because {live.kept_because}")
        for heading, text in words.sections(live.doc, HEADINGS):
            if heading:
                st.markdown(f"**{heading}**")
            st.markdown(text)


def rejected_drafts(check_id: str, chosen: Filters) -> None:
    if not check_id.startswith("socratic.shape."):
        return
    st.subheader("Drafts that it rejected", anchor=False)
    drafts = data.ask("rejected_drafts", chosen.window, check_id=check_id)
    components.table(
        drafts,
        "rejected_drafts",
        empty="It rejected no draft in this window; the evaluations above say out of how many.",
        order=["time", "draft", "reasons", "sole", "attempt", "agent", "session", "file", "line"],
        records=lambda draft: {"event_id": draft["event_id"]},
    )
