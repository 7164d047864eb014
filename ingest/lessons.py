"""A lesson's tool call is recorded again as its state grows: the newest record stands for it, the others repeat it."""

import duckdb

from ingest.derived import mark

# An id that waits again after it had its result is a new call, as `checks.lesson.calls` reads it.
_SUPERSEDED = """
WITH touched AS (
    SELECT DISTINCT coalesce(session, stream) AS lesson FROM events WHERE event_id > ? AND system = 'lesson'
), records AS (
    SELECT
        e.event_id, coalesce(e.session, e.stream) AS lesson, (e.extra ->> '$.call') AS call,
        CASE e.kind WHEN 'quiz_call' THEN 'quiz' WHEN 'tool_refused' THEN e.subject WHEN 'tool_call' THEN e.subject ELSE e.kind END AS tool,
        (e.extra ->> '$.state') IN ('input-streaming', 'input-available') AS waits,
        e.time, e.file_id, e.byte_offset, e.part
    FROM events e JOIN touched t ON t.lesson = coalesce(e.session, e.stream)
    WHERE e.system = 'lesson' AND (e.extra ->> '$.call') IS NOT NULL
), ordered AS (
    SELECT
        event_id, lesson, tool, call, row_number() OVER in_order AS nth,
        waits AND NOT coalesce(lag(waits) OVER in_order, true) AS anew
    FROM records
    WINDOW in_order AS (PARTITION BY lesson, tool, call ORDER BY time, file_id, byte_offset, part)
), calls AS (
    SELECT *, sum(anew::INTEGER) OVER (PARTITION BY lesson, tool, call ORDER BY nth) AS number FROM ordered
)
SELECT event_id, last_value(event_id) OVER (
    PARTITION BY lesson, tool, call, number ORDER BY nth ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
) AS stands FROM calls
"""


def link_calls(connection: duckdb.DuckDBPyConnection, since: int) -> None:
    """Set `duplicate_of` of every record of a tool call but the newest, in the lessons that events after `since` touch."""
    changed = connection.execute(
        "UPDATE events SET duplicate_of = CASE WHEN s.stands <> s.event_id THEN s.stands END "
        f"FROM ({_SUPERSEDED}) s WHERE s.event_id = events.event_id "
        "AND events.duplicate_of IS DISTINCT FROM CASE WHEN s.stands <> s.event_id THEN s.stands END "
        "RETURNING events.event_id",
        [since],
    ).fetchall()
    if changed:
        mark(connection, "list_contains(?, event_id)", [[event_id for (event_id,) in changed]])
