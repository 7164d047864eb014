-- Which records should have been events and could not be read?
-- Grain: one row per rejected record; total is their number without the limit. A reject has no time of its own.
-- Parameters: $why = NULL, $limit = NULL
SELECT f.file, r.line, r.byte_offset, r.why, r.excerpt, count(*) OVER () AS total
FROM rejects r LEFT JOIN files f ON f.file_id = r.file_id
WHERE $why IS NULL OR r.why = $why
ORDER BY f.file, r.line, r.part LIMIT $limit
