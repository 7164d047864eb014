"""Words of a text in any script, and finding phrases among them.

Everything that compares texts goes through `scan`, so that curly apostrophes, full-width letters, accents, hyphens,
possessives and invisible characters never decide whether two words are the same.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import ceil

Words = tuple[str, ...]

FUNCTION_WORDS = frozenset(
    """a about above after again against all also am among an and any anyone are aren't as at be because been before
    being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during
    each either else ever every few for from further had has have having he her here hers him his how i if in into is
    isn't it its itself just like may me might more most much must my neither no nor not of off on once one only or
    other our ours out over own per rather same say says shall she should so some something such than that the their
    theirs them themselves then there these they thing things this those though through to too under until up upon us
    very was wasn't we were what whatever when where whether which while who whom whose why will with within without
    won't would wouldn't yes yet you your yours
    mean means
    的 是 了 在 不 和 有 我 你 他 她 它 们 这 那 个 也 就 都 而 及 与 着 或 吗 呢 吧 会 能 可 以 为 对 把 被 到 从 什 么 怎
    """.split()
)
"""Words without content of their own. *say, mean, same, thing* stand here because any question about a word has them."""

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼʹ´`＇‛", "'") | {"\u037e": "?"})
_CLITIC = re.compile(r"(?<=.)'(?:s|d|ll|re|ve|m)$")
# Scripts that put no space between words: Thai, Lao, Burmese, Khmer, kana, Han.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]"
)
_HYPHENS = "-\u2010\u2011\u2043\uff0d"
_JOINERS = _HYPHENS + "./"


def fold(text: str) -> str:
    """`text` with case, accents, apostrophe shapes, compatibility forms and invisible characters made equal."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES).casefold()).casefold()
    return "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f" and unicodedata.category(c) != "Cf")


@lru_cache(maxsize=1024)
def scan(text: str) -> Words:
    """The tokens of `text`: folded words, clitics such as `'s` on their own, and each punctuation mark on its own.

    A hyphen, full stop or slash between two letters parts the words and is no token. A character of a script without
    spaces is a word of its own.
    """
    return tuple(_tokens(fold(text)))


def _tokens(folded: str) -> Iterator[str]:
    start, end = 0, len(folded)
    while start < end:
        char = folded[start]
        if not _is_letter(char):
            joins = (
                char in _JOINERS and 0 < start < end - 1 and folded[start - 1].isalnum() and folded[start + 1].isalnum()
            )
            if char == "&":
                yield "and"
            elif not char.isspace() and not joins:
                yield char
            start += 1
            continue
        stop = start + 1
        alone = _UNSPACED.match(char) is not None
        while stop < end and (_is_mark(folded[stop]) if alone else _continues(folded, stop)):
            stop += 1
        word = folded[start:stop]
        clitic = _CLITIC.search(word)
        if clitic:
            yield word[: clitic.start()]
            yield clitic[0]
        else:
            yield word
        start = stop


def _continues(folded: str, at: int) -> bool:
    char = folded[at]
    if char == "'":
        return at + 1 < len(folded) and _is_letter(folded[at + 1]) and not _UNSPACED.match(folded[at + 1])
    return _is_letter(char) and not _UNSPACED.match(char)


@lru_cache(maxsize=4096)
def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNM"


@lru_cache(maxsize=4096)
def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


@lru_cache(maxsize=1024)
def words(text: str) -> Words:
    """The words of `text`, folded, without clitics: `Okafor’s` is `okafor`, `well-being` is `well`, `being`."""
    return tuple(token for token in scan(text) if _is_letter(token[0]))


def weight(word: str) -> float:
    """How much of a word a token is: two characters of a script without spaces count as one word."""
    return 0.5 if _UNSPACED.match(word) else 1.0


def count_words(text: str) -> int:
    """The words of `text` as a reader counts them: `well-being` and `and/or` are one, a lone dash is none."""
    pieces = re.split(r"[\s—–―…]+", text)
    return ceil(sum(_piece_weight(words(piece)) for piece in pieces))


def _piece_weight(piece: Words) -> float:
    spaced = any(weight(word) == 1.0 for word in piece)
    return (1.0 if spaced else 0.0) + sum(0.5 for word in piece if weight(word) < 1.0)


def find_phrase(tokens: Sequence[str], phrase: Sequence[str]) -> list[tuple[int, int]]:
    """The (start, end) of every place in `tokens` where the words of `phrase` stand in a row."""
    size, wanted = len(phrase), tuple(phrase)
    if not size or wanted[0] not in tokens:
        return []
    return [(at, at + size) for at in range(len(tokens) - size + 1) if tuple(tokens[at : at + size]) == wanted]


def contains(text: str, phrase: str) -> bool:
    """Whether the words of `phrase` stand in a row in `text`; false for a phrase without words."""
    return bool(find_phrase(words(text), words(phrase)))


def replace_phrases(tokens: Words, phrases: Iterable[Words], by: Words = ()) -> Words:
    """`tokens` with every occurrence of every phrase replaced, longer phrases first."""
    for phrase in sorted(set(phrases), key=lambda p: (-len(p), p)):
        for start, end in reversed(_apart(find_phrase(tokens, phrase))):
            tokens = tokens[:start] + by + tokens[end:]
    return tokens


def _apart(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that do not overlap an earlier one."""
    kept: list[tuple[int, int]] = []
    for span in spans:
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def content_words(tokens: Iterable[str]) -> set[str]:
    """The stems of those words that say something."""
    return {stem(word) for word in tokens if word not in FUNCTION_WORDS}


def stem(word: str) -> str:
    """`word` without a plural or verb ending, where enough of it is left: `treats`, `treated`, `treating` are one."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4 and not word.endswith("ss"):
            return word[: -len(ending)].removesuffix("e")
    return word.removesuffix("e") if len(word) > 4 else word


def runs(tokens: Words, size: int) -> set[Words]:
    """Every shortest run of neighbouring words that is `size` words long (see `weight`)."""
    found: set[Words] = set()
    for start in range(len(tokens)):
        length, end = 0.0, start
        while end < len(tokens) and length < size:
            length += weight(tokens[end])
            end += 1
        if length >= size:
            found.add(tokens[start:end])
    return found
