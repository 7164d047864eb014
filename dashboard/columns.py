"""How the columns of a table look: titles in plain words, thousands apart, times to the second, verdicts coloured.

Only what is shown: a CSV keeps the names and the values of the contract.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from dashboard.words import COLOURS, VERDICTS

TITLES = {
    "check_id": "check",
    "fragment": "reason as logged",
    "template_count": "from templates",
    "ok_count": "results ok",
    "fail_count": "results failed",
    "byte_offset": "byte",
    "first_time": "first record",
    "last_time": "last record",
    "sole": "the only reason",
    "posts": "got through",
    "complete": "read to its end",
    "na": "no answer",
    "text": "text",
    "lo": "lowest",
    "hi": "highest",
}
"""Where the plain word for a column is another one than its name."""
RECORD_COLUMNS = [
    "time",
    "kind",
    "agent",
    "conversation",
    "reasons",
    "text",
    "outcome",
    "severity",
    "goal",
    "file",
    "line",
]


def settings(frame: pl.DataFrame, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Streamlit's column settings for a frame; what is `given` for a column goes before ours, None for ours alone."""
    return {name: _over(_of(name, kind), (given or {}).get(name)) for name, kind in frame.schema.items()}


def _of(name: str, kind: pl.DataType) -> Any:
    title = TITLES.get(name, name.replace("_", " "))
    if kind == pl.Datetime:
        return st.column_config.DatetimeColumn(title, format="YYYY-MM-DD HH:mm:ss")
    if kind.is_numeric():
        return st.column_config.NumberColumn(title, format="localized")
    return st.column_config.Column(title)


def _over(ours: Any, given: Any) -> Any:
    """`given` with our words and formats where it names none."""
    if not given:
        return ours
    both = ours | {name: value for name, value in given.items() if value is not None}
    kinds = [setting.get("type_config") or {} for setting in (ours, given)]
    if kinds[0].get("type") == kinds[1].get("type"):
        both["type_config"] = kinds[0] | {name: value for name, value in kinds[1].items() if value is not None}
    return both


def of_records() -> dict[str, Any]:
    text = st.column_config.TextColumn
    return dict.fromkeys(RECORD_COLUMNS) | {
        "agent": text(width=110),
        "conversation": text(
            width=330, help="Its session; where the log names none, the run that it was put into by stream and order."
        ),
        "text": text(width="large"),
        "reasons": text(width="medium"),
    }


def of_checks() -> dict[str, Any]:
    """The columns of the table of checks, what to decide by first. The verdict is a list of one, so that it has a colour."""
    number, text, date = st.column_config.NumberColumn, st.column_config.TextColumn, st.column_config.DatetimeColumn
    verdict = st.column_config.MultiselectColumn
    return {
        "check_id": text(width=262, pinned=True),
        "verdict": verdict(
            width=104, options=list(VERDICTS), color=[COLOURS.get(name, "gray") for name in VERDICTS],
            format_func=lambda name: name.replace("_", " "),
        ),
        "fires": number(width=62),
        "evaluated": number(width=80, help="Items that it is known to have judged; empty where the logs do not tell."),
        "upper_bound": number(
            "at most", width=75, format="percent", help="With 95 % confidence it fires on less than this."
        ),
        "recommendation": text(width=395),
        "decision": text(width=75, help="What a person wrote into gatecov.toml: keep, prune or watch."),
        "upper_bound_sessions": number(
            "of sessions", width=85, format="percent",
            help="With 95 % confidence it fires in less than this share of conversations, however alike the items of one are.",
        ),
        "sole_fires": number("as the only one", help="Fires in which no other check objected."),
        "first_draft_fires": number("on first drafts"),
        "sessions": number(),
        "days": number(),
        "last_fired": date(format="YYYY-MM-DD"),
        "last_evaluated": date(format="YYYY-MM-DD"),
        "evaluated_basis": text("basis", help="How the evaluations are known: logged, derived or unknown."),
    }  # fmt: skip
