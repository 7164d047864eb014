-- Which claims did the honesty gate object to?
-- Grain: one row per claim, reason and severity; total is the number of such rows without the limit.
-- Parameters: $since, $until, $agent, $limit = 200
SELECT
    e.text AS claim, f.fragment AS reason, e.severity, count(*) AS fires, sum(e.ok_count)::BIGINT AS ok_count, sum(e.fail_count)::BIGINT AS fail_count,
    max(e.time) AS last_seen, count(*) OVER () AS total
FROM events_in($since, $until, $agent) e LEFT JOIN fires f ON f.event_id = e.event_id
WHERE e.system = 'honesty' AND e.kind = 'gate_fired'
GROUP BY claim, reason, e.severity
ORDER BY fires DESC, claim, reason, e.severity LIMIT $limit
