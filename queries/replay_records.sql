-- Which logged records may be judged again, and what did the log say of each?
-- Grain: one row per draft, slot set, gate fire, reminder, drop or answer of the systems named in $systems (joined by commas), in the order of event_id: the $limit after $after.
-- Parameters: $since, $until, $agent, $systems, $after = -1, $limit = 20000
WITH part AS MATERIALIZED (
    SELECT event_id, time, system, kind, session, agent, text, ok_count, fail_count, extra
    FROM events_in($since, $until, $agent)
    WHERE event_id > $after AND list_contains(string_split($systems, ','), system)
      AND kind IN ('draft_rejected', 'template_failed', 'slots_rejected', 'guardrail_drop', 'gate_fired', 'reminder', 'answer')
    ORDER BY event_id LIMIT $limit
), reasons AS (
    SELECT event_id, list(struct_pack(check_id := check_id, fragment := fragment) ORDER BY position) AS reasons
    FROM fires WHERE event_id IN (SELECT event_id FROM part) GROUP BY event_id
)
SELECT p.*, r.reasons FROM part p LEFT JOIN reasons r ON r.event_id = p.event_id
ORDER BY p.event_id
