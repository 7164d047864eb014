"""Were the logs read whole, and what is missing?"""

import streamlit as st

from dashboard import charts, components, data, handling, health_sections, words
from queries.wording import plural

chosen = components.asked()
seen, states = data.coverage(chosen.window), data.ask("run_states", chosen.window)
runs, inferred = int(states["runs"].sum()), int(states.filter("inferred")["runs"].sum())
gaps = words.gaps(data.ask("gaps", chosen.window), seen["first_day"], seen["last_day"])
components.heading(
    "Were the logs read whole, and what is missing?",
    f"{plural(seen['files'], 'file')} read, {seen['incomplete_files']:,} of them not to the end. {gaps}",
)
components.cards(health_sections.counts(chosen, seen, runs, inferred), width=148)

# A number that leads here names the section that it is about: that one stands first.
asked_for = st.query_params.get("show", "")
if asked_for in health_sections.SECTIONS:
    health_sections.SECTIONS[asked_for](chosen, seen)
if seen["days"]:
    st.subheader("Records per day, and days without logs", anchor=False)
    components.chart(
        charts.days(data.ask("coverage_by_day", chosen.window)),
        "days",
        says="Records per day; days without any line of log are marked",
        records=lambda mark: {"day": mark["date"], "family": ""},
    )
    st.caption(
        (f"{plural(seen['undated'], 'record')} without a time in no bar. " if seen["undated"] else "")
        + "A day counts as covered when a relevant record or one of the sampled lines of chatter bears its date. "
        "Chatter is sampled, not read whole, so a day with very little of it may look like a gap."
    )
for name, show in health_sections.SECTIONS.items():
    if name != asked_for:
        show(chosen, seen)
handling.show(chosen)
