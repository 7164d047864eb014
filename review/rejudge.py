"""What today's checks say of one logged record, as far as the record holds what they read.

A check is run again where the log holds all that it needs; where it does not, the answer is that it cannot be said, and
what is missing. What rests on anything but the record itself is marked as inferred.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from checks.honesty import ToolResult
from checks.honesty.model import FAILED_MARKER, OK_MARKER
from checks.lesson.tools import outcome
from checks.probe import ScaleError, read_scale_answer
from checks.reflection import class_of
from checks.registry import Check, family_checks
from checks.socratic import ShapeContext

Row = Mapping[str, Any]

MISSING = {
    "socratic.slots": "the slots, the passage and the resources",
    "socratic.shape": "the text that was judged",
    "honesty": "the final text and the tool results",
    "gates": "the final text and the turn's tool results, plan and sources",
    "guardrail": "the model that judged, which runs elsewhere",
    "probe.scale": "the scale, or the answer before the re-ask",
    "lesson": "the node as it was given",
}
"""What the log lacks where a record of the family cannot be judged again."""

NAMES = {
    "source_label": "the source's name",
    "concept": "the concept",
    "loaded_word": "the loaded word",
    "participants": "the participants",
    "passage": "the passage",
    "recent_posts": "the recent posts",
}
"""The fields of a draft's context, in words. None of them is in the log."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the log says of one check (`fired`) and what today's code says (`fires`; None where it cannot be said).

    `inferred` tells that `fires` rests on more than the record: MISSING was made up for in the plainest way.
    """

    check_id: str
    fired: bool
    fires: bool | None
    inferred: bool = False


def needs(check: Check) -> str:
    """What must be known beside the logged record to run the check again, in words; empty where nothing is lacking."""
    if check.family == "socratic.shape":
        return ", ".join(NAMES[name] for name in check.needs)
    return "" if check.family in ("probe.scale", "reflection", "lesson") else MISSING[check.family]


def rejudge(row: Row) -> Iterator[Judged]:
    """Each check that the record names or that can be run on it. `row` is one of the question *replay_records*."""
    return BY_SYSTEM[row["system"]](row)


def named(row: Row) -> list[str]:
    """The checks that the log says objected, each once."""
    return list(dict.fromkeys(reason["check_id"] for reason in row["reasons"] or () if reason["check_id"]))


def _draft(row: Row) -> Iterator[Judged]:
    fired = named(row)
    for check in family_checks("socratic.shape"):
        held = row["text"] is not None and not check.needs and check.function is not None
        fires = bool(check.function(row["text"], ShapeContext(""))) if held and check.function else None
        # A template's own text is not logged: of it only the objections are known.
        if row["kind"] == "draft_rejected" or check.check_id in fired:
            yield Judged(check.check_id, check.check_id in fired, fires)


def _cannot(row: Row) -> Iterator[Judged]:
    yield from (Judged(check_id, True, None) for check_id in named(row))


def _claim(row: Row) -> Iterator[Judged]:
    """The claim standing alone, against as many nameless results as the record counts: enough to agree, not to differ."""
    checks = {check.check_id: check.function for check in family_checks("honesty")}
    known = None not in (row["text"], row["ok_count"], row["fail_count"])
    for check_id in named(row):
        function, fires = checks.get(check_id), None
        if known and function:
            markers = [OK_MARKER] * row["ok_count"] + [FAILED_MARKER] * row["fail_count"]
            fires = True if function(row["text"], [ToolResult("", marker) for marker in markers], None) else None
        yield Judged(check_id, True, fires, inferred=fires is not None)


def _reminder(row: Row) -> Iterator[Judged]:
    fired = named(row)
    for reason in row["reasons"] or ():
        now = class_of(reason["fragment"])
        for check_id in dict.fromkeys([*fired, *([f"reflection.{now}"] if now else [])]):
            yield Judged(check_id, check_id in fired, check_id == f"reflection.{now}")


def _answer(row: Row) -> Iterator[Judged]:
    """The answer that stands; a refusal that a re-ask made up for was of an answer that the record does not hold."""
    fired, extra = named(row), extra_of(row)
    today = read_again(row)
    last = (row["reasons"] or [{"check_id": None}])[-1]["check_id"] if extra.get("value") is None else None
    if today is None:
        yield from _cannot(row)
        return
    for check in family_checks("probe.scale"):
        yield Judged(check.check_id, check.check_id == last, check.check_id == today[1])
    yield from (Judged(check_id, True, None) for check_id in fired if check_id != last)


def read_again(row: Row) -> tuple[int | None, str | None] | None:
    """The value and the refusal that the answer has today; None where it was on no scale, or is not there."""
    extra = extra_of(row)
    if row["text"] is None or extra.get("lo") is None or extra.get("hi") is None:
        return None
    try:
        reading = read_scale_answer(row["text"], int(extra["lo"]), int(extra["hi"]))
    except (ScaleError, TypeError, ValueError):
        return None
    return reading.value, reading.refusal


def extra_of(row: Row) -> dict[str, Any]:
    """The fields of a record that have no column of their own."""
    found = json.loads(row["extra"]) if row["extra"] else {}
    return found if isinstance(found, dict) else {}


BY_SYSTEM: dict[str, Callable[[Row], Iterator[Judged]]] = {
    "socratic": _draft,
    "agent": _cannot,
    "honesty": _claim,
    "gates": _cannot,
    "reflection": _reminder,
    "guardrail": _cannot,
    "probe": _answer,
}

SYSTEMS = {
    "socratic.slots": "agent",
    "socratic.shape": "socratic",
    "honesty": "honesty",
    "gates": "gates",
    "reflection": "reflection",
    "guardrail": "guardrail",
    "probe.scale": "probe",
}
"""The system whose records a family's checks leave. A lesson's calls are judged with what came before them, below."""


def rejudge_lesson(rows: Sequence[Row]) -> Iterator[tuple[Row, list[Judged]]]:
    """Each call of one lesson that its tools judge, with what they say of it today, given the calls before it.

    `rows` are those of one lesson of the question *replay_lessons*, in their order.
    """
    calls: list[list[Row]] = []
    places: dict[tuple[str, str], int] = {}
    before: dict[int, list[dict[str, object]]] = {}
    parts: list[tuple[int, dict[str, object]]] = []
    for row in rows:
        part = _part(row)
        key = (str(part["toolName"]), str(extra_of(row).get("call") or f"#{row['event_id']}"))
        place = places.get(key)
        waits = str(part["state"]).startswith("input-")
        if place is None or (waits and not str(_part(calls[place][-1])["state"]).startswith("input-")):
            place = places[key] = len(calls)
            calls.append([])
        calls[place].append(row)
        if part["state"] != "input-streaming" and place not in before:
            # The call was judged here: what came before it is all but its own records.
            before[place] = [earlier for other, earlier in parts if other != place]
        parts.append((place, part))
    for place, earlier in sorted(before.items()):
        newest = calls[place][-1]
        if judged := _call(newest, earlier):
            yield newest, judged


def _call(row: Row, earlier: list[dict[str, object]]) -> list[Judged]:
    part, fired = _part(row), named(row)
    tool, given = str(part["toolName"]), part["input"]
    assert isinstance(given, dict)
    tagged = "nodeId" in given
    if tool == "quiz" and (tagged or "lesson.unknown_node" in fired):
        checks = ["lesson.unknown_node"]
    elif tool == "probe_done" and part["state"] not in ("input-streaming", "input-available"):
        checks = ["lesson.probe_done_twice", "lesson.probe_done_while_open"]
    else:
        return []
    now = outcome(tool, given, [{"role": "assistant", "parts": [one]} for one in earlier]).refusal
    # An id that was no text is not stored, so the call as stored is not the one that was refused.
    lacking = tool == "quiz" and not tagged
    return [Judged(check_id, check_id in fired, None if lacking else check_id == now) for check_id in checks]


def _part(row: Row) -> dict[str, object]:
    """The call as a part of a message, put together again from what the store keeps of it."""
    extra = extra_of(row)
    refused = row["kind"] == "tool_refused"
    kinds = {"quiz_call": "quiz", "probe_done": "probe_done", "plan_init": "plan_init"}
    given: dict[str, object] = {name: extra[name] for name in ("nodes", "strands") if name in extra}
    if extra.get("node") is not None:
        given["nodeId"] = extra["node"]
    part = {"toolName": kinds.get(row["kind"], row["subject"] or ""), "toolCallId": extra.get("call"), "input": given}
    part["state"] = extra.get("state") or ("output-error" if refused else "output-available")
    return part | ({"errorText": row["text"] or "no reason given"} if refused else {})
