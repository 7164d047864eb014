"""What did the gates stop: false claims, unfinished turns, unprofessional posts?"""

import polars as pl
import streamlit as st

from dashboard import components, data, words
from queries.wording import plural

FIRED, DROPPED = {"kind": "gate_fired"}, {"kind": "guardrail_drop"}
TABLES = {  # title: the question, and the records behind a row of its answer
    "Gates, by reason": (
        "gates",
        lambda row: FIRED | {"subject": row["gate"], "fragment": row["reason"], "severity": row["severity"]},
    ),
    "Claims that the honesty gate objected to": (
        "honesty_claims",
        lambda row: FIRED | {"system": "honesty", "text": row["claim"], "fragment": row["reason"]},
    ),
    "Guardrails, by agent and goal": (
        "guardrails",
        lambda row: DROPPED | {name: row[name] for name in ("goal", "agent")},
    ),
    "Reminders of in-turn reflection": (
        "reminders",
        lambda row: {"system": "reflection", "fragment": row["signature"], "subject": row["tool"]},
    ),
    "Refused on purpose by the protocol layer (no check's fires)": (
        "refusals",
        lambda row: {"system": "protocol", "kind": row["kind"], "subject": row["tool"]},
    ),
}

chosen = components.asked()
gates, guardrails = data.ask("gates", chosen.window), data.ask("guardrails", chosen.window)
totals = data.ask("check_totals", chosen.window)
texts, turns, posts = (words.judged(totals, family) for family in ("honesty", "gates", "guardrail"))
honesty = gates.filter(pl.col("gate") == "honesty").with_columns(pl.col("severity").fill_null("not logged"))
siblings = gates.filter(pl.col("gate") != "honesty").group_by("gate").agg(pl.col("fires").sum())
goals = guardrails.filter(pl.col("drops") > 0).group_by("goal").agg(pl.col("drops").sum())
components.heading(
    "What did the gates stop?",
    f"The honesty gate fired {plural(int(honesty['fires'].sum()), 'time')} in {texts}, its siblings "
    f"{plural(int(siblings['fires'].sum()), 'time')} in {turns}; guardrails dropped "
    f"{plural(int(goals['drops'].sum()), 'post')} of {posts}.",
)
left, middle, right = st.columns(3)
below = st.container()
with left:
    components.bars(
        "Honesty reasons by severity",
        honesty,
        ("reason", "fires", "severity"),
        nothing=f"No fire in {texts}.",
        records=lambda mark: {"system": "honesty", "fragment": mark["reason"]},
        below=below,
    )
with middle:
    components.bars(
        "Sibling gates",
        siblings,
        ("gate", "fires", ""),
        nothing=f"No fire in {turns}.",
        records=lambda mark: FIRED | {"subject": mark["gate"]},
        below=below,
    )
with right:
    components.bars(
        "Guardrail drops by goal",
        goals,
        ("goal", "drops", ""),
        nothing=f"No drop among {posts}.",
        records=lambda mark: DROPPED | {"goal": mark["goal"]},
        below=below,
    )
for title, (question, records) in TABLES.items():
    st.subheader(title, anchor=False)
    components.table(data.ask(question, chosen.window), question, empty="None in this window.", records=records)
