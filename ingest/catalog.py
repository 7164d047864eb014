"""The catalog of checks as the store holds it, and since when each check's source is as it is."""

import datetime as dt
from pathlib import Path

import duckdb

import checks
from checks.families import FAMILIES
from checks.registry import catalog, retired_checks
from ingest.identity import digest_of


def write_catalog(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the store hold the catalog as it is now; it is only loaded where its files changed."""
    stamp = _stamp()
    if not connection.execute("SELECT 1 FROM meta WHERE key = 'catalog' AND value = ?", [stamp]).fetchall():
        _write(connection)
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('catalog', ?)", [stamp])
    _note_sources(connection)


def _write(connection: duckdb.DuckDBPyConnection) -> None:
    rows = [
        (
            c.check_id,
            c.family,
            FAMILIES[c.family].mode,
            c.title,
            c.reason,
            c.order,
            c.kept_because,
            c.source,
            c.source_sha256,
            False,
        )
        for c in catalog()
    ]
    rows += [
        (r.check_id, r.family, FAMILIES[r.family].mode, r.title, r.reason, 0, "", None, None, True)
        for r in retired_checks()
    ]
    connection.execute("DELETE FROM checks")
    if rows:
        connection.executemany("INSERT INTO checks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _stamp() -> str:
    """Tells the catalog as it is from any other by its files, so that it is only loaded where it is needed."""
    folder = Path(checks.__file__).parent
    files = sorted(folder.rglob("*.py"))
    told = [(str(file.relative_to(folder)), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return digest_of(repr(told).encode())


def _note_sources(connection: duckdb.DuckDBPyConnection) -> None:
    """Remember since when each check's source is as it is now, so that a change is known from the store itself."""
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
    newest = "SELECT check_id, max_by(source_sha256, last_seen) AS source_sha256, max(last_seen) AS last_seen FROM check_sources GROUP BY check_id"
    connection.execute(
        "UPDATE check_sources SET last_seen = $now FROM checks c SEMI JOIN"
        f" ({newest}) n ON n.check_id = c.check_id AND n.source_sha256 = c.source_sha256"
        f" WHERE check_sources.check_id = c.check_id AND check_sources.last_seen = (SELECT n.last_seen FROM ({newest}) n WHERE n.check_id = c.check_id)",
        {"now": now},
    )
    connection.execute(
        "INSERT INTO check_sources SELECT c.check_id, c.source_sha256, $now, $now FROM checks c"
        f" ANTI JOIN ({newest}) n ON n.check_id = c.check_id AND n.source_sha256 = c.source_sha256 WHERE c.source_sha256 IS NOT NULL",
        {"now": now},
    )
