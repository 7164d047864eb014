"""A line -> its records: the envelopes are taken off one after the other, and what each knows is kept.

Time: the innermost absolute one, else an outer absolute one, else the innermost local one read in the caller's zone.
Session, agent and version: the innermost record is asked first, then each envelope around it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from ingest import decode
from ingest.envelope import JsonEnvelope, first_at, json_envelope_of, text_envelopes
from ingest.errors import UndecodableError
from ingest.levels import level_name
from ingest.record import Record
from ingest.settings import IngestSettings
from ingest.times import Time, read_time, to_utc, zone

MAX_ENVELOPES = 5
INSIDE = ("data", "metadata", "meta", "context", "ctx", "extra", "attributes", "fields", "@fields", "payload", "labels", "jsonPayload", "mdc")  # fmt: skip
"""Objects whose keys are read as if they stood one level further out."""


class Layer(NamedTuple):
    """One envelope that was taken off, and what it says."""

    name: str
    values: Mapping[str, Any]
    time: Time | None
    level: str | None
    stream: str | None
    wraps: bool


@dataclass(frozen=True, slots=True)
class Unwrapper:
    """Takes records out of their envelopes, with one zone for local times and one choice of field names."""

    tz: ZoneInfo = field(default_factory=lambda: zone("UTC"))
    settings: IngestSettings = field(default_factory=IngestSettings)

    def records(self, line: bytes | str) -> list[Record]:
        """The records of one line (several where it holds a page of them).

        Raises UndecodableError where it is JSON that cannot be decoded, or wrapped in more than MAX_ENVELOPES envelopes.
        """
        text = decode.text_of(line) if isinstance(line, bytes) else line
        return self.value(text.rstrip("\r\n"))

    def value(self, value: Any) -> list[Record]:
        """The records of one JSON value that was already decoded; raises as `records` does."""
        try:
            return [self._record(*found) for found in _open(value, ())]
        except RecursionError as error:
            raise UndecodableError("it is nested too deeply") from error

    def _record(self, message: str, layers: tuple[Layer, ...]) -> Record:
        innermost = next((layer for layer in reversed(layers) if layer.values), None)
        fields = _flat(innermost.values) if innermost and not innermost.wraps else {}
        time, time_source = self._time(layers)
        session, session_source = _name(layers, self.settings.session_fields)
        streams = [layer.stream for layer in layers if layer.stream]
        return Record(
            message=message,
            fields=fields,
            time=time,
            time_source=time_source,
            level=next((layer.level for layer in reversed(layers) if layer.level), None),
            session=session,
            session_source=session_source,
            agent=_name(layers, self.settings.agent_fields)[0],
            version=_name(layers, self.settings.version_fields)[0],
            stream=" ".join(streams) or None,
            envelopes=tuple(layer.name for layer in layers) or ("text",),
        )

    def _time(self, layers: tuple[Layer, ...]) -> tuple[int | None, str | None]:
        dated = [layer for layer in reversed(layers) if layer.time]
        for layer in dated:
            if layer.time and layer.time.absolute:
                return layer.time.us, layer.name
        for layer in dated:
            if layer.time:
                return to_utc(layer.time, self.tz), f"{layer.name} (assumed {self.tz.key})"
        return None, None


def _open(value: Any, layers: tuple[Layer, ...]) -> Iterator[tuple[str, tuple[Layer, ...]]]:
    if len(layers) > MAX_ENVELOPES:
        raise UndecodableError(f"it is wrapped in more than {MAX_ENVELOPES} envelopes")
    if isinstance(value, str):
        yield from _open_text(decode.without_ansi(value), layers)
    elif isinstance(value, dict):
        yield from _open_object(value, layers)
    elif isinstance(value, list):
        for inner in value:
            yield from _open(inner, layers)
    else:
        yield ("" if value is None else str(value)), layers


def _open_text(text: str, layers: tuple[Layer, ...]) -> Iterator[tuple[str, tuple[Layer, ...]]]:
    start = text.lstrip(" \t\x00\ufeff")
    if start[:1] == "{" or start[:2] in ("[{", "[["):
        try:
            values = decode.json_values(start)
        except UndecodableError:
            # Prose may begin with a bracket; JSON has a quoted key or nothing there.
            if start[1:].lstrip()[:1] in ('"', "}", "{", "["):
                raise
            values = []
        if values and all(isinstance(value, dict | list) for value in values):
            for value in values:
                yield from _open(value, layers)
            return
    for envelope in text_envelopes():
        if envelope.general and layers and layers[-1].values and not layers[-1].wraps:
            # A logger's own message is the writer's: what looks like a prefix there is part of it.
            continue
        found = envelope.pattern.fullmatch(start)
        if found:
            groups = found.groupdict()
            layer = Layer(
                envelope.name,
                {},
                read_time(groups.get("time")),
                level_name(groups.get("level"), envelope.scale),
                None,
                True,
            )
            yield from _open(groups["payload"], (*layers, layer))
            return
    yield start.rstrip("\r\n"), layers


def _open_object(value: dict[str, Any], layers: tuple[Layer, ...]) -> Iterator[tuple[str, tuple[Layer, ...]]]:
    envelope = json_envelope_of(value)
    if envelope is None:
        yield "", (*layers, Layer("json", value, None, None, None, False))
        return
    layer = _layer(envelope, value)
    payload = first_at(value, envelope.payload)
    if envelope.convert:
        payload = envelope.convert(payload)
    yield from _open("" if payload is None else payload, (*layers, layer))


def _layer(envelope: JsonEnvelope, value: dict[str, Any]) -> Layer:
    time = None
    for path in envelope.time:
        time = read_time(first_at(value, (path,)))
        if time:
            break
    level = first_at(value, envelope.level)
    if isinstance(level, str):
        level = decode.without_ansi(level)
    stream = first_at(value, envelope.stream)
    # The records of a page are their own; the page's other fields hold nothing of theirs but the stream.
    values = {key: inner for key, inner in value.items() if not isinstance(inner, list)} if envelope.many else value
    return Layer(
        envelope.name,
        values,
        time,
        level_name(level, envelope.scale),
        stream if isinstance(stream, str) else None,
        envelope.wraps,
    )


def _flat(values: Mapping[str, Any]) -> Mapping[str, Any]:
    inside = [values[key] for key in INSIDE if isinstance(values.get(key), dict)]
    if not inside:
        return values
    flat: dict[str, Any] = {}
    for inner in reversed(inside):
        flat.update(inner)
    flat.update(values)
    return flat


def _name(layers: tuple[Layer, ...], names: tuple[str, ...]) -> tuple[str | None, str | None]:
    for layer in reversed(layers):
        if not layer.values:
            continue
        flat = _flat(layer.values)
        for name in names:
            found = first_at(flat, (name,))
            if isinstance(found, dict):
                found = found.get("id") or found.get("name")
            if isinstance(found, int | str) and not isinstance(found, bool) and found != "":
                return decode.storable(str(found))[:400], name
    return None, None
