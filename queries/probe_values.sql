-- Which numbers were given, at which point?
-- Grain: one row per probe, point and value; of_answers are all answers to that probe at that point, read or not.
-- Parameters: $since, $until, $agent
WITH answers AS MATERIALIZED (
    SELECT * FROM probe_answers_in($since, $until, $agent)
)
SELECT
    a.probe, a.point, a.place, a.value, count(*) AS answers, min(a.lo) AS lo, max(a.hi) AS hi,
    (SELECT count(*) FROM answers o WHERE o.probe = a.probe AND o.point = a.point) AS of_answers
FROM answers a WHERE a.value IS NOT NULL
GROUP BY a.probe, a.point, a.place, a.value
ORDER BY a.probe, a.place, a.point, a.value
