"""A probe is a question, not a paragraph.

What it does
    Objects to a draft of more than 40 words. A hyphenated word is one, a lone dash none; two characters of a script
    without spaces (Chinese, Japanese, Thai) count as one.

Why
    A long question carries a statement inside it.

When it is wrong
    A long concept or source label takes its share of the 40; for a script without spaces the count is an estimate.

Source
    The Socratic probe page, shape checks, row 2.
"""

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.words import count_words

MAX_WORDS = 40


@check(
    "socratic.shape.word_limit",
    title="At most 40 words",
    reason="over 40 words",
    order=2,
    fires_on=[
        ("How does Okafor " + "really " * 38 + "ask?", ShapeContext("Okafor")),
    ],
    silent_on=[
        ("How does Okafor " + "really " * 36 + "ask?", ShapeContext("Okafor")),
        ("", ShapeContext("Okafor")),
    ],
    aliases=[
        r"word[ _]limit",
        r"(?:more than|exceeds|longer than) (?:\d+|forty) words",
        r"over (?:the )?(?:word limit|\d+ words)",
        r"too (?:long|many words)",
    ],
)
def word_limit(draft: str, context: ShapeContext) -> bool:
    return count_words(draft) > MAX_WORDS
