"""No invented examples.

What it does
    Objects to a marker of an analogy or a hypothetical case (*imagine*, *what if*, *as if*, *suppose*, *for example* and
    their kin), once the slot terms are taken out.

Why
    The goal forbids invented examples: they bring in a case that neither the room nor the reading spoke of.

When it is wrong
    An analogy without a marker passes, and English markers alone are known.

Source
    The Socratic probe page, shape checks, row 8.
"""

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.words import find_phrase, replace_phrases, words

MARKERS = tuple(
    tuple(marker.split())
    for marker in (
        "imagine", "imagines", "imagined", "imagining", "what if", "as if", "as though", "suppose", "supposing", "pretend",
        "pretending", "hypothetical", "hypothetically", "picture a", "picture an", "picture this", "picture yourself",
        "let's say", "let us say", "say you were", "say we were", "for example", "for instance", "e g", "analogy", "analogous",
        "metaphor", "metaphorically", "think of it as", "akin to", "a bit like", "kind of like", "sort of like", "much like",
        "just like", "in a world where", "what would happen if",
    )
)  # fmt: skip


@check(
    "socratic.shape.no_analogy",
    title="No analogy or hypothetical markers",
    reason="analogy or hypothetical",
    order=8,
    needs=("source_label", "concept", "loaded_word"),
    fires_on=[
        ("What if we all rested, would Okafor agree?", ShapeContext("Okafor")),
        ("Imagine a garden: would Okafor call it rest?", ShapeContext("Okafor")),
    ],
    silent_on=[
        ("What is Okafor supposed to mean by rest?", ShapeContext("Okafor")),
        ("How does Okafor treat imagined communities?", ShapeContext("Okafor", "imagined communities")),
    ],
    aliases=[
        r"no[ _]analog(?:y|ies)(?: or hypotheticals?)?(?: markers?)?",
        r"(?:uses|contains|has) (?:an )?(?:analogy|hypothetical)(?: or (?:analogy|hypothetical))?(?: markers?)?",
        r"(?:analogy|hypothetical)(?: marker)?",
        r"invented (?:analogy|example)",
    ],
)
def no_analogy(draft: str, context: ShapeContext) -> bool:
    text = replace_phrases(words(draft), context.slot_terms, ("\n",))
    return any(find_phrase(text, marker) for marker in MARKERS)
