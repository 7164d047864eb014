-- What share of the Socratic runs ended in the template or in silence, per week?
-- Grain: one row per week (its Monday, UTC) in which a complete run ended.
-- Parameters: $since, $until, $agent
SELECT
    date_trunc('week', last_time)::DATE AS week, count(*) AS runs,
    count(*) FILTER (outcome = 'posted-writer') AS posted_writer,
    count(*) FILTER (outcome = 'posted-template') AS posted_template,
    count(*) FILTER (outcome = 'silent') AS silent,
    posted_template / runs AS template_share, silent / runs AS silent_share
FROM stage_runs_in($since, $until, $agent)
WHERE complete AND last_time IS NOT NULL
GROUP BY week ORDER BY week
