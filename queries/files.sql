-- Which files were read, how far, and what came out of each?
-- Grain: one row per file known to the store.
-- Parameters: none
SELECT
    f.file, f.stream, f.compression, f.framing, f.bytes, f.lines, coalesce(e.events, 0) AS events, coalesce(r.rejected, 0) AS rejected,
    f.first_time, f.last_time, f.complete, f.first_seen, f.last_seen, f.note
FROM files f
LEFT JOIN (SELECT file_id, count(*) AS events FROM events GROUP BY file_id) e ON e.file_id = f.file_id
LEFT JOIN (SELECT file_id, count(*) AS rejected FROM rejects GROUP BY file_id) r ON r.file_id = f.file_id
ORDER BY f.file, f.file_id
