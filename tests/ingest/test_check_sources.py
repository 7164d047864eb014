"""The store remembers since when each check's source is as it is."""

from pathlib import Path

import duckdb

from checks.registry import catalog
from ingest import ingest
from storefile import read

CHECK = "socratic.shape.no_digits"
STRETCHES = (
    f"SELECT source_sha256, first_seen, last_seen FROM check_sources WHERE check_id = '{CHECK}' ORDER BY last_seen"
)


def test_the_history_of_a_source(tmp_path: Path) -> None:
    """An unchanged source is one stretch however often it is seen; a changed one begins another, also back to an older."""
    log, db = tmp_path / "agent.log", tmp_path / "s.duckdb"
    log.write_text('[SocraticStage] summary {"outcome":"posted-writer","attempts":1}\n', encoding="utf-8")
    now = next(check.source_sha256 for check in catalog() if check.check_id == CHECK)
    ingest([str(log)], db)
    ingest([str(log)], db)
    [(sha, first, last)] = read(db, STRETCHES).rows()
    assert now == sha
    assert first < last
    with duckdb.connect(str(db)) as connection:
        connection.execute(f"UPDATE check_sources SET source_sha256 = 'former' WHERE check_id = '{CHECK}'")
    ingest([str(log)], db)
    ingest([str(log)], db)
    rows = read(db, STRETCHES).rows()
    assert ["former", now] == [row[0] for row in rows]
    assert (first, last) == rows[0][1:]
    with duckdb.connect(str(db)) as connection:
        connection.execute(f"UPDATE check_sources SET source_sha256 = 'between' WHERE source_sha256 = '{now}'")
        connection.execute("UPDATE check_sources SET source_sha256 = ? WHERE source_sha256 = 'former'", [now])
    ingest([str(log)], db)
    assert [now, "between", now] == [row[0] for row in read(db, STRETCHES).rows()]
