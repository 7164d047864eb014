"""What if this check were gone, perhaps with others: what it saves, and the texts that would have got through, to be read.

Those texts are log text: they stand in a table of text columns alone.
"""

import polars as pl
import streamlit as st

from dashboard import components, data
from dashboard.components import Filters
from queries.whatif import TOTALS, WhatIf
from queries.whatifwords import limits, sentence
from queries.wording import amount, plural

ALSO = "without"
"""Where the address holds the other checks, joined by commas."""


def show(check_id: str, known: list[str], chosen: Filters) -> None:
    """The panel for one check; others can be taken away with it."""
    st.subheader("What if it were gone", anchor=False)
    also = _others(check_id, known)
    found = data.imagined(chosen.window, (check_id, *also))
    st.text(sentence(found))
    for limit in limits(found):
        st.caption(limit)
    if not found.changes_anything:
        return
    if found.runs.height:
        _totals(found)
        _weeks(found)
    _texts(found)


def _others(check_id: str, known: list[str]) -> list[str]:
    options = [name for name in known if name != check_id]
    asked = [name for name in st.query_params.get(ALSO, "").split(",") if name in options]
    st.session_state[ALSO] = asked

    def to_address() -> None:
        if st.session_state[ALSO]:
            st.query_params[ALSO] = ",".join(st.session_state[ALSO])
        else:
            st.query_params.pop(ALSO, None)

    st.multiselect("And without these too", options, key=ALSO, on_change=to_address, placeholder="No other check")
    return asked


def _totals(found: WhatIf) -> None:
    before, after = found.before, found.after
    with st.container(horizontal=True, gap="small"):
        for name in TOTALS[1:]:
            with st.container(border=True, width=components.CARD):
                change = after[name] - before[name]
                st.metric(
                    name.replace("_", " "), amount(after[name]), f"{change:+,}" if change else None, delta_color="off"
                )
                st.caption(f"was {amount(before[name])}, in {plural(before['runs'], 'run')}")


def _weeks(found: WhatIf) -> None:
    pairs = [name for total in TOTALS[1:] for name in (total, f"{total}_after")]
    components.table(
        found.weeks.select("week", "runs", "incomplete_runs", *pairs),
        "whatif_weeks",
        empty="No run ended in this window.",
        columns={"week": st.column_config.DateColumn("week of", format="YYYY-MM-DD")},
    )


def _texts(found: WhatIf) -> None:
    st.markdown(f"**Texts that would have got through**, the worst first ({amount(found.posted_total)})")
    if found.posted.height < found.posted_total:
        st.caption(f"The worst {amount(found.posted.height)} of them are shown; all of them are counted.")
    components.table(
        found.posted.with_columns(pl.col("text").fill_null("(the log does not hold it)")),
        "whatif_texts",
        empty="No text would have got through: it is runs without a summary alone that change.",
        order=["text", "reasons", "certain", "objections", "before", "attempt", "attempts", "time", "agent", "session"],
        columns={
            "text": st.column_config.TextColumn(width="large"),
            "before": st.column_config.TextColumn("instead of"),
        },
        records=lambda row: {"event_id": row["event_id"]},
    )
