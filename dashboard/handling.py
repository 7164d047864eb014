"""What was done to the logs: texts taken out, records purged, hash chains verified; a section of Ingest health."""

import streamlit as st

from dashboard import components, data
from dashboard.components import Filters
from queries.handling import sentences


def show(chosen: Filters) -> None:
    """The section; none of its answers knows a window."""
    answers = {name: data.ask(name, chosen.window) for name in ("redactions", "purges", "chains")}
    st.subheader("Redaction, purges and hash chains", anchor=False)
    told = sentences(*(answer.to_dicts() for answer in answers.values()))
    # File names are among the words, so that they are shown as text.
    st.text(
        "\n".join(
            told or ["Texts are kept as logged, nothing was purged, and no audit file with a hash chain was read."]
        )
    )
    components.table(
        answers["chains"],
        "chains",
        empty="No audit file with a hash chain was read.",
        order=["status", "file", "line", "why", "events", "chains", "verified"],
    )
    if not answers["chains"].is_empty():
        st.caption("A tail that was cut off cannot be detected: each chain is whole up to where it ends.")
