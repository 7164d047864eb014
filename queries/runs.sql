-- Which Socratic runs were there? NULL leaves a filter open.
-- Grain: one row per run, newest first; total is their number without the limit.
-- Parameters: $since, $until, $agent, $complete = NULL, $consistent = NULL, $inferred = NULL, $session = NULL, $attempts = NULL, $outcome = NULL, $limit = 200
SELECT *, count(*) OVER () AS total
FROM runs_in($since, $until, $agent)
WHERE ($complete IS NULL OR complete = $complete::BOOLEAN)
  AND ($consistent IS NULL OR consistent = $consistent::BOOLEAN)
  AND ($inferred IS NULL OR inferred = $inferred::BOOLEAN)
  AND ($session IS NULL OR session = $session)
  AND ($attempts IS NULL OR attempts = $attempts)
  AND ($outcome IS NULL OR outcome = $outcome)
ORDER BY last_time DESC NULLS LAST, run LIMIT $limit
