"""What a what-if says in sentences: never a figure without what it is out of, and what cannot be known beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.families import FAMILIES
from queries.wording import amount, plural

if TYPE_CHECKING:
    from queries.whatif import WhatIf


def sentence(found: WhatIf) -> str:
    """What would have been otherwise, never without what it is out of."""
    parts = [part for part in (_runs(found), *_stops(found), _open(found)) if part]
    if parts:
        return " ".join(parts)
    if not found.checks:
        return "Nothing would have been otherwise: no check was removed."
    whom = "it" if len(found.checks) == 1 else "these checks"
    out_of = f", in {_judged(found)}" if "collect-all" in found.modes.values() else ""
    return f"Nothing would have been otherwise: no text was rejected by {whom} alone in this window{out_of}."


def _judged(found: WhatIf) -> str:
    before = found.before
    return f"{plural(before['rejected_drafts'], 'rejected draft')} of {plural(before['runs'], 'complete run')}"


def _runs(found: WhatIf) -> str:
    if found.runs.is_empty():
        return ""
    before, parts = found.before, []
    if found.passed:
        total = sum(found.passed.values())
        where = ", ".join(f"{amount(count)} at attempt {attempt}" for attempt, count in found.passed.items())
        parts.append(
            f"{amount(total)} of {plural(before['rejected_drafts'], 'rejected draft')} would have passed ({where})"
        )
    templates = int((found.runs["passes"] == "template").sum())
    if templates:
        parts.append(f"{plural(templates, 'template')} would have been posted where there was silence")
    saved = f"{amount(found.saved_calls)} of {plural(before['writer_calls'], 'writer call')} saved"
    avoided = found.avoided
    spared = (
        f"{amount(avoided['posted-template'])} of {plural(before['posted_template'], 'template')} "
        f"and {amount(avoided['silent'])} of {plural(before['silent'], 'silence')} avoided"
    )
    return (
        f"{' and '.join(parts)} in {amount(found.runs.height)} of {plural(before['runs'], 'run')}: {saved}, {spared}."
    )


def _stops(found: WhatIf) -> list[str]:
    """One sentence per other family: how much it stopped, and how much of that is known."""
    told = []
    for (family,), rows in found.stops.group_by("family", maintain_order=True):
        total, certain = rows.height, int(rows["certain"].sum())
        items = f"{FAMILIES[str(family)].item}s"
        first = f"In {family} there would not have been {plural(total, 'objection')} to {items}"
        if certain == total:
            told.append(f"{first}; nothing that is left could have objected instead.")
        else:
            sure = f"for {amount(certain)} nothing that is left could have objected instead, " if certain else ""
            told.append(f"{first}: {sure}for {amount(total - certain)} {_why(str(rows['mode'][0]))}.")
    return told


def _why(mode: str) -> str:
    if mode == "first-match":
        return "it cannot be known whether a later check would have, since the chain stopped before it"
    return "it cannot be known whether another check would have stopped the same text"


def _open(found: WhatIf) -> str:
    if found.open_runs.is_empty():
        return ""
    return f"{plural(found.open_runs.height, 'run')} without a summary would also have had a draft pass; no end of them is known, so they count apart."


def limits(found: WhatIf) -> list[str]:
    """What to keep in mind, one sentence each."""
    told = []
    if found.runs.height:
        told.append(
            "Exact as far as the log goes: this family reports every failed check. Later drafts are taken as logged, though "
            "the writer would not have been handed the removed checks' reasons; a guardrail after the stage is not foreseen."
        )
    inferred = int(found.runs["inferred"].sum())
    if inferred:
        told.append(f"{amount(inferred)} of the runs were put together without a session (inferred).")
    if found.unknown:
        told.append(
            f"{plural(found.unknown, 'text')} never reached the checks that are left: what they would have said cannot be known."
        )
    return told
