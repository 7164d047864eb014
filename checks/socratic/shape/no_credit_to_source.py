"""The group's word is not put into the source's mouth.

What it does
    Objects when a quoted word other than the concept stands in one clause with the source's name as the source's own:
    *Lee uses "healthy"*, *Lee's idea of "healthy"*, *"healthy" as Lee has it*. A modal on the verb frees it (*would Lee
    mean "healthy"*), and so does a person of the group next to the word (*what we call "healthy"*).

Why
    "Lee uses 'healthy'" tells the room that the reading says so, and the writer has not read it.

When it is wrong
    It reads clauses, not grammar: a free relative or a long insertion can hide a credit, and a clause that merely holds
    both may be rejected.

Source
    The Socratic probe page, shape checks, row 9 (`findQuotedWordCreditedToSource`).
"""

from checks.registry import check
from checks.socratic.asks import masked
from checks.socratic.contexts import ShapeContext
from checks.socratic.credit import credits_source


@check(
    "socratic.shape.no_credit_to_source",
    title="No quoted foreign word credited to the source",
    reason="word credited to the source",
    order=9,
    needs=("source_label", "concept", "loaded_word"),
    fires_on=[
        ("Does Lee use 'healthy' for rest?", ShapeContext("Lee")),
        ('What is Lee’s idea of "healthy"?', ShapeContext("Lee", loaded_word="healthy")),
        ('Is this "healthy" as Lee uses it?', ShapeContext("Lee")),
    ],
    silent_on=[
        ('When we say "healthy", would Lee mean the same thing by it?', ShapeContext("Lee", loaded_word="healthy")),
        ('What would Lee mean by "healthy"?', ShapeContext("Lee")),
        ('How does Lee use "shared repair"?', ShapeContext("Lee", "shared repair")),
    ],
    kept_because="It held in the blind audit: misattribution fell to none.",
    aliases=[
        r"no[ _]credit[ _]to[ _]source",
        r"(?:credits|attributes) (?:the|a) (?:quoted |group's |loaded )?word to the source",
        r"quoted (?:foreign )?word credited to (?:the )?source",
        r"misattributes?(?: the word)?",
    ],
)
def no_credit_to_source(draft: str, context: ShapeContext) -> bool:
    return credits_source(masked(draft, context))
