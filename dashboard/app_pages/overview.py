"""What do these logs cover, and what needs attention?"""

import polars as pl
import streamlit as st

from dashboard import charts, components, data, words
from dashboard.components import Card
from queries.wording import plural

ACT_ON = ("candidate", "strict", "redundant", "quiet")

chosen = components.asked()
seen = data.coverage(chosen.window)
checks = data.checks(chosen.window, chosen.family)
by_verdict = checks.group_by("verdict").agg(checks=pl.len())
counts = dict(by_verdict.iter_rows())
gaps = words.gaps(data.ask("gaps", chosen.window), seen["first_day"], seen["last_day"])
attention = ", ".join(f"{counts.get(verdict, 0)} {verdict}" for verdict in ACT_ON[1:])
components.heading(
    "What do these logs cover, and what needs attention?",
    f"{words.candidates(checks)}; {attention}. {words.covered(seen)} {gaps}",
)
if not seen["files"]:
    components.first_steps()
    st.stop()
components.cards(
    [
        Card(verdict, counts.get(verdict, 0), f"of {plural(words.live(checks), 'check')}", words.VERDICTS[verdict],
             "prune", {"verdict": verdict})
        for verdict in ACT_ON
    ]
)  # fmt: skip

left, right = st.columns(2)
below = st.container()
with left:
    st.subheader("Checks by verdict", anchor=False)
    components.chart(
        charts.verdicts(by_verdict), "verdicts", says="How many checks have which verdict", leads_to="prune"
    )
with right:
    st.subheader("Records per day", anchor=False)
    if seen["days"]:
        components.chart(
            charts.days(data.ask("coverage_by_day", chosen.window)),
            "days",
            below=below,
            says="Records per day; days without any line of log are marked",
            records=lambda mark: {"day": mark["date"], "family": ""},
        )
    else:
        st.info("No day is covered: no record in this window has a time.")

st.subheader("What limits these figures", anchor=False)
(undated, dated_or_not), (unnamed, named_or_not) = data.undated(chosen.window), data.unnamed(chosen.window)
components.cards(
    [
        Card("rejects", seen["rejects"], f"of {plural(seen['lines'], 'line')} read, in the whole store", "",
             "health", {"show": "rejects"}),
        Card("unmapped reasons", seen["unmapped"], f"of no known check, in {plural(seen['records'], 'record')}", "",
             "health", {"show": "unmapped"}),
        Card("undated records", undated, f"of {dated_or_not:,}; left out where dates are chosen", "",
             "records", {"undated": "true", "since": "", "until": "", "family": ""}),
        Card("without an agent", unnamed, f"of {named_or_not:,}; left out where an agent is chosen", "",
             "records", {"missing": "agent", "agent": "", "family": ""}),
    ]
)  # fmt: skip
