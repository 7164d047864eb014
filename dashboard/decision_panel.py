"""What people decided about a check, whether its evidence still holds, and the form to write it into gatecov.toml.

Owner, reason and audit are a person's words: they are shown as text.
"""

import datetime as dt
from typing import Any, Literal

import streamlit as st

from dashboard import data
from dashboard.components import Filters
from queries.wording import percent
from review.decisions import (
    ACTIONS,
    Decision,
    Snapshot,
    decisions_path,
    save_decision,
    snapshot,
    stale,
    withdraw_decision,
)
from storefile import UserError

MEANS = {
    "keep": "It stays, whatever the figures say.",
    "prune": "It is to go, once nothing stands in the way.",
    "watch": "Look again later.",
}

COLOURS: dict[str, Literal["green", "red"]] = {"keep": "green", "prune": "red"}


def show(check_id: str, row: dict[str, Any], chosen: Filters) -> None:
    """The decision on the chosen check; `row` is its judged evidence in the chosen window."""
    made = data.decisions().by_check.get(check_id)
    with st.container(border=True, key="decision"):
        st.markdown("**Decision**")
        if made:
            _told(made, row)
        else:
            st.text("Nobody decided about this check yet.")
        said = st.session_state.pop(_name(check_id, "said"), "")
        if said:
            st.text(said)
        _form(check_id, made, snapshot(row, chosen.window.since, chosen.window.until), chosen)


def _told(made: Decision, row: dict[str, Any]) -> None:
    st.badge(made.action, color=COLOURS.get(made.action, "blue"), help=MEANS[made.action])
    st.text(f"{made.owner}, {made.date}: {made.reason}")
    if made.audit:
        st.text(f"Audit: {made.audit}")
    st.text(f"On this evidence: {_evidence(made.snapshot)}")
    why = stale(made, row, dt.datetime.now(dt.UTC).replace(tzinfo=None))
    if why:
        st.badge("stale", icon=":material/history:", color="orange")
        for reason in why:
            st.text(f"Stale, because {reason}.")


def _evidence(seen: Snapshot) -> str:
    if seen.empty:
        return "none was written down."
    window = f"{seen.since or 'the first record'} to {seen.until or 'the last record'} (UTC)"
    figures = f"{_count(seen.fires)} fires in {_count(seen.evaluations)} evaluations"
    bound = f", at most {percent(seen.upper_bound)}" if seen.upper_bound is not None else ""
    return f"{figures}{bound}; {window}; source {(seen.source_sha256 or 'unknown')[:12]}."


def _count(number: int | None) -> str:
    return "an unknown number of" if number is None else f"{number:,}"


def _form(check_id: str, made: Decision | None, seen: Snapshot, chosen: Filters) -> None:
    def key(field: str) -> str:
        return _name(check_id, field)

    with (
        st.expander("Change the decision" if made else "Decide", icon=":material/edit:"),
        st.form(key("form"), border=False),
    ):
        st.radio(
            "Decision",
            ACTIONS,
            index=ACTIONS.index(made.action) if made else None,
            captions=[MEANS[action] for action in ACTIONS],
            key=key("action"),
        )
        st.text_input("Who answers for it", made.owner if made else "", key=key("owner"), max_chars=200)
        st.text_area("Why, in a sentence", made.reason if made else "", key=key("reason"), max_chars=2000)
        st.text_input("What the blind audit showed, or where its result lies (may stay empty)",
            (made.audit or "") if made else "", key=key("audit"), max_chars=2000)  # fmt: skip
        st.text(f"Written down with it: {_evidence(seen)}")
        if chosen.agent:
            st.text("The figures are those of the chosen agent alone; clear the filter to decide on all of them.")
        # What the buttons are given is what this page showed: saving compares it with the file once more.
        with st.container(horizontal=True):
            st.form_submit_button("Write it down", type="primary", on_click=_save, args=(check_id, made, seen))
            if made:
                st.form_submit_button("Withdraw it", on_click=_withdraw, args=(check_id, made))
        st.text(f"It goes into {decisions_path()}")


def _save(check_id: str, made: Decision | None, evidence: Snapshot) -> None:
    given = {name: (st.session_state[_name(check_id, name)] or "").strip() for name in WRITTEN}
    for name, missing in NEEDED.items():
        if not given[name]:
            st.session_state[_name(check_id, "said")] = f"Not written: {missing}."
            return
    today = dt.datetime.now(dt.UTC).date()
    decision = Decision(
        check_id, given["action"], given["owner"], given["reason"], today, given["audit"] or None, evidence
    )
    _try(check_id, lambda: save_decision(decisions_path(), decision, seen=made), "Written down.")


def _withdraw(check_id: str, made: Decision) -> None:
    _try(check_id, lambda: withdraw_decision(decisions_path(), check_id, seen=made), "Withdrawn.")


def _try(check_id: str, change: Any, done: str) -> None:
    try:
        change()
    except UserError as error:
        done = f"Not written: {error}"
    st.session_state[_name(check_id, "said")] = done


def _name(check_id: str, field: str) -> str:
    return f"decision-{field}-{check_id}"


WRITTEN = ("action", "owner", "reason", "audit")
NEEDED = {"action": "choose keep, prune or watch", "owner": "say who answers for it", "reason": "say why in a sentence"}
