"""The sections of the page of probe answers: each asks its question, then shows a picture or says why there is none."""

from dataclasses import dataclass

import polars as pl
import streamlit as st

from dashboard import charts, components, data, probe_charts
from queries import Window
from queries.wording import plural

MOST_PARTICIPANTS = 40
ANSWERS = {"system": "probe", "kind": "answer"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The probe that the page is about; `whose` is probe_unread.sql."""

    window: Window
    probe: str
    whose: pl.DataFrame

    @property
    def records(self) -> components.Conditions:
        return ANSWERS | {"subject": self.probe}

    @property
    def counted(self) -> str:
        return f"{plural(int(self.of_probe(self.whose)['answers'].sum()), 'answer')} to this probe"

    def ask(self, question: str) -> pl.DataFrame:
        """The rows of an answer that are about this probe."""
        return self.of_probe(data.ask(question, self.window))

    def of_probe(self, frame: pl.DataFrame) -> pl.DataFrame:
        return frame.filter(pl.col("probe") == self.probe)


def values(chosen: Chosen) -> None:
    found = chosen.ask("probe_values")
    if found.is_empty():
        st.info(f"No number was read in {chosen.counted}.")
        return
    components.chart(
        probe_charts.values(found),
        "values",
        says="How often each value was given at each point",
        records=lambda mark: chosen.records | mark,
    )


def calls(chosen: Chosen) -> None:
    components.chart(
        probe_charts.attempts(data.ask("attempts", chosen.window).filter(pl.col("system") == "probe")),
        "calls",
        says="Answers by number of calls and outcome",
        records=lambda mark: ANSWERS | {"attempts": mark["attempts"], "answer": mark["outcome"]},
    )


def refusals(chosen: Chosen) -> None:
    found = chosen.ask("probe_refusals")
    if found.is_empty():
        st.info(f"No answer was refused, of {chosen.counted}.")
        return
    components.chart(
        charts.bars(found, "reason", "answers"),
        "refusals",
        says="Refused answers by reason",
        records=lambda mark: chosen.records | {"fragment": mark["reason"]},
    )
    again = found["read_after_reask"].sum()
    st.caption(
        f"A refused answer is asked for once more; {again:,} of these refusals were followed by an answer that was read."
    )


def unread(chosen: Chosen) -> None:
    found = probe_charts.without_value(chosen.of_probe(chosen.whose))
    if found.is_empty():
        st.info(f"Every one of {chosen.counted} was read, or was not asked for a number.")
        return
    worst = found.group_by("participant").agg(pl.col("without").sum())
    worst = worst.sort("without", "participant", descending=[True, False])
    shown = worst["participant"].head(MOST_PARTICIPANTS)
    components.chart(
        probe_charts.unread(found.filter(pl.col("participant").is_in(shown.implode()))),
        "unread",
        says="Answers without a value by participant and point",
        records=lambda mark: chosen.records | {"answer": "na,unread"} | mark,
    )
    if worst.height > MOST_PARTICIPANTS:
        st.caption(f"The {MOST_PARTICIPANTS} participants with most of them, out of {worst.height:,}.")


def change(chosen: Chosen) -> None:
    found = chosen.ask("probe_change")
    pair = pl.format("{} → {}", "from_point", "to_point")
    pairs = found.select(pair).to_series().unique(maintain_order=True).to_list()
    if not pairs:
        st.info("Nobody was asked this probe for a number at two points, so there is no change to show.")
        return
    usual = "start → end" if "start → end" in pairs else pairs[0]
    asked = components.choice("pair", "Between which points", pairs, "The usual two: start and end, else the first two")
    ends = found.filter(pair == (asked or usual))
    moves = probe_charts.moves(ends)
    ways = dict(moves.group_by("moved").agg(pl.col("participants").sum()).iter_rows())
    st.text(
        f"{asked or usual}: {ways.get('up', 0):,} moved up, {ways.get('down', 0):,} down, {ways.get('same', 0):,} stayed; "
        f"{ends['change'].null_count():,} of {plural(ends.height, 'participant')} cannot be compared, for want of a value."
    )
    if moves.height:
        components.chart(
            probe_charts.slopes(moves, ends["from_point"][0], ends["to_point"][0]),
            "slopes",
            says="Values before and after, a line for each way in which participants moved",
        )
    components.table(
        found,
        "probe_change",
        empty="There is no pair of answers.",
        records=lambda row: chosen.records | {"session": row["session"], "participant": row["participant"]},
    )
