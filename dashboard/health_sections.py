"""The sections of the page of ingest health: each shows a table with its CSV, or says out of how many there is none."""

from typing import Any

import streamlit as st

from dashboard import components, data, words
from dashboard.components import Card, Filters
from queries.wording import plural

SHOWN_REJECTS = 1000
FILE_COLUMNS = ["file", "lines", "events", "rejected", "first_time", "last_time", "complete", "bytes", "note"]


def counts(chosen: Filters, seen: dict[str, Any], runs: int, inferred: int) -> list[Card]:
    """What was counted and what could not be (`seen` is coverage.sql), each with the way to it."""
    stage = {"system": "socratic", "session": None}
    undated, dated_or_not = data.undated(chosen.window)
    return [
        Card("records", seen["records"], "in the window", "Relevant records; chatter is not among them.",
             "records", {"family": ""}),
        Card("rejects", seen["rejects"], f"of {plural(seen['lines'], 'line')} read",
             "Lines that should have been records.", "health", {"show": "rejects"}),
        Card("undated", undated, f"of {plural(dated_or_not, 'record')}",
             "They have no time, and count only where no dates are chosen.",
             "records", {"undated": "true", "since": "", "until": "", "family": ""}),
        Card("unmapped", seen["unmapped"], f"reasons, in {plural(seen['records'], 'record')}", "They belong to no check known here.", "health", {"show": "unmapped"}),
        Card("inferred", inferred, f"of {plural(runs, 'run')}",
             "Put together by stream and order, for want of a session.", "records", stage),
        Card("told twice", seen["duplicates"], f"of {plural(seen['records_in_store'], 'record')}", "On the console too, or a call recorded anew; counted once.",
             "records", {"repeats": "true", "since": "", "until": "", "agent": "", "family": ""}),
    ]  # fmt: skip


def files(chosen: Filters, seen: dict[str, Any]) -> None:
    st.subheader("Files", anchor=False)
    components.table(
        data.ask("files", chosen.window),
        "files",
        empty="No file was read yet.",
        columns={
            "bytes": st.column_config.NumberColumn(format="bytes"),
            "events": st.column_config.NumberColumn("records"),
        },
        order=FILE_COLUMNS,
        records=lambda row: {"file": row["file"]},
        more=lambda row: {"Those that repeat others, and do not count": {"file": row["file"], "repeats": "true"}},
    )


def rejects(chosen: Filters, seen: dict[str, Any]) -> None:
    st.subheader("Rejects", anchor=False)
    found = data.ask("rejects", chosen.window, limit=SHOWN_REJECTS)
    components.table(
        found,
        "rejects",
        empty=f"No reject in {plural(seen['lines'], 'line')}: all that should have been records were read."
        if seen["lines"]
        else "No line was read yet, so there is none to reject.",
        order=["why", "excerpt", "file", "line", "byte_offset"],
        columns={"excerpt": st.column_config.TextColumn(width="large")},
    )
    if seen["rejects"] > found.height:
        st.caption(f"The first {found.height:,} of {seen['rejects']:,} are shown; the CSV holds them all.")


def unmapped(chosen: Filters, seen: dict[str, Any]) -> None:
    st.subheader("Reasons of no known check", anchor=False)
    components.table(
        data.of_family(data.ask("unmapped", chosen.window), chosen.family),
        "unmapped",
        empty=f"None in {plural(seen['records'], 'record')}: every reason belongs to a check."
        if seen["records"]
        else words.covered(seen),
        records=lambda row: {"check_id": None, "family": row["family"], "fragment": row["fragment"]},
    )


def undated(chosen: Filters, seen: dict[str, Any]) -> None:
    st.subheader("Records without a time", anchor=False)
    components.table(
        data.ask("undated", chosen.window),
        "undated",
        empty=f"None among {plural(of, 'record')}: every one has a time."
        if (of := data.undated(chosen.window)[1])
        else words.covered(seen),
        records=lambda row: {
            **{name: row[name] for name in ("file", "system", "kind")},
            **{"undated": "true", "since": "", "until": ""},
        },
    )


SECTIONS = {"files": files, "rejects": rejects, "unmapped": unmapped, "undated": undated}
