-- For which days do logs exist, by the times of relevant records and of the sampled chatter?
-- Grain: one row per day from the first to the last in the window; a day without logs has gap = true. Knows no agent.
-- Parameters: $since, $until
WITH per_day AS (
    SELECT day, sum(relevant)::BIGINT AS relevant, sum(sampled)::BIGINT AS sampled, count(DISTINCT file_id) AS files
    FROM coverage
    WHERE ($since IS NULL OR day >= $since::TIMESTAMP::DATE) AND ($until IS NULL OR day < $until::TIMESTAMP)
    GROUP BY day
), days AS (
    SELECT unnest(generate_series(min(day), max(day), INTERVAL 1 DAY))::DATE AS day FROM per_day
)
SELECT d.day, coalesce(p.relevant, 0) AS relevant, coalesce(p.sampled, 0) AS sampled, coalesce(p.files, 0) AS files, p.day IS NULL AS gap
FROM days d LEFT JOIN per_day p ON p.day = d.day
ORDER BY d.day
