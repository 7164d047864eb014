"""What pages read, and the only caching: frames, keyed by the question, its parameters and the file's fingerprint.

No connection outlives a question: one that is shared hands out other sessions' rows, and one that stays open hides a
store that was replaced.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import streamlit as st

import queries
from checks.registry import Check
from checks.registry import catalog as live_catalog
from dashboard.words import VERDICTS
from places import read_config, store_path
from queries import Window
from queries.export import TABLES, csv_text, tables
from queries.settings import thresholds_from
from queries.sourcedates import last_changes
from queries.thresholds import Thresholds
from queries.verdicts import evidence, judge
from queries.whatif import WhatIf, whatif
from review import trace as tracing
from review.decisions import Decisions, decisions_path, load_decisions
from review.plan import Plan, make_plan
from review.replay import Replay, replay
from storefile import StoreError, UserError, opened

Stamp = tuple[int, int, int]
Bounds = tuple[dt.datetime | None, dt.datetime | None, str | None]
PATIENCE = 3.0
"""Seconds to wait for whoever holds the store: a write is short, and a page that waits long for a shell seems dead."""
ORDER = {verdict: place for place, verdict in enumerate(VERDICTS)}

SYSTEM_OF_FAMILY = {"socratic.shape": "socratic", "socratic.slots": "agent", "probe.scale": "probe"}
"""The system whose records a family's checks leave, where it has another name."""
EXPORTED = {table.name for table in TABLES}
"""The questions whose answers `gatecov export` writes."""
RECORD_CONDITIONS = {"week", *queries.questions()["records"].parameters} - {
    "since",
    "until",
    "agent",
    "family",
    "limit",
}
"""What an address may ask of the Records page, beside the filters."""


class BadAddressError(UserError):
    """The address asks for records by a value that cannot be one; the message names them."""


def ask(question: str, window: Window, **parameters: Any) -> pl.DataFrame:
    """The answer to one of `queries`' questions; raises StoreError, QuestionError."""
    given = tuple(sorted(parameters.items()))
    return _answer(*_asked(window), question, given)


def fingerprint(db: Path) -> Stamp:
    """What tells a store from the one that stood at the same path before: time, size and inode."""
    try:
        found = db.stat()
    except OSError:
        raise StoreError(f"{db}: there is no store here yet; fill one with: gatecov ingest PATH --db {db}") from None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _asked(window: Window) -> tuple[str, Stamp, Bounds]:
    """The store, its fingerprint, and the window in plain values: a class is another one after Streamlit's reruns."""
    db = store_path()
    return str(db), fingerprint(db), (window.since, window.until, window.agent)


@st.cache_data(max_entries=200, show_spinner=False)
def _answer(
    db: str, stamp: Stamp, bounds: Bounds, question: str, parameters: tuple[tuple[str, Any], ...]
) -> pl.DataFrame:
    with opened(Path(db), wait=PATIENCE) as connection:
        return queries.ask(connection, question, Window(*bounds), **dict(parameters))


def agents() -> list[str]:
    """The agents that the logs name, whenever it was."""
    return ask("agents", Window())["agent"].drop_nulls().sort().to_list()


def coverage(window: Window) -> dict[str, Any]:
    """What the logs cover, as one row (see coverage.sql)."""
    return ask("coverage", window).row(0, named=True)


def totals(window: Window) -> pl.DataFrame:
    """What the logs say of each check (check_totals.sql), with `evaluated_of_all`: what its family judged for all agents."""
    everyone = ask("check_totals", replace(window, agent=None)).select("check_id", evaluated_of_all="family_evaluated")
    return ask("check_totals", window).join(everyone, on="check_id", how="left", maintain_order="left")


def undated(window: Window) -> tuple[int, int]:
    """How many records of the window's agent have no time, and how many there are, whenever it was."""
    ever = coverage(Window(agent=window.agent))
    return ever["undated"], ever["records"]


def unnamed(window: Window) -> tuple[int, int]:
    """How many records of the window's dates name no agent, and how many there are."""
    found = ask("agents", replace(window, agent=None))
    return int(found.filter(pl.col("agent").is_null())["records"].sum()), int(found["records"].sum())


def behind_fires(check_id: str | None, **more: Any) -> dict[str, Any]:
    """Which records stand behind the fires of a check: a template that it failed is counted apart.

    Without an id: those with a reason that belongs to no check, of the `family` that is named.
    """
    shape = more.get("family") == "socratic.shape" or (check_id or "").startswith("socratic.shape.")
    return {"check_id": check_id} | ({"kind": "draft_rejected"} if shape else {}) | more


def as_address(conditions: Mapping[str, Any]) -> dict[str, str]:
    """Conditions as they stand in an address: "" asks for nothing, None for records that lack what is named."""
    given = {name: str(value) for name, value in conditions.items() if value not in (None, "")}
    lacking = sorted(name for name, value in conditions.items() if value is None)
    return given | ({"missing": ",".join(lacking)} if lacking else {})


def records(window: Window, family: str, conditions: dict[str, Any], limit: int) -> pl.DataFrame:
    """The newest records that meet the conditions; the column `total` says how many there are.

    The conditions are parameters of records.sql, or `week` (its Monday); the family narrows them to its system. A condition
    of "" opens what the window or the family narrows, as in the address of the link to all of them.
    """
    given: dict[str, Any] = as_address(conditions)
    open_to_all = {name for name, value in conditions.items() if value == ""}
    window = replace(window, agent=given.pop("agent", window.agent))
    window = replace(window, **dict.fromkeys(open_to_all & {"since", "until", "agent"}))
    family = "" if "family" in open_to_all else family
    try:
        window = _within_week(window, given.pop("week", None))
        if family and not {"system", "evaluated"} & given.keys():
            given["system"] = SYSTEM_OF_FAMILY.get(family, family)
        return ask("records", window, limit=limit, **given)
    except (ValueError, duckdb.ConversionException):
        listed = ", ".join(f"{name} = {value}" for name, value in conditions.items())
        raise BadAddressError(
            f"{listed}: one of these is not of its kind (a day and a week are written 2026-06-01, ids and attempts are "
            "whole numbers); take it out of the address"
        ) from None


def _within_week(window: Window, monday: str | None) -> Window:
    if not monday:
        return window
    start = dt.datetime.fromisoformat(str(monday))
    end = start + dt.timedelta(days=7)
    return replace(window, since=max(start, window.since or start), until=min(end, window.until or end))


def of_family(frame: pl.DataFrame, family: str, check: str = "check_id") -> pl.DataFrame:
    """The rows of one family (all where it is ""), by the column `family` or else by the ids in the column `check`."""
    if not family:
        return frame
    if "family" in frame.columns:
        return frame.filter(pl.col("family") == family)
    return frame.filter(pl.col(check).str.replace(r"\.[^.]*$", "") == family)


def csv(frame: pl.DataFrame) -> bytes:
    """A frame as CSV, by the rules of `gatecov export`."""
    return csv_text(frame).encode()


def export_csv(name: str, window: Window, family: str = "", only: pl.Series | None = None) -> bytes:
    """The bytes of `name`.csv as `gatecov export` writes it, with the rows of one family and `only` these check ids."""
    frame = _tables(*_asked(window), thresholds(), decided())[name]
    if family and {"family", "check_id"} & set(frame.columns):
        frame = of_family(frame, family)
    return csv(frame if only is None else frame.filter(pl.col("check_id").is_in(only.implode())))


@st.cache_data(max_entries=20, show_spinner=False)
def _tables(
    db: str, stamp: Stamp, bounds: Bounds, limits: Thresholds, actions: tuple[tuple[str, str], ...]
) -> dict[str, pl.DataFrame]:
    return tables(Path(db), Window(*bounds), limits, dict(actions))


def catalog() -> dict[str, Check]:
    """The live checks by id, with the source that was registered when this server started."""
    return {check.check_id: check for check in live_catalog()}


def thresholds() -> Thresholds:
    """Those of gatecov.toml in the folder that the dashboard was started from, or of the file that GATECOV_CONFIG names."""
    return thresholds_from(read_config(named_exists=False))


def checks(window: Window, family: str) -> pl.DataFrame:
    """Every check with its evidence and verdict (see verdicts.judge), those to act on first."""
    found = _judged(*_asked(window), thresholds(), decided())
    return of_family(found, family)


@st.cache_data(max_entries=20, show_spinner=False)
def _judged(
    db: str, stamp: Stamp, bounds: Bounds, limits: Thresholds, actions: tuple[tuple[str, str], ...]
) -> pl.DataFrame:
    with opened(Path(db), wait=PATIENCE) as connection:
        found = judge(evidence(connection, Window(*bounds), limits, last_changes()), limits, dict(actions))
    return found.sort(
        pl.col("verdict").replace_strict(ORDER, default=len(ORDER), return_dtype=pl.Int64), maintain_order=True
    )


def decisions() -> Decisions:
    """What was decided, as the file says it now: somebody may have edited it since. Raises DecisionError."""
    return load_decisions(decisions_path(), catalog())


def decided() -> tuple[tuple[str, str], ...]:
    """Check id and action of each decision, in a form that a cache can be keyed by."""
    return tuple(sorted(decisions().actions.items()))


def conversation_of(event_id: int) -> str:
    """The conversation that a record belongs to, a session or an inferred run; "" where it belongs to none."""
    found = ask("conversation_of", Window(), event_id=event_id)["session"]
    return found[0] or "" if found.len() else ""


def trace(session: str) -> tracing.Trace:
    """Everything the store holds of one conversation; raises UnknownConversationError, StoreError."""
    db = store_path()
    return _trace(str(db), fingerprint(db), session)


@st.cache_data(max_entries=50, show_spinner=False)
def _trace(db: str, stamp: Stamp, session: str) -> tracing.Trace:
    return tracing.trace(Path(db), session)


def plan(window: Window) -> Plan:
    """The pruning plan, as `gatecov plan` makes it; raises DecisionError, StoreError."""
    path = decisions_path()
    text = path.read_bytes() if path.exists() else b""
    return _plan(*_asked(window), thresholds(), str(path), text)


@st.cache_data(max_entries=10, ttl=60, show_spinner="Looking at evidence, decisions, sources and tests")
def _plan(db: str, stamp: Stamp, bounds: Bounds, limits: Thresholds, path: str, text: bytes) -> Plan:
    """Kept for a minute alone: it looks at files of the checkout too, and at the clock."""
    window = Window(*bounds)
    return make_plan(
        Path(db),
        window,
        limits,
        load_decisions(Path(path), catalog()),
        whatif=lambda ids: whatif(Path(db), window, ids).sentence(),
    )


def replayed(window: Window, family: str) -> Replay:
    """Today's checks of one family over the logged records of the window (see review.replay)."""
    return _replayed(*_asked(window), family)


@st.cache_data(max_entries=10, show_spinner=False)
def _replayed(db: str, stamp: Stamp, bounds: Bounds, family: str) -> Replay:
    return replay(Path(db), Window(*bounds), family)


def imagined(window: Window, checks: tuple[str, ...]) -> WhatIf:
    """What the logs of the window would have been without these checks (see queries.whatif)."""
    return _imagined(*_asked(window), checks)


@st.cache_data(max_entries=20, show_spinner=False)
def _imagined(db: str, stamp: Stamp, bounds: Bounds, checks: tuple[str, ...]) -> WhatIf:
    return whatif(Path(db), Window(*bounds), checks)
