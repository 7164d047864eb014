-- What was called in each lesson, in order, so that the tools can judge each call again?
-- Grain: one row per record of a tool call, also of one that is recorded again as its state grows, of the $limit lessons named after $after that have a record in the window; asked tells whether the record itself lies in it.
-- Parameters: $since, $until, $agent, $after = NULL, $limit = 200
WITH records AS (
    SELECT *, coalesce(session, stream) AS lesson FROM events WHERE system = 'lesson' AND kind <> 'message'
), chosen AS MATERIALIZED (
    SELECT DISTINCT lesson FROM records
    WHERE ($after IS NULL OR lesson > $after) AND in_window(time, $since, $until) AND of_agent(agent, $agent)
    ORDER BY lesson LIMIT $limit
), reasons AS (
    SELECT event_id, list(struct_pack(check_id := check_id, fragment := fragment) ORDER BY position) AS reasons
    FROM fires WHERE family = 'lesson' GROUP BY event_id
)
SELECT
    r.lesson, r.event_id, r.time, r.kind, r.session, r.agent, r.subject, r.text, r.extra, f.reasons,
    in_window(r.time, $since, $until) AND of_agent(r.agent, $agent) AS asked
FROM records r JOIN chosen c ON c.lesson = r.lesson LEFT JOIN reasons f ON f.event_id = r.event_id
ORDER BY r.lesson, r.time, r.file_id, r.byte_offset, r.part
