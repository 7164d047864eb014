"""The tables of the page of gates: what was stopped, and the records behind each row."""

from typing import Any

import polars as pl
import streamlit as st

from dashboard import components, data, words
from queries import Window
from queries.wording import plural

FIRED, DROPPED = {"kind": "gate_fired"}, {"kind": "guardrail_drop"}
NOT_LOGGED = "not logged"


def named(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    """A picture needs a word for what the logs leave empty."""
    return frame.with_columns(pl.col(column).fill_null(NOT_LOGGED))


def logged(word: str) -> str | None:
    """The value that `named` found, None for none."""
    return None if word == NOT_LOGGED else word


def tables(window: Window, totals: pl.DataFrame) -> None:
    """Every table, or the sentence that says out of how many there is nothing (`totals` is data.totals)."""
    texts, turns, posts, failures = (
        words.judged(totals, family) for family in ("honesty", "gates", "guardrail", "reflection")
    )
    wide = {"claim": st.column_config.TextColumn(width="medium")}
    _table("Gates, by reason", "gates", window, f"No fire in {texts}, and none in {turns}.", of_gate)
    _table("Claims that the honesty gate objected to", "honesty_claims", window, f"None in {texts}.", of_claim, wide)
    _table("Guardrails, by agent and goal", "guardrails", window, f"No drop and no post: {posts}.", of_guardrail)
    _table("Reminders of in-turn reflection", "reminders", window, f"None in {failures}.", of_reminder)
    records = plural(data.coverage(window)["records"], "record")
    title = "Refused on purpose by the protocol layer (no check's fires)"
    _table(title, "refusals", window, f"None among {records} of any kind.", of_refusal)


def _table(title: str, question: str, window: Window, empty: str, records: Any, columns: Any = None) -> None:
    st.subheader(title, anchor=False)
    found = data.ask(question, window)
    components.table(found, question, empty=empty, records=records, columns=columns)


def of_gate(row: dict[str, Any]) -> components.Conditions:
    return FIRED | {"subject": row["gate"], "fragment": row["reason"], "severity": row["severity"]}


def of_claim(row: dict[str, Any]) -> components.Conditions:
    told = {"text": row["claim"], "fragment": row["reason"], "severity": row["severity"]}
    return FIRED | {"system": "honesty"} | told


def of_guardrail(row: dict[str, Any]) -> components.Conditions:
    return DROPPED | {"subject": row["guardrail"], "goal": row["goal"], "agent": row["agent"]}


def of_reminder(row: dict[str, Any]) -> components.Conditions:
    return {"system": "reflection", "kind": "reminder", "fragment": row["signature"], "subject": row["tool"]}


def of_refusal(row: dict[str, Any]) -> components.Conditions:
    return {"system": "protocol", "kind": row["kind"], "subject": row["tool"]}
