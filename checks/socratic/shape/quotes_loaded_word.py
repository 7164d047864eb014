"""The group's word is marked as the group's.

What it does
    Where a loaded word is set, objects unless it stands in the draft as a quotation of its own, in double marks of any
    shape. Case, and a comma inside the marks, do not matter; single marks are not enough.

Why
    Without the marks, the word reads as the source's.

When it is wrong
    An inflected form ("fairness" for `fair`) is not the word and is rejected.

Source
    The Socratic probe page, shape checks, row 4.
"""

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.quotes import quotations
from checks.socratic.words import words


@check(
    "socratic.shape.quotes_loaded_word",
    title="Quotes the loaded word in double quotes",
    reason="loaded word not quoted",
    order=4,
    needs=("loaded_word",),
    fires_on=[
        ("When we say fair, would Okafor agree?", ShapeContext("Okafor", loaded_word="fair")),
        ("When we say 'fair', would Okafor agree?", ShapeContext("Okafor", loaded_word="fair")),
    ],
    silent_on=[
        ("When we say “fair,” would Okafor agree?", ShapeContext("Okafor", loaded_word="fair")),
        ("How does Okafor treat rest?", ShapeContext("Okafor")),
    ],
    aliases=[
        r"quotes?[ _](?:the )?loaded[ _]word(?: in double quotes)?",
        r"loaded word (?:is )?(?:missing|unquoted|not in (?:double )?quotes)",
        r"(?:does not|must|should) quote the loaded word.*",
    ],
)
def quotes_loaded_word(draft: str, context: ShapeContext) -> bool:
    word = words(context.loaded_word or "")
    return bool(word) and all(words(quotation.text) != word for quotation in quotations(draft, single=False))
