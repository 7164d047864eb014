"""The report: what the logs cover, what may be pruned, what needs work, and what cannot be said and why."""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from queries.handling import handling
from queries.layout import Section, as_markdown, as_table
from queries.loader import ask
from queries.thresholds import Thresholds
from queries.verdicts import evidence, judge
from queries.window import Window
from queries.wording import amount, day, percent, plural, timestamp
from storefile import opened

Row = Mapping[str, object]
BOUNDS = "With 95 % confidence the true rate, and the share of sessions with a fire, lie below the bounds shown."


@dataclass(frozen=True, slots=True)
class Findings:
    """All that the report is made of: `checks` is the frame of `judge`."""

    window: Window
    thresholds: Thresholds
    coverage: dict[str, object]
    gaps: pl.DataFrame
    run_states: pl.DataFrame
    checks: pl.DataFrame
    handling: list[str]
    """What was done to the logs, in sentences: redaction, purges, hash chains."""


def findings(
    db: Path,
    window: Window | None = None,
    thresholds: Thresholds | None = None,
    decisions: Mapping[str, str] | None = None,
    source_dates: Mapping[str, dt.datetime] | None = None,
) -> Findings:
    """Ask the store everything that the report needs, over one connection; `source_dates` as for `evidence`."""
    asked, limits = window or Window(), thresholds or Thresholds()
    days = Window(asked.since, asked.until)
    with opened(db) as connection:
        return Findings(
            asked,
            limits,
            ask(connection, "coverage", asked).row(0, named=True),
            ask(connection, "gaps", days),
            ask(connection, "run_states", asked),
            judge(evidence(connection, asked, limits, source_dates), limits, decisions),
            handling(connection),
        )


def report(
    db: Path,
    window: Window | None = None,
    thresholds: Thresholds | None = None,
    format: str = "table",  # noqa: A002 - the name of the command line's option
    *,
    decisions: Mapping[str, str] | None = None,
    width: int | None = None,
) -> str:
    """The report on everything that `findings` finds, as `render` prints it."""
    return render(findings(db, window, thresholds, decisions), format, width=width)


def render(found: Findings, format: str = "table", *, width: int | None = None) -> str:  # noqa: A002
    """The report as `table` (plain text, `width` columns or those of the terminal), `markdown` or `json`."""
    if format == "json":
        return as_json(found)
    parts = sections(found)
    return as_markdown(parts) if format == "markdown" else as_table(parts, width)


def as_json(found: Findings) -> str:
    """Every figure: window, thresholds, coverage, gaps, runs, and one object per check."""
    content = {
        "window": {"since": found.window.since, "until": found.window.until, "agent": found.window.agent},
        "thresholds": {name: getattr(found.thresholds, name) for name in Thresholds.__slots__},
        "coverage": found.coverage,
        "handling": found.handling,
        "gaps": found.gaps.to_dicts(),
        "runs": found.run_states.to_dicts(),
        "checks": found.checks.to_dicts(),
    }
    return json.dumps(
        content,
        ensure_ascii=False,
        indent=2,
        default=lambda value: timestamp(value) if hasattr(value, "hour") else str(value),
    )


def sections(found: Findings) -> list[Section]:
    """The report's parts in the order in which a person needs them; those without content are left out."""
    checks = found.checks.to_dicts()
    of = {
        name: [row for row in checks if row["verdict"] == name]
        for name in ("candidate", "strict", "redundant", "quiet", "fires", "retired")
    }
    candidates = sorted(of["candidate"], key=lambda row: bool(row["kept_because"]))
    work = [row for name in ("strict", "redundant", "quiet") for row in of[name]]
    parts = [
        Section("What these logs cover", _coverage(found)),
        Section(
            "Prune candidates: never fired, though evaluated enough",
            _about_candidates(candidates, found),
            *_zeros(candidates),
        ),
        Section("Strict, redundant and quiet checks", [], *_fired(work)),
        _unsayable(checks, found),
        Section("Checks that fire", [], *_fired(of["fires"], alike=True)),
        Section(
            "Retired checks that older logs name",
            [],
            *_fired([row for row in of["retired"] if row["fires"]], alike=True),
        ),
    ]
    return [part for part in parts if part.sentences or part.rows]


def _coverage(found: Findings) -> list[str]:
    cover = found.coverage
    number = {name: value for name, value in cover.items() if isinstance(value, int)}
    sentences = [f"Window: {found.window.describe()}."]
    if not number["files"]:
        return [*sentences, "The store holds no logs yet; fill it with: gatecov ingest PATH."]
    read = f"{plural(number['lines'], 'line')} in {plural(number['files'], 'file')} ({_size(number['bytes'])})"
    if not number["records"]:
        elsewhere = f", {amount(number['records_in_store'])} outside it" if number["records_in_store"] else ""
        sentences.append(f"Read: {read}, but no relevant record lies in the window{elsewhere}.")
    else:
        dated = "none of them with a time"
        if cover["first_record"]:
            dated = f"from {_stamp(cover['first_record'])} to {_stamp(cover['last_record'])}"
        sentences.append(f"Read: {read}, {plural(number['records'], 'relevant record')}, {dated}.")
    if number["days"]:
        gaps = f"; none on {_spans(found.gaps)}" if number["gap_days"] else ", without a gap"
        sentences.append(
            f"Logs exist for {amount(number['days'])} of {plural(number['days'] + number['gap_days'], 'day')}{gaps}."
        )
    sentences += _runs(found.run_states)
    elsewhere = " in the whole store" if found.window != Window() else ""
    trouble = {
        "rejects": "could not be read (rejects)",
        "undated": "have no time (undated)",
        "undated_left_out": "left out because they have no time",
        "without_agent_left_out": "left out because they name no agent",
        "duplicates": f"told twice{elsewhere} and counted once",
    }
    said = [f"{amount(number[name])} {words}" for name, words in trouble.items() if number[name]]
    sentences.append(f"Records: {', '.join(said)}." if said else "Every record could be read and has a time.")
    if number["unmapped"]:
        sentences.append(f"Reasons: {amount(number['unmapped'])} belong to no known check (unmapped).")
    if number["incomplete_files"]:
        sentences.append(f"Files: {plural(number['incomplete_files'], 'file')} not read to the end.")
    return [*sentences, *found.handling]


def _runs(states: pl.DataFrame) -> list[str]:
    rows = states.to_dicts()
    total = sum(row["runs"] for row in rows)
    if not total:
        return []
    counts = {
        "without a summary": sum(row["runs"] for row in rows if not row["complete"]),
        "whose attempts do not add up": sum(row["runs"] for row in rows if row["consistent"] is False),
        "put together without a session (inferred)": sum(row["runs"] for row in rows if row["inferred"]),
    }
    odd = "".join(f", {amount(count)} {words}" for words, count in counts.items() if count)
    return [f"Socratic runs: {amount(total)}{odd}."]


def _about_candidates(candidates: Sequence[Row], found: Findings) -> list[str]:
    limits = found.thresholds
    least = plural(limits.min_evaluations, "evaluation"), plural(limits.min_sessions, "session")
    asked = f"{', '.join(least)} and {plural(limits.min_days, 'day')}"
    if not candidates:
        return [f"None: no check has zero fires in at least {asked}."]
    free = sum(not row["kept_because"] for row in candidates)
    kept = (
        f", and {amount(len(candidates) - free)} more that are kept whatever the evidence"
        if free < len(candidates)
        else ""
    )
    return [f"{plural(free, 'check')} with zero fires in at least {asked}{kept}.", BOUNDS]


Cells = tuple[list[str], list[list[str]]]


def _zeros(rows: Sequence[Row]) -> Cells:
    """The checks that never fired: what they could have fired on, and how small that leaves their rate."""
    titles = ["check", "evaluated", "sessions", "days", "rate below", "per session", "newest record", "recommendation"]
    return titles, [
        [
            str(row["check_id"]),
            _evaluated(row),
            _count(row["sessions"]),
            _count(row["days"]),
            _percent(row["upper_bound"]),
            _percent(row["upper_bound_sessions"]),
            _day(row["family_last_record"]),
            str(row["recommendation"]),
        ]
        for row in rows
    ]


def _fired(rows: Sequence[Row], *, alike: bool = False) -> Cells:
    """The checks that fired; `alike` leaves the verdict out, where the section's title says it."""
    titles = ["check", "verdict", "fires", "evaluated", "rate (95 % interval)", "first drafts", "alone", "last fired"]
    cells = [
        [
            str(row["check_id"]),
            str(row["verdict"]),
            _count(row["fires"]),
            _evaluated(row),
            _rate(row),
            f"{_count(row['first_draft_fires'])} of {_count(row['first_drafts'])}" if row["first_drafts"] else "",
            _count(row["sole_fires"]),
            _day(row["last_fired"]),
            str(row["recommendation"]),
        ]
        for row in rows
    ]
    table = [[*titles, "recommendation"], *cells]
    if alike:
        table = [[line[0], *line[2:]] for line in table]
    return table[0], table[1:]


def _unsayable(checks: Sequence[Row], found: Findings) -> Section:
    """Thin and shadowed checks one by one; those without evidence by family, since one reason holds for all."""
    title = "What cannot be said, and why"
    unknown: dict[str, list[Row]] = {}
    for row in checks:
        if row["verdict"] == "no_evidence":
            unknown.setdefault(str(row["family"]), []).append(row)
    sentences = [
        f"{family}: {plural(len(rows), 'check')} with zero fires and no known evaluation in the window "
        f"({found.window.describe()}), newest record {_day(rows[0]['family_last_record'])}: "
        f"{', '.join(str(row['check_id']).removeprefix(family + '.') for row in rows)}.{_of_all_agents(rows)}"
        for family, rows in unknown.items()
    ]
    return Section(title, sentences, *_zeros([row for row in checks if row["verdict"] in ("thin", "shadowed")]))


def _of_all_agents(rows: Sequence[Row]) -> str:
    """That a zero is the agent's alone, where others' records tell of evaluations (see Evidence.evaluated_of_all)."""
    most = max(int(str(row["evaluated_of_all"])) for row in rows)
    return (
        f" Up to {plural(most, 'evaluation')} of them in these dates, none of which names this agent." if most else ""
    )


def _spans(gaps: pl.DataFrame) -> str:
    spans = [
        day(first) if first == last else f"{day(first)} to {day(last)}" for first, last, _ in gaps.head(5).iter_rows()
    ]
    more = f" and {plural(gaps.height - 5, 'more gap')}" if gaps.height > 5 else ""
    return ", ".join(spans) + more


def _size(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"


def _evaluated(row: Row) -> str:
    return "unknown" if row["evaluated"] is None else f"{_count(row['evaluated'])} {row['evaluated_basis']}"


def _rate(row: Row) -> str:
    if row["rate"] is None:
        return "unknown"
    return f"{_percent(row['rate'])} ({_percent(row['rate_low'])} to {_percent(row['rate_high'])})"


def _count(value: object) -> str:
    return amount(value) if isinstance(value, int) else "unknown"


def _percent(value: object) -> str:
    return percent(value if isinstance(value, float) else None)


def _day(value: object) -> str:
    return day(value) if hasattr(value, "year") else "never" if value is None else str(value)  # type: ignore[arg-type]


def _stamp(value: object) -> str:
    return timestamp(value)  # type: ignore[arg-type]
