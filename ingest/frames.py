"""The rows of one block, as columns: what parsing hands to the store."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

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
DAY_US = 86_400_000_000
EXCERPT = 400


@dataclass(slots=True)
class Frames:
    """What a block held.

    `events` and `fires` share `number`, counted from 0 within the frames. `days` counts, per day since 1970, relevant
    records and sampled chatter. `consumed` is how many bytes were dealt with; the rest waits for what follows it.
    Times are in microseconds since 1970, UTC. `numbers` is one more than the last number that was given.
    """

    events: pl.DataFrame
    fires: pl.DataFrame
    rejects: pl.DataFrame
    days: dict[int, tuple[int, int]] = field(default_factory=dict)
    first_time: int | None = None
    last_time: int | None = None
    numbers: int = 0
    lines: int = 0
    consumed: int = 0
    undated: int = 0
    mentions: int = 0


class Rows:
    """Collects rows, then makes the frames."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.events: list[tuple[Any, ...]] = []
        self.fires: list[tuple[Any, ...]] = []
        self.rejects: list[tuple[Any, ...]] = []
        self.days: dict[int, list[int]] = {}
        self.times: list[int] = []
        self.mentions = 0
        self.undated = 0
        self._taken: list[tuple[pl.DataFrame, pl.DataFrame]] = []

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
        self.times.append(time)

    def take(self, events: pl.DataFrame, fires: pl.DataFrame) -> None:
        """Add events that were read as columns; `fires` are those of each `answer`, and `inner_stream` is what follows the
        name of the stream."""
        if not events.height:
            return
        self._taken.append((events, fires))
        times = events["time"].drop_nulls().cast(pl.Int64)
        self.undated += events.height - times.len()
        for day, count in (times // DAY_US).value_counts().iter_rows():
            self.days.setdefault(day, [0, 0])[0] += count
        self.times += [cast(int, times.min()), cast(int, times.max())] if times.len() else []

    def _merged(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """All events, numbered as they stand in the file, and their fires."""
        first, first_fires = _frame(self.events, EVENT_SCHEMA), _frame(self.fires, FIRE_SCHEMA)
        if not self._taken:
            return first, first_fires
        number = len(self.events)
        events, fires = [first.lazy()], [first_fires.lazy()]
        for taken, fires_of in self._taken:
            stream = (pl.lit(self.stream) + pl.col("inner_stream")).alias("stream")
            rows = taken.lazy().with_columns(pl.int_range(number, number + taken.height).alias("number"), stream)
            events.append(rows.select(pl.col(name).cast(kind) for name, kind in EVENT_SCHEMA.items()))
            fires.append(rows.select("number", "answer").join(fires_of.lazy(), on="answer").select(list(FIRE_SCHEMA)))
            number += taken.height
        ordered = pl.concat(events).sort("byte_offset", "part").collect()
        numbers = pl.DataFrame({"number": ordered["number"], "new": pl.int_range(number, eager=True)})
        renumbered = pl.concat(fires).join(numbers.lazy(), on="number", how="left")
        columns = [pl.col("new").alias("number"), *(name for name in FIRE_SCHEMA if name != "number")]
        all_fires = renumbered.select(columns).sort("number", "position").collect()
        return ordered.with_columns(numbers["new"].alias("number")), all_fires

    def frames(self, *, lines: int, consumed: int) -> Frames:
        events, fires = self._merged()
        return Frames(
            events=events,
            fires=fires,
            rejects=_frame(self.rejects, REJECT_SCHEMA),
            days={day: (relevant, sampled) for day, (relevant, sampled) in self.days.items()},
            first_time=min(self.times, default=None),
            last_time=max(self.times, default=None),
            numbers=events.height,
            lines=lines,
            consumed=consumed,
            undated=self.undated,
            mentions=self.mentions,
        )


def _frame(rows: list[tuple[Any, ...]], schema: dict[str, Any]) -> pl.DataFrame:
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
