"""The pruning plan as cards: what can go, what waits for what, what stays. The sentences quote people and logs: text."""

from collections.abc import Iterator, Sequence
from typing import Literal

import streamlit as st

from dashboard import components
from queries.wording import amount, percent, plural
from review.plan import Entry, Plan

MOST_TESTS = 4
Colour = Literal["green", "orange", "gray"]


def groups(plan: Plan) -> tuple[list[Entry], list[Entry], list[Entry]]:
    """Those that can be removed today, those that must wait, and those that are kept."""
    waiting = [entry for entry in plan.entries if not entry.removable and not entry.kept]
    return list(plan.removable), waiting, [entry for entry in plan.entries if entry.kept]


def of_all(plan: Plan) -> None:
    """What holds for every check: the window, what the logs lack, and decisions that the plan cannot follow."""
    lines = [f"Window: {plan.window}."]
    if plan.together:
        lines.append(f"All that can be removed together: {plan.together}")
    lines += [f"Know of these logs: {caution}" for caution in plan.cautions]
    lines += [f"A decision to look at: {warning}" for warning in plan.warnings]
    st.text("\n".join(lines))


def group(title: str, entries: list[Entry], colour: Colour, nothing: str) -> None:
    st.subheader(f"{title} ({len(entries)})", anchor=False)
    if not entries:
        st.caption(nothing)
    for entry in entries:
        with st.container(border=True, key=f"plan-{entry.check_id}"):
            _card(entry, colour)


def _card(entry: Entry, colour: Colour) -> None:
    left, right = st.columns([3, 2])
    with left:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**`{entry.check_id}`**", width="content")
            st.badge(str(entry.row["verdict"]).replace("_", " "), color=colour)
        st.text(entry.title)
        _list("In the way", entry.in_the_way or ("nothing",))
        _list("Blind audit", entry.audit)
        _list("Without it", (entry.whatif,) if entry.whatif else ())
        _list("To know", entry.cautions)
    with right:
        st.text("\n".join(_figures(entry)))
        components.follow("Its code, history and decision", "prune", check=entry.check_id)


def _list(title: str, lines: Sequence[str]) -> None:
    if lines:
        st.text("\n".join((f"{title}:", *(f"  • {line}" for line in lines))))


def _figures(entry: Entry) -> Iterator[str]:
    row, made = entry.row, entry.decision
    evaluated = "unknown" if row["evaluated"] is None else amount(row["evaluated"])
    yield f"{amount(row['fires'])} fires; evaluations: {evaluated}"
    yield f"in {_of(row['sessions'], 'session')} on {_of(row['days'], 'day')}"
    yield f"at most {percent(row['upper_bound'])} of evaluations, {percent(row['upper_bound_sessions'])} of sessions"
    yield f"Decision: {made.action}, by {made.owner} on {made.date}: {made.reason}" if made else "Decision: none"
    if entry.source:
        yield f"Source: {entry.source}" + (f":{entry.line}" if entry.line else "")
    elif entry.runs_elsewhere:
        yield f"Runs elsewhere: {entry.runs_elsewhere}"
    files = list(dict.fromkeys(place.rpartition(":")[0] for place in entry.tests))
    more = len(files) - MOST_TESTS
    named = ", ".join(files[:MOST_TESTS]) + (f" and {more} more" if more > 0 else "")
    yield f"Tests that mention it: {named}" if files else "No test mentions it"


def _of(count: int | None, noun: str) -> str:
    return f"an unknown number of {noun}s" if count is None else plural(count, noun)
