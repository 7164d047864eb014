"""The reminder after the second failure of one kind, and the class of a failure that a log names."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from checks.honesty.model import ToolResult
from checks.reflection.failure import Failure, failure_of
from checks.registry import family_checks

THRESHOLD = 2
"""Failures of one root cause in a turn before the reminder."""

# Where a signature names more than one, the earlier class wins: a script's error is told apart first.
_FIRST_TO_LAST = ("mechanical", "auth", "param", "method", "transient")
_NO_CLASS = re.compile(
    r"(?<![0-9])4[0-9]{2}(?![0-9])|unclassified|unknown|other|permission|eacces|eperm", re.IGNORECASE
)

_CLOSING = (
    "If you are truly blocked, keep a note with store_note (your analysis, what you tried, what you still need) "
    "and end the turn by saying so."
)
_CLASSIFY = (
    "Classify it before the next call: transient, auth, param or method? If you cannot, consult skills, facts or "
    "documentation first."
)


@dataclass(frozen=True, slots=True)
class Reminder:
    """What is said after a root cause occurred `count` times; `failure_class` is the last part of a check's id."""

    signature: str
    count: int
    failure_class: str
    text: str


def reflect(results: Sequence[ToolResult], given: Collection[str] = ()) -> Reminder | None:
    """The reminder for the first root cause that has occurred twice among a turn's results, or None.

    `given` holds the signatures that this turn was reminded of already: each is spoken of once. Refusals of the
    protocol layer are no failures, or the guidance meant to help would itself bring on the reminder.
    """
    failures = [failure for result in results if (failure := failure_of(result))]
    signatures = [failure.signature for failure in failures]
    for failure in failures:
        count = signatures.count(failure.signature)
        if count >= THRESHOLD and failure.signature not in given:
            return _reminder(failure, count)
    return None


def class_of(signature: str) -> str | None:
    """The class of a logged signature such as `http:http-401`: the last part of a check's id; None where it names none."""
    cause = signature.rpartition(":")[2].strip()
    failure = Failure("", cause)
    functions = {check.reason: check.function for check in family_checks("reflection")}
    for name in _FIRST_TO_LAST:
        function = functions[name]
        if function and function(failure):
            return name
    return "unclassified" if _NO_CLASS.search(cause) else None


def _reminder(failure: Failure, count: int) -> Reminder:
    name = class_of(failure.signature) or "unclassified"
    advice = next(c.function(failure) for c in family_checks("reflection") if c.reason == name and c.function)
    seen = f"{failure.tool} failed {count} times in this turn with the same cause ({failure.cause})."
    steps = (seen, advice) if name == "mechanical" else (seen, _CLASSIFY, advice, _CLOSING)
    return Reminder(failure.signature, count, name, " ".join(steps))
