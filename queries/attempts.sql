-- How many attempts did it take, by outcome?
-- Grain: one row per system, number of attempts and outcome: complete Socratic runs by the outcome of their summary, probe answers by read, unread (an answer without a value), na (no answer) and text (no number was asked for).
-- Parameters: $since, $until, $agent
SELECT 'socratic' AS system, attempts, outcome, count(*) AS runs
FROM stage_runs_in($since, $until, $agent) WHERE complete
GROUP BY attempts, outcome
UNION ALL
SELECT 'probe', attempts, outcome, count(*)
FROM probe_answers_in($since, $until, $agent)
GROUP BY attempts, outcome
ORDER BY system DESC, attempts, outcome
