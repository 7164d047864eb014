"""The same question is not asked again.

What it does
    Objects when more than half of the draft's content words stand in one recent post of the agent. Words of the
    source's name and function words are left out; endings do not matter (`treats`, `treated`).

Why
    A room that is asked the same again stops answering.

When it is wrong
    A draft with one content word repeats any post that holds it; a question asked again in other words passes.

Source
    The Socratic probe page, shape checks, row 15.
"""

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.words import content_words, words

MAX_OVERLAP = 0.5


@check(
    "socratic.shape.no_repeat",
    title="Does not repeat a recent post",
    reason="repeats a recent post",
    order=15,
    needs=("source_label", "recent_posts"),
    fires_on=[
        ("How does Okafor treat slow repair?", ShapeContext("Okafor", recent_posts=("How does Okafor treat repair?",))),
    ],
    silent_on=[
        ("How does Okafor treat care?", ShapeContext("Okafor", recent_posts=("How does Okafor treat repair?",))),
        ("How does Okafor treat rest?", ShapeContext("Okafor")),
    ],
    aliases=[
        r"no[ _](?:near[ _-])?repeats?",
        r"(?:near[ -])?repeat of a (?:recent|previous|prior) (?:post|question)",
        r"near[ -]repeat",
        r"(?:re-?asks|repeats) (?:the same|a (?:recent|previous)) (?:question|post)",
        r"(?:too similar to|overlaps?(?: with)?) a (?:recent|previous) (?:agent )?post",
    ],
)
def no_repeat(draft: str, context: ShapeContext) -> bool:
    source = {word for name in context.source_names for word in name}
    asked = content_words(word for word in words(draft) if word not in source)
    return any(
        len(asked & content_words(words(post))) > MAX_OVERLAP * len(asked) for post in context.recent_posts if asked
    )
