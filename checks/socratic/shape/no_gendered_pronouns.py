"""The writer does not guess who the author is.

What it does
    Objects to *he, she, his, her, him* (also *hers, himself, herself, he's*) outside quotations and the source's label.

Why
    The writer has not read the source and cannot know the gender. The page lists the five; *hers*, *himself* and
    *herself* are forms of the same two pronouns and make the same guess, so leaving them out would only reword it.

When it is wrong
    A pronoun that refers to somebody else is rejected too; other languages' pronouns are not known.

Source
    The Socratic probe page, shape checks, row 7.
"""

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.quotes import outside_quotes
from checks.socratic.words import replace_phrases, words

PRONOUNS = frozenset("he she his her him hers himself herself".split())


@check(
    "socratic.shape.no_gendered_pronouns",
    title="No he, she, his, her, him outside quotes",
    reason="gendered pronoun",
    order=7,
    needs=("source_label",),
    fires_on=[
        ("What would Okafor say of rest in her work?", ShapeContext("Okafor")),
        ("Is it what he’s called rest, in Okafor?", ShapeContext("Okafor")),
    ],
    silent_on=[
        ('Would Okafor hear "he works" as praise?', ShapeContext("Okafor")),
        ("Would Okafor treat the others the same?", ShapeContext("Okafor")),
    ],
    kept_because="It held in the blind audit: the writer has not read the source and cannot know.",
    aliases=[
        r"no[ _]gendered[ _]pronouns?(?: outside quotes)?",
        r"(?:uses|contains|has) a? ?gendered pronouns?",
        r"(?:he|she|him|her|his)(?:/(?:he|she|him|her|his))+ (?:used|outside quotes)",
    ],
)
def no_gendered_pronouns(draft: str, context: ShapeContext) -> bool:
    spoken = replace_phrases(words(outside_quotes(draft)), context.source_names)
    return not PRONOUNS.isdisjoint(spoken)
