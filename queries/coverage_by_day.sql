-- For which days do logs exist, and how many records count on each?
-- Grain: one row per day from the first to the last in the window; a day without logs, of whichever agent, has gap = true. relevant is of the agent; sampled and files are of all.
-- Parameters: $since, $until, $agent
WITH logged AS (
    SELECT day, sum(sampled)::BIGINT AS sampled, count(DISTINCT file_id) AS files
    FROM coverage
    WHERE ($since IS NULL OR day >= $since::TIMESTAMP::DATE) AND ($until IS NULL OR day < $until::TIMESTAMP)
    GROUP BY day
), counted AS (
    SELECT time::DATE AS day, count(*) AS relevant FROM events_in($since, $until, $agent) WHERE time IS NOT NULL GROUP BY ALL
), days AS (
    SELECT unnest(generate_series(min(day), max(day), INTERVAL 1 DAY))::DATE AS day FROM logged
)
SELECT
    d.day, coalesce(c.relevant, 0) AS relevant, coalesce(l.sampled, 0) AS sampled, coalesce(l.files, 0) AS files, l.day IS NULL AS gap
FROM days d LEFT JOIN logged l ON l.day = d.day LEFT JOIN counted c ON c.day = d.day
ORDER BY d.day
