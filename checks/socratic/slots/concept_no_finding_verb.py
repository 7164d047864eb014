"""A concept names a topic, not what happened to it.

What it does
    Objects to a finding verb (*found, fell, rose, dropped, led to* and their kin) in the concept. A term that the
    passage coins is not exempt.

Why
    "trust rose" is the outcome itself.

When it is wrong
    A term that holds such a word in another sense (`rising tide`) is rejected.

Source
    The Socratic probe page, slot validation.
"""

from checks.registry import check
from checks.socratic.contexts import SlotContext, Slots
from checks.socratic.findings import has_finding_verb
from checks.socratic.words import words


@check(
    "socratic.slots.concept_no_finding_verb",
    title="The concept holds no finding verb",
    reason="concept contains a finding verb",
    order=5,
    fires_on=[
        (Slots("Okafor", "trust rose"), SlotContext("There trust rose.")),
        (Slots("Okafor", "what led to rest"), SlotContext("what led to rest")),
    ],
    silent_on=[
        (Slots("Okafor", "trust"), SlotContext("There trust rose.")),
    ],
    kept_because="Slot rules gate what the writer is shown.",
    aliases=[
        r"concept[ _](?:no[ _]finding[ _]verb|has a finding verb|uses a finding verb)",
        r"finding verb in (?:the )?concept",
    ],
)
def concept_no_finding_verb(slots: Slots, context: SlotContext) -> bool:
    return has_finding_verb(words(slots.concept))
