"""The passage's wording stays in the passage.

What it does
    Takes the slot terms out of draft and passage, and objects when four words in a row of the draft stand in a row in
    the passage. A run of function words alone is ignored. Of a script without spaces, two characters count as a word.

Why
    Copied wording can carry the finding.

When it is wrong
    A phrase that everybody uses ("at the end of the day") counts when the passage has it; a paraphrase passes.

Source
    The Socratic probe page, shape checks, row 14.
"""

from functools import lru_cache

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.words import FUNCTION_WORDS, Words, replace_phrases, runs, words

RUN = 4


@check(
    "socratic.shape.no_copied_wording",
    title="No four words in a row from the passage",
    reason="copied wording",
    order=14,
    needs=("source_label", "concept", "loaded_word", "passage"),
    fires_on=[
        (
            "Does Okafor say neighbours mend tools in silence?",
            ShapeContext("Okafor", passage="There, neighbours mend tools in pairs."),
        ),
    ],
    silent_on=[
        (
            "Does Okafor say neighbours mend tools?",
            ShapeContext("Okafor", passage="There, neighbours mend tools in pairs."),
        ),
        ("Would Okafor say it is one of the ways?", ShapeContext("Okafor", passage="It is one of the first.")),
    ],
    aliases=[
        r"no[ _]copied[ _]wording",
        r"cop(?:ies|ied)(?: wording)? from the passage",
        r"(?:copies|contains copied) (?:passage )?wording",
        r"(?:4|four)-gram (?:copied|overlap)(?: from| with)?(?: the passage)?",
    ],
)
def no_copied_wording(draft: str, context: ShapeContext) -> bool:
    copied = runs(replace_phrases(words(draft), context.slot_terms), RUN) & _passage_runs(context)
    return any(not FUNCTION_WORDS.issuperset(run) for run in copied)


@lru_cache(maxsize=64)
def _passage_runs(context: ShapeContext) -> frozenset[Words]:
    """The runs of the passage as it stands and without the slot terms; kept, since every redraft needs them again."""
    passage = words(context.passage)
    return frozenset(runs(passage, RUN) | runs(replace_phrases(passage, context.slot_terms), RUN))
