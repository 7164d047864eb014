"""What was done to the logs that a reader of counts must know: texts taken out, records purged, hash chains verified."""

from collections.abc import Sequence
from typing import Any

import duckdb

from queries.loader import ask
from queries.wording import amount, day, plural, timestamp

DONE = {
    "none": "texts as logged",
    "names": "names, addresses and ids masked",
    "text": "texts replaced by keyed hashes",
}


def handling(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """One sentence each on redaction, purges and hash chains; none where there is nothing to say."""
    return sentences(*(ask(connection, name).to_dicts() for name in ("redactions", "purges", "chains")))


def sentences(
    redactions: Sequence[dict[str, Any]], purges: Sequence[dict[str, Any]], chains: Sequence[dict[str, Any]]
) -> list[str]:
    """The same from the answers of redactions.sql, purges.sql and chains.sql."""
    return [*_redacted(redactions), *_purged(purges), *_chained(chains)]


def _redacted(rows: Sequence[dict[str, Any]]) -> list[str]:
    if all(row["redaction"] == "none" for row in rows):
        return []
    if len(rows) == 1 and rows[0]["redaction"] in DONE:
        return [f"Redaction: {DONE[rows[0]['redaction']]} (--redact {rows[0]['redaction']})."]
    told = "; ".join(f"{plural(row['files'], 'file')} with {_choice(row['redaction'])}" for row in rows)
    return [f"Redaction is mixed: {told}. Equal texts of differently treated files are not told as equal."]


def _choice(redaction: str) -> str:
    return f"{DONE[redaction]} ({redaction})" if redaction in DONE else f"parts under different choices ({redaction})"


def _purged(rows: Sequence[dict[str, Any]]) -> list[str]:
    told = []
    times = [row for row in rows if row["before"] is not None]
    if times:
        latest = max(row["before"] for row in times)
        told.append(f"records before {timestamp(latest)} were purged ({_removed(times)})")
    sessions = [row for row in rows if row["before"] is None]
    if sessions:
        told.append(f"{plural(len(sessions), 'session')} purged ({_removed(sessions)})")
    return [f"Purged: {', and '.join(told)}; none of them is in any count."] if told else []


def _removed(rows: Sequence[dict[str, Any]]) -> str:
    rejects = sum(row["rejects"] for row in rows)
    more = f" and {plural(rejects, 'reject')}" if rejects else ""
    return (
        f"{plural(sum(row['events'] for row in rows), 'record')}{more} removed, the last on {day(rows[-1]['purged'])}"
    )


def _chained(rows: Sequence[dict[str, Any]]) -> list[str]:
    real = [row for row in rows if row["status"] != "not a chain"]
    broken = [row for row in real if row["status"] == "broken"]
    if not real:
        return []
    where = "".join(f"; {row['file']} is broken at line {row['line']}: {row['why']}" for row in broken[:3])
    more = f"; and {amount(len(broken) - 3)} more" if len(broken) > 3 else ""
    return [f"Hash chains: {amount(len(real) - len(broken))} of {plural(len(real), 'audit file')} intact{where}{more}."]
