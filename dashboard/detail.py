"""One check, whole: its verdict and evidence, its live source and docs, its history, and the drafts that it rejected."""

import polars as pl
import streamlit as st

from checks.registry import HEADINGS, Check
from dashboard import charts, components, data, decision_panel, replay_panel, words
from dashboard.components import Filters
from queries.wording import plural


def show(check_id: str, checks: pl.DataFrame, chosen: Filters) -> None:
    """The panel of the check that the address names."""
    row = next(checks.filter(pl.col("check_id") == check_id).iter_rows(named=True), None)
    live = data.catalog().get(check_id)
    if row is None:
        st.text(f"{check_id}: neither the catalog nor the logs know this check; choose one from the table.")
        return
    st.subheader(f"`{check_id}`", anchor=False)
    left, right = st.columns([5, 4])
    with left:
        source(live)
    with right:
        evidence(row, chosen)
        decision_panel.show(check_id, row, chosen)
        history(check_id, row, chosen)
        if live:
            docs(live)
    rejected_drafts(check_id, row, chosen)
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
    st.code(live.source_text, language="python", line_numbers=True, height=620)


def evidence(row: dict[str, object], chosen: Filters) -> None:
    """Verdict, recommendation, and the figures that they rest on, each with its link to the records."""
    verdict = str(row["verdict"])
    st.badge(verdict.replace("_", " "), color=words.COLOURS.get(verdict, "gray"), help=words.VERDICTS.get(verdict))
    # Both may quote a decision or an agent's name.
    st.text(str(row["recommendation"]))
    st.text(str(row["explanation"]))
    if row["fires"]:
        components.follow(f"The {plural(int(str(row['fires'])), 'fire')}", **data.behind_fires(str(row["check_id"])))


def history(check_id: str, row: dict[str, object], chosen: Filters) -> None:
    """Fires per week, and what they were out of."""
    weeks = data.ask("fires_by_week", chosen.window).filter(pl.col("check_id") == check_id)
    if weeks.is_empty():
        st.info("No dated fire and no dated evaluation lies in this window, so there is no history to draw.")
        return
    st.markdown("**Fires per week**")
    components.chart(
        charts.weeks(weeks, "fires", "fires", against="evaluated"),
        "history",
        says="Fires of this check per week, with the number of evaluations",
        records=lambda mark: data.behind_fires(check_id, week=mark["week_of"]),
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


def rejected_drafts(check_id: str, row: dict[str, object], chosen: Filters) -> None:
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
