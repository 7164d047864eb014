"""The pruning plan as Markdown for a pull request, and as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence

from queries.wording import amount, day, harmless, percent, plural, timestamp
from review.plain import markdown
from review.plan import Entry, Plan

MOST_TESTS = 12
COLUMNS = (
    "check_id,removable,verdict,fires,evaluated,evaluated_basis,sessions,days,upper_bound,upper_bound_sessions,window,"
    "last_evaluated,last_record,whatif,source,line,source_sha256,tests,decision,owner,reason,decided,audit,in_the_way,"
    "cautions"
).split(",")


def plan_markdown(plan: Plan) -> str:
    """The plan for a pull request: first what can be removed today, then each check with its evidence."""
    ready = plan.removable
    waiting = [entry for entry in plan.entries if not entry.removable and not entry.kept]
    kept = [entry for entry in plan.entries if entry.kept]
    lines = ["# Pruning plan", "", _first_sentence(ready, waiting, kept), "", _covers(plan), ""]
    lines += [*(f"- Know of these logs: {markdown(caution)}" for caution in plan.cautions), ""] * bool(plan.cautions)
    if plan.together:
        lines += [f"All of them together: {markdown(plan.together)}", ""]
    for title, entries in (("Can be removed today", ready), ("Not yet", waiting), ("Kept", kept)):
        if entries:
            lines += [f"## {title}", "", *_overview(entries), ""]
        for entry in entries:
            lines += [*_section(entry), ""]
    if plan.warnings:
        lines += ["## Decisions to look at", "", *(f"- {markdown(warning)}" for warning in plan.warnings), ""]
    return "\n".join(lines).rstrip() + "\n"


def plan_csv(plan: Plan) -> str:
    """The plan as CSV (RFC 4180 with LF): one row per check, in the order of the Markdown; empty is unknown."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in plan.entries:
        writer.writerow([_cell(value) for value in _values(plan, entry)])
    return out.getvalue()


def _first_sentence(ready: Sequence[Entry], waiting: Sequence[Entry], kept: Sequence[Entry]) -> str:
    names = ", ".join(f"`{entry.check_id}`" for entry in ready)
    can = f"{plural(len(ready), 'check')} can be removed today: {names}." if ready else "No check can be removed today."
    more = f" {plural(len(waiting), 'check')} must wait; what stands in the way is said with each." if waiting else ""
    stay = f" {plural(len(kept), 'check')} {'is' if len(kept) == 1 else 'are'} kept." if kept else ""
    return f"**{can}**{more}{stay}"


def _covers(plan: Plan) -> str:
    cover = plan.coverage
    dates = f"{day(cover['first_record'])} to {day(cover['last_record'])}"
    gaps = f", {plural(int(cover['gap_days']), 'day')} without any" if cover["gap_days"] else ""
    return (
        f"Evidence: {plural(int(cover['records']), 'record')} from {dates}, logs of {plural(int(cover['days']), 'day')}{gaps}. "
        f"Window: {markdown(plan.window)}. A bound is the exact one-sided 95 % upper bound of the rate at which the check fires."
    )


def _overview(entries: Sequence[Entry]) -> Iterator[str]:
    yield "| check | verdict | fires | evaluations | sessions | days | bound | bound per session | in the way |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    for entry in entries:
        row = entry.row
        cells = (
            f"`{entry.check_id}`",
            row["verdict"],
            amount(row["fires"]),
            *("unknown" if row[name] is None else amount(row[name]) for name in ("evaluated", "sessions", "days")),
            *(percent(row[name]) for name in ("upper_bound", "upper_bound_sessions")),
            plural(len(entry.in_the_way), "point") if entry.in_the_way else "nothing",
        )
        yield f"| {' | '.join(cells)} |"


def _section(entry: Entry) -> Iterator[str]:
    row = entry.row
    yield f"### `{entry.check_id}`: {markdown(entry.title)}"
    yield ""
    yield f"- Evidence ({row['verdict']}): {markdown(row['explanation'])}"
    yield f"- Last evaluated {timestamp(row['last_evaluated']) or 'unknown'}; newest record of the family {timestamp(row['family_last_record']) or 'unknown'}."
    if entry.whatif:
        yield f"- Without it: {markdown(entry.whatif)}"
    yield f"- Source: {_source(entry)}"
    yield f"- Tests that mention it: {_tests(entry)}"
    if entry.decision:
        decision = entry.decision
        said = f"{decision.action}, by {decision.owner} on {decision.date}: {decision.reason}"
        yield f"- Decision: {markdown(said)}"
    else:
        yield "- Decision: none."
    yield from (f"- Audit: {markdown(told)}" for told in entry.audit)
    yield from (f"- Know: {markdown(caution)}" for caution in entry.cautions)
    yield from (f"- **In the way:** {markdown(point)}" for point in entry.in_the_way)


def _source(entry: Entry) -> str:
    if entry.source is None:
        return f"runs elsewhere ({markdown(entry.runs_elsewhere)})." if entry.runs_elsewhere else "none."
    place = f"`{entry.source}:{entry.line}`" if entry.line else f"`{entry.source}`"
    sha = entry.row["source_sha256"]
    return f"{place} (sha256 {sha[:12]})." if sha else f"{place}."


def _tests(entry: Entry) -> str:
    if not entry.tests:
        return "none."
    more = len(entry.tests) - MOST_TESTS
    shown = ", ".join(f"`{place}`" for place in entry.tests[:MOST_TESTS])
    return f"{shown} and {more} more." if more > 0 else f"{shown}."


def _values(plan: Plan, entry: Entry) -> list[object]:
    row, decision = entry.row, entry.decision
    return [
        entry.check_id,
        "yes" if entry.removable else "no",
        *(row[name] for name in ("verdict", "fires", "evaluated", "evaluated_basis", "sessions", "days")),
        *(row[name] for name in ("upper_bound", "upper_bound_sessions")),
        plan.window,
        timestamp(row["last_evaluated"]),
        timestamp(row["family_last_record"]),
        entry.whatif,
        entry.source,
        entry.line,
        row["source_sha256"],
        " ".join(entry.tests),
        *((decision.action, decision.owner, decision.reason, decision.date) if decision else (None,) * 4),
        "; ".join(entry.audit),
        "; ".join(entry.in_the_way),
        "; ".join((*plan.cautions, *entry.cautions)),
    ]


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else harmless(str(value))
