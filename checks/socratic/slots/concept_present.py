"""Without a concept there is nothing to ask about.

What it does
    Objects to a concept without any letter or digit.

Why
    The question, and the template too, are built around it.

When it is wrong
    A placeholder such as `none` is a word and passes here; the passage will hardly hold it.

Source
    The Socratic probe page, slot validation.
"""

from checks.registry import check
from checks.socratic.contexts import SlotContext, Slots
from checks.socratic.words import words


@check(
    "socratic.slots.concept_present",
    title="A concept is given",
    reason="concept missing",
    order=1,
    fires_on=[
        (Slots("Okafor", " "), SlotContext("Okafor")),
    ],
    silent_on=[
        (Slots("Okafor", "repair"), SlotContext("Okafor on repair")),
    ],
    kept_because="Slot rules gate what the writer is shown.",
    aliases=[
        r"concept[ _](?:is )?(?:present|missing|empty|required)",
        r"(?:no|missing|empty) concept",
    ],
)
def concept_present(slots: Slots, context: SlotContext) -> bool:
    return not words(slots.concept)
