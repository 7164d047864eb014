"""The group's word and the reading's term are not set side by side.

What it does
    Objects when the draft holds both the loaded word and the concept, in places that do not overlap.

Why
    Pairing them smuggles in a presupposition about the reading: that its term is about the group's word.

When it is wrong
    A concept of one everyday word may stand in the draft by chance.

Source
    The Socratic probe page, shape checks, row 6.
"""

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.words import find_phrase, words


@check(
    "socratic.shape.word_or_concept",
    title="Loaded word and concept are not both present",
    reason="pairs the loaded word with the concept",
    order=6,
    needs=("concept", "loaded_word"),
    fires_on=[
        ('Is "fair" what Okafor means by shared repair?', ShapeContext("Okafor", "shared repair", "fair")),
    ],
    silent_on=[
        ('When we say "fair", would Okafor agree?', ShapeContext("Okafor", "shared repair", "fair")),
        ('Would Okafor call this a "fair share"?', ShapeContext("Okafor", "fair share", "fair")),
    ],
    kept_because="It held in the blind audit: the pairing rule ended misattribution.",
    aliases=[
        r"word[ _]or[ _]concept",
        r"loaded word and concept (?:are )?(?:both present|paired|together)",
        r"(?:both|pairs) (?:the )?loaded word and (?:the )?concept(?: present)?",
        r"concept paired with (?:the )?loaded word",
    ],
)
def word_or_concept(draft: str, context: ShapeContext) -> bool:
    text = words(draft)
    loaded = find_phrase(text, words(context.loaded_word or ""))
    concept = find_phrase(text, words(context.concept or ""))
    return any(end <= start or stop <= begin for begin, end in loaded for start, stop in concept)
