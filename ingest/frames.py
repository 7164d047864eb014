"""The rows of many blocks as columns: what parsing hands to the store.

Columns are made of many blocks at once (`together`), since that costs far less than to do it for each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import polars as pl

from ingest.columns import EVENT_SCHEMA, FIRE_SCHEMA, REJECT_SCHEMA, frame_of
from ingest.rows import Rows, Shaped

MOST_SORTED = 50_000
_BLOCK = {"block": pl.Int32}


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
    mentions: int = 0


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
    rejects = frame_of([(*row, n) for n, block in enumerate(blocks) for row in block.rejects], REJECT_SCHEMA | _BLOCK)
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
    return [(frame_of(events, EVENT_SCHEMA | _BLOCK), frame_of(fires, FIRE_SCHEMA)), *found]


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
