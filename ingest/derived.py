"""What is derived from events and fires is kept, so that a question need not work it out anew (derived.sql).

Whoever changes records calls `mark` in the same transaction; `derive` works out what is marked. Between the two an answer
is right all the same: the views work out the marked places at every question.
"""

from collections.abc import Sequence
from pathlib import Path

import duckdb

import storefile
from storefile import opened

_NEW_PLACES = """
INSERT INTO places
SELECT (SELECT coalesce(max(place), 0) FROM places) + row_number() OVER (), name FROM changed ANTI JOIN places USING (name)
"""
_STALE = "INSERT INTO stale SELECT p.place, c.from_event FROM changed c JOIN places p USING (name)"


def mark(connection: duckdb.DuckDBPyConnection, condition: str, parameters: Sequence[object] = ()) -> None:
    """Note that the events which meet `condition` (SQL over the columns of `events`) changed, were added, or are about to go."""
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE changed AS SELECT coalesce(session, stream) AS name, min(event_id) AS from_event "
        f"FROM events WHERE {condition} GROUP BY name",
        list(parameters),
    )
    connection.execute(_NEW_PLACES)
    connection.execute(_STALE)


def derive(db: Path) -> bool:
    """Work out the places that are marked; costs nothing where there are none. False where DuckDB's memory does not suffice: the
    views go on working them out then."""
    with opened(db, write=True) as connection:
        try:
            if connection.execute("SELECT 1 FROM stale LIMIT 1").fetchall():
                storefile.derive(connection)
        except duckdb.OutOfMemoryException:
            return False
    return True
