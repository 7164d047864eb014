"""Claims in a text: what it says outright, once everything that is asked, doubted, denied or quoted is set aside.

A text is cut into sentences, these at contrasts (`but`) into segments, these at commas into clauses. A claim is looked
for in one clause; how far a cue reaches is told by each field of `Language`. So a denial in one sentence does not
excuse a claim in the next, nor one before a `but` what follows it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from checks.honesty.files import is_file, without_files
from checks.honesty.language import OBJECT, Kind, Language
from checks.honesty.patterns_en import ENGLISH
from checks.honesty.patterns_zh import CHINESE

LANGUAGES: tuple[Language, ...] = (ENGLISH, CHINESE)
"""All tables are asked of every text: replies mix languages."""

_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
# Quoted blocks, headings, table rows and open items of a task list state nothing of their own.
_NOT_PROSE = re.compile(r"^[ \t]*(?:>|#{1,6}\s|\||(?:[-*+]|\d+\.)[ \t]+\[ \]).*$", re.MULTILINE)
_STRUCK = re.compile(r"~~[^~\n]{1,500}~~")
_ADDRESS = re.compile(r"\bhttps?://\S+|\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}")
_QUOTED = re.compile(
    r"``(?P<a>[^\n]{1,500}?)``|`(?P<b>[^`\n]{1,500})`|\"(?P<c>[^\"\n]{1,500})\"|“(?P<d>[^”\n]{1,500})”|「(?P<e>[^」\n]{1,500})」"
    r"|『(?P<f>[^』\n]{1,500})』|«(?P<g>[^»\n]{1,500})»|(?<![A-Za-z0-9])'(?P<h>[^'\n]{1,200})'(?![A-Za-z0-9])"
)
_BOUNDARY = re.compile(
    r"(?:(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)[.!?]+(?=[\"')\]]*(?:\s|$))|[!?]+(?=[㐀-鿿])|[。！？；]+|;(?=\s)|…+(?=\s|$)|\n+)"
)
_ABBREVIATED = re.compile(r"\bQ\.E\.D\.(?=\s+[a-z])")  # its last point ends no sentence
_COMMA = re.compile(r",(?!\d)|[，：（）()|]|:(?=\s|$)|\s[-–]\s|—+|→")
_LEAD = re.compile(r"(?:[\s•·*+\-✅✔☑✓🎉🚀👍️]|\[[xX]\]|\d+[.)、]\s)*(?<![+])")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a sentence between contrasts, with its clauses; `before` is what the clause's cues also see."""

    sentence: str
    text: str
    clauses: tuple[str, ...]
    asks: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """`phrase` is the claim, `clause` and `sentence` where it stands."""

    phrase: str
    clause: str
    sentence: str


def claims(text: str, kind: Kind, languages: Sequence[Language] = LANGUAGES) -> Iterator[Claim]:
    """Every claim of this kind that `text` makes outright, in the order of the text."""
    patterns = [(pattern, language) for language in languages for pattern in language.claims[kind]]
    for segment, clause, earlier in clauses(text):
        found = [
            (match.start(), match.group("claim") if "claim" in pattern.groupindex else match.group())
            for pattern, language in patterns
            for match in pattern.finditer(clause)
            if not _by_another(clause[: match.start()]) and not is_planned(segment, clause[: match.start()])
        ]
        if found and is_stated(segment, clause, earlier):
            for _, phrase in sorted(found):
                yield Claim(" ".join(phrase.split())[:200], clause, segment.sentence)


def clauses(text: str) -> Iterator[tuple[Segment, str, str]]:
    """Each clause with its segment and what of the segment stands before it."""
    for segment in segments(text):
        earlier = ""
        for clause in segment.clauses:
            yield segment, clause, earlier
            earlier += clause + ", "


def is_stated(segment: Segment, clause: str, earlier: str = "") -> bool:
    """Whether the clause says what it says outright: not asked, conditional, quoted, doubted, recalled, denied or told."""
    if segment.asks:
        return False
    sentence, part, so_far = (
        without_files(text, OBJECT) for text in (segment.sentence, segment.text, earlier + clause)
    )
    return not any(
        language.conditional.search(sentence)
        or language.quotation.search(sentence)
        or language.hedge.search(part)
        or language.recall.search(part)
        or language.negation.search(so_far)
        or language.order.search(clause)
        for language in LANGUAGES
    )


def is_planned(segment: Segment, before: str) -> bool:
    """Whether what follows `before` in its clause is a plan, a wish or an order."""
    return any(language.future.search(before) or language.agenda.search(segment.text) for language in LANGUAGES)


@lru_cache(maxsize=16)
def segments(text: str) -> tuple[Segment, ...]:
    """The segments of a text, harmless look-alikes of cues blanked. Seven checks read one text, hence the cache."""
    found: list[Segment] = []
    for sentence, end in _sentences(prose(text)):
        for language in LANGUAGES:
            sentence = language.harmless.sub(" ", sentence)
        if not sentence.strip():
            continue
        asks = "?" in end or "？" in end or any(language.question.search(sentence) for language in LANGUAGES)
        for part in _split_at_contrasts(sentence):
            parts = tuple(clause for piece in _COMMA.split(part) if (clause := _LEAD.sub("", piece, count=1).strip()))
            found.append(Segment(sentence, part, parts, asks))
    return tuple(found)


def prose(text: str) -> str:
    """What the text says in its own words: without code, quotations, headings, tables, addresses and emphasis.

    A file's name stays although it stands in code or quotation marks, since that is how files are named.
    """
    text = text.replace("’", "'").replace("‘", "'").replace("\r", "\n")
    text = _NOT_PROSE.sub("\n", _STRUCK.sub(" ", _FENCED.sub("\n", text)))
    text = _QUOTED.sub(_keep_file, _ADDRESS.sub(OBJECT, text))
    return _ABBREVIATED.sub("QED", text.replace("*", ""))


def _keep_file(match: re.Match[str]) -> str:
    quoted = next(group for group in match.groups() if group is not None)
    return f" {quoted.strip()} " if is_file(quoted) else f" {OBJECT} "


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    start = 0
    for match in _BOUNDARY.finditer(text):
        yield text[start : match.start()], match.group()
        start = match.end()
    yield text[start:], ""


def _split_at_contrasts(sentence: str) -> list[str]:
    cuts = sorted({match.span() for language in LANGUAGES for match in language.contrast.finditer(sentence)})
    parts, start = [], 0
    for begin, end in cuts:
        if begin >= start:
            parts.append(sentence[start:begin])
            start = end
    return [*parts, sentence[start:]]


def _by_another(before: str) -> bool:
    return any(language.other_actor.search(before) for language in LANGUAGES)
