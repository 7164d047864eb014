"""Answers to probes: one record per answer, as JSONL or CSV, ours or plain rows without a type.

A value is what the record says, never read anew here: an answer on a scale without a value stays unread.
Source: the probe page, *Details*; `checks/probe/records.py` writes these records.
"""

from collections.abc import Mapping
from typing import Any

from ingest.reading import split_reasons, text_value, whole_number
from ingest.source import Event, Expected, Fire, Reject, Result, Row, Source

_LABELS = ("probe", "label", "probe_label", "probe label")
_NUMBERS = ("value", "lo", "hi", "readings")
_NOT_EXTRA = ("session", "refusal", *_LABELS)
_MISSING = (None, "", "NA")


def _plain_row(values: Mapping[str, Any]) -> str | None:
    """A row without a type is an answer when it says whose it is, at which point, and two more things of an answer."""
    told = sum(key in values for key in ("answer", "raw", "value", "attempts"))
    return "probe_answer" if "participant" in values and "point" in values and told >= 2 else None


def _answer(event: Event, values: Mapping[str, Any]) -> Result:
    if event.subject is None:
        return Reject("answer: it lacks 'probe'")
    if "answer" not in values:
        return Reject("answer: it lacks 'answer'")
    event.text = event.text or None
    extra = {key: value for key, value in (event.extra or {}).items() if key not in _NOT_EXTRA}
    extra |= {"point": text_value(values["point"]), "participant": text_value(values["participant"])}
    for key in _NUMBERS:
        number = whole_number(values.get(key))
        if number is None and values.get(key) not in _MISSING:
            return Reject(f"answer: {key!r} is {str(values[key])[:40]!r}, not a whole number")
        extra[key] = number
    event.extra = {key: value for key, value in extra.items() if value not in (None, "")}
    logged = text_value(values.get("refusals")) or text_value(values.get("refusal")) or ""
    reasons = [reason.removeprefix("probe.scale.") for reason in split_reasons(logged) if reason != "NA"]
    event.fires = tuple(Fire("probe.scale", reason, reason) for reason in reasons)
    return event


SOURCE = Source(
    system="probe",
    # The rarest key of a plain row, with its quotes, also where they are escaped in the string of an envelope.
    markers=(b"probe_answer", b'"point"', b'"point\\'),
    by_keys=_plain_row,
    rows=(
        Row(
            kind="answer",
            form="name",
            pattern="probe_answer",
            required=("point", "participant", "attempts"),
            columns={"subject": _LABELS, "text": "answer", "attempts": "attempts"},
            reasons="refusals",
            adjust=_answer,
        ),
    ),
    samples=(
        (
            '{"type":"probe_answer","session":"s-1","time":"2026-09-01T10:00:00Z","probe":"position","point":"after_item(4)","participant":"P1","answer":"4","raw":"<think>hm</think>4","value":4,"attempts":2,"lo":1,"hi":7,"refusal":null,"refusals":["several_numbers"],"readings":2}',
            Expected(
                "answer",
                {
                    "subject": "position",
                    "text": "4",
                    "attempts": 2,
                    "session": "s-1",
                    "extra": {
                        "raw": "<think>hm</think>4",
                        "point": "after_item(4)",
                        "participant": "P1",
                        "value": 4,
                        "lo": 1,
                        "hi": 7,
                        "readings": 2,
                    },
                },
                ("several_numbers",),
            ),
        ),
        (
            '{"label":"mood","point":"end","participant":"P2","answer":null,"raw":"","value":null,"attempts":2}',
            Expected(
                "answer",
                {"subject": "mood", "text": None, "attempts": 2, "extra": {"point": "end", "participant": "P2"}},
            ),
        ),
        (
            '{"@csv":{"probe":"p","point":"start","participant":"P1","answer":"3 or 4","raw":"3 or 4","value":null,"attempts":"2","lo":"1","hi":"7","refusal":"several_numbers"}}',
            Expected("answer", {"subject": "p", "text": "3 or 4", "attempts": 2}, ("several_numbers",)),
        ),
        (
            '{"type":"probe_answer","probe":"p","participant":"P1","answer":"4","attempts":1}',
            Reject("answer: it lacks 'point'"),
        ),
        ('{"point":"end","participant":"P1","answer":"4","attempts":1}', Reject("answer: it lacks 'probe'")),
        ('{"probe":"p","point":"end","participant":"P1","raw":"4","attempts":1}', Reject("answer: it lacks 'answer'")),
        (
            '{"probe":"p","point":"end","participant":"P1","answer":"4.5","attempts":1,"value":4.5}',
            Reject("answer: 'value' is '4.5', not a whole number"),
        ),
        ('{"event":"join","participant":"P1","point":3,"room":"probe_answer room"}', None),
    ),
)
