"""The concept is the reading's own.

What it does
    Objects unless the words of the concept stand in a row in the retrieved passage, whatever their case, hyphens,
    accents or marks.

Why
    A term that the passage lacks was made up, and a question about it credits the source with it.

When it is wrong
    Another form of the word (`boundary` for `boundaries`) is not found.

Source
    The Socratic probe page, slot validation.
"""

from checks.registry import check
from checks.socratic.contexts import SlotContext, Slots
from checks.socratic.words import contains


@check(
    "socratic.slots.concept_in_passage",
    title="The concept stands in the passage",
    reason="concept not in the passage",
    order=4,
    fires_on=[
        (Slots("Okafor", "art"), SlotContext("Okafor on parties")),
    ],
    silent_on=[
        (Slots("Okafor", "Shared Repair"), SlotContext("They practise shared-repair.")),
    ],
    kept_because="Slot rules gate what the writer is shown.",
    aliases=[
        r"concept[ _](?:in[ _]passage|absent)",
        r"concept (?:not found in|does not appear in|missing from|absent from) (?:the )?(?:retrieved )?passages?",
        r"concept not in (?:the )?(?:retrieved )?passages?",
    ],
)
def concept_in_passage(slots: Slots, context: SlotContext) -> bool:
    return not contains(context.passage, slots.concept)
