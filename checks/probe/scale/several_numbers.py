"""Several different numbers

What it does
    Refuses an answer that gives two different numbers: "3 or 4", "3-5", "3 or four". The same number twice is one
    number. A number that is there but not read (another script's digit, "4-ish") counts as different from any other,
    and so do the two values of a dash that may or may not be a minus sign ("- 2" on a scale from -3 to 3).

Why
    Which of them is the answer cannot be known, and a wrong value is worse than none. It runs before the range, since
    one of "3 or 9" being outside the scale does not make the other the answer.

When it is wrong
    An answer that cites a count ("4, because 2 of us asked for it") is refused, though its first number is meant.
    "5,100" on a scale of thousands is taken for one number. A number in words is only noticed
    beside one in digits, and only in English.

Source
    The probe page, Details: "What remains must be one whole number"; "with two different numbers ("3 or 4")"; numbers
    in words are not read. That "3 or four" is refused follows from both.
"""

import re

from checks.probe.answer import NUMBER_WORD, NUMBER_WORDS, Answer
from checks.registry import check

_JOINED = r"\s*(?:\(|[-–—/]|,?\s*\b(?:or|to|and|maybe|perhaps|possibly)\b(?:\s+(?:maybe|perhaps|possibly|even))?)\s*"
_WORD_AFTER = re.compile(rf"{_JOINED}({NUMBER_WORD})\b")
_WORD_BEFORE = re.compile(rf"\b({NUMBER_WORD}){_JOINED}\Z")


@check(
    "probe.scale.several_numbers",
    title="Several different numbers",
    reason="several_numbers",
    order=4,
    fires_on=[(Answer("3 or 4", 1, 7),), (Answer("3-5", 1, 7),), (Answer("3 or four", 1, 7),), (Answer("- 2", -3, 3),)],
    silent_on=[(Answer("4. My answer is 4.", 1, 7),), (Answer("4 (four)", 1, 7),), (Answer("1-7: 4", 1, 7),)],
)
def several_numbers(answer: Answer) -> bool:
    """Whether the answer could be giving more than one number."""
    unread = any(number.kind == "unread" for number in answer.numbers)
    return len(answer.values | _words_beside(answer)) + unread > 1


def _words_beside(answer: Answer) -> frozenset[int]:
    """The numbers in words that are joined to a number in digits."""
    found = (
        match
        for number in answer.numbers
        for match in (_WORD_AFTER.match(answer.after(number)), _WORD_BEFORE.search(answer.before(number)))
    )
    return frozenset(NUMBER_WORDS[match[1]] for match in found if match)
