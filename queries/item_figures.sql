-- Which counts of judged items do a pipeline's rules compare?
-- Grain: one row. A family whose opportunities the logs do not tell has zeros.
-- Parameters: $since, $until, $agent
SELECT
    count(*) FILTER (first_draft) AS first_drafts, count(*) FILTER (first_draft AND objected) AS first_drafts_rejected,
    count(*) FILTER (family = 'socratic.slots') AS slot_sets, count(*) FILTER (family = 'socratic.slots' AND objected) AS slots_rejected,
    count(*) FILTER (family = 'honesty') AS final_texts, count(*) FILTER (family = 'honesty' AND objected) AS honesty_fired,
    count(*) FILTER (family = 'guardrail') AS posts, count(*) FILTER (family = 'guardrail' AND objected) AS posts_dropped
FROM items_in($since, $until, $agent)
