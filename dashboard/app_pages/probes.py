"""What did the probes measure, and which answers could not be read?"""

import polars as pl
import streamlit as st

from dashboard import components, data, probe_sections, words
from queries.wording import plural

window = components.asked().window
whose = data.ask("probe_unread", window)
total, read, unread, na = (int(whose[name].sum()) for name in ("answers", "read", "unread", "na"))
if not total:
    components.heading(
        "What did the probes measure?",
        f"No answer to a probe lies in this window. {words.covered(data.coverage(window))}",
    )
    st.info(
        "Answers are read from JSON records and CSV files that name a probe, a point, a participant and the attempts."
    )
    st.stop()
most = whose.group_by("probe").agg(pl.col("answers").sum()).sort("answers", "probe", descending=[True, False])
labels = most["probe"].to_list()
components.heading(
    "What did the probes measure, and which answers could not be read?",
    f"{read:,} of {plural(total, 'answer')} to {plural(len(labels), 'probe')} were read as a number; {unread:,} have an "
    f"answer that was not read, {na:,} have no answer, and {total - read - unread - na:,} were not asked for a number.",
)
probe = components.choice("probe", "Probe", labels, "The one with most answers") or labels[0]
chosen = probe_sections.Chosen(window, probe, whose)

left, right = st.columns(2)
with left:
    st.subheader("Values by point", anchor=False)
    probe_sections.values(chosen)
    st.subheader("Calls for one answer, all probes", anchor=False)
    probe_sections.calls(chosen)
with right:
    st.subheader("Why answers were not read", anchor=False)
    probe_sections.refusals(chosen)
    st.subheader("Without a value, by participant and point", anchor=False)
    probe_sections.unread(chosen)
st.subheader("Before and after", anchor=False)
probe_sections.change(chosen)
st.subheader("Who answered, all probes", anchor=False)
components.table(
    whose,
    "probe_unread",
    empty="There is no answer.",
    order=["session", "probe", "point", "participant", "answers", "read", "unread", "na", "text"],
    records=lambda row: (
        probe_sections.ANSWERS
        | {"subject": row["probe"], "session": row["session"], "point": row["point"], "participant": row["participant"]}
    ),
)
