"""No number

What it does
    Refuses an answer in which no number is left, once markup, the restated scale, digits joined to letters and years
    are set aside. A number in words ("seven") or in another script's digits is no number.

Why
    Nothing can be read from it. It runs first, so that every later refusal has a number to speak of.

When it is wrong
    An answer in words alone, or one that ties its number to a word ("4-ish", "我选4"), is plain to a person and refused
    here; the re-ask asks for one number alone.

Source
    The probe page, Details: what is set aside; "An answer with no number ... is not read, and neither are numbers
    written in words".
"""

from checks.probe.answer import Answer
from checks.registry import check


@check(
    "probe.scale.no_number",
    title="No number in the answer",
    reason="no_number",
    order=1,
    fires_on=[
        (Answer("seven", 1, 7),),
        (Answer("I agree with P3.", 1, 7),),
        (Answer("On a scale of 1 to 7: high", 1, 7),),
    ],
    silent_on=[(Answer("4", 1, 7),), (Answer("In 2024 I would have said 5", 1, 7),)],
)
def no_number(answer: Answer) -> bool:
    """Whether no number remains in the answer."""
    return all(number.kind == "unread" for number in answer.numbers)
