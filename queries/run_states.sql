-- How many Socratic runs are complete, add up, and were put together without a session?
-- Grain: one row per state of a run.
-- Parameters: $since, $until, $agent
SELECT complete, consistent, inferred, count(*) AS runs, sum(rejected_drafts)::BIGINT AS rejected_drafts, sum(judged_drafts)::BIGINT AS judged_drafts
FROM stage_runs_in($since, $until, $agent)
GROUP BY complete, consistent, inferred ORDER BY complete DESC, consistent DESC, inferred
