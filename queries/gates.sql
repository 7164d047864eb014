-- How often did the honesty gate and its siblings fire, by reason and severity, and on what tool results?
-- Grain: one row per gate, reason as logged and severity; ok_count and fail_count are sums, NULL where no record gives them.
-- Parameters: $since, $until, $agent
SELECT
    e.subject AS gate, f.fragment AS reason, f.check_id, e.severity, count(*) AS fires,
    sum(e.ok_count)::BIGINT AS ok_count, sum(e.fail_count)::BIGINT AS fail_count, min(e.time) AS first_seen, max(e.time) AS last_seen
FROM events_in($since, $until, $agent) e LEFT JOIN fires f ON f.event_id = e.event_id
WHERE e.kind = 'gate_fired'
GROUP BY e.subject, f.fragment, f.check_id, e.severity
ORDER BY gate, fires DESC, reason, e.severity
