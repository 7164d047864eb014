"""A draft asks one thing, and asking is all that it does.

What it does
    Objects unless the draft holds exactly one question mark, of any script, and ends with it (white space aside).
    One inside a quotation counts too.

Why
    The message is always a single question. A second mark is a second ask, and text after the mark is a statement.

When it is wrong
    A question without a mark, and a Greek question ended with a plain semicolon, are rejected.

Source
    The Socratic probe page, shape checks, row 1.
"""

import unicodedata

from checks.registry import check
from checks.socratic.contexts import ShapeContext
from checks.socratic.quotes import QUESTION_MARKS


@check(
    "socratic.shape.single_question",
    title="Exactly one question mark, at the very end",
    reason="not a single question",
    order=1,
    fires_on=[
        ("How does Okafor treat rest? And work?", ShapeContext("Okafor")),
        ("Okafor treats rest.", ShapeContext("Okafor")),
        ("", ShapeContext("Okafor")),
    ],
    silent_on=[
        ("How does Okafor treat rest?", ShapeContext("Okafor")),
        ("奥卡福怎么看休息？", ShapeContext("Okafor")),
    ],
    kept_because="It held in the blind audit: one ask is the probe's whole form.",
    aliases=[
        r"single[ _]question",
        r"(?:must|should) (?:be|end with|contain|have) (?:exactly |only )?(?:one|a single) (?:question(?: mark)?|\?).*",
        r"(?:not|needs|more than) (?:exactly )?one question(?: mark)?(?: at the (?:very )?end)?",
        r"no question mark",
        r"does not end (?:with|in) a question mark",
    ],
)
def single_question(draft: str, context: ShapeContext) -> bool:
    text = "".join(char for char in draft if unicodedata.category(char) != "Cf").rstrip()
    marks = sum(unicodedata.normalize("NFKC", char).count("?") or 1 for char in text if char in QUESTION_MARKS)
    return marks != 1 or text[-1] not in QUESTION_MARKS
