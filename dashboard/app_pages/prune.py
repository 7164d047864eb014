"""Which checks could be pruned, and what is the evidence?"""

import polars as pl
import streamlit as st

from dashboard import columns, components, data, detail, words
from queries.wording import plural

chosen = components.asked()
checks = data.checks(chosen.window, chosen.family)
counts = dict(checks.group_by("verdict").len().iter_rows())
components.heading(
    "Which checks could be pruned, and on what evidence?",
    f"{words.candidates(checks)}; "
    f"{counts.get('thin', 0) + counts.get('no_evidence', 0) + counts.get('shadowed', 0):,} more never fired, without evidence "
    f"enough to say so. {words.covered(data.coverage(chosen.window))}",
)
left, right = st.columns(2)
with left:
    verdict = components.choice("verdict", "Verdict", list(words.VERDICTS), "All verdicts")
with right:
    check_id = components.choice(
        "check", "Check", checks["check_id"].to_list(), "Choose one to see its code and history"
    )

shown = checks.filter(pl.col("verdict") == verdict) if verdict else checks
if shown.is_empty():
    st.info("No check has this verdict in this window.")
else:
    st.caption(f"{plural(shown.height, 'check')}" + (", the chosen one first" if check_id in shown["check_id"] else ""))
    coloured = shown.sort(pl.col("check_id") != check_id, maintain_order=True).with_columns(pl.concat_list("verdict"))
    rows = 4 if check_id else shown.height
    components.choosing_table(coloured, "checks", "check", "check_id", columns=columns.of_checks(), rows=rows)
    components.download(shown, "checks", data.export_csv("checks", chosen.window, chosen.family, shown["check_id"]))
if check_id:
    detail.show(check_id, checks, chosen)
