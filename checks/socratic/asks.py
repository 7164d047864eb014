"""The clauses of an English question: where it asks, and what follows the ask."""

from functools import lru_cache

from checks.socratic.contexts import ShapeContext
from checks.socratic.quotes import quotations
from checks.socratic.words import Words, find_phrase, replace_phrases, scan, words

SOURCE, QUOTE, TERM = "\ue000", "\ue001", "\ue002"
"""What `masked` puts for the source's name, for a quotation, and for a slot term."""

MODALS = frozenset("would could might may should can must shall will 'd wouldn't couldn't mightn't shouldn't".split())
AUXILIARIES = MODALS - {"'d"} | frozenset(
    """do does did is are was were has have had won't can't don't doesn't didn't isn't aren't wasn't weren't hasn't
    haven't""".split()
)
PRONOUNS = frozenset("i we you he she it they this that these those there one someone anyone everyone people".split())
_SUBJECT_PRONOUNS = frozenset("i we you he she it they there".split()) | {SOURCE}
_STATING_SUBJECTS = _SUBJECT_PRONOUNS | {"everyone", "everybody", "people"}
_DETERMINERS = frozenset("the a an our your their its my his her any some all each every both such".split())
_QUESTION_WORDS = frozenset("how what why who whom whose which where when".split())
_COORDINATORS = frozenset("and or but nor yet so then plus".split())
_LEAD_INS = frozenset(
    "also instead perhaps maybe rather still just then so alternatively well okay ok if not and or but".split()
)
_PREPOSITIONS = frozenset("in to by on for at from with of under about".split())
_BOUNDARIES = frozenset(", ; : — – ― - . ? ! ( ) 。 ؟ 、 ،".split())
_SET_OFF = frozenset(", — – :".split())
_ABBREVIATIONS = frozenset("al dr mr mrs ms prof st vs cf ed eds etc fig vol no jr sr phd e.g i.e".split())
_LOOK_AHEAD = 5


@lru_cache(maxsize=256)
def masked(draft: str, context: ShapeContext) -> Words:
    """The tokens of `draft` with quotations, the source's name and the slot terms each as one mark."""
    pieces, at = [], 0
    for quotation in quotations(draft):
        mark = TERM if words(quotation.text) == words(context.concept or "") else QUOTE
        pieces += [draft[at : quotation.start], f" {mark} "]
        at = quotation.end
    tokens = scan("".join([*pieces, draft[at:]]))
    # A label may hold a clitic ("People's Atlas"), which `scan` keeps and a name form does not.
    tokens = replace_phrases(tokens, (*context.source_names, scan(context.source_label)), (SOURCE,))
    return replace_phrases(tokens, (term for term in context.slot_terms if term not in context.source_names), (TERM,))


def is_boundary(tokens: Words, at: int) -> bool:
    """Whether the token at `at` parts two clauses; the full stop of an abbreviation does not."""
    return tokens[at] in _BOUNDARIES and not (tokens[at] == "." and at and _is_abbreviation(tokens[at - 1]))


def _is_abbreviation(token: str) -> bool:
    return token in _ABBREVIATIONS or (len(token) == 1 and token.isalpha())


def starts_second_sentence(tokens: Words) -> bool:
    """Whether words follow the end of a sentence."""
    last_word = max((at for at, token in enumerate(tokens) if _is_word(token)), default=-1)
    return any(
        token in ".!?。" and is_boundary(tokens, at) and any(map(_is_word, tokens[:at])) and at < last_word
        for at, token in enumerate(tokens)
    )


def _is_word(token: str) -> bool:
    return token[0].isalnum() or token in (SOURCE, QUOTE, TERM)


def asks(tokens: Words) -> list[int]:
    """Where `tokens` ask something: the positions at which a clause opens with a question's word order.

    A leading framing clause ("When we say X, would ...") asks nothing, nor does a free relative ("What we call X, ...").
    """
    found: list[int] = []
    for start in range(len(tokens)):
        before = tokens[start - 1] if start else ""
        opens = not start or is_boundary(tokens, start - 1)
        if not opens and before not in _COORDINATORS:
            continue
        at = start
        while at < len(tokens) and tokens[at] in _LEAD_INS:
            at += 1
        if at in found or not _opens_ask(
            tokens, at, coordinated=before in _COORDINATORS or at > start, first=not found
        ):
            continue
        if before in _COORDINATORS and _parallels_embedded(tokens, at):
            continue
        found.append(at)
    return _without_framing(tokens, found)


def _opens_ask(tokens: Words, at: int, *, coordinated: bool, first: bool) -> bool:
    if at < len(tokens) - 1 and tokens[at] in _PREPOSITIONS and tokens[at + 1] in _QUESTION_WORDS:
        at += 1
    if at >= len(tokens):
        return False
    token, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else "?"
    if token in AUXILIARIES:
        plain = (first and not coordinated) or _after_comma(tokens, at)
        return following not in _BOUNDARIES and (plain or _is_subject(following, after=token))
    if token not in _QUESTION_WORDS:
        return False
    if token == "when" or token == "where":
        return following in AUXILIARIES
    if following in PRONOUNS or following == SOURCE:
        return False
    if token in ("how", "why"):
        return _auxiliary_follows(tokens, at) or following in ("about", "come", "not") or following in _BOUNDARIES
    return coordinated or first or (token == "what" and following not in _BOUNDARIES) or _auxiliary_follows(tokens, at)


def _is_subject(token: str, *, after: str) -> bool:
    """Whether `token` can be the subject of an inverted clause; `do the dishes` and `have a plan` are no asks."""
    if token in PRONOUNS or token in (SOURCE, QUOTE, TERM):
        return True
    return token in _DETERMINERS and after not in ("do", "have", "has", "had")


def _after_comma(tokens: Words, at: int) -> bool:
    """Whether the clause at `at` is set off by a mark, a conjunction between them aside: *, or is rest ...*."""
    while at and tokens[at - 1] in _COORDINATORS | _LEAD_INS:
        at -= 1
    return at > 0 and tokens[at - 1] in _SET_OFF


def _auxiliary_follows(tokens: Words, at: int) -> bool:
    for ahead in range(at + 1, min(at + 1 + _LOOK_AHEAD, len(tokens))):
        if tokens[ahead] in AUXILIARIES:
            return True
        if tokens[ahead] in PRONOUNS or is_boundary(tokens, ahead):
            return False
    return False


def _parallels_embedded(tokens: Words, at: int) -> bool:
    """Whether the question word at `at` repeats one inside the clause: *decides who speaks and who listens*."""
    clause = at
    while clause and not is_boundary(tokens, clause - 1):
        clause -= 1
    opening = clause
    while opening < at and tokens[opening] in _LEAD_INS | _PREPOSITIONS:
        opening += 1
    return at < len(tokens) and tokens[at] in _QUESTION_WORDS and tokens[at] in tokens[opening + 1 : at]


def _without_framing(tokens: Words, found: list[int]) -> list[int]:
    """The asks without those of a leading clause that only frames the one after its comma."""
    if len(found) < 2:
        return found
    opens_with_ask = not any(_is_word(token) and token not in _LEAD_INS for token in tokens[: found[0]])
    bare = opens_with_ask and tokens[found[0]] in _QUESTION_WORDS and not _auxiliary_follows(tokens, found[0])
    if opens_with_ask and not bare:
        return found
    framed = [
        at
        for at in found
        if at and tokens[at - 1] in _SET_OFF and (tokens[at] in AUXILIARIES or _auxiliary_follows(tokens, at))
    ]
    return [at for at in found if at >= framed[0]] if framed else found


def has_second_clause(tokens: Words) -> bool:
    """Whether there is more than one ask, or a sentence or clause of its own beside the ask."""
    found = asks(tokens)
    if len(found) > 1 or starts_second_sentence(tokens):
        return True
    # "We keep saying fair, so would Lee agree?" states first; a framing clause opens with a conjunction instead.
    if found and found[0] > 0 and tokens[0] in _STATING_SUBJECTS:
        return True
    if any(token == ";" and any(map(_is_word, tokens[at:])) for at, token in enumerate(tokens)):
        return True
    ask = found[0] if found else 0
    return any(
        tokens[at] == "," and tokens[at + 1] in ("and", "but", "so", "yet") and tokens[at + 2] in _SUBJECT_PRONOUNS
        for at in range(ask, len(tokens) - 2)
    )


def phrase_starts(tokens: Words, phrase: str) -> list[int]:
    """Where the words of `phrase` start in `tokens`."""
    return [start for start, _ in find_phrase(tokens, tuple(phrase.split()))]
