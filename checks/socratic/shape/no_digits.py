"""Numbers imply a finding.

What it does
    Objects to any digit or number sign, of any script: `3`, `٣`, `½`, `Ⅳ`, `①`.

Why
    A figure in the question is a figure from somewhere, and the room will take it for the reading's.

When it is wrong
    A source whose name holds a digit can never be named; numbers in words pass.

Source
    The Socratic probe page, shape checks, row 12.
"""

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.quantities import has_digit


@check(
    "socratic.shape.no_digits",
    title="No digits",
    reason="contains digits",
    order=12,
    fires_on=[
        ("How does Okafor read 3 of these?", ShapeContext("Okafor")),
        ("How does Okafor read ٣ of these?", ShapeContext("Okafor")),
    ],
    silent_on=[
        ("How does Okafor read three of these?", ShapeContext("Okafor")),
        ("", ShapeContext("Okafor")),
    ],
    aliases=[
        r"no[ _]digits?(?: allowed)?",
        r"(?:has|uses|contains) (?:a )?(?:digits?|numbers?|numerals?)",
        r"digits? (?:found|present|used)",
    ],
)
def no_digits(draft: str, context: ShapeContext) -> bool:
    return has_digit(draft)
