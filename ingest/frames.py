"""The rows of blocks, as columns: what parsing hands to the store.

A block's rows are collected in `Rows`. Those of many blocks are made into columns at once (`together`), since that costs
far less than to do it for each block.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from ingest import decode
from ingest.record import Record
from ingest.source import Event

EVENT_SCHEMA: dict[str, Any] = {
    "number": pl.Int64, "line": pl.Int64, "byte_offset": pl.Int64, "part": pl.Int32, "time": pl.Datetime("us"), "time_source": pl.String,
    "system": pl.String, "kind": pl.String, "form": pl.String, "agent": pl.String, "session": pl.String, "session_source": pl.String,
    "stream": pl.String, "version": pl.String, "level": pl.String, "attempt": pl.Int32, "attempts": pl.Int32, "outcome": pl.String,
    "severity": pl.String, "action": pl.String, "subject": pl.String, "goal": pl.String, "text": pl.String, "ok_count": pl.Int32,
    "fail_count": pl.Int32, "extra": pl.String, "envelope": pl.String,
}  # fmt: skip
FIRE_SCHEMA: dict[str, Any] = {
    "number": pl.Int64,
    "position": pl.Int32,
    "family": pl.String,
    "rule": pl.String,
    "fragment": pl.String,
}
REJECT_SCHEMA: dict[str, Any] = {
    "line": pl.Int64,
    "byte_offset": pl.Int64,
    "part": pl.Int32,
    "why": pl.String,
    "excerpt": pl.String,
}
Numbers = npt.NDArray[np.int64]
_BLOCK = {"block": pl.Int32}
DAY_US = 86_400_000_000
UNDATED = -(2**63)
EXCERPT = 400
MOST_TUPLES = 2_000
"""More rows than this are kept as columns, which take a quarter of the memory."""

MOST_SORTED = 50_000


class Shape(Protocol):
    """What `Rows` knows of a shape (`ingest/shape.py`): it makes the rows that it read into events and fires."""

    envelopes: frozenset[str]
    """The values of `envelope` among its events."""

    def events(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The columns of `events` (`inner_stream` is what follows the name of the stream), and the `answer` of each row."""

    def fires_of(self) -> pl.DataFrame:
        """The fires of each `answer`."""


@dataclass(slots=True)
class Frames:
    """What one block held, or several.

    `events` and `fires` share `number`, counted from 0 within the frames; `block` says which of the blocks a row is of. `days`
    counts, per block and day since 1970, relevant records and sampled chatter. `consumed` is how many bytes were dealt
    with; the rest waits for what follows it. Times are in microseconds since 1970, UTC.
    """

    events: pl.DataFrame
    fires: pl.DataFrame
    rejects: pl.DataFrame
    days: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    first_time: int | None = None
    last_time: int | None = None
    lines: int = 0
    consumed: int = 0
    undated: int = 0
    mentions: int = 0


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
        self.mentions = self.undated = self.lines = self.consumed = 0
        self.shaped: list[Shaped] = []
        self.columns: tuple[pl.DataFrame, pl.DataFrame] | None = None

    def __len__(self) -> int:
        """The number of events."""
        columns = self.columns[0].height if self.columns else 0
        return columns + len(self.events) + sum(one.rows.height for one in self.shaped)

    def event(self, event: Event, record: Record, line: int, offset: int, part: int) -> None:
        number = len(self.events)
        own = event.session is not None and event.session != record.session
        if record.time is None:
            self.undated += 1
        else:
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
        self._spans(time, time)

    def _spans(self, first: int, last: int) -> None:
        self.first_time = first if self.first_time is None else min(first, self.first_time)
        self.last_time = last if self.last_time is None else max(last, self.last_time)

    def take(self, shaped: Shaped, times: Numbers) -> None:
        """Add what a shape read; `times` in microseconds, UNDATED for none."""
        if not len(times):
            return
        self.shaped.append(shaped)
        dated = times[times != UNDATED]
        self.undated += len(times) - len(dated)
        if len(dated):
            self._spans(int(dated.min()), int(dated.max()))
        days, counts = np.unique(dated // DAY_US, return_counts=True)
        for day, count in zip(days.tolist(), counts.tolist(), strict=True):
            self.days.setdefault(day, [0, 0])[0] += count

    def close(self, *, lines: int, consumed: int) -> "Rows":
        """These rows, when there are no more; of so many lines and bytes."""
        self.lines, self.consumed = lines, consumed
        if len(self.events) > MOST_TUPLES:
            self.columns = _frame(self.events, EVENT_SCHEMA), _frame(self.fires, FIRE_SCHEMA)
            self.events, self.fires = [], []
        return self

    def split(self, start: int) -> "Rows":
        """Take out the rows from byte `start` on; what was taken out. What is known of the block stays with the rest."""
        taken = Rows(self.stream)
        exact, fires = self._exact()
        after = pl.col("byte_offset") >= start
        for rows, where in ((taken, after), (self, ~after)):
            events = exact.filter(where)
            rows.columns = events, fires.join(events.select("number"), on="number", how="semi")
            rows.events, rows.fires = [], []
        taken.shaped = [one.between(start, None) for one in self.shaped]
        self.shaped = [one.between(None, start) for one in self.shaped]
        taken.rejects = [reject for reject in self.rejects if reject[1] >= start]
        self.rejects = [reject for reject in self.rejects if reject[1] < start]
        return taken

    def offset_of(self, number: int) -> int:
        """Where the line of the event stands that has so many before it."""
        offsets = [self._exact()[0]["byte_offset"].to_numpy(), *(one.offsets for one in self.shaped)]
        return int(np.partition(np.concatenate(offsets), number)[number])

    def envelopes(self) -> set[str]:
        """The values of `envelope` among the events; perhaps a few more."""
        names = {event[-1] for event in self.events} | {name for one in self.shaped for name in one.shape.envelopes}
        return names | set(self.columns[0]["envelope"].unique()) if self.columns else names

    def _exact(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        return self.columns or (_frame(self.events, EVENT_SCHEMA), _frame(self.fires, FIRE_SCHEMA))


def together(blocks: Sequence[Rows]) -> Frames:
    """The rows of `blocks` in their order, each block's by their place in the file, and numbered so.

    The blocks keep them in this form.
    """
    all_events, all_fires = [], []
    number = 0
    for first, end in _spans(blocks):
        some_events, some_fires = _merged(blocks[first:end])
        _settle(blocks[first:end], some_events, some_fires)
        shift = pl.col("number") + number
        all_events.append(some_events.with_columns(shift, pl.col("block") + first))
        all_fires.append(some_fires.with_columns(shift))
        number += some_events.height
    events, fires = pl.concat(all_events), pl.concat(all_fires)
    rejects = _frame([(*row, n) for n, block in enumerate(blocks) for row in block.rejects], REJECT_SCHEMA | _BLOCK)
    firsts = [block.first_time for block in blocks if block.first_time is not None]
    lasts = [block.last_time for block in blocks if block.last_time is not None]
    return Frames(
        events=events,
        fires=fires,
        rejects=rejects,
        days={(n, day): (counts[0], counts[1]) for n, block in enumerate(blocks) for day, counts in block.days.items()},
        first_time=min(firsts, default=None),
        last_time=max(lasts, default=None),
        lines=sum(block.lines for block in blocks),
        consumed=sum(block.consumed for block in blocks),
        undated=sum(block.undated for block in blocks),
        mentions=sum(block.mentions for block in blocks),
    )


def _spans(blocks: Sequence[Rows]) -> Iterator[tuple[int, int]]:
    """The first and the end of the blocks that are put in order at once: their columns are held three times for a moment."""
    first = rows = 0
    for n, block in enumerate(blocks):
        rows += len(block)
        if rows >= MOST_SORTED or n == len(blocks) - 1:
            yield first, n + 1
            first, rows = n + 1, 0


def _settle(blocks: Sequence[Rows], events: pl.DataFrame, fires: pl.DataFrame) -> None:
    """Let each block hold its part of these, and nothing besides."""
    numbers = fires["number"].to_numpy()
    first = 0
    for block in blocks:
        end = first + len(block)
        start, stop = np.searchsorted(numbers, (first, end)).tolist()
        block.columns = events[first:end].drop("block"), fires[start:stop]
        block.events, block.fires, block.shaped = [], [], []
        first = end


def _merged(blocks: Sequence[Rows]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """All events in order, and their fires."""
    events, fires, number = [], [], 0
    for one_events, one_fires in (*_exact(blocks), *_shaped(blocks)):
        if one_events.height:
            events.append(one_events.with_columns(pl.int_range(number, number + one_events.height).alias("number")))
            fires.append(one_fires.with_columns(pl.col("number") + number))
            number += one_events.height
    if not events:
        return pl.DataFrame(schema=EVENT_SCHEMA | _BLOCK), pl.DataFrame(schema=FIRE_SCHEMA)
    # One number that grows with block and offset is sorted much faster than two columns are.
    unordered = pl.concat(events)
    least = cast(int, unordered["byte_offset"].min())
    span = cast(int, unordered["byte_offset"].max()) - least + 1
    place = unordered["block"].cast(pl.Int64).to_numpy() * span + (unordered["byte_offset"].to_numpy() - least)
    order = np.argsort(place, kind="stable")
    ordered = unordered[order].with_columns(pl.int_range(number, dtype=pl.Int64).alias("number"))
    numbers = np.empty(number, dtype=np.int64)
    numbers[order] = np.arange(number)
    all_fires = pl.concat(fires)
    new = numbers[all_fires["number"].to_numpy()]
    by_event = np.lexsort((all_fires["position"].to_numpy(), new))
    return ordered, all_fires.with_columns(pl.Series("number", new))[by_event]


def _exact(blocks: Sequence[Rows]) -> list[tuple[pl.DataFrame, pl.DataFrame]]:
    """Events that were read one by one, and fires with their numbers, of all small blocks together and of each large one."""
    events: list[tuple[Any, ...]] = []
    fires: list[tuple[Any, ...]] = []
    found = []
    for n, block in enumerate(blocks):
        if block.columns:
            columns, of_columns = block.columns
            before = columns.select("number").with_columns(new=pl.int_range(pl.len(), dtype=pl.Int64))
            numbered = of_columns.join(before, on="number", maintain_order="left").select(
                pl.col("new").alias("number"), *list(FIRE_SCHEMA)[1:]
            )
            found.append((columns.with_columns(pl.lit(n, pl.Int32).alias("block")), numbered))
        first = len(events)
        events += [(*event, n) for event in block.events]
        fires += [(first + fire[0], *fire[1:]) for fire in block.fires]
    return [(_frame(events, EVENT_SCHEMA | _BLOCK), _frame(fires, FIRE_SCHEMA)), *found]


def _shaped(blocks: Sequence[Rows]) -> list[tuple[pl.DataFrame, pl.DataFrame]]:
    """Events that were read as columns, and fires with their numbers, for each shape."""
    rows_of: dict[int, list[tuple[int, Shaped]]] = {}
    for n, block in enumerate(blocks):
        for shaped in block.shaped:
            rows_of.setdefault(id(shaped.shape), []).append((n, shaped))
    streams = pl.DataFrame(
        {"block": range(len(blocks)), "outer": [block.stream for block in blocks]},
        schema={"block": pl.Int32, "outer": pl.String},
    )
    only = blocks[0].stream if len({block.stream for block in blocks}) == 1 else None
    found = []
    for parts in rows_of.values():
        shape = parts[0][1].shape
        places = [
            pl.Series("line", np.concatenate([one.lines for _, one in parts])),
            pl.Series("byte_offset", np.concatenate([one.offsets for _, one in parts])),
            pl.Series("block", np.repeat([n for n, _ in parts], [one.rows.height for _, one in parts]), dtype=pl.Int32),
        ]
        rows = shape.events(pl.concat([one.rows for _, one in parts])).with_columns(places)
        if only is None:
            rows = rows.join(streams, on="block", maintain_order="left")
        outer = pl.col("outer") if only is None else pl.lit(only)
        events = rows.select(
            pl.lit(0, pl.Int64).alias("number") if name == "number"
            else pl.lit(0, kind).alias("part") if name == "part"
            else (outer + pl.col("inner_stream")).alias("stream") if name == "stream"
            else pl.col(name).cast(kind)
            for name, kind in (EVENT_SCHEMA | _BLOCK).items()
        )  # fmt: skip
        numbered = rows.select("answer").with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias("number"))
        found.append((events, numbered.join(shape.fires_of(), on="answer").select(list(FIRE_SCHEMA))))
    return found


def _frame(rows: Sequence[tuple[Any, ...]], schema: dict[str, Any]) -> pl.DataFrame:
    if not rows:
        return pl.DataFrame(schema=schema)
    columns = zip(*rows, strict=True)
    return pl.DataFrame(
        [
            pl.Series(name, column, dtype=pl.Int64).cast(kind)
            if isinstance(kind, pl.Datetime)
            else pl.Series(name, column, dtype=kind)
            for (name, kind), column in zip(schema.items(), columns, strict=True)
        ]
    )


def _json(extra: Mapping[str, Any] | None) -> str | None:
    return decode.compact(extra) if extra else None
