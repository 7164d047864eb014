"""What can be removed today, and what stands in the way?"""

import streamlit as st

from dashboard import components, data, plan_panel
from queries.wording import plural
from review.planpage import plan_csv, plan_markdown

chosen = components.asked()
seen = data.coverage(chosen.window)
plan = data.plan(chosen.window)
ready, waiting, kept = plan_panel.groups(plan)
if not seen["records"]:
    components.heading("What can be removed today?", "No record lies in this window, so nothing can be said.")
    st.stop()
components.heading(
    "What can be removed today, and what stands in the way?",
    f"{plural(len(ready), 'check')} can be removed today; {len(waiting):,} more must wait, and {len(kept):,} are kept. "
    "A check can go when a person decided so, a blind audit shows no regression, and the evidence holds.",
)
with st.container(horizontal=True):
    for name, text, kind in (("md", plan_markdown(plan), "text/markdown"), ("csv", plan_csv(plan), "text/csv")):
        st.download_button(
            f"plan.{name}",
            text.encode(),
            f"plan.{name}",
            kind,
            key=f"plan-{name}",
            on_click="ignore",
            icon=":material/download:",
        )
st.caption(
    "For a pull request: both are what `gatecov plan` prints for these dates and this agent. The results of blind audits are "
    "added with its option `--audit`, or written down with the decision."
)
plan_panel.of_all(plan)
plan_panel.group("Can be removed today", ready, "green", "Nothing stands ready: see what is in the way below.")
plan_panel.group("Not yet", waiting, "orange", "Nothing waits.")
plan_panel.group("Kept", kept, "gray", "Nothing is kept among the checks that never fired.")
