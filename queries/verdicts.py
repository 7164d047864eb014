"""What the evidence says of each check: which zero it is, what to do about it, and why.

`evidence` asks the store, `judge` is a pure function over the frame that it returns. The rules and their order are
those of the design's table, except that a check which is not in the catalog any more is retired whatever it did.

What one conversation holds is alike: twenty drafts of it are not twenty proofs. So a candidate needs enough sessions as
well as enough evaluations, and both bounds stand beside it: the one per evaluation, which takes them for independent, and
the one per session, which holds however alike they are. The truth lies between the two.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import duckdb
import polars as pl

from queries.intervals import upper_bound, wilson_interval
from queries.loader import ask
from queries.thresholds import Thresholds
from queries.window import Window
from queries.wording import amount, day, percent, plural

VERDICTS = ("candidate", "thin", "no_evidence", "shadowed", "quiet", "redundant", "strict", "fires", "retired")
BASIS = {"logged": "logged", "derived": "worked out from other records", "unknown": "unknown"}
ITEMS = {
    "socratic.slots": "slot sets",
    "socratic.shape": "drafts",
    "honesty": "final texts",
    "gates": "turns that ended in a response",
    "guardrail": "posts known",
    "probe.scale": "answers",
    "lesson": "tool calls",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one check in the window. Counts are None where the logs do not tell; times are naive UTC."""

    check_id: str
    family: str
    mode: str
    retired: bool = False
    kept_because: str = ""
    fires: int = 0
    evaluated: int | None = None
    evaluated_basis: str = "unknown"
    evaluated_fires: int | None = None
    family_evaluated: int | None = None
    evaluated_recently: int = 0
    first_drafts: int | None = None
    first_draft_fires: int | None = None
    sole_fires: int = 0
    undated_fires: int = 0
    sessions: int | None = None
    inferred_sessions: int | None = None
    days: int | None = None
    first_fired: dt.datetime | None = None
    last_fired: dt.datetime | None = None
    family_last_record: dt.datetime | None = None
    newest_record: dt.datetime | None = None
    fires_before: int = 0
    last_fired_before: dt.datetime | None = None
    gap_days: int = 0
    family_unmapped: int = 0
    shadowed_by: str = ""
    changed_after: dt.datetime | None = None
    changed_before: dt.datetime | None = None
    former_evaluated: int = 0
    former_fires: int = 0
    unversioned_evaluated: int = 0
    source_date: dt.datetime | None = None
    family_first_record: dt.datetime | None = None
    window: str = "everything in the store"
    evaluated_of_all: int = 0
    """Evaluations in the window without its agent."""

    @property
    def unnamed(self) -> bool:
        """Whether it was evaluated in the window, and no such record names the agent that was asked for."""
        return not self.evaluated and self.evaluated_of_all > 0

    @property
    def enough(self) -> bool:
        """Whether anything is known to have been judged at all."""
        return bool(self.evaluated)


def evidence(
    connection: duckdb.DuckDBPyConnection,
    window: Window,
    thresholds: Thresholds,
    source_dates: Mapping[str, dt.datetime] | None = None,
) -> pl.DataFrame:
    """One row per check: the columns of `check_totals`, and the rest of `Evidence`.

    Where the store saw a check's source change, records whose version is older than that do not count for it.
    `source_dates` are the dates of the sources' last change by their paths (`sourcedates.last_changes`): they stand beside
    the evidence and leave nothing out.
    """
    coverage = ask(connection, "coverage", window).row(0, named=True)
    newest = coverage["last_record"]
    since = newest - dt.timedelta(days=thresholds.quiet_days) if newest else None
    if since and window.since and since < window.since:
        since = window.since
    recently = ask(connection, "evaluated_recently", Window(since, window.until, window.agent))
    last = ask(connection, "last_records", window).select(
        "family", family_first_record="first_record", family_last_record="last_record"
    )
    unmapped = ask(connection, "unmapped", window).group_by("family").agg(family_unmapped=pl.col("count").sum())
    dates = pl.DataFrame(
        list((source_dates or {}).items()), schema={"source": pl.String, "source_date": pl.Datetime("us")}, orient="row"
    )
    return (
        since_change(ask(connection, "check_totals", window), ask(connection, "totals_since_change", window))
        .join(shadows(ask(connection, "shadowing", window)), on="check_id", how="left", maintain_order="left")
        .join(dates, on="source", how="left", maintain_order="left")
        .join(recently.rename({"evaluated": "evaluated_recently"}), on="check_id", how="left", maintain_order="left")
        .join(ask(connection, "fired_before", window), on="check_id", how="left", maintain_order="left")
        .join(last, on="family", how="left", maintain_order="left")
        .join(unmapped, on="family", how="left", maintain_order="left")
        .join(of_all_agents(connection, window), on="check_id", how="left", maintain_order="left")
        .with_columns(
            pl.col("evaluated_recently", "fires_before", "family_unmapped", "evaluated_of_all").fill_null(0),
            pl.col("shadowed_by").fill_null(""),
            pl.lit(newest, dtype=pl.Datetime("us")).alias("newest_record"),
            pl.lit(coverage["gap_days"]).alias("gap_days"),
            pl.lit(window.describe()).alias("window"),
        )
    )


def of_all_agents(connection: duckdb.DuckDBPyConnection, window: Window) -> pl.DataFrame:
    """How often each check was evaluated in the window, whatever the agent; no row where the window names none."""
    everyone = ask(connection, "check_totals", replace(window, agent=None)) if window.agent else None
    columns = {"check_id": pl.String, "evaluated_of_all": pl.Int64}
    return (
        pl.DataFrame(schema=columns) if everyone is None else everyone.select("check_id", evaluated_of_all="evaluated")
    )


def since_change(totals: pl.DataFrame, changed: pl.DataFrame) -> pl.DataFrame:
    """The frame of `check_totals` with the counts of `totals_since_change` in place of its own, where there are any."""
    counts = [name for name in changed.columns if name in totals.columns and name != "check_id"]
    joined = totals.join(changed, on="check_id", how="left", maintain_order="left", suffix="_since")
    is_changed = pl.col("changed_after").is_not_null()
    return joined.with_columns(
        *(pl.when(is_changed).then(f"{name}_since").otherwise(name).alias(name) for name in counts),
        pl.col("former_evaluated", "former_fires", "unversioned_evaluated").fill_null(0),
    ).drop(f"{name}_since" for name in counts)


def shadows(stopped: pl.DataFrame) -> pl.DataFrame:
    """Per check of a first-match family, what stopped the chain before it, the most first (`stopped` is shadowing.sql)."""
    named = pl.coalesce("stopped_by", pl.lit("a reason that is not in the catalog"))
    return (
        stopped.filter(pl.col("stopped") > 0)
        .select("check_id", shadowed_by=pl.format("{} by {}", "stopped", named))
        .group_by("check_id", maintain_order=True)
        .agg(pl.col("shadowed_by").str.join(", "))
    )


def judge(
    frame: pl.DataFrame, thresholds: Thresholds | None = None, decisions: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """The frame of `evidence` with verdict, recommendation, decision, explanation, rate, rate_low, rate_high,
    upper_bound and upper_bound_sessions added; rates are NULL where the evaluations are not known.

    `decisions` maps check ids to what a person decided, in the words of the decisions file.
    """
    limits = thresholds or Thresholds()
    columns = [field.name for field in fields(Evidence) if field.name in frame.columns]
    decided = dict(decisions or {})
    added = []
    for row in frame.select(columns).iter_rows(named=True):
        of_check = Evidence(**row)
        kind = verdict(of_check, limits)
        decision = decided.get(of_check.check_id)
        words: dict[str, object] = {
            "verdict": kind,
            "recommendation": recommendation(of_check, kind, limits, decision or ""),
            "decision": decision,
            "explanation": explanation(of_check, kind, limits),
        }
        added.append(words | rates(of_check))
    schema = dict.fromkeys(("verdict", "recommendation", "decision", "explanation"), pl.String) | dict.fromkeys(
        ("rate", "rate_low", "rate_high", "upper_bound", "upper_bound_sessions"), pl.Float64
    )
    return pl.concat([frame, pl.DataFrame(added, schema=schema)], how="horizontal")


def rates(of: Evidence) -> dict[str, float | None]:
    """Rate, its Wilson interval and its exact upper bound; the last one per session is for zero fires only."""
    names = ("rate", "rate_low", "rate_high", "upper_bound", "upper_bound_sessions")
    if not of.evaluated or of.evaluated_fires is None or of.evaluated_fires > of.evaluated:
        return dict.fromkeys(names)
    low, high = wilson_interval(of.evaluated_fires, of.evaluated)
    per_session = upper_bound(0, of.sessions) if of.sessions and not of.fires else None
    bound = upper_bound(of.evaluated_fires, of.evaluated)
    return dict(zip(names, (of.evaluated_fires / of.evaluated, low, high, bound, per_session), strict=True))


def verdict(of: Evidence, limits: Thresholds) -> str:
    """One of VERDICTS."""
    if of.retired:
        return "retired"
    if of.fires == 0:
        return _which_zero(of, limits)
    if _is_quiet(of, limits):
        return "quiet"
    if of.fires >= limits.redundant_fires and of.sole_fires == 0:
        return "redundant"
    first, objected = of.first_drafts or 0, of.first_draft_fires or 0
    if first >= limits.strict_first_drafts and objected / first >= limits.strict_rate:
        return "strict"
    return "fires"


def _which_zero(of: Evidence, limits: Thresholds) -> str:
    if not any(missing(of, limits).values()):
        return "candidate"
    reached_family = of.family_evaluated or 0
    if of.mode == "first-match" and reached_family >= limits.min_evaluations > (of.evaluated or 0):
        return "shadowed"
    return "thin" if of.enough else "no_evidence"


def _is_quiet(of: Evidence, limits: Thresholds) -> bool:
    # A fire without a time may have been yesterday's.
    if of.last_fired is None or of.newest_record is None or of.undated_fires:
        return False
    return of.evaluated_recently > 0 and of.last_fired < of.newest_record - dt.timedelta(days=limits.quiet_days)


def missing(of: Evidence, limits: Thresholds) -> dict[str, int]:
    """How much more evidence a zero needs before it makes a candidate, by unit; 0 where there is enough."""
    return {
        "evaluation": max(0, limits.min_evaluations - (of.evaluated or 0)),
        "session": max(0, limits.min_sessions - (of.sessions or 0)),
        "day": max(0, limits.min_days - (of.days or 0)),
    }


def recommendation(of: Evidence, kind: str, limits: Thresholds, decision: str = "") -> str:
    """What to do, as one phrase. A kept check stays, whatever the verdict; a decision is named beside the advice."""
    if of.kept_because and kind != "retired":
        return f"kept: {of.kept_because}"
    advice = {
        "candidate": "prune it, once a blind audit shows no regression without it",
        "thin": f"collect more logs first: {_more(of, limits)}",
        "no_evidence": "find out whether it runs at all, and log when it passes",
        "shadowed": "test it apart from the checks before it, which stopped the chain",
        "quiet": "find out what changed since its last fire before removing it",
        "redundant": "merge it into the checks that fire beside it, or prune it after a blind audit",
        "strict": "fix the writer's prompt or relax the rule",
        "fires": "leave it as it is",
        "retired": "nothing to do: only the logs know it",
    }[kind]
    if kind == "no_evidence" and of.unnamed:
        advice = "log which agent it runs for: it is evaluated, and none of those records names this one"
    if kind == "candidate" and of.family_unmapped:
        advice = f"map the family's {plural(of.family_unmapped, 'unmapped reason')} first: they may be this check's"
    elif kind == "candidate" and of.former_fires:
        advice = f"explain first why it stopped: it fired {plural(of.former_fires, 'time')} before its source changed"
    elif kind == "candidate" and of.fires_before:
        advice = f"explain first why it stopped: it fired {plural(of.fires_before, 'time')} before this window"
    return f"{advice} (decided: {decision})" if decision else advice


def _more(of: Evidence, limits: Thresholds) -> str:
    return ", ".join(plural(count, f"more {unit}") for unit, count in missing(of, limits).items() if count)


def explanation(of: Evidence, kind: str, limits: Thresholds) -> str:
    """The evidence in sentences: never a zero without its denominator, window and newest record."""
    sentences = [_counted(of), *_reason(of, kind, limits)]
    if of.fires == 0 and of.family_unmapped and not of.retired:
        sentences.append(
            f"Its family has {plural(of.family_unmapped, 'reason')} that belong to no known check: they may be its."
        )
    if of.fires_before:
        last = f", last on {day(of.last_fired_before)}" if of.last_fired_before else ""
        sentences.append(f"Before this window it fired {plural(of.fires_before, 'time')}{last}.")
    sentences += _changed(of)
    newest = f"on {day(of.family_last_record)}" if of.family_last_record else "unknown"
    gaps = f"; {plural(of.gap_days, 'day')} without any logs" if of.gap_days else ""
    sentences.append(f"Window: {of.window}; newest record of {of.family}: {newest}{gaps}.")
    return " ".join(sentences)


def _changed(of: Evidence) -> list[str]:
    """What a change of its source takes out of the evidence, and what may be of the former source."""
    told = []
    if of.changed_after and of.changed_before:
        when = f"between {day(of.changed_after)} and {day(of.changed_before)}"
        former = f"{plural(of.former_evaluated, 'evaluation')} and {plural(of.former_fires, 'fire')} of older versions do not count"
        unsure = f"; {amount(of.unversioned_evaluated)} that name no version may be of either source"
        told.append(f"Its source changed {when}: {former}{unsure if of.unversioned_evaluated else ''}.")
    if of.source_date and of.family_first_record and of.source_date > of.family_first_record:
        older = "all" if of.family_last_record and of.source_date > of.family_last_record else "some"
        told.append(
            f"Git dates its source's last change {day(of.source_date)}: {older} of the evidence is older than that."
        )
    return told


def _counted(of: Evidence) -> str:
    fired = "No fire" if of.fires == 0 else plural(of.fires, "fire")
    if of.unnamed:
        return f"{fired}; none of its {plural(of.evaluated_of_all, 'evaluation')} in these dates names this agent."
    if of.evaluated is None:
        return f"{fired}; how often it was evaluated is unknown."
    items = ITEMS.get(of.family, "evaluations")
    where = f"in {plural(of.sessions or 0, 'session')} on {plural(of.days or 0, 'day')}"
    inferred = f", {amount(of.inferred_sessions)} of the sessions inferred" if of.inferred_sessions else ""
    objected = of.evaluated_fires or 0
    among = f"; {amount(objected)} of the fires are among" if objected != of.fires else " in"
    return f"{fired}{among} {amount(of.evaluated)} {items} ({BASIS[of.evaluated_basis]}) {where}{inferred}."


def _alike(of: Evidence) -> list[str]:
    """The design effect: how much less the items are worth where those of one session are alike."""
    if not of.sessions or not of.evaluated or of.evaluated <= of.sessions:
        return []
    effect = f"{of.evaluated / of.sessions:.1f}"
    return [f"The second bound also holds where all {effect} of a session are alike (a design effect of {effect})."]


def _reason(of: Evidence, kind: str, limits: Thresholds) -> list[str]:
    known = rates(of)
    bound, per_session = known["upper_bound"], known["upper_bound_sessions"]
    sentences = []
    if of.fires == 0 and bound is not None:
        sessions = f", and in less than {percent(per_session)} of sessions" if per_session is not None else ""
        sentences.append(f"With 95 % confidence it fires on less than {percent(bound)} of them{sessions}.")
        sentences += _alike(of)
    elif known["rate"] is not None:
        interval = f"{percent(known['rate_low'])} to {percent(known['rate_high'])}"
        sentences.append(f"It fires on {percent(known['rate'])} of them (95 % interval {interval}).")
    if kind == "thin":
        sentences.append(f"Too little for a verdict: it needs {_more(of, limits)}.")
    if kind == "no_evidence" and not of.unnamed:
        sentences.append("Nothing in the logs says that it was ever run.")
    if kind == "shadowed":
        reached = f"{amount(of.evaluated or 0)} of {amount(of.family_evaluated or 0)}"
        sentences.append(
            f"Earlier checks, or one that is not in the catalog, stopped the chain: it was reached in {reached}"
            f"{f' ({of.shadowed_by})' if of.shadowed_by else ''}."
        )
    if kind == "quiet":
        since = f"Its last fire was on {day(of.last_fired)}"
        sentences.append(
            f"{since}; in the newest {limits.quiet_days} days it was evaluated {plural(of.evaluated_recently, 'time')}."
        )
    if kind == "redundant":
        sentences.append("Another check objected each time, so removing it would have changed nothing.")
    if kind == "strict":
        share = percent((of.first_draft_fires or 0) / (of.first_drafts or 1))
        sentences.append(f"It objects to {share} of {amount(of.first_drafts or 0)} first drafts.")
    if kind == "retired":
        sentences.append("It is not in the catalog any more.")
    return sentences
