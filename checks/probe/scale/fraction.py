"""A fraction of a point

What it does
    Refuses an answer with a fraction of a point: "4.5", "4,5", "٤٫٥", one written as one character ("4½"), or one
    added in words ("4 and a half", "4 point five"). "4.0" has no fraction and is left to be read.

Why
    The scale asks for whole numbers; to round would be to decide for the participant. It runs before the
    other scales and the count of numbers, since "4 1/2" looks like both.

When it is wrong
    A section number or a clock time with a point ("see 4.5") is taken for a fraction.

Source
    The probe page, Details: "with a fraction of a point ("4.5")", and "a fraction written as one character, such as the
    half sign".
"""

import re

from checks.probe.answer import NUMBER_WORD, Answer
from checks.registry import check

_ADDED = re.compile(
    r"\s*(?:and|&|\+)?\s*(?:an?\s+|one[\s-]|three[\s-])?(?:half|quarters?|thirds?)\b"
    rf"|\s+point\s+(?:[0-9]|{NUMBER_WORD}\b)"
    r"|\s+[0-9]\s*[/⁄∕]\s*[0-9]"
)


@check(
    "probe.scale.fraction",
    title="A fraction of a point",
    reason="fraction",
    order=2,
    fires_on=[(Answer("4.5", 1, 7),), (Answer("4½", 1, 7),), (Answer("4 1/2", 1, 7),), (Answer("٤٫٥", 1, 7),)],
    silent_on=[(Answer("4.", 1, 7),), (Answer("4.0", 1, 7),), (Answer("4. Half the room agreed", 1, 7),)],
)
def fraction(answer: Answer) -> bool:
    """Whether the answer holds a number that is not whole."""
    return any(number.kind == "fraction" or _ADDED.match(answer.after(number)) for number in answer.numbers)
