"""A concept names a topic, not an outcome.

What it does
    Objects to a concept with a noun that names nothing but an outcome (*result, improvement*), and to one that shares a
    past participle or comparative with a sentence of the passage that reports a quantity. A term that the passage
    itself coins in quotation marks is exempt from both.

Why
    "longer shifts" beside "longer shifts halved trust" gives the finding away.

When it is wrong
    Participles and comparatives are told by their form; a participle used as a plain adjective counts.

Source
    The Socratic probe page, slot validation.
"""

from checks.registry import check
from checks.socratic.contexts import SlotContext, Slots
from checks.socratic.findings import OUTCOME_ONLY, is_outcomeish
from checks.socratic.quantities import reports_quantity, sentences
from checks.socratic.quotes import quotations
from checks.socratic.words import words


@check(
    "socratic.slots.concept_not_outcome",
    title="The concept names no outcome",
    reason="concept names an outcome",
    order=6,
    fires_on=[
        (Slots("Okafor", "longer shifts"), SlotContext("With longer shifts, trust was at 12 points.")),
        (Slots("Okafor", "work outcomes"), SlotContext("The work outcomes of rest.")),
    ],
    silent_on=[
        (Slots("Okafor", "longer shifts"), SlotContext("Some have longer shifts. Of ten, two left.")),
        (Slots("Okafor", "shared idling"), SlotContext('What we call "shared idling" took 12 days of shared time.')),
    ],
    kept_because="Slot rules gate what the writer is shown.",
    aliases=[
        r"concept[ _](?:not[ _]outcome|is an outcome|names an outcome.*|reports an outcome)",
        r"concept shares an? outcome-?ish word.*",
        r"concept (?:must name|is not) a topic.*",
    ],
)
def concept_not_outcome(slots: Slots, context: SlotContext) -> bool:
    concept = words(slots.concept)
    if any(words(quotation.text) == concept for quotation in quotations(context.passage)):
        return False
    if not OUTCOME_ONLY.isdisjoint(concept):
        return True
    outcomeish = {word for word in concept if is_outcomeish(word)}
    return bool(outcomeish) and any(
        reports_quantity(sentence) and not outcomeish.isdisjoint(words(sentence))
        for sentence in sentences(context.passage)
    )
