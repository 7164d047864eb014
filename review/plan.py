"""The pruning plan: which checks can be removed today, on what evidence, and what stands in the way of the others.

A check is on the plan when it never fired in enough evaluations, or when somebody decided to prune it. It can be removed
when a person decided so, a blind audit shows no regression without it, and nothing in the evidence speaks against it.
"""

import datetime as dt
import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.registry import ROOT, Check, catalog
from queries import Window
from queries.report import Findings, findings
from queries.sourcedates import last_changes
from queries.thresholds import Thresholds
from queries.wording import day, plural
from review.audit.result import IMPROVED, NO_DIFFERENCE, REGRESSION, AuditEvidence
from review.decisions import MAX_AGE_DAYS, Decision, Decisions, stale
from review.mentions import mentions

WhatIf = Callable[[Sequence[str]], str]
"""What would have happened without these checks, in a sentence; empty where it cannot be told."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """One check on the plan. `row` is its judged evidence; `in_the_way` is empty where it can be removed today.

    `cautions` are what to know before it is removed, and do not stop it. `tests` are places, `file:line`.
    """

    row: Row
    title: str
    source: str | None
    line: int | None
    runs_elsewhere: str
    decision: Decision | None
    audit: tuple[str, ...]
    whatif: str
    tests: tuple[str, ...]
    kept: bool
    in_the_way: tuple[str, ...]
    cautions: tuple[str, ...]

    @property
    def check_id(self) -> str:
        return str(self.row["check_id"])

    @property
    def removable(self) -> bool:
        return not self.in_the_way


@dataclass(frozen=True, slots=True)
class Plan:
    """The entries, those that can be removed first, then those with least in the way; and what holds for all."""

    entries: tuple[Entry, ...]
    window: str
    coverage: Row
    together: str
    cautions: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def removable(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.removable)


def make_plan(
    db: Path,
    window: Window,
    thresholds: Thresholds,
    decisions: Decisions,
    *,
    now: dt.datetime | None = None,
    whatif: WhatIf | None = None,
    audits: Iterable[AuditEvidence] = (),
    root: Path = ROOT,
    checks: Sequence[Check] | None = None,
    max_age_days: int = MAX_AGE_DAYS,
) -> Plan:
    """The plan for what the store holds in `window`; `now` (naive UTC) is what decisions are old or young by.

    `root` is the checkout whose sources and tests/ are looked at, `checks` its catalog. Raises StoreError.
    """
    found = findings(db, window, thresholds, decisions.actions, last_changes(root))
    now = now or dt.datetime.now(dt.UTC).replace(tzinfo=None)
    live = {check.check_id: check for check in (catalog() if checks is None else checks)}
    wanted = [row for row in found.checks.to_dicts() if _belongs(row, decisions)]
    listed = [live[row["check_id"]] for row in wanted if row["check_id"] in live]
    places = mentions(root, listed)
    heard = tuple(audits)
    entries = []
    for row in wanted:
        check_id = str(row["check_id"])
        decision, check = decisions.by_check.get(check_id), live.get(check_id)
        kept = _kept(row, decision)
        audit, objections = _audited(check_id, decision, heard)
        if not kept:
            objections = [*_decided(row, decision, now, max_age_days), *objections]
        entries.append(
            Entry(
                row=row,
                title=check.title if check else str(row["title"]),
                source=check.source if check else row["source"],
                line=check.line if check else None,
                runs_elsewhere=check.runs_elsewhere if check else "",
                decision=decision,
                audit=audit,
                whatif=whatif([check_id]) if whatif else "",
                tests=places.get(check_id, ()),
                kept=bool(kept),
                in_the_way=(*kept, *objections, *_evidence(row), *_source(row, check, root)),
                cautions=tuple(_cautions(row, check)),
            )
        )
    entries.sort(key=lambda entry: (entry.kept, len(entry.in_the_way), entry.check_id))
    ready = [entry.check_id for entry in entries if entry.removable]
    return Plan(
        entries=tuple(entries),
        window=window.describe(),
        coverage=found.coverage,
        together=whatif(ready) if whatif and len(ready) > 1 else "",
        cautions=tuple(_of_the_logs(found)),
        warnings=(*decisions.warnings, *_about_nobody(decisions, found.checks["check_id"].to_list())),
    )


def _belongs(row: Row, decisions: Decisions) -> bool:
    return row["verdict"] == "candidate" or decisions.actions.get(row["check_id"]) == "prune"


def _evidence(row: Row) -> list[str]:
    """What the logs themselves have against removing it."""
    against = []
    if row["verdict"] in ("thin", "no_evidence", "shadowed"):
        against.append(f"not enough data ({row['verdict']}): {row['explanation']}")
    elif row["verdict"] in ("fires", "strict", "quiet"):
        against.append(f"it fires ({row['verdict']}): {row['explanation']}")
    elif row["verdict"] == "retired":
        against.append("nothing to remove: it is not in the catalog any more")
    if row["fires_before"]:
        last = f", last on {day(row['last_fired_before'])}" if row["last_fired_before"] else ""
        against.append(
            f"it fired {plural(row['fires_before'], 'time')} before this window{last}; explain why it stopped"
        )
    if row["template_fires"]:
        against.append(
            f"it stopped {plural(row['template_fires'], 'template')}, which would have been posted without it"
        )
    if row["family_unmapped"] and not row["fires"]:
        against.append(
            f"{plural(row['family_unmapped'], 'reason')} of {row['family']} belong to no known check, and may be this one's; map them"
        )
    return against


def _kept(row: Row, decision: Decision | None) -> list[str]:
    """Why it stays: the page that it comes from, or a person, says so."""
    kept = [f"kept: {row['kept_because']}"] if row["kept_because"] else []
    if decision and decision.action == "keep":
        kept.append(f"kept: {decision.owner} decided so on {decision.date}: {decision.reason}")
    return kept


def _decided(row: Row, decision: Decision | None, now: dt.datetime, max_age_days: int) -> list[str]:
    """What people have against removing it, or have not said yet."""
    if decision is None:
        return ["nobody decided yet; write down who answers for pruning it, and why"]
    against = [f"the decision is stale: {why}" for why in stale(decision, row, now, max_age_days)]
    if decision.action == "watch":
        against.insert(0, f"watched: {decision.owner} decided so on {decision.date}: {decision.reason}")
    return against


def _audited(
    check_id: str, decision: Decision | None, audits: Sequence[AuditEvidence]
) -> tuple[tuple[str, ...], list[str]]:
    """What blind audits say of a system without the check, and what in that speaks against removing it."""
    heard = sorted(
        (audit for audit in audits if check_id in audit.check_ids),
        key=lambda audit: (audit.packet_sha256, audit.compared),
    )
    told = [f"{audit.sentence()}; auditors {', '.join(audit.auditors)}" for audit in heard]
    if decision and decision.audit:
        told.append(f"as {decision.owner} wrote: {decision.audit}")
    worse = [
        f"the blind audit shows a regression: {audit.sentence()}" for audit in heard if audit.verdict == REGRESSION
    ]
    if worse:
        return tuple(told), worse
    if any(audit.verdict in (NO_DIFFERENCE, IMPROVED) for audit in heard):
        return tuple(told), []
    if heard:
        return tuple(told), [f"the blind audit cannot be trusted: {heard[0].because}"]
    if decision and decision.audit:
        return tuple(told), []
    return (), ["no blind audit on a fresh reading without it"]


def _source(row: Row, check: Check | None, root: Path) -> list[str]:
    if check is None or check.source is None:
        return []
    against = []
    if row["source_sha256"] and check.source_sha256 and row["source_sha256"] != check.source_sha256:
        against.append(
            f"its source changed since the logs were ingested ({row['source_sha256'][:12]} then, "
            f"{check.source_sha256[:12]} today), so the evidence may be of other code"
        )
    try:
        on_disk = hashlib.sha256((root / check.source).read_bytes()).hexdigest()
    except OSError:
        return [*against, f"{check.source} is not there any more; it may be gone already"]
    if check.source_sha256 and on_disk != check.source_sha256:
        against.append(
            f"{check.source} on the disk is not what runs here ({on_disk[:12]}); start again, then look again"
        )
    return against


def _of_the_logs(found: Findings) -> list[str]:
    """What makes all of the evidence weaker without making it wrong."""
    cautions = []
    cover: Row = found.coverage
    for gap in found.gaps.to_dicts():
        days = (
            f"on {day(gap['first_day'])}" if gap["days"] == 1 else f"{day(gap['first_day'])} to {day(gap['last_day'])}"
        )
        cautions.append(f"gap: no logs at all {days}")
    if cover["rejects"]:
        cautions.append(f"{plural(cover['rejects'], 'record')} could not be read; what they told is not counted")
    if cover["undated_left_out"]:
        undated = plural(cover["undated_left_out"], "record")
        cautions.append(f"{undated} without a time count in no window, and so not here")
    if cover["without_agent_left_out"]:
        unnamed = plural(cover["without_agent_left_out"], "record")
        cautions.append(f"{unnamed} without an agent count for no agent, and so not here")
    return cautions


def _cautions(row: Row, check: Check | None) -> list[str]:
    """The same for one check."""
    cautions = []
    if row["evaluated_basis"] == "derived":
        cautions.append("its evaluations are worked out from other records, not logged")
    if row["inferred_sessions"]:
        cautions.append(f"of its {plural(row['sessions'], 'session')}, {row['inferred_sessions']:,} inferred")
    if check is not None and check.runs_elsewhere:
        cautions.append(f"its code is not in this checkout; it runs in {check.runs_elsewhere}")
    return cautions


def _about_nobody(decisions: Decisions, known: Collection[str]) -> list[str]:
    """Decisions to prune that the plan cannot follow, unless reading the file warned of them already."""
    return [
        f"{check_id}: {decision.owner} decided to {decision.action} it, but neither catalog nor logs know it"
        for check_id, decision in decisions.by_check.items()
        if check_id not in known and not any(check_id in warning for warning in decisions.warnings)
    ]
