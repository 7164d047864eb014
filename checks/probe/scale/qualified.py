"""A number that need not be the answer

What it does
    Refuses an answer that negates, compares or reports someone else's number, by its words: "minus", "negative", "not",
    "never", "no", "except", "at least", "at most", "more than", "less than", "fewer than", "higher", "lower", "above",
    "below", "over", "under", "between"; "others said", "they said", "everyone said", "someone said", "P3 said"; a
    number followed by "+"; also the contractions of "not" and the signs of comparison. The restated scale and the
    description of its ends may hold any of these words.

Why
    "not 4", "4+" and "P3 said 4" hold one whole number of the scale, and none of them says that 4 is the answer. It runs
    last, so that each of its fires is an answer that would otherwise have been read.

When it is wrong
    A reason given beside a clear number is enough ("5. It is not too late"); the re-ask settles it. "4 or more", "up to
    4" and other languages pass unnoticed: the list is the page's, in English.

Source
    The probe page, Details: "Nor is an answer that negates, compares, or reports someone else's number". "n't",
    "cannot" and the signs (< > ≤ ≥ ≠) are this project's own extension: the same words, written otherwise.
"""

import re

from checks.probe.answer import Answer
from checks.registry import check

_QUALIFIERS = re.compile(
    r"\b(?:minus|negative|not|cannot|never|no|except|at\s+least|at\s+most|(?:more|less|fewer)\s+than"
    r"|higher|lower|above|below|over|under|between)\b"
    r"|n't\b"
    r"|(?<!-)>|[<≤≥≠≮≯≰≱]"
)
_REPORTS = re.compile(r"\b(?:others|they|everyone|someone|\w*[0-9])\s+said\b")
_AND_UP = re.compile(r"\)?\s*[+＋]")


@check(
    "probe.scale.qualified",
    title="A number that need not be the answer",
    reason="qualified",
    order=6,
    fires_on=[
        (Answer("not 4", 1, 7),),
        (Answer("at least 3", 1, 7),),
        (Answer("2+", 1, 7),),
        (Answer("P3 said 5", 1, 7),),
    ],
    silent_on=[
        (Answer("4, a notable overall improvement", 1, 7),),
        (Answer("From 1 (not at all) to 7 (more than ever): 5", 1, 7),),
    ],
)
def qualified(answer: Answer) -> bool:
    """Whether the answer's words negate, compare or report."""
    if _QUALIFIERS.search(answer.stated) or _REPORTS.search(answer.stated):
        return True
    return any(_AND_UP.match(answer.after(number)) for number in answer.numbers)
