-- Which posts did the guardrails drop, by agent and goal, beside those that are known to have got through?
-- Grain: one row per guardrail, agent and goal (or intervention type). posts is NULL where no post at all is logged.
-- Parameters: $since, $until, $agent
WITH told AS (
    SELECT agent, goal, kind, subject, time FROM events_in($since, $until, $agent)
    WHERE system = 'guardrail' AND kind IN ('guardrail_drop', 'post_detected')
), name AS (
    SELECT coalesce(max(subject) FILTER (kind = 'guardrail_drop'), 'professionalism') AS guardrail, count(*) FILTER (kind = 'post_detected') AS posts FROM told
)
SELECT
    CASE WHEN kind = 'guardrail_drop' THEN subject ELSE name.guardrail END AS guardrail, agent, goal,
    count(*) FILTER (kind = 'guardrail_drop') AS drops,
    CASE WHEN any_value(name.posts) > 0 THEN count(*) FILTER (kind = 'post_detected') END AS posts,
    min(time) FILTER (kind = 'guardrail_drop') AS first_seen, max(time) FILTER (kind = 'guardrail_drop') AS last_seen
FROM told, name
GROUP BY ALL ORDER BY guardrail, drops DESC, agent, goal
