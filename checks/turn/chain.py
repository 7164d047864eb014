"""The hash chain of audit events: what each hash is made of, and whether a file's chains are whole.

Source: log-formats, *Hash chain*: `hash = hex(SHA-256(utf8(prevHash + id + decimal(timestamp) + type + dataJSON)))`,
without separators; the first `prevHash` is 64 zeros, and each turn starts a new chain.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

FIRST = "0" * 64
"""The `prevHash` of the first event of a turn."""

_DECODER = json.JSONDecoder()
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What was found: `events` that carry a hash, in `chains` (turns), up to the first fault.

    `line` is the line of the first fault, from 1, and `why` says what is wrong with it. `others` counts the lines
    that carry no hash. A tail that was cut off cannot be detected: each chain is whole up to where it ends.
    """

    status: Literal["intact", "broken", "not a chain"]
    events: int
    chains: int
    others: int
    line: int | None = None
    why: str = ""
    ends: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The newest hash of each chain, the chain that went on last at the end: an event of a later file may follow on it."""


def event_hash(previous: str, event_id: str, timestamp: str, event_type: str, data: str) -> str:
    """The hash of an event; `data` is the exact text of its `data`, `timestamp` the decimal text of its time."""
    text = previous + event_id + timestamp + event_type + data
    # Bytes that are no UTF-8 were read as surrogate escapes, and go back to what they were.
    try:
        content = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        content = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(content).hexdigest()


def verify_chain(lines: Iterable[str | bytes], before: Iterable[str] = ()) -> ChainReport:
    """Whether the events on `lines` (NDJSON, or JSON arrays) form whole chains, hashed as they stand there.

    Turns of several sessions may be interleaved: an event follows on any chain whose newest hash it names. `before` are
    the `ends` of the files that came before this one: a chain that was going on when a file was rotated continues.
    """
    return verify_numbered(enumerate(lines, start=1), before)


def verify_numbered(lines: Iterable[tuple[int, str | bytes]], before: Iterable[str] = ()) -> ChainReport:
    """The same for some lines of a file, each with its number: those without a `prevHash` need not be given."""
    ends: dict[str, None] = dict.fromkeys(before)
    events = chains = others = 0
    for number, line in lines:
        text = line.decode("utf-8", "surrogateescape") if isinstance(line, bytes) else line
        for members in _objects(text):
            if members is None or "hash" not in members or "prevHash" not in members:
                others += 1
                continue
            fault = _fault(members, ends)
            if fault:
                return ChainReport("broken", events, chains, others, number, fault, tuple(ends))
            events += 1
            previous, own = _text(members["prevHash"]), _text(members["hash"])
            chains += previous == FIRST
            ends.pop(previous, None)
            ends[own] = None
    return ChainReport("intact" if events else "not a chain", events, chains, others, ends=tuple(ends))


def _fault(members: Mapping[str, str], ends: Mapping[str, None]) -> str:
    missing = [name for name in ("id", "timestamp", "type", "data") if name not in members]
    if missing:
        return f"the event lacks {missing[0]!r}"
    previous, own = _text(members["prevHash"]), _text(members["hash"])
    expected = event_hash(previous, _text(members["id"]), members["timestamp"], _text(members["type"]), members["data"])
    if own.lower() != expected:
        return "the event was altered: its hash does not fit its content"
    if previous != FIRST and previous not in ends:
        return "the event before it is missing, was moved, or has another successor"
    return ""


def _text(raw: str) -> str:
    """What a JSON string says; the raw text of anything else."""
    return str(json.loads(raw)) if raw.startswith('"') else raw


def _objects(text: str) -> Iterator[dict[str, str] | None]:
    """The objects on one line, each as its members' raw texts; None for what is no object."""
    text = text.strip(_BLANK + "\ufeff").rstrip(",")
    if text in ("", "[", "]"):
        return
    try:
        if text.startswith("["):
            for start, _ in list(_items(text, 0)):
                yield _members(text, start)
        else:
            yield _members(text, 0)
    except (ValueError, IndexError, RecursionError):
        yield None


def _members(text: str, start: int) -> dict[str, str] | None:
    """The members of the object at `start`, each with its text as it stands; the last of equal names wins."""
    if text[start] != "{":
        return None
    members: dict[str, str] = {}
    at = _after_blank(text, start + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        at = _after_blank(text, _expect(text, _after_blank(text, at), ":"))
        _, end = _DECODER.raw_decode(text, at)
        members[str(name)] = text[at:end]
        at = _after_blank(text, end)
        if text[at] == ",":
            at = _after_blank(text, at + 1)
    return members


def _items(text: str, start: int) -> Iterator[tuple[int, int]]:
    at = _after_blank(text, start + 1)
    while text[at] != "]":
        _, end = _DECODER.raw_decode(text, at)
        yield at, end
        at = _after_blank(text, end)
        if text[at] == ",":
            at = _after_blank(text, at + 1)


def _after_blank(text: str, at: int) -> int:
    while text[at] in _BLANK:
        at += 1
    return at


def _expect(text: str, at: int, sign: str) -> int:
    if text[at] != sign:
        raise ValueError(f"{sign!r} expected at {at}")
    return at + 1
