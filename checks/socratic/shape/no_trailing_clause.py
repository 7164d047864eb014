"""The question does not end in an argument.

What it does
    Objects when a *given that*, *in light of*, *since you* or kindred clause follows the ask. The same words at the
    front, before the ask, only frame it.

Why
    A trailing clause sets the room's view against the reading.

When it is wrong
    A trailing clause without one of the markers passes; English markers alone are known.

Source
    The Socratic probe page, shape checks, row 11.
"""

from checks.registry import check
from checks.socratic.asks import asks, masked, phrase_starts
from checks.socratic.contexts import ShapeContext

MARKERS = (
    *(f"given {word}" for word in "that how what why where our your this all everything".split()),
    *("given the fact", "given the way", ", given", "— given", "in light of", "in the light of", "in view of"),
    *(f"considering {word}" for word in "that how what our your".split()),
    *(", considering", "seeing that", "seeing as", "seeing how", "now that", "bearing in mind", "knowing that"),
    *(
        f"{word} {who}"
        for word in ("since", "because")
        for who in "you we they everyone everybody people most some".split()
    ),
    *(f"{word} the {who}" for word in ("since", "because") for who in ("group", "room")),
    *(f"as you {word}" for word in "say said mentioned noted put pointed".split()),
)


@check(
    "socratic.shape.no_trailing_clause",
    title="No trailing clause that argues",
    reason="trailing clause",
    order=11,
    needs=("source_label", "concept", "loaded_word"),
    fires_on=[
        ("Would Okafor agree, given that you all rest?", ShapeContext("Okafor")),
        ("How does Okafor treat rest in light of this chat?", ShapeContext("Okafor")),
        ("Would Okafor agree since you say so?", ShapeContext("Okafor")),
    ],
    silent_on=[
        ("Given that we all rest, would Okafor agree?", ShapeContext("Okafor")),
        ("Would Okafor say that care is given to all?", ShapeContext("Okafor")),
    ],
    aliases=[
        r"no[ _]trailing[ _]clause",
        r"""trailing [\"'“]?(?:given[ -]that|in light of|since you)[\"'”]?(?: clause)?.*""",
        r"(?:has|ends (?:with|in)) a trailing clause",
    ],
)
def no_trailing_clause(draft: str, context: ShapeContext) -> bool:
    tokens = masked(draft, context)
    last_ask = max(asks(tokens), default=0)
    return any(start > last_ask for marker in MARKERS for start in phrase_starts(tokens, marker))
