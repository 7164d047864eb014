-- On which days are there no logs at all, though there are earlier and later ones?
-- Grain: one row per run of such days. Knows no agent.
-- Parameters: $since, $until
WITH covered AS (
    SELECT DISTINCT day FROM coverage
    WHERE ($since IS NULL OR day >= $since::TIMESTAMP::DATE) AND ($until IS NULL OR day < $until::TIMESTAMP)
), following AS (
    SELECT day, lead(day) OVER (ORDER BY day) AS next_day FROM covered
)
SELECT day + 1 AS first_day, next_day - 1 AS last_day, next_day - day - 1 AS days
FROM following WHERE next_day - day > 1
ORDER BY first_day
