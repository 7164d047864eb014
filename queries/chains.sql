-- Are the hash chains of the audit files whole?
-- Grain: one row per file with audit events, the broken ones first. A tail that was cut off cannot be detected.
-- Parameters: none
SELECT f.file, c.status, c.events, c.chains, c.line, c.why, c.verified
FROM chains c JOIN files f ON f.file_id = c.file_id
ORDER BY c.status <> 'broken', f.file
