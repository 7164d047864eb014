"""The rows of one block, as they are read from it: events, fires, rejects, and which days it covers."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ingest import decode
from ingest.columns import DAY_US, EVENT_SCHEMA, FIRE_SCHEMA, UNDATED, Numbers, frame_of
from ingest.record import Record
from ingest.shape import Shape
from ingest.source import Event

EXCERPT = 400
MOST_TUPLES = 2_000
"""More rows than this are kept as columns, which take a quarter of the memory."""


class Shaped(NamedTuple):
    """What a shape read of a block, with the line and the byte offset of each row, in order."""

    shape: Shape
    rows: pl.DataFrame
    lines: Numbers
    offsets: Numbers

    def between(self, start: int | None, end: int | None) -> "Shaped":
        """What stands from byte `start` to before byte `end`."""
        first = 0 if start is None else int(np.searchsorted(self.offsets, start))
        last = len(self.offsets) if end is None else int(np.searchsorted(self.offsets, end))
        return Shaped(self.shape, self.rows[first:last], self.lines[first:last], self.offsets[first:last])


class Rows:
    """The rows of one block, or of a part of a document. `lines` and `consumed` are set by who read it."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.events: list[tuple[Any, ...]] = []
        self.fires: list[tuple[Any, ...]] = []
        self.rejects: list[tuple[Any, ...]] = []
        self.days: dict[int, list[int]] = {}
        self.first_time: int | None = None
        self.last_time: int | None = None
        self.mentions = self.lines = self.consumed = 0
        self.shaped: list[Shaped] = []
        self.columns: tuple[pl.DataFrame, pl.DataFrame] | None = None

    def __len__(self) -> int:
        """The number of events."""
        columns = self.columns[0].height if self.columns else 0
        return columns + len(self.events) + sum(one.rows.height for one in self.shaped)

    def event(self, event: Event, record: Record, line: int, offset: int, part: int) -> None:
        number = len(self.events)
        own = event.session is not None and event.session != record.session
        if record.time is not None:
            self.seen(record.time, 0)
        self.events.append(
            (
                number, line, offset, part, record.time, record.time_source, event.system, event.kind, event.form,
                event.agent or record.agent, event.session if own else record.session,
                "message" if own else record.session_source,
                f"{self.stream} {record.stream}" if record.stream else self.stream,
                record.version, record.level and decode.storable(record.level), event.attempt, event.attempts, event.outcome, event.severity, event.action,
                event.subject, event.goal, event.text, event.ok_count, event.fail_count, _json(event.extra),
                " > ".join(record.envelopes),
            )
        )  # fmt: skip
        for position, fire in enumerate(event.fires):
            self.fires.append((number, position, fire.family, fire.rule, decode.storable(fire.fragment)))

    def reject(self, why: str, raw: bytes, line: int, offset: int, part: int = 0) -> None:
        excerpt = decode.storable(decode.text_of(raw[: EXCERPT * 4]))[:EXCERPT]
        self.rejects.append((line, offset, part, decode.storable(why)[:EXCERPT], excerpt))

    def seen(self, time: int, column: int) -> None:
        """Count a dated record: relevant (column 0) or sampled chatter (column 1)."""
        self.days.setdefault(time // DAY_US, [0, 0])[column] += 1
        self._between(time, time)

    def _between(self, first: int, last: int) -> None:
        self.first_time = first if self.first_time is None else min(first, self.first_time)
        self.last_time = last if self.last_time is None else max(last, self.last_time)

    def take(self, shaped: Shaped, times: Numbers) -> None:
        """Add what a shape read; `times` in microseconds, UNDATED for none."""
        if not len(times):
            return
        self.shaped.append(shaped)
        dated = times[times != UNDATED]
        if len(dated):
            self._between(int(dated.min()), int(dated.max()))
        days, counts = np.unique(dated // DAY_US, return_counts=True)
        for day, count in zip(days.tolist(), counts.tolist(), strict=True):
            self.days.setdefault(day, [0, 0])[0] += count

    def close(self, *, lines: int, consumed: int) -> "Rows":
        """These rows, when there are no more; of so many lines and bytes."""
        self.lines, self.consumed = lines, consumed
        if len(self.events) > MOST_TUPLES:
            self._as_columns()
        return self

    def split(self, start: int) -> "Rows":
        """Take out the rows from byte `start` on; what was taken out. What is known of the block stays with the rest."""
        taken = Rows(self.stream)
        exact, fires = self._as_columns()
        after = pl.col("byte_offset") >= start
        for rows, where in ((taken, after), (self, ~after)):
            events = exact.filter(where)
            rows.columns = events, fires.join(events.select("number"), on="number", how="semi")
        taken.shaped = [one.between(start, None) for one in self.shaped]
        self.shaped = [one.between(None, start) for one in self.shaped]
        taken.rejects = [reject for reject in self.rejects if reject[1] >= start]
        self.rejects = [reject for reject in self.rejects if reject[1] < start]
        return taken

    def offset_of(self, number: int) -> int:
        """Where the line of the event stands that has so many before it."""
        offsets = [self._as_columns()[0]["byte_offset"].to_numpy(), *(one.offsets for one in self.shaped)]
        return int(np.partition(np.concatenate(offsets), number)[number])

    def envelopes(self) -> set[str]:
        """The values of `envelope` among the events; perhaps a few more."""
        names = {event[-1] for event in self.events} | {name for one in self.shaped for name in one.shape.envelopes}
        return names | set(self.columns[0]["envelope"].unique()) if self.columns else names

    def _as_columns(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Events and fires that were read one by one, which are held as columns from now on."""
        if self.columns is None:
            self.columns = frame_of(self.events, EVENT_SCHEMA), frame_of(self.fires, FIRE_SCHEMA)
            self.events, self.fires = [], []
        return self.columns


def _json(extra: Mapping[str, Any] | None) -> str | None:
    return decode.compact(extra) if extra else None
