"""The source is one that the room has.

What it does
    Objects unless the trimmed source label stands in the passage or in a resource's title, authors or citation. Of
    several people each must stand in the same place; an initial stands for an author's given name.

Why
    A source that nobody has was made up.

When it is wrong
    Another spelling, or a label that abbreviates a title, is not recognised.

Source
    The Socratic probe page, slot validation.
"""

from checks.registry import check
from checks.socratic.contexts import SlotContext, Slots
from checks.socratic.source_label import is_known


@check(
    "socratic.slots.source_known",
    title="The source is known",
    reason="source not recognised",
    order=7,
    fires_on=[
        (Slots("Lee", "repair"), SlotContext("The fleet relies on repair.")),
    ],
    silent_on=[
        (Slots("Lee", "repair"), SlotContext("Lee’s note on repair.")),
    ],
    kept_because="Slot rules gate what the writer is shown.",
    aliases=[
        r"source[ _](?:known|label unknown|is unknown|unknown)",
        r"(?:unknown|unmatched|unrecogni[sz]ed) source(?: ?label)?",
        r"source ?(?:label )?(?:does not match|matches neither|not found in|not recogni[sz]ed|not in).*",
    ],
)
def source_known(slots: Slots, context: SlotContext) -> bool:
    resources = [(resource.title, resource.authors, resource.citation) for resource in context.resources]
    return not is_known(slots.source_label, context.passage, resources)
