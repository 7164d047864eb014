"""Digits, sentences, and whether a sentence reports a quantity."""

import re
import unicodedata

from checks.socratic.words import words

NUMBER_WORDS = frozenset(
    """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions
    billion billions dozen dozens half halves quarter quarters thirds fifths tenths twice thrice twofold threefold tenfold
    doubled tripled quadrupled halved percent percentage percentages majority""".split()
)

_ABBREVIATION = re.compile(
    r"(?:\b(?:al|dr|mr|mrs|ms|prof|st|vs|cf|eds?|e\.g|i\.e|etc|fig|vol|no|pp?|jr|sr)|\b[^\W\d_])\.$", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”’»)\]]*\s+|[。！？؟]+|\n\s*\n")
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
# A year dates a sentence and a bracketed reference or page supports it; neither is a quantity that it reports.
_NO_QUANTITY = re.compile(
    rf"\((?:[^()]*\W)?{_YEAR}(?:\W[^()]*)?\)"
    rf"|\[[\d,;–\s-]+\]"
    rf"|\bpp?\.\s*\d+(?:\s*[-–]\s*\d+)?"
    rf"|\b(?:in|since|until|during|before|after|early|late|around)\s+{_YEAR}(?=\s*(?:[,.;:)]|$|\b(?:and|the|a|an|to|but|as|when|while|it|they|we|she|he)\b))",
    re.IGNORECASE,
)


def has_digit(text: str) -> bool:
    """Whether `text` holds a digit or number sign of any script (`٣`, `½`, `Ⅳ`, `①`); words such as `三` are none."""
    return any(unicodedata.category(char)[0] == "N" for char in text)


def sentences(text: str) -> list[str]:
    """The sentences of `text`; the full stop of an initial, an abbreviation or a decimal ends none."""
    found, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        piece = text[start : match.start()]
        if match[0].isspace() and _ABBREVIATION.search(piece):
            continue
        found.append(text[start : match.end()].strip())
        start = match.end()
    return [sentence for sentence in [*found, text[start:].strip()] if sentence]


def reports_quantity(sentence: str) -> bool:
    """Whether `sentence` gives a number, a share or a multiple; the year of a citation is no quantity."""
    rest = _NO_QUANTITY.sub(" ", sentence)
    return has_digit(rest) or "%" in rest or not NUMBER_WORDS.isdisjoint(words(rest))
