"""The question reports no outcome.

What it does
    Objects to a finding verb (*found, fell, rose, dropped, led to* and their kin, in all forms that report) once the
    slot terms are taken out.

Why
    "Okafor found" tells what the reading concluded.

When it is wrong
    It rejects the word in any sense: *we dropped the topic*, *a rising voice*.

Source
    The Socratic probe page, shape checks, row 13.
"""

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.findings import has_finding_verb
from checks.socratic.words import replace_phrases, words


@check(
    "socratic.shape.no_finding_verbs",
    title="No finding verbs",
    reason="contains a finding verb",
    order=13,
    needs=("source_label", "concept", "loaded_word"),
    fires_on=[
        ("Why has Okafor found that rest helps?", ShapeContext("Okafor")),
        ("Has rest led directly to trust in Okafor?", ShapeContext("Okafor")),
    ],
    silent_on=[
        ("How does Okafor treat lost and found?", ShapeContext("Okafor", "lost and found")),
        ("How does Okafor treat rest?", ShapeContext("Okafor")),
    ],
    aliases=[
        r"no[ _]finding[ _]verbs?",
        r"(?:uses|has) (?:a )?finding verbs?",
        r"finding verbs?(?: used| present)?",
        r"reports an outcome",
    ],
)
def no_finding_verbs(draft: str, context: ShapeContext) -> bool:
    return has_finding_verb(replace_phrases(words(draft), context.slot_terms))
