-- To which drafts did a check object, and what else was wrong with each?
-- Grain: one row per rejected draft, newest first; total is their number without the limit.
-- Parameters: $since, $until, $agent, $check_id, $limit = 200
WITH hit AS MATERIALIZED (
    SELECT j.event_id, j.time, o.sole
    FROM all_judged j JOIN objecting o ON o.objection = j.objection
    WHERE o.check_id = $check_id AND j.draft AND in_window(j.time, $since, $until) AND of_agent(j.agent, $agent)
), listed AS MATERIALIZED (
    SELECT * FROM hit ORDER BY time DESC NULLS LAST, event_id LIMIT $limit
)
SELECT
    l.event_id, l.time, e.session, e.agent, e.attempt, e.text AS draft, l.sole,
    r.reasons,
    n.file, e.line, (SELECT count(*) FROM hit) AS total
FROM listed l JOIN events e ON e.event_id = l.event_id
LEFT JOIN (
    SELECT f.event_id, string_agg(f.fragment, '; ' ORDER BY f.position) AS reasons
    FROM fires f SEMI JOIN listed l ON l.event_id = f.event_id GROUP BY f.event_id
) r ON r.event_id = l.event_id
LEFT JOIN files n ON n.file_id = e.file_id
ORDER BY l.time DESC NULLS LAST, l.event_id
