"""Nobody in the room is singled out.

What it does
    Objects when the draft holds a participant's pseudonym, or its last word, as whole words, possessive or not. A last
    word of one letter or without content (`Person A`) counts only as part of the whole pseudonym.

Why
    A question that names a person puts that person on the spot.

When it is wrong
    A pseudonym that ends in an everyday word (`Wise Bear`) rejects that word in any sense.

Source
    The Socratic probe page, shape checks, row 5.
"""

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.words import FUNCTION_WORDS, find_phrase, words


@check(
    "socratic.shape.no_participant_names",
    title="Names no participant",
    reason="names a participant",
    order=5,
    needs=("participants",),
    fires_on=[
        ("Would Okafor share Otter’s view of rest?", ShapeContext("Okafor", participants=("Curious Otter",))),
    ],
    silent_on=[
        ("Would Okafor call a pause rest?", ShapeContext("Okafor", participants=("Curious Otter", "Person A"))),
    ],
    aliases=[
        r"no[ _]participant[ _]names?",
        r"(?:mentions|contains|singles out) (?:a|the) participant(?:'s name| name)?",
        r"participant (?:is )?named",
    ],
)
def no_participant_names(draft: str, context: ShapeContext) -> bool:
    text = words(draft)
    for participant in context.participants:
        name = words(participant)
        last = words(participant.split()[-1]) if name else ()
        if not any(len(word) > 1 and word not in FUNCTION_WORDS for word in last):
            last = ()
        if find_phrase(text, name) or find_phrase(text, last):
            return True
    return False
