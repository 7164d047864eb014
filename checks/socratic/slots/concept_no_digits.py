"""A number in the concept is a finding in the concept.

What it does
    Objects to any digit or number sign, of any script, in the concept.

Why
    The writer would be shown, and would repeat, a figure of the reading.

When it is wrong
    A term such as `Web 2.0` is rejected.

Source
    The Socratic probe page, slot validation.
"""

from checks.registry import check
from checks.socratic.contexts import SlotContext, Slots
from checks.socratic.quantities import has_digit


@check(
    "socratic.slots.concept_no_digits",
    title="The concept holds no digits",
    reason="concept contains digits",
    order=3,
    fires_on=[
        (Slots("Okafor", "12 points"), SlotContext("12 points")),
        (Slots("Okafor", "½ day"), SlotContext("½ day")),
    ],
    silent_on=[
        (Slots("Okafor", "repair"), SlotContext("repair")),
    ],
    kept_because="Slot rules gate what the writer is shown.",
    aliases=[
        r"concept[ _](?:no[ _]digits|has digits|has a digit|not free of digits)",
        r"digits? in (?:the )?concept",
    ],
)
def concept_no_digits(slots: Slots, context: SlotContext) -> bool:
    return has_digit(slots.concept)
