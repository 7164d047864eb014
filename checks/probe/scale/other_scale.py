"""Another scale

What it does
    Refuses an answer given on another scale than the one asked for: with a denominator that is not the upper end
    ("6/10" on a scale from 1 to 7), as "6 out of 10", with a scale of other ends named ("4 on a scale of 1 to 5"), or in
    per cent where the scale does not end at 100.

Why
    6 of 10 is not 6 of 7. It runs before the count of numbers, since "6/10" holds two and that is not what is wrong.

When it is wrong
    A date ("4/9") or a choice written with a slash ("3/4") is refused here, though no other scale was meant.

Source
    The probe page, Details: an answer "on another scale ("6/10" on a 1 to 7 scale) is not read". Per cent is read as a
    denominator of 100; that is this project's own extension.
"""

import re

from checks.probe.answer import NUMBER_WORD, Answer
from checks.registry import check

_DENOMINATOR = re.compile(rf"\)?\s*[/⁄∕]\s*[-+]?(?:[0-9]|{NUMBER_WORD}\b)")
_NUMERATOR = re.compile(r"[0-9]\s*[/⁄∕]\s*\Z")
_PER_CENT = re.compile(r"\s*(?:%|percent\b|per\s+cent\b)")
_NAMED = re.compile(
    rf"\bout\s+of\s+(?:[-+]?[0-9]|{NUMBER_WORD}\b)"
    r"|\bscale\s*(?:of|from|:)?\s*[-−+]?[0-9]+\s*(?:-|–|—|\bto\b)\s*[-−+]?[0-9]"
)


@check(
    "probe.scale.other_scale",
    title="Given on another scale",
    reason="other_scale",
    order=3,
    fires_on=[
        (Answer("6/10", 1, 7),),
        (Answer("six of ten, so 6 out of 10", 1, 7),),
        (Answer("4 on a scale of 1 to 5", 1, 7),),
        (Answer("50%", 1, 7),),
    ],
    silent_on=[(Answer("5/7", 1, 7),), (Answer("6 out of 7", 1, 7),), (Answer("50%", 0, 100),)],
)
def other_scale(answer: Answer) -> bool:
    """Whether the answer names a denominator or a scale that is not the question's."""
    if _NAMED.search(answer.stated):
        return True
    return any(
        _DENOMINATOR.match(answer.after(number))
        or _NUMERATOR.search(answer.before(number))
        or (answer.hi != 100 and _PER_CENT.match(answer.after(number)))
        for number in answer.numbers
    )
