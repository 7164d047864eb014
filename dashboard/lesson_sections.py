"""The sections of the page of lessons: each shows a picture or a table, or says why there is none."""

from typing import Any

import polars as pl
import streamlit as st

from dashboard import components, data, lesson_charts
from queries import Window
from queries.wording import plural

MOST_LESSONS = 25
MOST_NODES = 150


def untagged(lessons: pl.DataFrame) -> None:
    """How many questions name their node, the worst lessons first (`lessons` is lessons.sql)."""
    taught = lessons.filter(pl.col("teaching_quizzes") > 0).with_columns(
        tagged=pl.col("teaching_quizzes") - pl.col("untagged")
    )
    if taught.is_empty():
        st.info(
            f"No question was asked while teaching, in {plural(lessons.height, 'lesson')}: nothing can be said of tags."
        )
        return
    worst = taught.sort("untagged_share", "untagged", "lesson", descending=[True, True, False])
    components.chart(
        lesson_charts.untagged(worst.head(MOST_LESSONS)),
        "untagged",
        says="Questions while teaching, by lesson and whether they name a node",
        chooses=True,
    )
    if worst.height > MOST_LESSONS:
        st.caption(f"The {MOST_LESSONS} lessons with the largest share that names none, out of {worst.height:,}.")


def stuck(lessons: pl.DataFrame) -> None:
    components.table(
        lessons.filter(pl.col("stuck_in").is_not_null()),
        "stuck",
        empty=f"Every one of {plural(lessons.height, 'lesson')} reached teach.",
        order=["lesson", "stuck_in", "agent", "calls", "refusals", "last_time"],
        records=lambda row: {"system": "lesson", "session": row["lesson"]},
    )
    st.caption("A lesson that is still going on stands here too, until its plan is made.")


def columns() -> dict[str, Any]:
    """The columns of the table of lessons."""
    share = st.column_config.NumberColumn(
        "untagged", format="percent", help="Of the questions while teaching; empty where there were none."
    )
    first = dict.fromkeys(["phase", "agent", "nodes", "visited", "current", "teaching_quizzes"])
    last = dict.fromkeys(["refusals", "calls", "first_time", "last_time"])
    return {"lesson": st.column_config.TextColumn(width="medium"), **first, "untagged_share": share, **last}


def plan(lesson: dict[str, Any], window: Window) -> None:
    """The plan of one row of lessons.sql: a picture, and the nodes with their states."""
    st.text(f"{lesson['lesson']}: {lesson['phase']}, visited {lesson['visited']} of {plural(lesson['nodes'], 'node')}")
    nodes = data.ask("lesson_plan", window, lesson=lesson["lesson"])
    if nodes.height:
        components.chart(
            lesson_charts.plan(nodes.head(MOST_NODES)),
            "plan",
            says="The plan as a graph: the current node ringed, visited ones plain, upcoming ones grey",
        )
        if nodes.height > MOST_NODES:
            st.caption(f"The first {MOST_NODES} of {nodes.height:,} nodes.")
        if not lesson["current"]:
            st.info("Nothing is current: no question has named a node yet.")
    components.table(nodes, "lesson_plan", empty="This lesson has no plan, and no question named a node.")
    components.follow("The records of this lesson", system="lesson", session=lesson["lesson"])
