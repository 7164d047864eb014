"""Why was there no probe? One conversation's records in their order, what each means, and what they come to.

It works backwards, as one would by hand: a guardrail that dropped the post, silence after a failed template, the template
after exhausted redrafts, slots that were rejected, and where nothing speaks of a probe, a goal that was never chosen.
"""

import datetime as dt
import difflib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from queries import Window, ask, run
from queries.layout import Section, as_markdown, as_table
from review.meanings import meaning
from review.plain import code, markdown, one_line
from storefile import UserError, opened

GOAL = "socratic_probe"
NEARBY = dt.timedelta(minutes=1)
Row = Mapping[str, Any]


class UnknownConversationError(UserError):
    """No record of the store belongs to the conversation; the message names near ones."""


@dataclass(frozen=True, slots=True)
class Step:
    """One record of the time line. `time` is naive UTC or None, `outcome` how a run ended, where the record
    says so, `repeats` true where another record told the same."""

    event_id: int
    time: dt.datetime | None
    system: str
    kind: str
    meaning: str
    text: str | None
    outcome: str | None
    repeats: bool
    file: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Chance:
    """One occasion on which a probe could have been posted, and what became of it, in one sentence."""

    conclusion: str
    posted: bool
    steps: int


@dataclass(frozen=True, slots=True)
class Trace:
    """What the store knows of one conversation."""

    session: str
    inferred: bool
    conclusion: str
    chances: tuple[Chance, ...]
    steps: tuple[Step, ...]
    notes: tuple[str, ...]

    def as_json(self) -> str:
        """The trace as one JSON object; times are ISO 8601 with Z."""
        return json.dumps(
            {
                "session": self.session,
                "inferred": self.inferred,
                "conclusion": self.conclusion,
                "chances": [{"conclusion": chance.conclusion, "posted": chance.posted} for chance in self.chances],
                "steps": [
                    {name: getattr(step, name) for name in Step.__slots__} | {"time": _iso(step.time)}
                    for step in self.steps
                ],
                "notes": list(self.notes),
            },
            ensure_ascii=True,
            indent=2,
        )

    def as_text(self) -> str:
        """The trace for a terminal; log text cannot move the cursor or colour anything."""
        lines = [f"Conversation {one_line(self.session)}", "", one_line(self.conclusion), ""]
        for step in self.steps:
            time = f"{step.time:%Y-%m-%d %H:%M:%S}" if step.time else "undated".ljust(19)
            lines.append(f"{time}  {one_line(step.meaning)}{' (told a second time)' if step.repeats else ''}")
            lines.append(f"{'':21}{one_line(step.file or '?')}:{step.line}")
            if step.text:
                lines.append(f"{'':21}> {one_line(step.text, 300)}")
        lines += [""] * bool(self.notes) + [f"Note: {one_line(note)}" for note in self.notes]
        return "\n".join(lines) + "\n"

    def as_markdown(self) -> str:
        """The trace for a page or an issue; log text stays text."""
        lines = [f"# Conversation {code(self.session)}", "", markdown(self.conclusion), ""]
        lines += ["| time (UTC) | what happened | text | record |", "| --- | --- | --- | --- |"]
        for step in self.steps:
            time = f"{step.time:%Y-%m-%d %H:%M:%S}" if step.time else "undated"
            told = " (told a second time)" if step.repeats else ""
            text = code(step.text, 300) if step.text else ""
            place = code(f"{step.file or '?'}:{step.line}")
            lines.append(f"| {time} | {markdown(step.meaning)}{told} | {text} | {place} |")
        lines += [""] * bool(self.notes) + [f"- {markdown(note)}" for note in self.notes]
        return "\n".join(lines) + "\n"


def trace(db: Path, session: str) -> Trace:
    """Everything the store holds of `session`, which is a session or the name of an inferred run.

    Raises UnknownConversationError, StoreError.
    """
    with opened(db) as connection:
        rows = ask(connection, "conversation", session=session).to_dicts()
        if not rows:
            raise UnknownConversationError(_unknown(session, ask(connection, "find_conversations", limit=2000)))
        times = [row["time"] for row in rows if row["time"]]
        unclaimed = pl.DataFrame()
        if times:
            streams = sorted({row["stream"] for row in rows})
            around = {"from_time": min(times) - NEARBY, "to_time": max(times) + NEARBY}
            unclaimed = ask(connection, "unclaimed_records", streams=streams, **around)
    inferred = any(row["inferred"] for row in rows)
    chances = tuple(_chance(part) for part in _chances([row for row in rows if not row["repeats"]]))
    return Trace(
        session=session,
        inferred=inferred,
        conclusion=_doubted(_conclusion(chances, rows), chances, unclaimed),
        chances=chances,
        steps=tuple(_step(row) for row in rows),
        notes=tuple(_notes(rows, inferred, unclaimed)),
    )


def find_sessions(
    db: Path, window: Window | None = None, *, session: str | None = None, text: str | None = None, limit: int = 50
) -> pl.DataFrame:
    """The conversations that fit, newest first: by a part of their name, a text in their records, a time (`window`).

    Columns: session, inferred, agent, first_time, last_time, records, runs, rejected_drafts, slots_rejected, drops,
    outcome (of the last complete run), total (how many fit without `limit`).
    """
    return run(db, "find_conversations", window, session=session, text=text, limit=limit)


def conversations(db: Path, window: Window, text: str | None, style: str) -> str:
    """The list of `find_sessions` as `table`, `markdown` or `json`; it says how many are not shown."""
    found = find_sessions(db, window, text=text)
    if style == "json":
        return found.drop("total").write_json() + "\n"
    if found.is_empty():
        return f"No conversation {'holds this text' if text else 'is known'} (window: {window.describe()}).\n"
    head = ("conversation", "inferred", "agent", "first record", "last record", "records", "outcome")
    names = ("session", "inferred", "agent", "first_time", "last_time", "records", "outcome")
    rows = [[_cell(row[name]) for name in names] for row in found.iter_rows(named=True)]
    total = found["total"][0]
    said = f"{len(rows)} of {total} conversations, newest first (window: {window.describe()}); tell one with: gatecov trace ID"
    section = Section("Conversations", [said], head, rows)
    return (as_markdown if style == "markdown" else as_table)([section]) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, dt.datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return "" if value is None else "yes" if value is True else "" if value is False else str(value)


def _chances(rows: Sequence[Row]) -> list[list[Row]]:
    """The records cut into chances: each decision that was stopped, and each run with what a guardrail did to its post."""
    chances: list[list[Row]] = []
    current: list[Row] | None = None
    run_number = None
    for row in rows:
        if row["system"] == "socratic":
            if current is None or row["run_number"] != run_number:
                current = []
                chances.append(current)
            run_number = row["run_number"]
            current.append(row)
        elif row["system"] == "agent":
            # The goal that is chosen without passages, after fetching them failed, is one chance and not two.
            after = (
                chances[-1] if chances and current is None and chances[-1][-1]["kind"] == "prefetch_failed" else None
            )
            if after is not None and row["kind"] == "chosen_without_passages":
                after.append(row)
            else:
                chances.append([row])
            current = None
        elif row["system"] == "guardrail" and current is not None:
            current.append(row)
    return chances


def _chance(rows: Sequence[Row]) -> Chance:
    if rows[0]["system"] == "agent":
        sentence = _STOPPED.get(rows[-1]["kind"], "No probe: the agent stopped ({reasons}).")
        if len(rows) > 1:
            sentence = (
                "No probe: fetching the passages failed, and the goal that was chosen all the same was discarded."
            )
        return Chance(sentence.format(reasons=_fragments(rows) or "no reason logged"), False, len(rows))
    summary = next((row for row in reversed(rows) if row["kind"] == "summary"), None)
    if summary is None:
        return Chance(
            f"Unknown: the run has no summary, so the log is cut off or the process stopped ({_effort(rows, None)}).",
            False,
            len(rows),
        )
    if summary["outcome"] not in ("posted-writer", "posted-template"):
        return Chance(_not_posted(rows, summary), False, len(rows))
    drops = [row for row in rows if row["kind"] == "guardrail_drop"]
    named = next((row for row in drops if row["goal"] == GOAL), None)
    if named:
        return Chance(
            f"No probe: {_what_passed(summary)} passed every check, and then the {named['subject'] or 'unnamed'} "
            "guardrail dropped it (strict safety posture).",
            False,
            len(rows),
        )
    if drops:
        goal = drops[0]["goal"] or "unknown"
        doubt = f"; a guardrail then dropped a post of the type {goal}, which may have been this one"
        return Chance(f"{_posted(rows, summary)}{doubt}.", False, len(rows))
    return Chance(f"{_posted(rows, summary)}.", True, len(rows))


_STOPPED = {
    "slots_rejected": "No probe: the decision was made, and its slots were rejected ({reasons}).",
    "chosen_without_passages": "No probe: the goal was chosen although no passage had been retrieved, so it was discarded.",
    "prefetch_failed": "No probe: fetching the passages failed, so the goal was not eligible.",
}


def _what_passed(summary: Row) -> str:
    return "the template" if summary["outcome"] == "posted-template" else "the writer's draft"


def _posted(rows: Sequence[Row], summary: Row) -> str:
    if summary["outcome"] == "posted-template":
        return f"A probe was posted, from the template: no draft of the writer passed ({_effort(rows, summary)})"
    if summary["attempts"] == 1:
        return "A probe was posted: the writer's first draft passed every check"
    return f"A probe was posted: attempt {summary['attempts']} passed every check ({_effort(rows, summary)})"


def _not_posted(rows: Sequence[Row], summary: Row) -> str:
    effort = _effort(rows, summary)
    if summary["outcome"] != "silent":
        return f"Unknown: the run ended as {summary['outcome'] or 'nothing'}, which means nothing to us ({effort})."
    template = [row for row in rows if row["kind"] == "template_failed"]
    if not template:
        return f"No probe: no draft passed ({effort}), and the run ended in silence; what became of the template is not logged."
    reasons = _fragments(template) or "no reason logged"
    return f"No probe: no draft passed ({effort}), and the template failed its own checks ({reasons}), so nothing was posted."


def _effort(rows: Sequence[Row], summary: Row | None) -> str:
    """The attempts behind an outcome: 4 writer calls, 3 drafts rejected: no digits 2 x, over 40 words; 1 call failed."""
    rejected = [row for row in rows if row["kind"] == "draft_rejected"]
    failed = sum(row["kind"] == "writer_failed" for row in rows)
    words = [_counted(summary["attempts"], "writer call")] if summary and summary["attempts"] is not None else []
    if rejected:
        words.append(f"{_counted(len(rejected), 'draft')} rejected: {_fragments(rejected) or 'no reason logged'}")
    if failed:
        words.append(f"{_counted(failed, 'call')} failed")
    return "; ".join(words) or "no draft logged"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _fragments(rows: Sequence[Row]) -> str:
    counts = Counter(fragment for row in rows for fragment in row["fragments"])
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{fragment} {count} x" if count > 1 else fragment for fragment, count in ordered)


def _conclusion(chances: Sequence[Chance], rows: Sequence[Row]) -> str:
    if not chances:
        goals = sorted({row["goal"] for row in rows if row["kind"] == "post_detected" and row["goal"]} - {GOAL})
        if goals:
            return f"No probe: nothing here speaks of one, and the agent chose another goal ({', '.join(goals)})."
        return (
            "No probe: nothing here speaks of one, so either the goal was not eligible (no passages were retrieved: "
            "look at the resource's fileName and for a prefetch warning) or the model chose another goal or none."
        )
    if len(chances) == 1:
        return chances[0].conclusion
    posted = sum(chance.posted for chance in chances)
    return f"Of {len(chances)} chances {posted} led to a probe; the last: {chances[-1].conclusion}"


def _doubted(conclusion: str, chances: Sequence[Chance], unclaimed: pl.DataFrame) -> str:
    """A post is not certain while a guardrail beside it dropped one of nobody knows whom."""
    drops = sum(row["records"] for row in unclaimed.to_dicts() if row["kind"] == "guardrail_drop")
    if not drops or not chances or not chances[-1].posted:
        return conclusion
    drop = (
        "a guardrail drop that names no session stands"
        if drops == 1
        else f"{drops} guardrail drops that name no session stand"
    )
    return f"{conclusion.removesuffix('.')}; {drop} within a minute of it, and may have stopped it."


def _step(row: Row) -> Step:
    return Step(
        event_id=row["event_id"],
        time=row["time"],
        system=row["system"],
        kind=row["kind"],
        meaning=meaning(row),
        text=row["text"],
        outcome=row["outcome"],
        repeats=row["repeats"],
        file=row["file"],
        line=row["line"],
    )


def _notes(rows: Sequence[Row], inferred: bool, unclaimed: pl.DataFrame) -> list[str]:
    notes = []
    if inferred:
        notes.append(
            "inferred: these lines name no session; they were put together by stream, order and attempt number, "
            "so that a line may belong to another conversation"
        )
    undated = sum(row["time"] is None for row in rows)
    if undated:
        notes.append(f"{_counted(undated, 'record')} without a time stand last, in the order of the file")
    if unclaimed.height:
        kinds = ", ".join(f"{row['records']} {row['kind'].replace('_', ' ')}" for row in unclaimed.to_dicts())
        notes.append(
            f"in the same streams, within a minute, stand records that name no session and may belong here: {kinds}"
        )
    return notes


def _unknown(session: str, known: pl.DataFrame) -> str:
    names = known["session"].to_list()
    near = [name for name in names if session.casefold() in name.casefold()][:3] or difflib.get_close_matches(
        session, names, 3
    )
    hint = f"near ones are {', '.join(near)}" if near else "search for one by a text or a time"
    return f"{one_line(session, 80)}: no record in the store belongs to this conversation; {one_line(hint)}"


def _iso(time: dt.datetime | None) -> str | None:
    return f"{time.isoformat()}Z" if time else None
