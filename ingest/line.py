"""One line, or one record of a document -> rows: what is decoded, unwrapped and asked of the sources."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ingest.columns import EVENT_SCHEMA
from ingest.errors import CutOffError, UndecodableError
from ingest.record import Record
from ingest.rows import Rows
from ingest.search import Search, any_source_flag, sources_of
from ingest.shape import Told
from ingest.shapes import Shapes
from ingest.source import Event, Reject
from ingest.unwrap import Unwrapper

Unfinished = Reject | tuple[Record, Event | Reject]
"""A record that may go on in the next line, and what it is if it does not; or why a line cannot be decoded by itself."""


@dataclass(frozen=True, slots=True)
class Parser:
    """What parsing needs to know beside the bytes; `shapes` remembers what lines look like, which changes no result."""

    unwrapper: Unwrapper
    search: Search
    shapes: Shapes = field(default_factory=Shapes, compare=False)


def rows_of(
    raw: bytes,
    flags: int,
    line: int,
    offset: int,
    parser: Parser,
    rows: Rows,
    value: Mapping[str, Any] | None = None,
) -> Unfinished | None:
    """Add the rows of one line; a record whose rest may stand on the next line is given back instead, or why nothing of it can
    be decoded (`unfinished` where it is cut off)."""
    try:
        records = parser.unwrapper.records(raw) if value is None else parser.unwrapper.value(value)
    except UndecodableError as error:
        return Reject(str(error), unfinished=isinstance(error, CutOffError))
    known = False
    for part, record in enumerate(records):
        result = event_of(record, flags)
        if (
            result is not None
            and result.unfinished
            and len(records) == 1
            and (isinstance(result, Reject) or not record.fields)
        ):
            return record, result
        if isinstance(result, Event):
            rows.event(result, record, line, offset, part)
        elif isinstance(result, Reject):
            rows.reject(result.why, raw, line, offset, part)
        known = known or result is not None
    if not known and flags & (any_source_flag() - 1):
        rows.mentions += 1
    return None


def settle(unfinished: Unfinished, rows: Rows, raw: bytes, line: int, offset: int) -> None:
    """Add what nothing follows as what it is by itself."""
    if isinstance(unfinished, Reject):
        rows.reject(unfinished.why, raw, line, offset)
        return
    record, result = unfinished
    if isinstance(result, Event):
        rows.event(result, record, line, offset, 0)
    else:
        rows.reject(result.why, raw, line, offset)


def event_of(record: Record, flags: int) -> Event | Reject | None:
    """What the first source makes of a record that knows it, among those whose markers `flags` tells of."""
    for source in sources_of(flags):
        result = source.read(record)
        if result is not None:
            return result
    return None


def told_of(parser: Parser, raw: bytes, flags: int) -> Told | None:
    """What one line by itself is read as: the columns of its event and its fires; None unless it is one event."""
    rows = Rows("")
    if rows_of(raw, flags, 1, 0, parser, rows) or rows.rejects or len(rows.events) != 1:
        return None
    columns = dict(zip(EVENT_SCHEMA, rows.events[0], strict=True))
    return columns, tuple(fire[1:] for fire in rows.fires)


def time_of(raw: bytes, parser: Parser) -> int | None:
    """The first time on a line, in microseconds; None where it has none."""
    if not raw.strip():
        return None
    try:
        return next((record.time for record in parser.unwrapper.records(raw[:65536]) if record.time is not None), None)
    except UndecodableError:
        return None
