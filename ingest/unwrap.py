"""A line -> its records: the envelopes are taken off one after the other, and what each knows is kept.

Time: the innermost absolute one, else an outer absolute one, else the innermost local one read in the caller's zone.
Session, agent and version: the innermost record is asked first, then each envelope around it.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import orjson

from ingest import decode
from ingest.envelope import JsonEnvelope, at, first_at, general_envelope, json_envelope_of, text_envelopes
from ingest.errors import UndecodableError
from ingest.levels import level_at, level_name
from ingest.record import Record
from ingest.settings import IngestSettings
from ingest.times import Time, read_time, to_utc, zone

MAX_ENVELOPES = 5
LINE_WRAPPERS = ("cri", "docker")
"""Envelopes around each line of a program's output, also around the lines that go on with a record."""
INSIDE = ("data", "metadata", "meta", "context", "ctx", "extra", "attributes", "fields", "@fields", "payload", "labels", "jsonPayload", "mdc")  # fmt: skip
"""Objects whose keys are read as if they stood one level further out."""


COLLECTED = ("date", "@timestamp", "timestamp")
"""Where collectors put the time beside the fields of a record that they took apart."""


class Layer(NamedTuple):
    """One envelope that was taken off, and what it says."""

    name: str
    values: Mapping[str, Any]
    time: Time | None
    level: str | None
    stream: str | None
    wraps: bool
    many: bool = False


class Shape(NamedTuple):
    """What can be known of a JSON object by its keys alone: which fields it may give, and which objects are read into it."""

    sessions: tuple[str, ...]
    agents: tuple[str, ...]
    versions: tuple[str, ...]
    inside: tuple[str, ...]


Opened = list[tuple[str, tuple[Layer, ...]]]


@dataclass(frozen=True, slots=True)
class Unwrapper:
    """Takes records out of their envelopes, with one zone for local times and one choice of field names."""

    tz: ZoneInfo = field(default_factory=lambda: zone("UTC"))
    settings: IngestSettings = field(default_factory=IngestSettings)

    def records(self, line: bytes | str) -> list[Record]:
        """The records of one line (several where it holds a page of them).

        Raises UndecodableError where it is JSON that cannot be decoded, or wrapped in more than MAX_ENVELOPES envelopes; a page
        and its event are one, and the logger's own record is none.
        """
        if isinstance(line, bytes):
            if line[:1] == b"{":
                with suppress(orjson.JSONDecodeError):
                    return self.value(orjson.loads(line))
            line = decode.text_of(line)
        return self.value(line.rstrip("\r\n"))

    def value(self, value: Any) -> list[Record]:
        """The records of one JSON value that was already decoded; raises as `records` does."""
        opened: Opened = []
        try:
            _open(value, (), opened)
        except RecursionError as error:
            raise UndecodableError("it is nested too deeply") from error
        return [self._record(message, layers) for message, layers in opened]

    def _record(self, message: str, layers: tuple[Layer, ...]) -> Record:
        fields: Mapping[str, Any] = {}
        session = session_source = agent = version = level = stream = innermost = None
        if message.endswith("}"):
            metadata = decode.without_metadata(message)[1]
            session, session_source = _name(metadata, self.settings.session_fields)
            agent = _name(metadata, self.settings.agent_fields)[0]
            version = _name(metadata, self.settings.version_fields)[0]
        for layer in reversed(layers):
            level = level or layer.level
            if layer.stream:
                stream = f"{layer.stream} {stream}" if stream else layer.stream
            if not layer.values:
                continue
            shape = _shape(tuple(layer.values), self.settings)
            flat = _flat(layer.values, shape.inside)
            if innermost is None:
                innermost = layer
                fields = {} if layer.wraps else flat
            inside = bool(shape.inside)
            if session is None and (inside or shape.sessions):
                session, session_source = _name(flat, self.settings.session_fields if inside else shape.sessions)
            if agent is None and (inside or shape.agents):
                agent = _name(flat, self.settings.agent_fields if inside else shape.agents)[0]
            if version is None and (inside or shape.versions):
                version = _name(flat, self.settings.version_fields if inside else shape.versions)[0]
        time, time_source = self._time(layers)
        names = tuple([layer.name for layer in layers]) or ("text",)
        return Record(message, fields, time, time_source, level, session, session_source, agent, version, stream, names)

    def _time(self, layers: tuple[Layer, ...]) -> tuple[int | None, str | None]:
        local = None
        for layer in reversed(layers):
            if layer.time:
                if layer.time.absolute:
                    return layer.time.us, layer.name
                local = local or layer
        if local and local.time:
            return to_utc(local.time, self.tz), f"{local.name} (assumed {self.tz.key})"
        return None, None


def _open(value: Any, layers: tuple[Layer, ...], out: Opened, depth: int = 0) -> None:
    if len(layers) > MAX_ENVELOPES and _wrappings(layers) > MAX_ENVELOPES:
        raise UndecodableError(f"it is wrapped in more than {MAX_ENVELOPES} envelopes")
    if isinstance(value, str):
        _open_text(decode.without_ansi(value), layers, out)
    elif isinstance(value, dict):
        _open_object(value, layers, out)
    elif isinstance(value, list) and json_envelope_of(page := {"results": [value]}):
        _open_object(page, layers, out)  # a row of Insights by itself, whose results are no more than an array of them
    elif isinstance(value, list) and depth < MAX_ENVELOPES:
        for inner in value:
            _open(inner, layers, out, depth + 1)
    else:
        out.append(("" if value is None else decode.compact(value), layers))


def _wrappings(layers: tuple[Layer, ...]) -> int:
    """How many envelopes lie around a record. A page and its event are one; a logger's object is none, unless it lies in another's."""
    count = int(layers[0].wraps)
    for outer, inner in pairwise(layers):
        count += inner.many or not outer.many if inner.wraps else not outer.wraps
    return count


def _open_text(text: str, layers: tuple[Layer, ...], out: Opened) -> None:
    line = text.lstrip("\x00\x1e\ufeff\r\n").rstrip("\x00\r\n")
    text = line.lstrip("\x00\x1e\ufeff \t\r\n")
    # A line of text that is indented belongs to the record before it (a stack trace), unless it has a time of its own.
    indented = line[:1] in (" ", "\t") and all(layer.name in LINE_WRAPPERS for layer in layers)
    if text[:1] == "{" or text[:2] in ("[{", "[["):
        values: list[Any] = []
        try:
            values = decode.json_values(text)
        except UndecodableError:
            # Prose may begin with a bracket; JSON has a quoted key or another bracket there.
            if text[1:].lstrip()[:1] in ('"', "}", "{", "["):
                raise
        if values and all(isinstance(value, dict | list) for value in values):
            for value in values:
                _open(value, layers, out)
            return
    if text[:1] == text[-1:] == '"' and len(text) > 1:
        with suppress(orjson.JSONDecodeError):
            _open(orjson.loads(text), layers, out)  # a line that was made a JSON string
            return
    # A logger's own message is the writer's: what looks like the prefix of some other logger there is part of it.
    spoken = bool(layers and layers[-1].values and not layers[-1].wraps)
    for envelope in text_envelopes():
        if envelope.general and spoken:
            continue
        found = envelope.pattern.fullmatch(text)
        if found:
            groups = found.groupdict()
            if indented and not groups.get("time"):
                continue
            time, level = read_time(groups.get("time")), level_name(groups.get("level"), envelope.scale)
            payload = envelope.convert(groups["payload"]) if envelope.convert else groups["payload"]
            _open(payload, (*layers, Layer(envelope.name, {}, time, level, groups.get("stream"), True)), out)
            return
    out.append((line if indented else text, layers))


def _open_object(value: dict[str, Any], layers: tuple[Layer, ...], out: Opened) -> None:
    envelope = json_envelope_of(value)
    if envelope is None:
        # It has no message, but a time and a level go by their usual names all the same.
        out.append(("", (*layers, _layer(general_envelope(), value))))
        return
    if envelope.plain:
        value = envelope.plain(value)
    layer = _layer(envelope, value)
    payload = envelope.content(value)
    _open("" if payload is None else payload, (*layers, layer), out)


def _layer(envelope: JsonEnvelope, value: dict[str, Any]) -> Layer:
    stream = _last(first_at(value, envelope.stream))
    stream = decode.storable(stream)[:400] if isinstance(stream, str) else None
    # The records of a page are their own; the page's other fields hold nothing of theirs but the stream.
    values = {key: inner for key, inner in value.items() if not isinstance(inner, list)} if envelope.many else value
    return Layer(
        envelope.name, values, _time(envelope, value), _level(envelope, value), stream, envelope.wraps, envelope.many
    )


def _time(envelope: JsonEnvelope, value: Mapping[str, Any]) -> Time | None:
    """The first time that can be read; where that is local, an absolute one that a collector put beside it."""
    local = None
    for path in envelope.time:
        if local and path not in COLLECTED:
            continue
        time = read_time(_last(at(value, path)))
        if time and (time.absolute or envelope.utc):
            return Time(time.us, True)
        local = local or time
    return local


def _level(envelope: JsonEnvelope, value: Mapping[str, Any]) -> str | None:
    for path in envelope.level:
        found = _last(at(value, path))
        if found is not None:
            level = level_at(path, decode.without_ansi(found) if isinstance(found, str) else found)
            if level:
                return level
    return None


def _last(value: Any) -> Any:
    """The value of a field; the last one where journald gives a list, because the field was set again."""
    return value[-1] if isinstance(value, list) and value else value


@lru_cache(maxsize=4096)
def _shape(keys: tuple[str, ...], settings: IngestSettings) -> Shape:
    heads = {key.partition(".")[0] for key in keys} | set(keys)

    def there(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if name in heads or name.partition(".")[0] in heads)

    inside = tuple(key for key in INSIDE if key in heads)
    return Shape(there(settings.session_fields), there(settings.agent_fields), there(settings.version_fields), inside)


def _flat(values: Mapping[str, Any], inside: tuple[str, ...]) -> Mapping[str, Any]:
    objects = [values[key] for key in inside if isinstance(values.get(key), dict)]
    if not objects:
        return values
    flat: dict[str, Any] = {}
    for inner in reversed(objects):
        flat.update(inner)
    flat.update(values)
    return flat


def _name(values: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str | None, str | None]:
    for name in names:
        found = at(values, name)
        if isinstance(found, dict):
            found = found.get("id") or found.get("name")
        if isinstance(found, int | str) and not isinstance(found, bool) and found != "":
            return decode.storable(str(found))[:400], name
    return None, None
