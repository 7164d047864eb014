"""Today's code over what was logged, for one check; and a box to try a draft against every live shape check.

Drafts, claims and answers are log text, and a draft that is tried may be a copy of one: they are shown as text.
"""

from typing import Any

import polars as pl
import streamlit as st

from dashboard import components, data
from queries.wording import amount, plural
from review.rejudge import NAMES
from review.replay import Replay, try_draft
from review.replaypage import WORDS

SHAPE = "socratic.shape"
ONE_LINE = ("source_label", "concept", "loaded_word", "participants")


def show(check_id: str) -> None:
    """The replay of this check's family, on demand, and the box, where it judges drafts."""
    family = check_id.rpartition(".")[0]
    st.subheader("Today's code over what was logged", anchor=False)
    if st.toggle("Judge the logged records again", key=f"replay-{check_id}"):
        with st.spinner("Judging the logged records again"):
            found = data.replayed(components.asked().window, family)
        _outcome(check_id, found)
    if family == SHAPE:
        _try(check_id)


def _outcome(check_id: str, found: Replay) -> None:
    row = next((row for row in found.totals.to_dicts() if row["check_id"] == check_id), None)
    if row is None:
        st.info("No record of this window names it, so there is nothing to judge again.")
        return
    st.text("\n".join(_sentences(row)))
    for note in found.notes:
        st.caption(note)
    differing = found.records.filter(pl.col("check_id") == check_id)
    # The replay lists the first differences of the whole family, and counts them all.
    counted = row["now_fires"] + row["no_longer_fires"] + row["unmapped"]
    if differing.height < counted:
        st.caption(f"The first {amount(differing.height)} of {amount(counted)} differences are listed.")
    components.table(
        differing.with_columns(pl.col("outcome").replace_strict(WORDS).alias("what")),
        "replayed",
        empty="Wherever it could be judged again, today's code says what the log says.",
        order=["time", "what", "text", "logged", "agent", "session"],
        records=lambda record: {"event_id": record["event_id"]},
    )


def _sentences(row: dict[str, Any]) -> list[str]:
    inferred = f" ({amount(row['inferred'])} of them inferred)" if row["inferred"] else ""
    lines = [
        f"Agrees {plural(row['agree_fires'] + row['agree_silent'], 'time')}{inferred}: "
        f"{amount(row['agree_fires'])} fired and fires, {amount(row['agree_silent'])} silent and silent.",
        f"Now fires: {amount(row['now_fires'])}. No longer fires: {amount(row['no_longer_fires'])}.",
    ]
    if row["unmapped"]:
        lines.append(f"Fires today beside a reason that no check owns: {amount(row['unmapped'])}.")
    if row["needs_context"]:
        lacks = f"; the log lacks {row['needs']}" if row["needs"] else ""
        lines.append(f"Cannot be said: {amount(row['needs_context'])}{lacks}.")
    return lines


def _try(check_id: str) -> None:
    st.subheader("Try a draft against all live checks", anchor=False)
    with st.form(f"try-{check_id}"):
        draft = st.text_area("Draft", key="try_draft", height=80)
        columns = st.columns(len(ONE_LINE))
        given = {
            name: column.text_input(NAMES[name].capitalize(), key=f"try_{name}")
            for name, column in zip(ONE_LINE, columns, strict=True)
        }
        passage = st.text_area("The passage", key="try_passage", height=80)
        posts = st.text_area("The recent posts, one on a line", key="try_recent_posts", height=80)
        st.caption(
            "Participants are parted by commas. Without the source's name or the passage, the checks that read them are "
            "left out; any other empty field means that there is none."
        )
        tried = st.form_submit_button("Judge this draft")
    if not tried:
        return
    found = try_draft(
        draft,
        source_label=given["source_label"].strip() or None,
        concept=given["concept"].strip(),
        loaded_word=given["loaded_word"].strip(),
        participants=[name.strip() for name in given["participants"].split(",") if name.strip()],
        passage=passage or None,
        recent_posts=[line for line in posts.splitlines() if line.strip()],
    )
    fires = [one for one in found if one.fires]
    left_out = [one for one in found if one.fires is None]
    if fires:
        st.text("\n".join(f"{one.reason}  ({one.check_id})" for one in fires))
    else:
        st.text("No check that was run objects.")
    if left_out:
        st.text("\n".join(["Left out:", *(f"{one.check_id}, for want of {one.needs}" for one in left_out)]))
