"""How a log source is declared: one file under `ingest/sources` that holds SOURCE, a table of the lines it reads.

A row is found by its pattern at the very start of the message, and gives the event. Where the values stand is the row's `form`:

- `line`: in the JSON at the end of the message, else in the fields beside the message;
- `console`: as `key=value` pairs in the message;
- `name`: beside an event name, which is the message or one of the fields `event`, `msg`, `type`, ...
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import ingest.sources
from ingest.record import Record

Form = Literal["line", "console", "name"]
COLUMNS = ("attempt", "attempts", "outcome", "severity", "subject", "goal", "text", "ok_count", "fail_count", "agent", "session")  # fmt: skip
WHOLE_NUMBERS = {"attempt": 1, "attempts": 1, "ok_count": 0, "fail_count": 0}
"""The columns that hold a whole number, and the least that it can be."""


@dataclass(frozen=True, slots=True)
class Fire:
    """One reason fragment of an event."""

    family: str
    rule: str | None
    fragment: str


@dataclass(slots=True)
class Event:
    """What a relevant record says; the names are those of the columns of `events`."""

    system: str
    kind: str
    form: str
    action: str | None = None
    agent: str | None = None
    session: str | None = None
    attempt: int | None = None
    attempts: int | None = None
    outcome: str | None = None
    severity: str | None = None
    subject: str | None = None
    goal: str | None = None
    text: str | None = None
    ok_count: int | None = None
    fail_count: int | None = None
    extra: Mapping[str, Any] | None = None
    fires: tuple[Fire, ...] = ()
    unfinished: bool = False
    """Whether the next line may hold the rest."""


@dataclass(frozen=True, slots=True)
class Reject:
    """Why a record that should have been an event is none; `unfinished` where the next line may hold the rest."""

    why: str
    unfinished: bool = False


Result = Event | Reject | None


@dataclass(frozen=True, slots=True)
class Expected:
    """What a sample line must be read as."""

    kind: str
    columns: Mapping[str, object] = field(default_factory=dict)
    fragments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of line.

    `columns` maps columns of `events` to the key that holds them (a named group of the pattern or a key of the
    values), `fixed` to a constant. `reasons` is the key of a list of reasons joined by semicolons, `fragment` a
    constant instead of it, `among` the only values that a column can have, `rule` a constant or, with a leading `=`, the name of a column. `rest` is the column that
    takes the text after the pattern. `keep` are keys for `extra`; without it everything left over goes there.
    """

    kind: str
    pattern: str
    form: Form = "line"
    required: tuple[str, ...] = ()
    columns: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    among: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    action: str | None = None
    family: str | None = None
    reasons: str | None = None
    one_reason: bool = False
    fragment: str | None = None
    rule: str | None = None
    rest: str | None = None
    adjust: Callable[[Event, Mapping[str, Any]], Result] | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A table of rows. `opening` matches what only this source writes at the start of a message: a message with it
    that fits no row is a reject, and so is one that fits and lacks what the row requires. `by_keys` gives the name of
    a record that has none, by the keys of its values; a CSV file whose header it names is a file of such records."""

    system: str
    markers: tuple[bytes, ...]
    rows: tuple[Row, ...]
    samples: tuple[tuple[str, Expected | Reject | None], ...]
    opening: str | None = None
    by_keys: Callable[[Mapping[str, Any]], str | None] | None = None

    def read(self, record: Record) -> Result:
        from ingest.reading import read

        return read(self, record)


@lru_cache(maxsize=1)
def sources() -> tuple[Source, ...]:
    """Every declared source."""
    modules: Sequence[Any] = sorted(pkgutil.iter_modules(ingest.sources.__path__), key=lambda m: m.name)
    found = (
        importlib.import_module(f"ingest.sources.{module.name}")
        for module in modules
        if not module.name.startswith("_")
    )
    return tuple(module.SOURCE for module in found)


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL)
