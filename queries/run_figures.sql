-- Which counts of Socratic runs do a pipeline's rules compare?
-- Grain: one row. All but all_runs and incomplete_runs are of complete runs.
-- Parameters: $since, $until, $agent
SELECT
    count(*) AS all_runs, count(*) FILTER (complete) AS runs, count(*) FILTER (NOT complete) AS incomplete_runs,
    count(*) FILTER (NOT consistent) AS inconsistent_runs,
    count(*) FILTER (complete AND outcome = 'silent') AS silent,
    count(*) FILTER (complete AND outcome = 'posted-template') AS posted_template,
    coalesce(sum(attempts) FILTER (complete), 0)::BIGINT AS writer_calls,
    coalesce(sum(failed_calls) FILTER (complete), 0)::BIGINT AS failed_calls
FROM stage_runs_in($since, $until, $agent)
