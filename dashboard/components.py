"""What every page is built from: the filters, tables with their CSV, and the records behind a number.

What was logged (drafts, claims, agents, goals, file names) is hostile: it is shown by `st.text`, `st.code` and text
columns alone, which take no markup. Nothing here hands it to a label, a heading or Markdown.
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import altair as alt
import polars as pl
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from checks.families import FAMILIES
from dashboard import charts, data
from dashboard import columns as columns_of
from places import store_path
from queries import Window
from queries.wording import plural

Conditions = dict[str, Any]
"""Which records are meant: parameters of `queries/records.sql`."""
EARLIEST, LATEST = dt.date(1990, 1, 1), dt.date(2199, 12, 31)
GRID_ROW = 35
"""Height of a row of a table in pixels, its head included."""
CARD = 205
"""Width of a card in pixels: two fit side by side on a telephone."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What the address narrows every page to: a window as the command line takes it, a family and an agent; "" for all."""

    since: str = ""
    until: str = ""
    family: str = ""
    agent: str = ""

    @property
    def window(self) -> Window:
        return Window.parse(self.since or None, self.until or None, self.agent or None, ("From", "Until"))

    def address(self) -> dict[str, str]:
        """The filters as parts of an address, so that a link keeps them."""
        return {name: value for name, value in asdict(self).items() if value}


def asked() -> Filters:
    """The filters that the address holds. It is the only place that holds them: widgets write to it and read from it."""
    return Filters(**{one.name: st.query_params.get(one.name, "") for one in fields(Filters)})


def draw_filters(agents: list[str]) -> None:
    """The filters that all pages share, in the sidebar."""
    chosen = asked()
    with st.sidebar:
        date_filter("since", "From", chosen.since)
        date_filter("until", "Until (not included)", chosen.until)
        choice(
            "family",
            "Family",
            list(FAMILIES),
            "All families",
            lambda name: FAMILIES[name].title if name in FAMILIES else name,
        )
        choice("agent", "Agent", agents, "All agents")
        st.caption("Times are UTC. The address of the page holds what is chosen here, so it can be sent to others.")


def date_filter(name: str, label: str, text: str) -> None:
    """A box for a day. An address may also hold a time of that day, or no date at all: then the page says so."""
    try:
        day = dt.date.fromisoformat(text[:10]) if text else None
    except ValueError:
        day = None
    st.session_state[name] = day if day and EARLIEST <= day <= LATEST else None
    st.date_input(
        label,
        None,
        min_value=EARLIEST,
        max_value=LATEST,
        key=name,
        format="YYYY-MM-DD",
        on_change=to_address,
        args=(name,),
    )


def choice(name: str, label: str, options: list[str], placeholder: str, shown: Callable[[str], str] = str) -> str:
    """A box to choose one of `options`, which the address holds under `name`; "" for none.

    An address may name what the store does not hold: that stays an option, so that it is not silently dropped.
    """
    now = st.query_params.get(name, "")
    st.session_state[name] = now or None
    st.selectbox(
        label,
        options if not now or now in options else [*options, now],
        index=None,
        key=name,
        placeholder=placeholder,
        format_func=shown,
        on_change=to_address,
        args=(name,),
    )
    return now


def words_box(name: str, label: str) -> str:
    """A box for words, which the address holds under `name`; "" for none."""
    now = st.query_params.get(name, "")
    st.session_state[name] = now
    st.text_input(label, key=name, max_chars=200, on_change=to_address, args=(name,))
    return now.strip()


def to_address(name: str) -> None:
    value = st.session_state[name]
    if value:
        st.query_params[name] = str(value)
    else:
        st.query_params.pop(name, None)


def menu(pages: list[Any]) -> None:
    """The list of pages, each with the filters in its address."""
    address = asked().address()
    with st.sidebar:
        st.markdown("**gatecov**")
        for page in pages:
            st.page_link(page, query_params=address, width="stretch")


def heading(question: str, answer: str) -> None:
    """The page's question, and under it the answer in our own words and figures."""
    st.title(question, anchor=False)
    st.markdown(f"##### {answer}")


def trouble(sentence: str) -> None:
    """One sentence for what went wrong; it may quote a path or a reason fragment, so it is shown as text."""
    with st.container(border=True, key="trouble"):
        st.badge("This cannot be shown", icon=":material/error:", color="red")
        st.text(sentence)


def follow(label: str, page: str = "records", **conditions: Any) -> None:
    """A link to another page, or to the records behind a number, that keeps the filters which no condition replaces."""
    kept = {name: value for name, value in asked().address().items() if name not in conditions}
    st.page_link(
        f"app_pages/{page}.py",
        label=label,
        icon=":material/arrow_forward:",
        query_params=kept | data.as_address(conditions),
    )


def table(
    frame: pl.DataFrame,
    key: str,
    *,
    empty: str,
    columns: Mapping[str, Any] | None = None,
    order: list[str] | None = None,
    records: Callable[[dict[str, Any]], Conditions] | None = None,
    more: Callable[[dict[str, Any]], dict[str, Conditions]] | None = None,
) -> None:
    """A table with its CSV under it; choosing a row shows the records behind it, where `records` says which those are.

    `empty` is the sentence for no rows, `columns` Streamlit's column settings, `order` the columns to show, `more` the
    records behind a row's other numbers, each by the words for its link.
    """
    if frame.is_empty():
        st.info(empty)
        return
    picked: Any = st.dataframe(
        frame,
        key=key,
        hide_index=True,
        column_config=columns_of.settings(frame, columns),
        column_order=order or [name for name in frame.columns if name != "total"],
        placeholder="",
        on_select="rerun" if records else "ignore",
        selection_mode="single-row",
    )
    download(frame, key)
    if records:
        rows = picked["selection"]["rows"]
        if rows and rows[0] < frame.height:
            row = frame.row(rows[0], named=True)
            records_behind(records(row), key, more(row) if more else None)


def choosing_table(
    frame: pl.DataFrame, key: str, name: str, column: str, *, columns: Mapping[str, Any], rows: int = 10
) -> dict[str, Any] | None:
    """A table of which one row can be chosen; the address holds its `column` under `name`. Returns the chosen row.

    At most `rows` rows are seen at once.
    """
    now = st.query_params.get(name, "")
    places = [place for place, value in enumerate(frame[column].cast(pl.String).to_list()) if value == now]
    st.session_state[key] = {"selection": {"rows": places[:1], "columns": [], "cells": []}}

    def to_address() -> None:
        rows = st.session_state[key]["selection"]["rows"]
        if rows:
            st.query_params[name] = str(frame[column][rows[0]])
        else:
            st.query_params.pop(name, None)

    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        column_config=columns_of.settings(frame, columns),
        column_order=list(columns),
        placeholder="",
        height=GRID_ROW * (min(rows, frame.height) + 1) + 3,
        on_select=to_address,
        selection_mode="single-row",
    )
    return frame.row(places[0], named=True) if places else None


@dataclass(frozen=True, slots=True)
class Card:
    """One count: what it is out of, what it means, and the page (with conditions) where what it counts is shown.

    The texts are our own words: they are read as Markdown.
    """

    name: str
    count: int
    out_of: str
    means: str = ""
    page: str = ""
    conditions: Mapping[str, Any] = field(default_factory=dict)


def cards(figures: Sequence[Card], width: int = CARD) -> None:
    """Counts side by side, as many in a row as fit."""
    with st.container(horizontal=True, gap="small"):
        for figure in figures:
            with st.container(border=True, gap="xsmall", width=width):
                st.metric(figure.name, f"{figure.count:,}", help=figure.means or None)
                st.caption(figure.out_of)
                if figure.page:
                    follow("Show them", figure.page, **figure.conditions)


def evaluations(totals: pl.DataFrame, families: Sequence[str]) -> None:
    """A link to the records of all that each family judged (`totals` is check_totals.sql), where it is known."""
    with st.container(horizontal=True):
        for family in families:
            counts = totals.filter(pl.col("family") == family)["family_evaluated"].drop_nulls().to_list()
            if counts:
                follow(f"The {plural(max(counts), FAMILIES[family].item)}", evaluated=family)


def first_steps() -> None:
    """What to do with a store that is not there or holds nothing."""
    st.markdown("**Fill it with your logs** (files, folders, globs; compressed ones too), then open this page again:")
    st.code(f"gatecov ingest PATH --db {store_path()}", language="shell")
    st.markdown("or look at four invented weeks first:")
    st.code("gatecov demo", language="shell")


def download(frame: pl.DataFrame, key: str, csv: bytes | None = None) -> None:
    """The button that saves a table as `key`.csv: byte for byte as `gatecov export` writes it, where it writes one.

    One that holds not all of its `total` rows says so in its name.
    """
    chosen = asked()
    if csv is None and key in data.EXPORTED:
        csv = data.export_csv(key, chosen.window, chosen.family)
    content = data.csv(frame.select(pl.exclude("total"))) if csv is None else csv
    total = frame["total"][0] if csv is None and "total" in frame.columns and frame.height else 0
    cut = total > frame.height
    st.download_button(
        f"{key}.csv: the first {frame.height:,} of {total:,}" if cut else f"{key}.csv",
        content,
        f"{key}-first-{frame.height}-of-{total}.csv" if cut else f"{key}.csv",
        "text/csv",
        key=f"{key}-csv",
        on_click="ignore",
        icon=":material/download:",
    )


def chart(
    picture: alt.Chart | alt.LayerChart,
    key: str,
    *,
    says: str,
    records: Callable[[dict[str, Any]], Conditions] | None = None,
    leads_to: str = "",
    chooses: bool = False,
    more: Callable[[dict[str, Any]], dict[str, Conditions]] | None = None,
    below: DeltaGenerator | None = None,
) -> None:
    """A chart, with what it says for those who cannot see it.

    Clicking on a mark shows the records behind it, where `records` says which those are, or the page that the chart
    `leads_to`, with the mark's fields in its address; or it `chooses`: the fields go into this page's own address.
    The records stand under the chart, or in the container `below`
    where the chart's own column is too narrow for them.
    """
    # The one colour that Vega does not take from the page's theme.
    picture = picture.configure_text(color="#e5edeb" if st.context.theme.type == "dark" else "#1b2827")
    if not (records or leads_to or chooses):
        st.altair_chart(picture, key=key, alt=says)
        return

    def to_address() -> None:
        # Once for each click: a selection stays, and must not take back what is chosen elsewhere later.
        for mark in st.session_state[key]["selection"].get(charts.PICKED, [])[:1]:
            st.query_params.update({name: str(value) for name, value in mark.items()})

    if chooses:
        st.altair_chart(picture, key=key, alt=says, on_select=to_address, selection_mode=charts.PICKED)
        return
    picked: Any = st.altair_chart(picture, key=key, alt=says, on_select="rerun", selection_mode=charts.PICKED)
    marks = picked["selection"].get(charts.PICKED)
    if marks and leads_to:
        st.switch_page(f"app_pages/{leads_to}.py", query_params=asked().address() | marks[0])
    elif marks and records:
        with below or st.container():
            mark = dict(marks[0])
            records_behind(records(mark), key, more(mark) if more else None)


def bars(
    title: str,
    frame: pl.DataFrame,
    columns: tuple[str, str, str],
    *,
    nothing: str,
    records: Callable[[dict[str, Any]], Conditions],
    below: DeltaGenerator,
) -> None:
    """A titled chart of bars (`columns`: their names, lengths and colours), or the sentence for `nothing`."""
    st.subheader(title, anchor=False)
    if frame.is_empty():
        st.info(nothing)
        return
    name, count, colour = columns
    chart(
        charts.bars(frame, name, count, colour=colour), f"{count}-by-{name}", says=title, records=records, below=below
    )


def records_behind(conditions: Conditions, key: str, more: Mapping[str, Conditions] | None = None) -> None:
    """The newest records that meet the conditions, a link to all of them, and one to each of the others that `more` names."""
    chosen = asked()
    found = data.records(chosen.window, chosen.family, conditions, limit=20)
    with st.container(border=True, key=f"{key}-records"):
        total = found["total"][0] if found.height else 0
        st.text(
            f"Records behind it: {total:,}" + (f" (the newest {found.height} here)" if found.height < total else "")
        )
        if found.height:
            st.dataframe(
                found,
                hide_index=True,
                column_order=columns_of.RECORD_COLUMNS,
                column_config=columns_of.settings(found, columns_of.of_records()),
                placeholder="",
            )
        follow("All of them, with their full text", **conditions)
        for label, others in (more or {}).items():
            follow(label, **others)
        if "event_id" in conditions:
            follow_conversation(conditions["event_id"])


def follow_conversation(event_id: int) -> None:
    """A link to the conversation that a record belongs to, told from its beginning; none where it belongs to none."""
    session = data.conversation_of(event_id)
    if session:
        follow("Its conversation: why was there no probe?", "trace", session=session)
