"""The benchmark's own log, small: what is counted in the store is what was written."""

from collections import Counter
from pathlib import Path

import duckdb
import pytest

from bench.logs import FORMATS, write
from ingest import ingest


@pytest.mark.parametrize("layout", FORMATS)
@pytest.mark.parametrize("share", [0.01, 0.9])
def test_the_store_holds_what_the_generator_wrote(tmp_path: Path, layout: str, share: float) -> None:
    """Protects the benchmark from being fast and wrong: lines, events, fires by reason and runs equal the truth."""
    log, db = tmp_path / "app.log", tmp_path / "store.duckdb"
    truth = write(log, 1, share, layout)
    summary = ingest([str(log)], db)
    with duckdb.connect(str(db), read_only=True) as connection:
        fires = dict(connection.execute("SELECT fragment, count(*) FROM fires GROUP BY 1").fetchall())
        runs = Counter(
            f"{attempts} {outcome}"
            for attempts, outcome in connection.execute(
                "SELECT attempts, outcome FROM events WHERE kind = 'summary'"
            ).fetchall()
        )
    assert (truth["lines"], truth["events"], 0, 0) == (
        summary.lines,
        summary.events,
        summary.rejected,
        summary.unmapped,
    )
    assert truth["fires"] == fires
    assert truth["runs"] == dict(runs)
