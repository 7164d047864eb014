"""Records that stand in two files: a shorter copy of a file that is known, and (only when asked) copies of single records.

A file that is known is told by a digest of all of it, which says nothing of a part. So a shorter copy is told by its
records: each stands in the longer file at the same byte, line and time, with the same values.
"""

from pathlib import Path

import duckdb

from ingest.derived import mark
from storefile import opened, transaction

_SAME = (
    "line, byte_offset, part, system, kind, form, agent, session, level, attempt, attempts, outcome, severity, action, "
    "subject, goal, ok_count, fail_count"
)
_LONGER = """
SELECT k.file_id, k.file, k.redaction = f.redaction, f.resume_at FROM files k JOIN files f USING (head_digest, framing)
WHERE f.file_id = ? AND k.file_id <> f.file_id AND k.bytes > f.bytes AND f.framing = 'lines' ORDER BY k.bytes DESC
"""
_DIFFERENT = f"""
WITH rows_of AS (
    SELECT file_id, {_SAME},
        CASE WHEN time_source NOT LIKE '%(assumed %' THEN time END AS told,
        CASE WHEN $texts THEN text END AS said
    FROM events WHERE file_id IN ($short, $long)
)
SELECT
    (SELECT count(*) FROM events WHERE file_id = $short AND byte_offset < $whole) AS compared,
    (SELECT count(*) FROM (
        SELECT * EXCLUDE (file_id) FROM rows_of WHERE file_id = $short AND byte_offset < $whole
        EXCEPT SELECT * EXCLUDE (file_id) FROM rows_of WHERE file_id = $long
    )) AS other_events,
    (SELECT count(*) FROM events s WHERE file_id = $short AND byte_offset >= $whole AND NOT EXISTS (
        FROM events l WHERE l.file_id = $long AND l.byte_offset = s.byte_offset AND l.part = s.part AND l.kind = s.kind
            AND l.system = s.system AND l.time IS NOT DISTINCT FROM s.time
    )) AS other_last,
    (SELECT count(*) FROM rejects s WHERE file_id = $short AND NOT EXISTS (
        SELECT 1 FROM events l WHERE l.file_id = $long AND l.byte_offset = s.byte_offset
        UNION ALL SELECT 1 FROM rejects l WHERE l.file_id = $long AND l.byte_offset = s.byte_offset
    )) AS other_rejects
"""
_DEDUPE = """
WITH records AS (
    SELECT e.event_id, e.duplicate_of, e.file_id, e.byte_offset, e.part, {content},
        substr(e.stream, length(f.stream) + 1) AS inner_stream,
        (SELECT string_agg(r.fragment, ';' ORDER BY r.position) FROM fires r WHERE r.event_id = e.event_id) AS reasons
    FROM events e JOIN files f USING (file_id)
), numbered AS (
    SELECT *, row_number() OVER (PARTITION BY file_id, inner_stream, reasons, {content} ORDER BY byte_offset, part) AS nth
    FROM records
), firsts AS (
    SELECT event_id, duplicate_of,
        first_value(coalesce(duplicate_of, event_id)) OVER same AS original, first_value(event_id) OVER same AS first_id
    FROM numbered WINDOW same AS (PARTITION BY nth, inner_stream, reasons, {content} ORDER BY event_id)
)
UPDATE events SET duplicate_of = o.original FROM firsts o
WHERE o.event_id = events.event_id AND o.duplicate_of IS NULL AND o.first_id <> o.event_id
"""
_CONTENT = (
    "time, system, kind, form, agent, session, version, level, attempt, attempts, outcome, severity, action, subject, goal, "
    "text, ok_count, fail_count, extra"
)


def longer_copy_of(connection: duckdb.DuckDBPyConnection, file_id: int) -> str | None:
    """The file that begins with all that the file `file_id` holds; None where there is none.

    A file that holds no event is never told: nothing of it counts twice.
    """
    for long, name, texts, whole in connection.execute(_LONGER, [file_id]).fetchall():
        values = {"short": file_id, "long": long, "texts": texts, "whole": whole}
        compared, *different = connection.execute(_DIFFERENT, values).fetchall()[0]
        if compared and not any(different):
            return str(name)
    return None


def dedupe(db: Path) -> int:
    """Let each record count once that stands in several files; how many copies were found.

    A copy has the same time, text and values, whatever its file and its envelopes; the second of two equal records in one file is the
    copy of the second in another.
    """
    content = ", ".join(f"e.{name.strip()}" for name in _CONTENT.split(","))
    sql = _DEDUPE.replace("{content}", content, 1).replace("{content}", _CONTENT)
    with opened(db, write=True) as connection, transaction(connection):
        found = int(connection.execute(sql).fetchall()[0][0])
        if found:
            mark(connection, "duplicate_of IS NOT NULL")
        return found
