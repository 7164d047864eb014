"""The rows of one block, as columns: what parsing hands to the store."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
                record.version, record.level, event.attempt, event.attempts, event.outcome, event.severity, event.action,
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

    def frames(self, *, lines: int, consumed: int) -> Frames:
        return Frames(
            events=_frame(self.events, EVENT_SCHEMA),
            fires=_frame(self.fires, FIRE_SCHEMA),
            rejects=_frame(self.rejects, REJECT_SCHEMA),
            days={day: (relevant, sampled) for day, (relevant, sampled) in self.days.items()},
            first_time=min(self.times, default=None),
            last_time=max(self.times, default=None),
            numbers=len(self.events),
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
