"""How many attempts did it take, and how did it end?"""

import polars as pl
import streamlit as st

from dashboard import charts, components, data, words

chosen = components.asked()
found = data.ask("attempts", chosen.window)
runs = found.filter(pl.col("system") == "socratic")
total = int(runs["runs"].sum())
first = int(runs.filter((pl.col("attempts") == 1) & (pl.col("outcome") == "posted-writer"))["runs"].sum())
ended = {outcome: runs.filter(pl.col("outcome") == outcome)["runs"].sum() for outcome in charts.OUTCOME_COLOURS}
if total:
    answer = (
        f"{first / total:.0%} of {total:,} complete runs were posted at the first attempt; "
        f"{ended['posted-template']:,} ended in the template and {ended['silent']:,} in silence."
    )
else:
    covered = words.covered(data.coverage(chosen.window))
    answer = f"No complete Socratic run lies in this window, so nothing can be said of attempts. {covered}"
components.heading("How many attempts did it take, and how did it end?", answer)

if total:
    left, right = st.columns(2)
    below = st.container()
    with left:
        st.subheader("Runs by attempts", anchor=False)
        components.chart(
            charts.attempts(runs),
            "runs-by-attempts",
            below=below,
            says="Complete Socratic runs by number of attempts and outcome",
            records=lambda mark: {"system": "socratic", "kind": "summary", **mark},
        )
    with right:
        st.subheader("Template and silence per week", anchor=False)
        weeks = data.ask("outcomes_by_week", chosen.window)
        components.chart(
            charts.shares(charts.ended_otherwise(weeks)),
            "outcomes-by-week",
            below=below,
            says="Share of runs that ended in the template or in silence, per week",
            records=lambda mark: {
                "system": "socratic",
                "kind": "summary",
                "week": mark["week_of"],
                "outcome": mark["outcome"],
            },
        )
components.table(
    found,
    "attempts",
    empty="No complete run and no probe answer lies in this window.",
    records=lambda row: (
        {"attempts": row["attempts"], "system": row["system"]}
        | (
            {"kind": "summary", "outcome": row["outcome"]}
            if row["system"] == "socratic"
            else {"kind": "answer", "answer": row["outcome"]}
        )
    ),
)
if total:
    components.download(data.ask("outcomes_by_week", chosen.window), "outcomes_by_week")
