-- Why were answers not read as numbers?
-- Grain: one row per probe and reason as logged: answers that were refused for it, and those of them that have a value all the same, after the re-ask.
-- Parameters: $since, $until, $agent
SELECT
    a.probe, f.fragment AS reason, f.check_id, count(DISTINCT a.event_id) AS answers,
    count(DISTINCT a.event_id) FILTER (a.outcome = 'read') AS read_after_reask, min(a.time) AS first_seen, max(a.time) AS last_seen
FROM probe_answers_in($since, $until, $agent) a JOIN fires f ON f.event_id = a.event_id AND f.family = 'probe.scale'
GROUP BY a.probe, f.fragment, f.check_id
ORDER BY a.probe, answers DESC, reason
