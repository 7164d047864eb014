"""What did the gates stop: false claims, unfinished turns, unprofessional posts?"""

import polars as pl
import streamlit as st

from dashboard import components, data, gate_sections, words
from dashboard.gate_sections import DROPPED, FIRED, logged, named
from queries.wording import plural

chosen = components.asked()
gates, guardrails = data.ask("gates", chosen.window), data.ask("guardrails", chosen.window)
totals = data.totals(chosen.window)
texts, turns, posts = (words.judged(totals, family) for family in ("honesty", "gates", "guardrail"))
honesty = named(gates.filter(pl.col("gate") == "honesty"), "severity")
siblings = gates.filter(pl.col("gate") != "honesty").group_by("gate").agg(pl.col("fires").sum())
goals = named(guardrails.filter(pl.col("drops") > 0).group_by("goal").agg(pl.col("drops").sum()), "goal")
components.heading(
    "What did the gates stop?",
    f"The honesty gate fired {plural(int(honesty['fires'].sum()), 'time')} in {texts}, its siblings "
    f"{plural(int(siblings['fires'].sum()), 'time')} in {turns}; guardrails dropped "
    f"{plural(int(goals['drops'].sum()), 'post')} of {posts}.",
)
components.evaluations(totals, ("honesty", "gates", "guardrail"))
left, right = st.columns(2)
below = st.container()
with left:
    components.bars(
        "Honesty reasons by severity",
        honesty,
        ("reason", "fires", "severity"),
        nothing=f"No fire in {texts}.",
        records=lambda mark: (
            FIRED | {"system": "honesty", "fragment": mark["reason"], "severity": logged(mark["severity"])}
        ),
        below=below,
    )
with right:
    components.bars(
        "Sibling gates",
        siblings,
        ("gate", "fires", ""),
        nothing=f"No fire in {turns}.",
        records=lambda mark: FIRED | {"subject": mark["gate"]},
        below=below,
    )
    components.bars(
        "Guardrail drops by goal",
        goals,
        ("goal", "drops", ""),
        nothing=f"No drop among {posts}.",
        records=lambda mark: DROPPED | {"goal": logged(mark["goal"])},
        below=below,
    )
gate_sections.tables(chosen.window, totals)
