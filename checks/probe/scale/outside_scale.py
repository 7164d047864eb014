"""Outside the scale

What it does
    Refuses an answer whose one number is below the lower or above the upper end: "9" or "-2" on a scale from 1 to 7.

Why
    Such an answer is either on another scale or not meant as a rating; moving it to the nearest end would invent one.

When it is wrong
    A dash that touches the number is taken for a minus sign ("Answer:-2"), though it may have been punctuation.

Source
    The probe page, Details: "What remains must be one whole number from lo to hi"; "with a number outside the scale
    ("-2")".
"""

from checks.probe.answer import Answer
from checks.registry import check


@check(
    "probe.scale.outside_scale",
    title="A number outside the scale",
    reason="outside_scale",
    order=5,
    fires_on=[(Answer("9", 1, 7),), (Answer("-2", 1, 7),), (Answer("0", 1, 7),)],
    silent_on=[(Answer("7", 1, 7),), (Answer("-2", -3, 3),), (Answer("In 2024: 4", 1, 7),)],
)
def outside_scale(answer: Answer) -> bool:
    """Whether a number of the answer lies outside the scale."""
    return any(not answer.lo <= value <= answer.hi for value in answer.values)
