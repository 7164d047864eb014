"""Where do the lessons stand, and do their questions say where that is?"""

import polars as pl
import streamlit as st

from dashboard import components, data, lesson_sections, words
from dashboard.components import Card
from queries.wording import plural

window = components.asked().window
lessons = data.ask("lessons", window)
if lessons.is_empty():
    components.heading(
        "Where do the lessons stand?", f"No lesson lies in this window. {words.covered(data.coverage(window))}"
    )
    st.info("Lessons are read from transcripts, one message per record; one without any tool call is not seen here.")
    st.stop()
all_lessons, all_calls = plural(lessons.height, "lesson"), plural(int(lessons["calls"].sum()), "call")
quizzes, untagged = int(lessons["teaching_quizzes"].sum()), int(lessons["untagged"].sum())
phases = dict(lessons.group_by("phase").len().iter_rows())
taught = lessons.filter(pl.col("teaching_quizzes") > 0)
frozen = taught.filter(pl.col("untagged") == pl.col("teaching_quizzes")).height
components.heading(
    "Where do the lessons stand, and do their questions say where that is?",
    f"{phases.get('teach', 0):,} of {all_lessons} reached teach. {untagged:,} of {plural(quizzes, 'question')} asked while "
    f"teaching name no node of the plan; {plural(frozen, 'lesson')} never named one, so the map never moved.",
)
components.cards(
    [
        Card("in probe", phases.get("probe", 0), f"of {all_lessons}", "The prober has not concluded."),
        Card("in planning", phases.get("planning", 0), f"of {all_lessons}", "No plan followed the conclusion."),
        Card("map frozen", frozen, f"of {plural(taught.height, 'lesson')} with a question", "No question named its node."),
        Card("refused calls", int(lessons["refusals"].sum()), f"of {all_calls}",
             "Errors that a tool gave back to the agent.", "records", {"system": "lesson", "kind": "tool_refused"}),
    ]
)  # fmt: skip

left, right = st.columns(2)
with left:
    st.subheader("Questions that name their node", anchor=False)
    lesson_sections.untagged(lessons)
with right:
    st.subheader("Stuck before teach", anchor=False)
    lesson_sections.stuck(lessons)
st.subheader("Lessons", anchor=False)
row = components.choosing_table(lessons, "lessons", "lesson", "lesson", columns=lesson_sections.columns())
components.download(lessons, "lessons")
if row:
    st.subheader("The plan of this lesson", anchor=False)
    lesson_sections.plan(row, window)
else:
    st.caption("Choose a lesson to see its plan.")
