"""A replay for a terminal, as Markdown, and as JSON."""

import json
from collections.abc import Iterator

import polars as pl

from queries.layout import Section, as_markdown, as_table
from queries.wording import amount, plural, timestamp
from review.plain import one_line
from review.replay import OUTCOMES, Replay

SHOWN = 40
LONGEST = 160
TITLES = (
    "Check",
    "Agree: fires",
    "Agree: silent",
    "Now fires",
    "No longer",
    "Unmapped",
    "Cannot say",
    "What the log lacks",
)
WORDS = {
    "now_fires": "fires today, and the log has nothing of it",
    "no_longer_fires": "is in the log, and is silent today",
    "unmapped": "fires today, and the log has a reason that no check owns",
}


def render(found: Replay, style: str) -> str:
    """The replay as `table`, `markdown` or `json`."""
    if style == "json":
        return as_json(found)
    return (as_markdown if style == "markdown" else as_table)(list(_sections(found)))


def as_json(found: Replay) -> str:
    """One object: compared, differing, totals, records and notes; times are ISO 8601 with Z."""
    records = [row | {"time": timestamp(row["time"]) if row["time"] else None} for row in found.records.to_dicts()]
    figures = {"compared": found.compared, "differing": found.differing}
    return json.dumps(figures | {"totals": found.totals.to_dicts(), "records": records, "notes": found.notes}, indent=2)


def _sections(found: Replay) -> Iterator[Section]:
    seen = found.totals.filter(pl.sum_horizontal(OUTCOMES) > 0)
    said = int(seen.select(pl.sum_horizontal("agree_fires", "agree_silent").sum()).item() or 0)
    first = (
        f"{plural(found.compared, 'logged record')} judged again: today's checks agree with the log {plural(said, 'time')} "
        f"and differ {plural(found.differing, 'time')}."
    )
    rows = [[row["check_id"], *(amount(row[name]) for name in OUTCOMES), row["needs"]] for row in seen.to_dicts()]
    yield Section("Replay", [first, *found.notes], TITLES, rows)
    if found.records.height:
        cut = [f"The first {SHOWN} of {amount(found.differing)}."] if found.differing > SHOWN else []
        yield Section(
            "Where today's checks differ",
            cut,
            ("Record", "Time (UTC)", "Check", "What", "Text"),
            [
                [
                    str(row["event_id"]),
                    timestamp(row["time"]) if row["time"] else "undated",
                    row["check_id"],
                    WORDS[row["outcome"]],
                    one_line(row["text"] or "", LONGEST),
                ]
                for row in found.records.head(SHOWN).to_dicts()
            ],
        )
