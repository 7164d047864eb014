"""How an envelope is declared: one file under `ingest/envelopes` that holds ENVELOPE, found by being there.

A declaration says how the envelope is known, where what it wraps stands, and where it keeps the time and the level.
Each carries samples, and one test runs every sample through every envelope.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import ingest.envelopes
from ingest.errors import UndecodableError

OWN = ("message", "msg", "event")
"""Where a logger keeps its own message: an object with text there is the logger's, whatever its other fields are called."""
TIMES = (
    "timestamp", "time", "ts", "@timestamp", "date", "asctime", "datetime", "eventTime", "created_at", "createdAt", "t",
)  # fmt: skip
LEVELS = (
    "level", "levelname", "level_name", "log.level", "lvl", "loglevel", "logLevel", "log_level", "severityText",
    "severity_text", "PRIORITY", "severity", "status",
)  # fmt: skip
STREAMS = ("kubernetes.pod_name", "kubernetes.pod.name", "container_id", "container_name", "@logStream")
"""The names of a time, a level and a stream that are known in every envelope, after its own, the most telling first."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Raw line(s) as they stand in a file, and what must come out of them.

    `time` is ISO 8601 in UTC without an offset; local times are read as UTC here.
    """

    raw: str
    message: str
    time: str | None = None
    level: str | None = None
    session: str | None = None
    stream: str | None = None
    fields: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class JsonEnvelope:
    """An envelope that is a JSON object.

    `keys` are the paths that must be there, `without` those that must not; `where` decides what keys cannot.
    `payload` names the paths of what it wraps, the first one that is there counts (in a logger's own object, the first that is
    text); `many` is for a page of records. One that wraps something else is never an object with a message of its own.
    Where `wraps` is false the object is the logger's own and its other fields belong to the record.
    `time`, `level` and `stream` are names that it has beside the usual ones, or prefers to them; a page has no others.
    Where `utc` is set its times are UTC also without an offset.
    `plain` makes of the object one whose fields are called as usual, which is read instead.
    A path is a key, or keys joined by dots. A `general` envelope is asked after all the others.
    """

    name: str
    keys: tuple[str, ...]
    payload: tuple[str, ...]
    samples: tuple[Sample, ...]
    time: tuple[str, ...] = ()
    level: tuple[str, ...] = ()
    stream: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    where: Callable[[Mapping[str, Any]], bool] | None = None
    convert: Callable[[Any], Any] | None = None
    plain: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    many: bool = False
    utc: bool = False
    wraps: bool = True
    general: bool = False
    markers: tuple[bytes, ...] = ()

    def complete(self) -> "JsonEnvelope":
        """This one with the usual names behind its own; the records of a page have each their own."""
        if self.many:
            return self
        own = self.time, self.level, self.stream
        time, level, stream = map(_after, own, (TIMES, LEVELS, STREAMS))
        return replace(self, time=time, level=level, stream=stream)

    def fits(self, value: Mapping[str, Any], *, own: bool) -> bool:
        """Whether `value`, which has the keys, is laid out as this one is; `own` says that it has a message of its own."""
        if own and not self.general and not any(path in OWN for path in self.payload):
            return False
        try:
            return self.where is None or self.where(value)
        except (AttributeError, KeyError, TypeError):  # another logger's object with the same keys
            return False

    def content(self, value: Mapping[str, Any]) -> Any:
        """What `value` wraps; raises UndecodableError where that is not laid out as this envelope's is."""
        payload = first_at(value, self.payload)
        if self.convert is None:
            if self.wraps or isinstance(payload, str):
                return payload
            return next((text for path in self.payload if isinstance(text := at(value, path), str)), payload)
        try:
            return self.convert(payload)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise UndecodableError(f"it looks like {self.name}, but what it wraps is laid out otherwise") from error


@dataclass(frozen=True, slots=True)
class TextEnvelope:
    """An envelope that is text: `pattern` matches it whole, with the group `payload`, perhaps `time`, `level` and `stream`.

    `convert` makes of the payload what it wraps.
    """

    name: str
    pattern: re.Pattern[str]
    samples: tuple[Sample, ...]
    scale: str = "pino"
    convert: Callable[[str], str] | None = None
    general: bool = False
    markers: tuple[bytes, ...] = ()


Envelope = JsonEnvelope | TextEnvelope


def _after(own: tuple[str, ...], usual: tuple[str, ...]) -> tuple[str, ...]:
    return (*own, *(path for path in usual if path not in own))


def at(value: Mapping[str, Any], path: str) -> Any:
    """What stands at `path`: the key of that very name, else the keys between its dots; None where nothing does."""
    if path in value:
        return value[path]
    if "." not in path:
        return None
    found: Any = value
    for key in path.split("."):
        if not isinstance(found, dict) or key not in found:
            return None
        found = found[key]
    return found


def first_at(value: Mapping[str, Any], paths: tuple[str, ...]) -> Any:
    for path in paths:
        found = at(value, path)
        if found is not None:
            return found
    return None


def has_message(value: Mapping[str, Any]) -> bool:
    """Whether `value` is a logger's own object: it has a message of its own."""
    return any(isinstance(value.get(key), str) for key in OWN)


def stands(value: Mapping[str, Any], path: str) -> bool:
    """Whether there is anything at `path`, null included."""
    return path in value or ("." in path and at(value, path) is not None)


@lru_cache(maxsize=1)
def envelopes() -> tuple[Envelope, ...]:
    """Every declared envelope, those that are sure of themselves first."""
    modules = sorted(module.name for module in pkgutil.iter_modules(ingest.envelopes.__path__))
    found: list[Envelope] = [importlib.import_module(f"ingest.envelopes.{name}").ENVELOPE for name in modules]
    return tuple(sorted(found, key=lambda envelope: envelope.general))


@lru_cache(maxsize=1)
def json_envelopes() -> tuple[JsonEnvelope, ...]:
    return tuple(e.complete() for e in envelopes() if isinstance(e, JsonEnvelope))


@lru_cache(maxsize=1)
def text_envelopes() -> tuple[TextEnvelope, ...]:
    return tuple(e for e in envelopes() if isinstance(e, TextEnvelope))


def general_envelope() -> JsonEnvelope:
    """The one that stands for any logger."""
    return json_envelopes()[-1]


@lru_cache(maxsize=4096)
def _possible(keys: tuple[str, ...]) -> tuple[JsonEnvelope, ...]:
    """The envelopes that an object with these keys may be; logs hold few shapes, so most are asked for once."""
    there = {key.partition(".")[0] for key in keys} | set(keys)
    return tuple(
        envelope
        for envelope in json_envelopes()
        if all(key in there or key.partition(".")[0] in there for key in envelope.keys)
        and any(path in there or path.partition(".")[0] in there for path in envelope.payload)
        and not any(key in keys for key in envelope.without)
    )


def json_envelope_of(value: Mapping[str, Any]) -> JsonEnvelope | None:
    """The envelope that `value` is, if any."""
    own = has_message(value)
    for envelope in _possible(tuple(value)):
        if (
            all(stands(value, key) for key in envelope.keys)
            and not any(stands(value, key) for key in envelope.without)
            and any(stands(value, path) for path in envelope.payload)
            and envelope.fits(value, own=own)
        ):
            return envelope
    return None
