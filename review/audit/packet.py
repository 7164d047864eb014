"""The packet that auditors see, the key that they do not, and how the two are bound to each other.

The packet is computed from the texts and the seed alone. Which condition a text came from, in which order, how often
and under which name is no input to it, so nothing in it can tell. All of that stands in the key, beside the packet's
digest and a digest of the key itself: a key of another audit, an edited packet and an edited key are all noticed.
"""

import hashlib
import json
import random
import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from review.audit.errors import AuditError
from review.audit.inputs import excerpt, unify
from review.audit.rubric import RUBRIC

PACKET_FORMAT = "gatecov audit packet 1"
KEY_FORMAT = "gatecov audit key 1"
KNOWN_GOOD = "known-good"
KNOWN_BAD = "known-bad"
# Consonants alone make no word, no number and no date, so that no spreadsheet "corrects" an id.
ID_LETTERS = "bcdfghjkmnpqrtvwxz"
ID_LENGTH = 6


@dataclass(frozen=True)
class Item:
    """One message to be judged, under a random id."""

    item: str
    message: str


@dataclass(frozen=True)
class Packet:
    """What an auditor gets to see: rubric, passage, chat lines and the messages in random order."""

    rubric: str
    passage: str
    chat: tuple[str, ...]
    items: tuple[Item, ...]

    @cached_property
    def messages(self) -> dict[str, str]:
        """Item id to message."""
        return {item.item: item.message for item in self.items}

    def to_jsonl(self) -> str:
        """The packet as JSON Lines: a head with rubric, passage and chat, then one line per message."""
        head = {"format": PACKET_FORMAT, "rubric": self.rubric, "passage": self.passage, "chat": list(self.chat)}
        return "".join(_json(line) + "\n" for line in (head, *map(asdict, self.items)))

    @cached_property
    def sha256(self) -> str:
        return _sha256(self.to_jsonl())


@dataclass(frozen=True)
class Key:
    """What opens a packet: for each item the conditions that it came from, with its places in each (from 1).

    `conditions` are in the order in which they were named: the first is the baseline of the comparisons. Calibration
    items stand under `known-good` and `known-bad`. One item may have several origins: a text that two conditions
    wrote is read once and counts for both, as often as each wrote it.
    """

    seed: int
    packet_sha256: str
    conditions: tuple[str, ...]
    origins: Mapping[str, Mapping[str, tuple[int, ...]]]

    def content(self) -> dict[str, Any]:
        return {
            "format": KEY_FORMAT,
            "packet_sha256": self.packet_sha256,
            "seed": self.seed,
            "conditions": list(self.conditions),
            "origins": {item: {name: list(at) for name, at in where.items()} for item, where in self.origins.items()},
        }

    @cached_property
    def sha256(self) -> str:
        return _sha256(_json(self.content()))

    def to_json(self) -> str:
        return json.dumps(self.content() | {"key_sha256": self.sha256}, ensure_ascii=False, indent=1) + "\n"

    def times(self, item: str, origin: str) -> int:
        """How many messages of this origin (a condition or a kind of calibration) read as this item."""
        return len(self.origins[item].get(origin, ()))


@dataclass(frozen=True)
class Calibration:
    """Messages whose right label is known: `good` ones must come out clean, `bad` ones must not."""

    good: Sequence[str]
    bad: Sequence[str]


def build(
    passage: str,
    chat_lines: Sequence[str],
    conditions: Mapping[str, Sequence[str]],
    calibration: Calibration,
    seed: int | None = None,
) -> tuple[Packet, Key]:
    """The packet and its key.

    `conditions` maps two or more names to their messages, the baseline first. Without a `seed` a secret one is drawn;
    it stands in the key alone. Messages are made alike (see `inputs.unify`), and equal ones become one item.
    Raises AuditError where a condition or the calibration is missing or empty, or a text is both known-good and -bad.
    """
    sources = _sources(conditions, calibration)
    origins: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for origin, texts in sources.items():
        for place, text in enumerate(texts, start=1):
            if not (message := unify(text)):
                raise AuditError(f"message {place} of {origin}: {excerpt(text)} has no text; leave it out of the audit")
            origins[message][origin].append(place)
    for message, where in origins.items():
        if KNOWN_GOOD in where and KNOWN_BAD in where:
            raise AuditError(f"{excerpt(message)} is both {KNOWN_GOOD} and {KNOWN_BAD}; take it out of one of the two")

    seed = secrets.randbits(128) if seed is None else seed
    chance = random.Random(seed)
    order = sorted(origins)
    chance.shuffle(order)
    items = tuple(Item(name, message) for name, message in zip(_ids(len(order), chance), order, strict=True))
    packet = Packet(RUBRIC, passage.strip(), tuple(unify(line) for line in chat_lines), items)
    by_item = {item.item: {origin: tuple(places) for origin, places in origins[item.message].items()} for item in items}
    return packet, Key(seed, packet.sha256, tuple(conditions), by_item)


def _sources(conditions: Mapping[str, Sequence[str]], calibration: Calibration) -> dict[str, Sequence[str]]:
    if len(conditions) < 2:
        raise AuditError(f"{len(conditions)} condition: an audit compares; name two or more, the baseline first")
    for name in conditions:
        if name in (KNOWN_GOOD, KNOWN_BAD) or name != unify(name) or not name:
            raise AuditError(f"{name!r} cannot name a condition; choose a plain name, other than that of calibration")
    sources = {**conditions, KNOWN_GOOD: calibration.good, KNOWN_BAD: calibration.bad}
    for name, texts in sources.items():
        if not texts:
            raise AuditError(f"{name} has no messages; without them there is nothing to compare or to calibrate with")
    return sources


def _ids(count: int, chance: random.Random) -> list[str]:
    drawn: dict[str, None] = {}
    while len(drawn) < count:
        drawn["".join(chance.choices(ID_LETTERS, k=ID_LENGTH))] = None
    return list(drawn)


def _sha256(text: str) -> str:
    # A passage from JSON may hold half a surrogate pair; it has a digest all the same.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
