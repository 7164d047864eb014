"""The name of a source: the part of a label that names it, the forms a draft may use, and whether it is known."""

import re
from collections.abc import Iterable

from checks.socratic.words import FUNCTION_WORDS, Words, find_phrase, words

_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?\b"
# Where a label stops naming and starts citing.
_CITATION = re.compile(
    rf"""\s*[(\[{{（【]                                 # any bracket: a year, editors, a page
    | \s*[,;:]?\s*(?:{_YEAR}|n\.d\.|in\ press\b|forthcoming\b)
    | [,.]\s*["“«‘']                                  # the quoted title that follows an author
    | [,;.]?\s*\b(?:https?:|doi\b|vol\.|pp?\.\s*\d|isbn\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
# The full stop after a word of three letters or more; that of an initial or title ends no sentence.
_SENTENCE = re.compile(r"(?<=[^\W\d_]{3})(?<!\bprof)(?<!\bmrs)\.\s+(?=\S)", re.IGNORECASE)
_TITLE_AFTER_INITIALS = re.compile(r",\s*(?:[^\W\d_]\.[\s-]*)+(?=[^\W_])(?!and\b|et\b)", re.IGNORECASE)
_INITIALS = re.compile(r",\s*(?:[^\W\d_]\.[\s-]*)+(?=\s*(?:,|&|and\b|$))")
_SUFFIXES = frozenset("jr sr ii iii iv phd md".split())
_EDGES = " \t\r\n,;:.()[]–—-\"“”„«»'‘’*_"


def trim_label(label: str) -> str:
    """The part of `label` that names the source: `Okafor, J. (2021). On repair.` becomes `Okafor`.

    Years, brackets, titles after an author, addresses and pages are cut. Where nothing would be left, only the years are.
    """
    text = " ".join(label.split()).strip(_EDGES)
    name = text
    for cut in (_CITATION, _SENTENCE, _TITLE_AFTER_INITIALS):
        name = _cut(name, cut)
    name = re.sub(rf"\b{_YEAR}", " ", _INITIALS.sub("", name))
    name = re.sub(r",\s*(?=&|and\b)", " ", name)
    trimmed = " ".join(name.split()).strip(_EDGES)
    return trimmed + "." if re.search(r"\bet al$", trimmed) and "al." in text else trimmed


def _cut(name: str, pattern: re.Pattern[str]) -> str:
    """`name` up to the first match that leaves something which names."""
    places = (match.start() for match in pattern.finditer(name))
    return next((name[:at] for at in places if _names_something(name[:at])), name)


def name_forms(label: str) -> tuple[Words, ...]:
    """The word sequences that name the source: the full label and, for one of two or three tokens, the surname.

    Of several people joined by *and*, each surname is a form. *et al.* and *Jr.* are no part of a name.
    """
    full = words(label)
    tokens = [words(token) for token in re.split(r"[\s,]+", label) if words(token) or token == "&"]
    forms = [full, _without_et_al(full)]
    if 2 <= len(tokens) <= 3:
        forms += [(*surname,) for surname in _surnames(label)]
    return tuple(sorted({form for form in forms if form}, key=lambda form: (-len(form), form)))


def is_known(label: str, passage: str, resources: Iterable[tuple[str, Iterable[str], str]]) -> bool:
    """Whether the passage, or one resource's (title, authors, citation), holds the label or each person it names."""
    parts = [words(person) for person in _people(label)]
    whole = words(label)
    if not any(word not in FUNCTION_WORDS for word in whole):
        return False
    texts = [passage]
    for title, authors, citation in resources:
        names = (authors,) if isinstance(authors, str) else tuple(authors)
        if all(any(_same_person(part, words(name)) for name in names) for part in parts):
            return True
        texts += [title, citation]
    found_in = [words(text) for text in texts]
    return any(
        find_phrase(text, whole) or (parts and all(find_phrase(text, part) for part in parts)) for text in found_in
    )


def _names_something(text: str) -> bool:
    return any(word not in FUNCTION_WORDS for word in words(text))


def _without_et_al(name: Words) -> Words:
    return name[:-2] if name[-2:] == ("et", "al") else name


def _people(label: str) -> list[str]:
    label = re.sub(r"\bet\s+al\b\.?", "", label, flags=re.IGNORECASE)
    return [person for person in re.split(r"\s+(?:and|&)\s+|;", label) if words(person)]


def _surnames(label: str) -> list[Words]:
    found = []
    for person in _people(label):
        # In "Okafor, Ada" the surname comes first.
        names = [words(name) for name in (person.split(",")[0] if "," in person else person).split()]
        names = [name for name in names if name and name[-1] not in _SUFFIXES]
        if names and names[-1][-1] not in FUNCTION_WORDS and len("".join(names[-1])) > 1:
            found.append(names[-1])
    return found


def _same_person(wanted: Words, author: Words) -> bool:
    """Whether every word of `wanted` is one of the author's, an initial standing for a name."""
    if not any(len(word) > 1 and word in author for word in wanted):
        return False
    return all(any(_same_name(word, name) for name in author) for word in wanted)


def _same_name(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) == 1 and longer.startswith(shorter))
