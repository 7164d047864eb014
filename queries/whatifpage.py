"""The what-if in words, as plain text, Markdown or JSON."""

import json
from collections.abc import Sequence

from queries.layout import Section, as_markdown, as_table
from queries.whatif import TOTALS, WhatIf, row_of
from queries.whatifwords import limits, sentence
from queries.wording import amount, day, plural, timestamp

READ = 20
"""As many texts are printed, the worst first."""


def render(found: WhatIf, style: str = "table", width: int | None = None) -> str:
    """The answer as `table` (plain text), `markdown` or `json`."""
    if style == "json":
        return as_json(found)
    parts = sections(found)
    return as_markdown(parts) if style == "markdown" else as_table(parts, width)


def as_json(found: WhatIf) -> str:
    """Every figure, the weeks, and the texts that were fetched."""
    window = found.window
    content = {
        "window": {"since": window.since, "until": window.until, "agent": window.agent},
        **row_of(found),
        "weeks": found.weeks.to_dicts(),
        "posted": found.posted.to_dicts(),
        "sentence": sentence(found),
        "limits": limits(found),
    }
    return json.dumps(
        content,
        ensure_ascii=False,
        indent=2,
        default=lambda value: timestamp(value) if hasattr(value, "hour") else str(value),
    )


def sections(found: WhatIf) -> list[Section]:
    """The answer in the order in which a person needs it; parts without content are left out."""
    names = ", ".join(found.checks) or "no check"
    parts = [
        Section(f"Without {names}", [f"Window: {found.window.describe()}.", sentence(found), *limits(found)]),
        Section("Totals, as they were and without", [], *_totals(found)),
        Section(_listed(found), [], *_posted(found)),
    ]
    return [part for part in parts if part.sentences or part.rows]


def _listed(found: WhatIf) -> str:
    shown = min(READ, found.posted.height)
    worst = f" (the worst {amount(shown)})" if shown < found.posted_total else ""
    return f"{plural(found.posted_total, 'text')} that would have got through{worst}"


Cells = tuple[Sequence[str], list[list[str]]]


def _totals(found: WhatIf) -> Cells:
    if found.runs.is_empty():
        return (), []
    titles = ["week of", *(name.replace("_", " ") for name in TOTALS)]
    rows = [
        [day(row["week"]) if row["week"] else "undated", *_pairs(row, {name: row[f"{name}_after"] for name in TOTALS})]
        for row in found.weeks.iter_rows(named=True)
    ]
    return titles, [*rows, ["all", *_pairs(found.before, found.after)]]


def _pairs(before: dict[str, int], after: dict[str, int]) -> list[str]:
    return [
        amount(before[name]) if before[name] == after[name] else f"{amount(before[name])} -> {amount(after[name])}"
        for name in TOTALS
    ]


def _posted(found: WhatIf) -> Cells:
    titles = ["time", "certain", "objections", "instead of", "attempt", "session", "reasons", "text"]
    return titles, [
        [
            timestamp(row["time"]) or "undated",
            "yes" if row["certain"] else "no",
            str(row["objections"]),
            row["before"] or "",
            f"{row['attempt']} of {row['attempts']}" if row["attempt"] else "",
            row["session"] or "",
            row["reasons"] or "",
            row["text"] or "(the log does not hold it)",
        ]
        for row in found.posted.head(READ).iter_rows(named=True)
    ]
