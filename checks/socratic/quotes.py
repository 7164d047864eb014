"""What stands in quotation marks, and what does not."""

import re
from typing import NamedTuple

PAIRS = dict.fromkeys('"“”„‟＂〝〞〟', '"“”„‟＂〝〞〟') | {"«": "»", "»": "«", "「": "」", "『": "』"}
"""Each double quotation mark that can open a quotation, with the marks that close it."""
DOUBLE = "".join({*PAIRS, *"」』"})
QUESTION_MARKS = "?？؟⸮፧‽⁇⁈⁉\u037e"

_SINGLE = re.compile(
    r"(?<![^\W_])['‘‚‹](?=\S)([^'‘’‚‹›]*(?:(?<=[^\W_])['’](?=[^\W_])[^'‘’‚‹›]*)*)(?<=\S)['’‘›](?![^\W_])"
)
_SINGLE_MARK = re.compile(r"['’‘‚‹›`](?![^\W_])|(?<![^\W_])['’‘‚‹›`]")


class Quotation(NamedTuple):
    """A quotation: `start` and `end` take in its marks, `text` does not."""

    start: int
    end: int
    text: str


def quotations(text: str, *, single: bool = True) -> list[Quotation]:
    """The quotations of `text`, in order: in double marks of any shape and, unless told otherwise, in single ones.

    A mark that is never closed quotes nothing. An apostrophe inside a word is no mark.
    """
    found: list[Quotation] = []
    start: int | None = None
    for at, char in enumerate(text):
        if start is None:
            start = at if char in PAIRS else None
        elif char in PAIRS[text[start]]:
            found.append(Quotation(start, at + 1, text[start + 1 : at]))
            start = None
    if single:
        taken = [(quotation.start, quotation.end) for quotation in found]
        found += [
            Quotation(match.start(), match.end(), match[1])
            for match in _SINGLE.finditer(text)
            if all(match.end() <= begin or match.start() >= end for begin, end in taken)
        ]
    return sorted(found)


def outside_quotes(text: str, filler: str = " ") -> str:
    """`text` with each quotation, its marks included, replaced by `filler`."""
    pieces, at = [], 0
    for quotation in quotations(text):
        pieces += [text[at : quotation.start], filler]
        at = quotation.end
    return "".join([*pieces, text[at:]])


def holds_quote_mark(text: str) -> bool:
    """Whether any quotation mark stands in `text`; the apostrophe of *what's* is none."""
    return any(char in DOUBLE for char in text) or _SINGLE_MARK.search(text) is not None
