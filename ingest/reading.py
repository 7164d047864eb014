"""A record and a source's table -> an event, a reject, or None where the record merely mentions the source."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from ingest import decode
from ingest.errors import CutOffError, UndecodableError
from ingest.record import Record
from ingest.source import WHOLE_NUMBERS, Event, Fire, Reject, Result, Row, Source, compiled

NAME_FIELDS = ("event", "event.name", "eventName", "event_name", "msg", "message", "type", "toolName", "name", "action")
NOT_EXTRA = frozenset(
    "level message msg event timestamp time @timestamp date asctime levelname pid hostname name v service logger taskName type "
    "id prevHash hash @message @fields otlpBody otlpStream timeUnixNano observedTimeUnixNano data metadata meta context extra attributes fields labels log stream toolName source origin".split()
)
_PAIR = re.compile(r"([A-Za-z_][\w.]*)=(\"|[^\s\"]+)")
_CLOSING = re.compile(r'"(?=\s*$|\s+(?:[A-Za-z_]\w*=|→|->|\())')
_INTEGER = re.compile(r"[+-]?\d{1,9}\Z", re.ASCII)


def read(source: Source, record: Record) -> Result:
    """What `source` makes of `record`."""
    if not source.opening or compiled(source.opening).match(record.message):
        for row in source.rows:
            if row.form == "name":
                continue
            found = compiled(row.pattern).match(record.message)
            if found:
                return _event(source, row, record, found)
        if source.opening:
            return Reject("it begins like a line of this source, but is none of the kinds that it writes")
    return _named(source, record)


def _named(source: Source, record: Record) -> Result:
    named = [row for row in source.rows if row.form == "name"]
    if not named:
        return None
    told = source.by_keys(record.fields) if source.by_keys else None
    for name in (*_names(record), *([told] if told else [])):
        for row in named:
            found = compiled(row.pattern).fullmatch(name)
            if found:
                return _event(source, row, record, found)
    # winston puts a field called message behind the name. Prose that begins with a name has none of its fields beside it.
    first, _, more = record.message.strip().partition(" ")
    for row in named if more else ():
        found = compiled(row.pattern).fullmatch(first)
        own = {*row.required, *_keys(row), row.reasons}
        if found and own & record.fields.keys() and all(key in record.fields for key in row.required):
            return _event(source, row, record, found)
    return None


def _names(record: Record) -> Iterator[str]:
    message = decode.without_metadata(record.message)[0].strip()
    if message and " " not in message:
        yield message
    for key in NAME_FIELDS:
        value = record.fields.get(key)
        if isinstance(value, str):
            yield value.strip()
        elif isinstance(value, dict) and isinstance(value.get("name"), str):
            yield value["name"].strip()


def _event(source: Source, row: Row, record: Record, found: re.Match[str]) -> Result:
    rest = record.message[found.end() :] if row.form != "name" else ""
    try:
        values, rest, payload = _values(row, record, rest)
    except UndecodableError as error:
        return Reject(f"{row.kind}: {error}", unfinished=isinstance(error, CutOffError))
    except _UnfinishedError as error:
        return Reject(f"{row.kind}: {error}", unfinished=True)
    unfinished = row.form == "console" and _may_go_on(rest)
    groups = {key: value for key, value in found.groupdict().items() if value is not None}
    values = {**values, **groups}
    for key in row.required:
        if values.get(key) in (None, "") or isinstance(values[key], dict | list):
            there = payload or any(name in values for name in (*row.required, *_keys(row)))
            why = f"{row.kind}: it lacks {key!r}" if there else f"{row.kind}: its payload is missing (no {key!r})"
            return Reject(why, unfinished=unfinished)
    event = Event(source.system, row.kind, row.form, row.action, unfinished=unfinished)
    used = set(groups)
    for column, keys in row.columns.items():
        for key in (keys,) if isinstance(keys, str) else keys:
            value = values.get(key)
            used.add(key)
            if value is None:
                continue
            if column in WHOLE_NUMBERS:
                number = whole_number(value)
                if number is None:
                    return Reject(f"{row.kind}: {key!r} is {str(value)[:40]!r}, not a whole number")
                if number < WHOLE_NUMBERS[column]:
                    return Reject(f"{row.kind}: {key!r} is {number}, but it begins at {WHOLE_NUMBERS[column]}")
                setattr(event, column, number)
            else:
                text = text_value(value)
                if column in row.among and text not in row.among[column]:
                    return Reject(f"{row.kind}: {key!r} is {str(text)[:40]!r}, none of {', '.join(row.among[column])}")
                setattr(event, column, text)
            break
    for column, constant in row.fixed.items():
        setattr(event, column, constant)
    if row.rest and rest.strip():
        setattr(event, row.rest, decode.storable(rest.strip().lstrip(":—-").strip()))
    event.fires = _fires(row, event, values)
    if row.reasons:
        used.add(row.reasons)
    extra = {key: value for key, value in values.items() if key not in used and key not in NOT_EXTRA}
    event.extra = extra or None
    return row.adjust(event, values) if row.adjust else event


def _keys(row: Row) -> Iterator[str]:
    for keys in row.columns.values():
        yield from (keys,) if isinstance(keys, str) else keys


def _values(row: Row, record: Record, rest: str) -> tuple[Mapping[str, Any], str, bool]:
    """The values of a record, the text that is left once they are taken, and whether they stood in the message."""
    if row.form == "name":
        return {**record.fields, **decode.without_metadata(record.message)[1]}, "", False
    if row.form == "console":
        pairs = console_values(rest)
        return {**record.fields, **decode.without_metadata(rest)[1], **pairs}, rest, bool(pairs)
    payload = rest.lstrip(" \t:")
    if payload.startswith("{"):
        values: dict[str, Any] = {}
        position = 0
        while position < len(payload) and payload[position] == "{":
            value, position = decode.one_value(payload, position)
            values = {**value, **values}
            while position < len(payload) and payload[position].isspace():
                position += 1
        return {**record.fields, **values}, payload[position:], True
    return record.fields, rest, False


class _UnfinishedError(Exception):
    """A quoted value does not end on this line."""


def console_values(text: str) -> dict[str, str]:
    """The `key=value` pairs of a console line, whatever JSON follows them.

    Quoted values are not escaped: one ends at the last quote that is followed by the end, by another pair or by an
    arrow, so that quotes and arrows within a claim stay in it.
    """
    before, metadata = decode.without_metadata(text)
    if metadata:
        # An unfinished claim may end with an object too: then the object is a part of the claim.
        with suppress(_UnfinishedError):
            return _pairs(before)
    return _pairs(text)


def _may_go_on(text: str) -> bool:
    """Whether the quote at the end of a console line is rather one within its value: those within come in pairs."""
    return text.rstrip().endswith('"') and text.count('"') % 2 == 1


def _pairs(text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    position = 0
    while found := _PAIR.search(text, position):
        key, value = found.groups()
        position = found.end()
        if value == '"':
            closing = list(_CLOSING.finditer(text, position))
            if not closing:
                raise _UnfinishedError(f"the quoted {key!r} does not end")
            last = closing[-1]
            value, position = text[position : last.start()], last.end()
        elif "(" not in value:
            value = value.rstrip(")")  # that of a bracket in which the pair stands
        values.setdefault(key, value)
    return values


def _fires(row: Row, event: Event, values: Mapping[str, Any]) -> tuple[Fire, ...]:
    if not row.family:
        return ()
    rule = getattr(event, row.rule[1:]) if row.rule and row.rule.startswith("=") else row.rule
    if row.fragment is not None:
        fragments = [row.fragment]
    else:
        logged = text_value(values.get(row.reasons or "")) or ""
        fragments = [logged.strip()] if row.one_reason else split_reasons(logged)
        fragments = [fragment for fragment in fragments if fragment] or ([rule] if rule else [])
    return tuple(Fire(row.family, rule, fragment) for fragment in fragments)


def split_reasons(text: str) -> list[str]:
    """The reasons of a `;`-joined list; a semicolon within brackets or double quotes does not separate.

    Brackets and quotes that never close hide nothing: then every semicolon separates.
    """
    if ";" not in text:
        return [text.strip()] if text.strip() else []
    parts, depth, quoted, start = [], 0, False, 0
    for position, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth = max(0, depth - 1)
        elif character == ";" and not depth:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    if quoted or depth:
        parts = text.split(";")
    return [part.strip() for part in parts if part.strip()]


def whole_number(value: object) -> int | None:
    """`value` as a whole number of at most nine digits; None where it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < 1_000_000_000 else None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1_000_000_000 else None
    if isinstance(value, str) and _INTEGER.match(value.strip()):
        return int(value)
    return None


def text_value(value: object) -> str | None:
    """`value` as storable text; objects and lists as JSON; None for null."""
    if value is None:
        return None
    if isinstance(value, str):
        return decode.storable(value)
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return decode.storable("; ".join(value))
    if isinstance(value, float):
        return json.dumps(value)  # NaN and Infinity have a text, though no JSON
    return decode.compact(value)
