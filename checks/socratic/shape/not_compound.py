"""One ask, with at most a clause before it that frames it.

What it does
    Objects to a second ask (*..., and how ...*, *... or does ...*), to a clause with its own subject after the ask, to
    anything after a semicolon, and to a statement before the question. A leading framing clause (*When we say X,
    would ...*) is no second ask.

Why
    A second clause is where presuppositions creep in.

When it is wrong
    It knows English word order only. A pair of embedded questions with different question words (*who acts and why*)
    counts as a second ask.

Source
    The Socratic probe page, shape checks, row 10 (`isCompoundQuestion`), and *What it does*: never a statement followed
    by a question.
"""

from checks.registry import check
from checks.socratic.asks import has_second_clause, masked
from checks.socratic.contexts import ShapeContext


@check(
    "socratic.shape.not_compound",
    title="Not a compound question",
    reason="compound question",
    order=10,
    needs=("source_label", "concept", "loaded_word"),
    fires_on=[
        ("How does Okafor treat rest, and does it differ from sleep?", ShapeContext("Okafor")),
        ("We keep saying rest. How does Okafor treat it?", ShapeContext("Okafor")),
    ],
    silent_on=[
        ('When we say "fair", would Okafor mean the same?', ShapeContext("Okafor")),
        ("Does Okafor ask who speaks and who listens?", ShapeContext("Okafor")),
    ],
    aliases=[
        r"not[ _]compound",
        r"(?:is )?a compound question",
        r"(?:second|more than one) (?:ask|clause|question)",
        r"asks (?:two|more than one) (?:things|questions)",
    ],
)
def not_compound(draft: str, context: ShapeContext) -> bool:
    return has_second_clause(masked(draft, context))
