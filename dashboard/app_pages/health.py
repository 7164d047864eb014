"""Were the logs read whole, and what is missing?"""

import streamlit as st

from dashboard import charts, components, data, words
from queries.wording import plural

SHOWN_REJECTS = 1000

chosen = components.asked()
seen, states = data.coverage(chosen.window), data.ask("run_states", chosen.window)
runs, inferred = int(states["runs"].sum()), int(states.filter("inferred")["runs"].sum())
gaps = words.gaps(data.ask("gaps", chosen.window), seen["first_day"], seen["last_day"])
components.heading(
    "Were the logs read whole, and what is missing?",
    f"{plural(seen['files'], 'file')} read, {seen['incomplete_files']:,} of them not to the end. {gaps}",
)
components.cards(
    [
        ("records", seen["records"], "in the window", "Relevant records; chatter is not among them."),
        (
            "rejects",
            seen["rejects"],
            f"of {plural(seen['lines'], 'line')} read",
            "Lines that should have been records.",
        ),
        ("undated", seen["undated"], "records", "They have no time, and count only where no dates are chosen."),
        ("unmapped", seen["unmapped"], "reasons", "They belong to no check known here."),
        ("inferred", inferred, f"of {plural(runs, 'run')}", "Put together by stream and order, for want of a session."),
        ("told twice", seen["duplicates"], "records", "On the console too, or a call recorded anew; counted once."),
    ],
    width=148,
)

if seen["days"]:
    st.subheader("Records per day, and days without logs", anchor=False)
    components.chart(
        charts.days(data.ask("coverage_by_day", chosen.window)),
        "days",
        says="Relevant records per day; days without any line of log are marked",
        records=lambda mark: {"day": mark["date"]},
    )
    st.caption(
        "A day counts as covered when a relevant record or one of the sampled lines of chatter bears its date. "
        "Chatter is sampled, not read whole, so a day with very little of it may look like a gap."
    )

st.subheader("Files", anchor=False)
sizes = {"bytes": st.column_config.NumberColumn(format="bytes")}
components.table(data.ask("files", chosen.window), "files", empty="No file was read yet.", columns=sizes)

st.subheader("Rejects", anchor=False)
rejects = data.ask("rejects", chosen.window, limit=SHOWN_REJECTS)
components.table(
    rejects,
    "rejects",
    empty=f"No reject in {plural(seen['lines'], 'line')}: all that should have been records were read.",
    order=["why", "excerpt", "file", "line", "byte_offset"],
)
if seen["rejects"] > rejects.height:
    st.caption(f"The first {rejects.height:,} of {seen['rejects']:,} are shown; the CSV holds them all.")

st.subheader("Reasons of no known check", anchor=False)
components.table(
    data.of_family(data.ask("unmapped", chosen.window), chosen.family),
    "unmapped",
    empty=f"None in {plural(seen['records'], 'record')}: every reason belongs to a check.",
    records=lambda row: {"family": row["family"], "fragment": row["fragment"]},
)
st.subheader("Records without a time", anchor=False)
components.table(
    data.ask("undated", chosen.window),
    "undated",
    empty=f"None among {plural(seen['records'], 'record')}: every one has a time.",
    records=lambda row: {"undated": "true", "system": row["system"], "kind": row["kind"]},
)
