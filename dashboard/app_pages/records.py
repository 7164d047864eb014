"""Which records stand behind a number?"""

import streamlit as st

from dashboard import columns, components, data
from queries import Window
from queries.wording import plural

LIMIT = 500
chosen = components.asked()
conditions = {name: st.query_params[name] for name in data.RECORD_CONDITIONS if st.query_params.get(name)}
found = data.records(chosen.window, chosen.family, conditions, limit=LIMIT)
total = found["total"][0] if found.height else 0
newest = f", the newest {LIMIT} of them here" if total > LIMIT else ""
components.heading("Which records stand behind the number?", f"{plural(total, 'record')}{newest}.")
if conditions:
    with st.container(border=True):
        st.text("Only those with  " + ",  ".join(f"{name} = {value}" for name, value in conditions.items()))
        st.page_link(
            "app_pages/records.py", label="All records", icon=":material/close:", query_params=chosen.address()
        )

if not total:
    whole = data.coverage(Window())["records_in_store"]
    st.info(
        f"None of {plural(whole, 'record')} in the store is meant: widen the dates, or take a condition away."
        if whole
        else "The store holds no record yet."
    )
    st.stop()
row = components.choosing_table(found, "records", "record", "event_id", columns=columns.of_records())
components.download(found, "records")
if row:
    st.subheader("The record", anchor=False)
    if row["text"]:
        st.code(row["text"], language=None, wrap_lines=True)
    if row["reasons"]:
        st.text(f"Reasons: {row['reasons']}")
    st.text(f"{row['file']}, line {row['line']}, byte {row['byte_offset']} · read through {row['envelope']}")
    if row["extra"]:
        st.code(row["extra"], language="json", wrap_lines=True)
    components.follow_conversation(row["event_id"])
else:
    st.caption("Choose a row to read its text whole.")
