"""Whether a quoted word is credited to the source, read clause by clause."""

from collections.abc import Iterator

from checks.socratic.asks import MODALS, QUOTE, SOURCE, is_boundary
from checks.socratic.words import Words

_GROUP = frozenset(
    """we us our ours you your yours i my people everyone everybody someone somebody anyone anybody folks group room chat
    they them their others 我 咱 你 们""".split()
)
_MODALS = MODALS | frozenset("会 能 可".split())
_FREE_SUBJECTS = _GROUP | frozenset("it there this that".split())
_RELATIVES = frozenset("that what which who whom how whatever".split())
_LINKS = frozenset("as like way sense".split())
_ADJUNCTS = frozenset("for in to according per by as with".split())
# What may stand between "Lee's" and a word that is called Lee's.
_OWNED = frozenset(
    """own whole particular the a word words term terms notion idea ideas sense use usage meaning definition understanding
    version account concept view reading picture take label phrase talk of for on about as to""".split()
)
_NEAR = 3


def credits_source(tokens: Words) -> bool:
    """Whether a quotation in `tokens` (see `asks.masked`) is credited to the source in one of the clauses."""
    return any(
        _credited(clause, source, quote)
        for clause in _clauses(tokens)
        for source in _places(clause, SOURCE)
        for quote in _places(clause, QUOTE)
    )


def _places(clause: Words, mark: str) -> list[int]:
    return [at for at, token in enumerate(clause) if token == mark]


def _clauses(tokens: Words) -> Iterator[Words]:
    """The clauses of `tokens`; `Lee, who uses ...` and `For Lee, ...` are one clause with what follows."""
    clause: Words = ()
    for at, token in enumerate(tokens):
        if not is_boundary(tokens, at):
            clause += (token,)
            continue
        relative = clause[-1:] == (SOURCE,) and tokens[at + 1 : at + 2] in (("who",), ("whose",), ("which",))
        adjunct = clause[:1] and clause[0] in _ADJUNCTS and SOURCE in clause and len(clause) <= _NEAR + 2
        if token != "," or not (relative or adjunct):
            yield clause
            clause = ()
    yield clause


def _credited(clause: Words, source: int, quote: int) -> bool:
    first, last = sorted((source, quote))
    between = clause[first + 1 : last]
    # A possessive credits whatever the verb does: "would Lee's 'healthy' include rest" has Lee own the word.
    if source < quote and between[:1] in (("'s",), ("'",)) and _OWNED.issuperset(between[1:]):
        return True
    if _freed_by_modal(clause, source, quote) or not _GROUP.isdisjoint(between):
        return False
    if source < quote:
        return True
    linked = not _LINKS.isdisjoint(between)
    return linked or _GROUP.isdisjoint(clause[max(0, quote - _NEAR) : quote])


def _freed_by_modal(clause: Words, source: int, quote: int) -> bool:
    """Whether a modal governs the verb: *would Lee mean ...*, *Lee might say ...*, *would "healthy" mean ... to Lee*."""
    predicate = clause[source + 1 : quote if quote > source else len(clause)][:_NEAR]
    if not _MODALS.isdisjoint(predicate):
        return True
    subject = min(source, quote)
    return any(
        clause[at] in _MODALS
        and clause[at + 1] not in _FREE_SUBJECTS
        and _RELATIVES.isdisjoint(clause[at + 1 : subject])
        for at in range(subject)
    )
