"""Why was there no probe in a conversation?"""

import streamlit as st

from dashboard import components, data, trace_panel
from queries.wording import plural

chosen = components.asked()
session = st.query_params.get("session", "")
known = data.ask("find_conversations", chosen.window, limit=1)
total = known["total"][0] if known.height else 0
components.heading(
    "Why was there no probe?",
    f"{plural(total, 'conversation')} in this window. "
    + ("The one below is told from all its records." if session else "Choose one to have it told record by record."),
)
if not total and not session:
    st.info("No record in this window belongs to a conversation: widen the dates, or look at Ingest health.")
    st.stop()
with st.expander("Find a conversation", expanded=not session, icon=":material/search:"):
    trace_panel.search(chosen, session)
if session:
    found = data.trace(session)
    trace_panel.conclusion(found)
    trace_panel.chances(found)
    trace_panel.time_line(found)
