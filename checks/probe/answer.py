"""An answer made ready to be read as a number: normalised, with all that is not the answer set aside.

The steps, each a property of `Answer`: `words` (markup gone, one case, one kind of digit), `stated` (the scale's own
restatements and denominators gone) and `numbers` (the numbers that remain; digits joined to letters and years are not
among them). Source: the probe page, *Details*, third paragraph.
"""

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

Kind = Literal["whole", "fraction", "unread"]

NUMBER_WORDS = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "hundred": 100,
}
"""Numbers in words. They are never read; they matter where one stands beside a number in digits."""

NUMBER_WORD = "(?:" + "|".join(NUMBER_WORDS) + ")"

# Arabic-Indic and Persian digits, with the decimal sign, the thousands sign and the per cent sign that go with them.
_DIGITS = {start + digit: str(digit) for start in (0x0660, 0x06F0) for digit in range(10)} | {
    0x066A: "%",
    0x066B: ".",
    0x066C: ",",
}
_INVISIBLE = "\u200b"
_BREAK = re.compile(r"<(?:/?(?:p|div|li|ul|ol|tr|td|th|table)|br|hr)\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:\s+[a-z-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))*\s*/?>", re.IGNORECASE)
# Between two digits a mark is no markup: 4*5 must not become 45.
_MARK = re.compile(r"(?<![0-9])[*`\"“”„«»]+|[*`\"“”„«»]+(?![0-9*`\"“”„«»])|(?<![^\W_])_+|_+(?![^\W_])|\\(?=[^\w\s])")

_LEXEME = re.compile(r"(?<![\w.])\.[0-9]\w*|[^\W0-9]*[0-9]\w*(?:[.,][0-9]\w*)*|\w+")
_HYPHENS = "-\u2010\u2011"
_MINUS_SIGNS = _HYPHENS + "−–﹣－"
_DASH_BEFORE = re.compile(rf"([{re.escape(_MINUS_SIGNS)}—]+)(\s*)\Z")
_LETTER_BEFORE = re.compile(rf"[^\W0-9_][{re.escape(_HYPHENS)}]\Z")
_LETTER_AFTER = re.compile(rf"[{re.escape(_HYPHENS)}][^\W0-9_]")


@dataclass(frozen=True, slots=True)
class Number:
    """One number of an answer, at `start` to `end` of `Answer.stated`.

    A *whole* number has one value; or two, where a dash before it may or may not be a minus sign. A *fraction* and a
    number in signs that are not read (another script's digits, a number tied to a word by a hyphen) have none.
    """

    kind: Kind
    values: frozenset[int]
    start: int
    end: int


@dataclass(frozen=True)
class Answer:
    """An answer `text` to a question that asks for a whole number from `lo` to `hi`."""

    text: str
    lo: int
    hi: int

    @cached_property
    def words(self) -> str:
        """The text without markup and invisible characters, in one case, Arabic-Indic and Persian digits as 0 to 9."""
        return normalised(self.text)

    @cached_property
    def stated(self) -> str:
        """`words` without the scale's own restatements, the descriptions of its ends, and denominators equal to hi."""
        stated = self.words
        for pattern in _set_aside(self.lo, self.hi):
            stated = pattern.sub(" ", stated)
        return stated

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of `stated`, in order; digits joined to letters and, on a small scale, years are left out."""
        found = (self._number(match) for match in _LEXEME.finditer(self.stated))
        return tuple(number for number in found if number is not None)

    @property
    def values(self) -> frozenset[int]:
        """Every whole number that the answer could be giving."""
        return frozenset().union(*(number.values for number in self.numbers))

    def before(self, number: Number) -> str:
        """At most the 40 characters of `stated` before the number."""
        return self.stated[max(0, number.start - 40) : number.start]

    def after(self, number: Number) -> str:
        """At most the 40 characters of `stated` after the number."""
        return self.stated[number.end : number.end + 40]

    def _number(self, match: re.Match[str]) -> Number | None:
        text, start, end = match[0], *match.span()
        if any(_is_fraction_sign(character) for character in text):
            return Number("fraction", frozenset(), start, end)
        if re.search("[0-9]", text) is None:
            foreign = all(unicodedata.category(character).startswith("N") for character in text)
            return Number("unread", frozenset(), start, end) if foreign else None
        if not re.fullmatch(r"[0-9.,]+", text):
            return None
        digits = _whole(text)
        if digits is None:
            return Number("fraction", frozenset(), start, end)
        if len(digits) >= 4 and -999 <= self.lo and self.hi <= 999:
            return None
        before = self.stated[max(0, start - 40) : start]
        if _LETTER_BEFORE.search(before) or _LETTER_AFTER.match(self.stated, end):
            return Number("unread", frozenset(), start, end)
        return Number("whole", _signed(self._size(digits), before, self.lo), start, end)

    def _size(self, digits: str) -> int:
        """The number; one that is longer than both ends only has to be outside the scale, whatever its length."""
        longest = max(len(str(abs(self.lo))), len(str(abs(self.hi))))
        significant = digits.lstrip("0") or "0"
        return int(significant) if len(significant) <= longest else 10**longest


def normalised(text: str) -> str:
    """The text as `Answer.words` gives it."""
    text = _TAG.sub(_INVISIBLE, _BREAK.sub(" ", html.unescape(text)))
    if not text.isascii():
        text = text.translate(_DIGITS)
        text = "".join(_INVISIBLE if unicodedata.category(character) == "Cf" else character for character in text)
        # What cannot be seen still parts two digits: 4 and 5 must not become 45.
        text = re.sub(rf"(?<=[0-9]){_INVISIBLE}+(?=[0-9])", " ", text).replace(_INVISIBLE, "")
    return _MARK.sub("", text).casefold().replace("’", "'")


def _is_fraction_sign(character: str) -> bool:
    """Whether the character is a fraction written as one, such as the half sign."""
    return unicodedata.decomposition(character).startswith("<fraction>")


def _whole(text: str) -> str | None:
    """The digits of a whole number as written (4, 4.0, 1,000); None where it is not one, or may be two (4,0)."""
    if match := re.fullmatch(r"([0-9]+)(?:\.0{1,2})?", text):
        return match[1]
    return text.replace(",", "") if re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+", text) else None


def _signed(size: int, before: str, lo: int) -> frozenset[int]:
    """The values that a number of this size has after the text `before` it.

    A dash is a minus sign when it touches the number and no word; the true minus sign also at a distance. Any other
    dash is a separator (a bullet, a range). A scale that goes below zero leaves that open, so both values stand.
    """
    dash = _DASH_BEFORE.search(before)
    if dash is None:
        return frozenset({size})
    sign, gap = dash.groups()
    apart = bool(gap) or before[: dash.start()][-1:].isalnum()
    if sign == "−" or (len(sign) == 1 and sign in _MINUS_SIGNS and not apart):
        return frozenset({-size})
    return frozenset({size, -size}) if lo < 0 else frozenset({size})


@lru_cache(maxsize=64)
def _set_aside(lo: int, hi: int) -> tuple[re.Pattern[str], ...]:
    """What restates the scale or names its upper end as a denominator, in the order in which it is taken out."""
    low, high = _end(lo), _end(hi)
    bracket = r"(?:\s*[(\[][^()\[\]0-9]{0,200}[)\]])?"
    verb = r"\s*(?:=|\bmeans\b|\bmeaning\b|\bbeing\b|\bis\b)\s*"
    start = r"(?<![\w/+−-])(?<![0-9][.,])"
    stop = r"(?!\w)(?![.,][0-9])(?!\s*[-–/]\s*[0-9])"
    to = r"\s*(?:-+>?|–|—|−|\.{2,}|…|→|\bto\b|\bthrough\b|\bthru\b)\s*"
    patterns = [
        rf"\bbetween\s+{low}{bracket}\s+and\s+{high}{stop}{bracket}",
        rf"{start}{low}{bracket}{to}{high}{stop}{bracket}",
        # Without brackets, a description of an end is known by the other end's beside it and by a full stop or the like.
        rf"{start}{low}{verb}[^0-9.;()\n]{{1,120}}?(?:[,;]|\band\b|\bto\b)[\s,]*(?:and\s+)?{high}{stop}(?:{verb}|\s+)"
        r"[^0-9.,;:()\n–—]{1,120}(?=[.,;:()\n–—]|\Z)",
    ]
    if hi > 0:
        patterns += [
            rf"(?<=[0-9])\)?\s*[/⁄∕]\s*{high}{stop}",
            rf"\bout\s+of\s+{high}{stop}",
            rf"\b{hi}[\s-]point\s+(?:[a-z]+\s+)?scale\b",
        ]
    return tuple(re.compile(pattern) for pattern in patterns)


def _end(value: int) -> str:
    """How an end of the scale is written."""
    return rf"(?:[-−–]\s?|minus\s|negative\s){-value}" if value < 0 else rf"\+?{value}"
