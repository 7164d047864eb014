"""One conversation, whole: what it comes to, its time line, and each record with what it means.

Conclusion, meanings and notes quote what was logged, so they are shown as text.
"""

import polars as pl
import streamlit as st

from dashboard import components, data, trace_charts
from queries.wording import plural
from review.trace import Trace


def conclusion(found: Trace) -> None:
    """The sentence that answers the question, and what makes it less certain."""
    with st.container(border=True, key="conclusion"):
        st.text(found.conclusion)
        st.text(f"Conversation: {found.session}")
        if found.inferred:
            st.badge("inferred", icon=":material/link:", color="orange")
        if found.notes:
            st.text("\n".join(f"Note: {note}." for note in found.notes))


def chances(found: Trace) -> None:
    """Where a probe could have been posted more than once: each occasion in its order."""
    if len(found.chances) < 2:
        return
    st.subheader("Each chance for a probe", anchor=False)
    st.text("\n".join(f"{number}. {chance.conclusion}" for number, chance in enumerate(found.chances, start=1)))


def time_line(found: Trace) -> None:
    rows = trace_charts.rows(found.session, found.steps)
    st.subheader(f"What happened, in {plural(rows.height, 'record')}", anchor=False)
    dated = rows.height - rows["time"].null_count()
    if dated:
        components.chart(
            trace_charts.time_line(rows),
            "time-line",
            says="The records of this conversation along the time, coloured by what each did to the probe",
            chooses=True,
        )
    if dated > trace_charts.MOST_ROWS:
        st.caption(f"The first {trace_charts.MOST_ROWS} of {dated:,} records with a time; the table has all.")
    if dated < rows.height:
        st.caption(f"{plural(rows.height - dated, 'record')} without a time can only stand in the table.")
    _table(rows)


def _table(rows: pl.DataFrame) -> None:
    text = st.column_config.TextColumn
    # The numbers of records are ours; the filters stay behind, since they may leave the record out.
    linked = rows.with_columns(look=pl.format("records?event_id={}&record={}", "record", "record"))
    columns = {
        "time": st.column_config.DatetimeColumn("time (UTC)", format="YYYY-MM-DD HH:mm:ss", width=150),
        "look": st.column_config.LinkColumn("record", display_text="open", width=65),
        "meaning": text("what it means", width=420),
        "text": text(width=380),
        "effect": text("effect", width=90),
        "file": text(width=220),
        "line": st.column_config.NumberColumn(width=60),
    }
    row = components.choosing_table(linked, "steps", "record", "record", columns=columns, rows=16)
    components.download(rows.drop("session"), "steps")
    if not row:
        st.caption("Choose a row, or a mark of the picture, to read that record whole.")
        return
    with st.container(border=True, key="step"):
        st.text(f"{row['row']}: {row['meaning']}")
        if row["text"]:
            st.code(row["text"], language=None, wrap_lines=True)
        st.text(f"{row['file']}, line {row['line']}")
        st.page_link(
            "app_pages/records.py",
            label="The record on the Records page",
            icon=":material/arrow_forward:",
            query_params={"event_id": row["record"], "record": row["record"]},
        )


def search(chosen: components.Filters, session: str) -> None:
    """Find a conversation by a part of its name and by a text in its records, within the dates of the sidebar."""
    left, right = st.columns(2)
    with left:
        name = components.words_box("find", "Part of its name")
    with right:
        text = components.words_box("holding", "A text in one of its records")
    found = data.ask("find_conversations", chosen.window, session=name or None, text=text or None, limit=MOST_FOUND)
    if found.is_empty():
        st.info("No conversation fits: take a word away, or widen the dates in the sidebar.")
        return
    total = found["total"][0]
    st.caption(f"{plural(total, 'conversation')}, newest first" + (f"; the first {MOST_FOUND} here." * (total > MOST_FOUND)))  # fmt: skip
    date = st.column_config.DatetimeColumn
    columns = {
        "session": st.column_config.TextColumn("conversation", width=330),
        "inferred": st.column_config.TextColumn(width=75, help="Put together by us: its lines name no session."),
        "first_time": date("first record", format="YYYY-MM-DD HH:mm:ss", width=150),
        "outcome": st.column_config.TextColumn("last outcome", width=120),
        "rejected_drafts": st.column_config.NumberColumn("drafts rejected", width=110),
        "slots_rejected": st.column_config.NumberColumn("slots rejected", width=105),
        "drops": st.column_config.NumberColumn("dropped", width=75),
        "records": st.column_config.NumberColumn(width=75),
        "last_time": date("last record", format="YYYY-MM-DD HH:mm:ss", width=150),
        "agent": st.column_config.TextColumn(width=120),
    }
    components.choosing_table(
        found.with_columns(inferred=pl.when("inferred").then(pl.lit("inferred"))),
        "conversations",
        "session",
        "session",
        columns=columns,
        rows=6 if session else 14,
    )
    components.download(found, "conversations")


MOST_FOUND = 200
