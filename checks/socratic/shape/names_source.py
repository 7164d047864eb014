"""The room must know where the idea comes from.

What it does
    Objects unless the draft holds the full source label or, for a label of two or three tokens, the surname; of several
    people any surname will do. Case, accents and possessives (`Okafor's`) do not matter.

Why
    An idea without its source reads as the agent's own opinion.

When it is wrong
    A label of three tokens that is no person is named by its last word alone (`The Care Report` by `report`).

Source
    The Socratic probe page, shape checks, row 3.
"""

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.words import find_phrase, words


@check(
    "socratic.shape.names_source",
    title="Names the source",
    reason="source not named",
    order=3,
    needs=("source_label",),
    fires_on=[
        ("How does the author treat rest?", ShapeContext("Ada Okafor")),
        ("How does Okafor see it?", ShapeContext("Journal of Okafor Studies and Care")),
    ],
    silent_on=[
        ("What is Okafor’s word for rest?", ShapeContext("Ada Okafor")),
        ("How does Okafor treat rest?", ShapeContext("Okafor")),
    ],
    aliases=[
        r"names?[ _](?:the )?source",
        r"(?:does not|must|should) name the source",
        r"(?:source (?:is )?(?:missing|absent)|no source named|missing source(?: name)?)",
    ],
)
def names_source(draft: str, context: ShapeContext) -> bool:
    text = words(draft)
    return not any(find_phrase(text, name) for name in context.source_names)
