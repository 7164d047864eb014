"""Figures in words: a zero never stands without what it was out of, and when that was last seen.

The words are Markdown of our own; nothing that was logged is put into them.
"""

import datetime as dt
from typing import Any, Literal

import polars as pl

from checks.families import FAMILIES
from queries.wording import plural

VERDICTS = {
    "candidate": "never fired, on evidence enough to consider removing it",
    "strict": "fires on at least half of first drafts: a prompt problem or an over-strict rule",
    "redundant": "fires, but never as the only one to object",
    "quiet": "fired before, and not any more",
    "shadowed": "reached too seldom, because earlier checks stopped the chain",
    "thin": "never fired, on too little evidence",
    "no_evidence": "no record of the window says that it was run",
    "fires": "earns its keep",
    "retired": "in the logs, not in the code any more",
}
"""Every verdict, the ones to act on first, and what it means."""
COLOURS: dict[str, Literal["red", "orange", "violet", "blue", "green"]] = {
    "candidate": "red",
    "strict": "orange",
    "redundant": "violet",
    "quiet": "blue",
    "fires": "green",
}
"""The badge of a verdict; grey where it is not named."""


def day(moment: dt.datetime | dt.date | None) -> str:
    return f"{moment:%-d %B %Y}" if moment else "no date"


def span(first: dt.datetime | dt.date | None, last: dt.datetime | dt.date | None) -> str:
    """Two days as a span, for example *1 to 28 June 2026*."""
    if not first or not last:
        return "undated"
    if (first.year, first.month) == (last.year, last.month):
        return day(last) if first.day == last.day else f"{first.day} to {day(last)}"
    return f"{day(first)} to {day(last)}"


def judged(totals: pl.DataFrame, family: str) -> str:
    """How many items a family judged, and when the last was (`totals` is data.totals), or why that is not known."""
    item = FAMILIES[family].item
    rows = totals.filter((pl.col("family") == family) & ~pl.col("retired"))
    counts = rows["family_evaluated"].drop_nulls().to_list()
    others = max(rows["evaluated_of_all"].drop_nulls().to_list(), default=0)
    if not counts and others:
        return f"an unknown number of {item}s (none of the {others:,} in these dates names this agent)"
    if not counts:
        return f"an unknown number of {item}s (the logs do not tell what passed)"
    last = max(rows["last_evaluated"].drop_nulls().to_list(), default=None)
    return f"{plural(max(counts), item)} (the last on {day(last)})"


def gaps(rows: pl.DataFrame, first: dt.date | None, last: dt.date | None) -> str:
    """The days without logs (`rows` is gaps.sql), within the days that are covered at all."""
    if first is None:
        return "No day is known to be covered."
    if rows.is_empty():
        return f"No day from {span(first, last)} is without logs."
    listed = [span(row["first_day"], row["last_day"]) for row in rows.head(3).iter_rows(named=True)]
    more = ", ..." if rows.height > 3 else ""
    return f"**{plural(int(rows['days'].sum()), 'day')} without logs**: {', '.join(listed)}{more}."


def live(checks: pl.DataFrame) -> int:
    """How many of them the catalog holds: a retired one is no check that could be pruned."""
    return checks.filter(~pl.col("retired")).height


def candidates(checks: pl.DataFrame) -> str:
    """How many checks never fired on enough evidence (`checks` is the frame of verdicts), and how many of those stay."""
    found = checks.filter(pl.col("verdict") == "candidate")
    kept = found.filter(pl.col("kept_because") != "").height
    stays = f" ({kept} of them on the keep-list)" if kept else ""
    return f"{found.height} of {plural(live(checks), 'check')} never fired on enough evidence{stays}"


def covered(seen: dict[str, Any]) -> str:
    """What the logs cover, in one sentence (`seen` is the row of coverage.sql)."""
    if not seen["records"]:
        return "No record lies in this window." if seen["records_in_store"] else "The store holds no record yet."
    undated = f" ({seen['undated']:,} of them without a time)" if seen["undated"] and seen["first_record"] else ""
    # Files and lines have no agent, and no one time: they are the whole store's.
    whole = seen["records_in_store"] - seen["duplicates"]
    out_of = f", of {whole:,} in the store" if seen["records"] < whole else ""
    return (
        f"{plural(seen['records'], 'record')} from {span(seen['first_record'], seen['last_record'])}{undated}{out_of}, "
        f"read from {plural(seen['files'], 'file')} of {plural(seen['lines'], 'line')}."
    )


def sections(doc: str, headings: tuple[str, ...]) -> list[tuple[str, str]]:
    """A docstring cut at its headings, each with the text under it; what stands before the first has none."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line in doc.splitlines():
        if line.strip() in headings:
            parts.append((line.strip(), []))
        elif set(line.strip()) != {"-"}:
            parts[-1][1].append(line.strip())
    return [(heading, "\n".join(lines).strip()) for heading, lines in parts if any(lines)]
