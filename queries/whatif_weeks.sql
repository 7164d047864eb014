-- What did the Socratic runs of each week cost, and how did they end?
-- Grain: one row per week (its Monday, UTC) in which runs ended; NULL for runs without a time. All but incomplete_runs are of complete runs.
-- Parameters: $since, $until, $agent
SELECT
    date_trunc('week', last_time)::DATE AS week, count(*) FILTER (complete) AS runs, count(*) FILTER (NOT complete) AS incomplete_runs,
    coalesce(sum(attempts) FILTER (complete), 0)::BIGINT AS writer_calls,
    coalesce(sum(rejected_drafts) FILTER (complete), 0)::BIGINT AS rejected_drafts,
    count(*) FILTER (complete AND outcome = 'posted-writer') AS posted_writer,
    count(*) FILTER (complete AND outcome = 'posted-template') AS posted_template,
    count(*) FILTER (complete AND outcome = 'silent') AS silent
FROM stage_runs_in($since, $until, $agent)
GROUP BY week ORDER BY week NULLS LAST
