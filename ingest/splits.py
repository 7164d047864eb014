"""Google Cloud cuts an entry that is too large into several, tied together by `split`: its uid, index and totalSplits."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import orjson

MARK = b'"totalSplits"'


class Split(NamedTuple):
    """Entry `number` (from 0) of the `total` that were one; `entry` is the whole object."""

    uid: str
    number: int
    total: int
    entry: Mapping[str, Any]


def split_of(entry: Any) -> Split | None:
    """What an entry says of its split; None where it was not split."""
    if isinstance(entry, dict) and entry.keys() == {"entries"} and isinstance(entry["entries"], list):
        entry = entry["entries"][0] if len(entry["entries"]) == 1 else None
    told = entry.get("split") if isinstance(entry, dict) else None
    if not isinstance(told, dict):
        return None
    uid, index, total = told.get("uid"), told.get("index", 0), told.get("totalSplits")
    if not isinstance(uid, str) or not isinstance(index, int) or not isinstance(total, int) or total < 2:
        return None
    return Split(uid, index, total, entry)


def split_on(line: bytes) -> Split | None:
    """The same of the one entry that a line, or a record of a document, holds."""
    if MARK not in line:
        return None
    try:
        return split_of(orjson.loads(line))
    except orjson.JSONDecodeError:
        return None


def rejoined(splits: Iterable[Split]) -> dict[str, Any]:
    """The entry that was cut, without `split`: its text (or its message) in order; a piece that came twice counts once."""
    ordered = [split.entry for _, split in sorted({split.number: split for split in splits}.items())]
    whole = {key: value for key, value in ordered[0].items() if key != "split"}
    if isinstance(whole.get("jsonPayload"), dict):
        payloads = [entry.get("jsonPayload") for entry in ordered]
        message = "".join(str(payload.get("message", "")) for payload in payloads if isinstance(payload, dict))
        whole["jsonPayload"] = {**whole["jsonPayload"], "message": message}
    else:
        whole["textPayload"] = "".join(str(entry.get("textPayload", "")) for entry in ordered)
    return whole


def page_rejoined(entries: Any) -> Any:
    """The entries of a page, those that were cut put together where the first piece stood."""
    if not isinstance(entries, list):
        return entries
    by_uid: dict[str, list[Split]] = {}
    for split in filter(None, map(split_of, entries)):
        by_uid.setdefault(split.uid, []).append(split)
    if not by_uid:
        return entries
    found: list[Any] = []
    for entry in entries:
        one = split_of(entry)
        if one is None:
            found.append(entry)
        elif pieces := by_uid.pop(one.uid, None):
            found.append(rejoined(pieces))
    return found
