"""A concept is a term, not a sentence.

What it does
    Objects to a concept of more than 6 words; a hyphenated word is one.

Why
    What is longer states something.

When it is wrong
    A long proper name is rejected.

Source
    The Socratic probe page, slot validation.
"""

from checks.registry import check
from checks.socratic.contexts import SlotContext, Slots
from checks.socratic.words import count_words

MAX_WORDS = 6


@check(
    "socratic.slots.concept_length",
    title="The concept has at most 6 words",
    reason="concept over 6 words",
    order=2,
    fires_on=[
        (Slots("Okafor", "a b c d e f g"), SlotContext("a b c d e f g")),
    ],
    silent_on=[
        (Slots("Okafor", "a b c d e f-g"), SlotContext("a b c d e f-g")),
    ],
    kept_because="Slot rules gate what the writer is shown.",
    aliases=[
        r"concept[ _](?:length|too long)",
        r"concept (?:has|is) (?:more than|over) (?:6|six) words",
        r"concept longer than (?:6|six) words",
    ],
)
def concept_length(slots: Slots, context: SlotContext) -> bool:
    return count_words(slots.concept) > MAX_WORDS
