"""Today's live checks over the logged drafts and texts: where do they agree with what the log says they said?"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import polars as pl

from checks.families import FAMILIES
from checks.registry import catalog, family_checks, retired_checks
from checks.socratic import ShapeContext
from queries import Window, run
from queries.wording import plural
from review.rejudge import (
    MISSING,
    NAMES,
    SYSTEMS,
    Judged,
    Row,
    extra_of,
    named,
    needs,
    read_again,
    rejudge,
    rejudge_lesson,
)
from storefile import UserError

BATCH = 20_000
LESSONS = 200
OUTCOMES = ("agree_fires", "agree_silent", "now_fires", "no_longer_fires", "unmapped", "needs_context")
"""What a comparison comes to. *unmapped*: it fires today, and the log gives a reason that no check owns, which may be it."""

DIFFERS = ("now_fires", "no_longer_fires", "unmapped")
TOTALS: dict[str, Any] = (
    {"check_id": pl.String, "family": pl.String}
    | dict.fromkeys((*OUTCOMES, "inferred"), pl.Int64)
    | {"needs": pl.String}
)
RECORDS: dict[str, Any] = {
    "event_id": pl.Int64,
    "time": pl.Datetime("us"),
    "session": pl.String,
    "agent": pl.String,
    "check_id": pl.String,
    "outcome": pl.String,
    "logged": pl.String,
    "text": pl.String,
}


class UnknownFamilyError(UserError):
    """There is no such family; the message names those there are."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of it.

    `totals`: one row per check, in counts of records (OUTCOMES; `inferred` counts those among them that rest on more
    than the record) and `needs`, what the log lacks. `records`: one row per record and check that differ, in the order
    of the store, at most `limit` of them; `differing` is how many there are. `notes` say what could not be compared.
    """

    totals: pl.DataFrame
    records: pl.DataFrame
    differing: int
    compared: int
    notes: tuple[str, ...]


def replay(
    db: Path,
    window: Window | None = None,
    family: str | None = None,
    *,
    limit: int = 1000,
    progress: Callable[[int], None] = lambda records: None,
) -> Replay:
    """Judge every logged record of the window again, a batch at a time; `progress` is told how many are done.

    Raises UnknownFamilyError, StoreError.
    """
    if family is not None and family not in FAMILIES:
        raise UnknownFamilyError(f"{family}: there is no such family of checks; there are {', '.join(FAMILIES)}")
    chosen = [family] if family else list(FAMILIES)
    counts: Counter[tuple[str, str]] = Counter()
    differing: list[dict[str, object]] = []
    compared = other_values = 0
    for row, judged in _judged(db, window or Window(), chosen):
        compared += 1
        unmapped = any(reason["check_id"] is None for reason in row["reasons"] or ())
        for one in judged:
            outcome = _outcome(one, unmapped=unmapped)
            counts[one.check_id, outcome] += 1
            counts[one.check_id, "inferred"] += one.inferred
            if outcome in DIFFERS and len(differing) < limit:
                differing.append(_record(row, one.check_id, outcome))
        other_values += row["kind"] == "answer" and _reads_another_number(row)
        if compared % 1000 == 0:
            progress(compared)
    progress(compared)
    totals = _totals(chosen, counts)
    return Replay(
        totals,
        pl.DataFrame(differing, schema=RECORDS, orient="row"),
        sum(counts[key] for key in counts if key[1] in DIFFERS),
        compared,
        tuple(_notes(chosen, counts, other_values)),
    )


def _judged(db: Path, window: Window, families: Sequence[str]) -> Iterator[tuple[Row, Iterable[Judged]]]:
    """Every record with what is said of it. The store is open only while a batch is fetched."""
    live = {check.check_id for check in catalog()}
    systems = ",".join(SYSTEMS[family] for family in families if family in SYSTEMS)
    after = -1
    while systems and (rows := run(db, "replay_records", window, systems=systems, after=after, limit=BATCH).to_dicts()):
        for row in rows:
            gone = (Judged(check_id, True, False) for check_id in named(row) if check_id not in live)
            yield row, [*(one for one in rejudge(row) if one.check_id in live), *gone]
        after = rows[-1]["event_id"]
    if "lesson" in families:
        yield from _lessons(db, window)


def _lessons(db: Path, window: Window) -> Iterator[tuple[Row, Iterable[Judged]]]:
    after: str | None = None
    while rows := run(db, "replay_lessons", window, after=after, limit=LESSONS).to_dicts():
        for _, calls in groupby(rows, key=lambda row: row["lesson"]):
            yield from ((row, judged) for row, judged in rejudge_lesson(list(calls)) if row["asked"])
        after = rows[-1]["lesson"]


def _outcome(one: Judged, *, unmapped: bool) -> str:
    match one.fired, one.fires:
        case _, None:
            return "needs_context"
        case True, True:
            return "agree_fires"
        case False, False:
            return "agree_silent"
        case True, False:
            return "no_longer_fires"
    return "unmapped" if unmapped else "now_fires"


def _record(row: Row, check_id: str, outcome: str) -> dict[str, object]:
    logged = "; ".join(reason["fragment"] for reason in row["reasons"] or ())
    kept = {name: row[name] for name in ("event_id", "time", "session", "agent", "text")}
    return kept | {"check_id": check_id, "outcome": outcome, "logged": logged}


def _reads_another_number(row: Row) -> bool:
    logged, today = extra_of(row).get("value"), read_again(row)
    return None not in (logged, today) and today is not None and today[0] is not None and today[0] != logged


def _totals(families: Sequence[str], counts: Counter[tuple[str, str]]) -> pl.DataFrame:
    rows: list[dict[str, object]] = []
    for family in families:
        live = [(check.check_id, needs(check)) for check in catalog() if check.family == family]
        gone = [(old.check_id, "") for old in retired_checks() if old.family == family]
        counted = {check_id for check_id, _ in counts if check_id.rpartition(".")[0] == family}
        unknown = [(check_id, "") for check_id in sorted(counted - {name for name, _ in live + gone})]
        for check_id, lacks in [*live, *(one for one in gone if one[0] in counted), *unknown]:
            figures = {name: counts[check_id, name] for name in (*OUTCOMES, "inferred")}
            rows.append({"check_id": check_id, "family": family, **figures, "needs": lacks})
    return pl.DataFrame(rows, schema=TOTALS, orient="row")


def _notes(families: Sequence[str], counts: Counter[tuple[str, str]], other_values: int) -> Iterator[str]:
    if "socratic.shape" in families:
        yield "A log holds rejected drafts alone, so nothing is said of the drafts that were posted."
    if "honesty" in families:
        yield (
            "Of a text that the honesty gate judged the log holds the claim alone: it is run on the claim by itself, against as "
            "many results without a name as the record counts. Where it fires, it agrees, and that is inferred; where "
            "it does not, nothing is said. Texts that passed are not logged."
        )
    for family in families:
        lacking = sum(
            counts[check.check_id, "needs_context"]
            for check in catalog()
            if check.family == family and not needs(check)
        )
        if lacking:
            yield f"{FAMILIES[family].title}: {lacking} could not be judged again for want of {MISSING[family]}."
    gone = {old.check_id for old in retired_checks()}
    if any(check_id in gone for check_id, _ in counts):
        yield "A retired check has no code, so what it once objected to counts as no longer firing."
    if other_values:
        yield f"{plural(other_values, 'answer')} would be read as another number today."


@dataclass(frozen=True, slots=True)
class Tried:
    """What one check says of a draft that was tried: `fires` is None where `needs` was not given."""

    check_id: str
    fires: bool | None
    reason: str
    needs: str


def try_draft(
    draft: str,
    *,
    source_label: str | None = None,
    concept: str | None = None,
    loaded_word: str | None = None,
    participants: Sequence[str] | None = None,
    passage: str | None = None,
    recent_posts: Sequence[str] | None = None,
) -> list[Tried]:
    """What every live shape check says of `draft`; the reasons that it would get are those of the checks that fire.

    A field that is None is unknown, and no check that needs it is run; an empty one says that there is none.
    """
    given = {
        "source_label": source_label,
        "concept": concept,
        "loaded_word": loaded_word,
        "participants": participants,
        "passage": passage,
        "recent_posts": recent_posts,
    }
    context = ShapeContext(
        source_label or "",
        concept or None,
        loaded_word or None,
        tuple(participants or ()),
        passage or "",
        tuple(recent_posts or ()),
    )
    tried = []
    for check in family_checks("socratic.shape"):
        lacks = ", ".join(NAMES[name] for name in check.needs if given[name] is None)
        fires = bool(check.function(draft, context)) if check.function and not lacks else None
        tried.append(Tried(check.check_id, fires, check.reason, lacks))
    return tried
