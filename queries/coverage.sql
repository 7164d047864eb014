-- What do the logs cover: how much was read, from when to when, and what could not be counted?
-- Grain: one row. Files, bytes, lines and rejects are those of the whole store; they have no agent, and rejects no time.
-- Parameters: $since, $until, $agent
WITH counted AS (
    SELECT count(*) AS records, min(time) AS first_record, max(time) AS last_record, count(*) FILTER (time IS NULL) AS undated
    FROM events_in($since, $until, $agent)
), whole AS (
    -- Each of those left out is told once: one that has neither a time nor an agent is undated where dates are chosen.
    SELECT
        count(*) AS records_in_store,
        count(*) FILTER (
            time IS NULL AND ($since IS NOT NULL OR $until IS NOT NULL) AND duplicate_of IS NULL AND coalesce(of_agent(agent, $agent), true)
        ) AS undated_left_out,
        count(*) FILTER (
            agent IS NULL AND $agent IS NOT NULL AND duplicate_of IS NULL AND in_window(time, $since, $until)
        ) AS without_agent_left_out,
        count(*) FILTER (duplicate_of IS NOT NULL) AS duplicates
    FROM events
), read AS (
    SELECT
        count(*) AS files, coalesce(sum(bytes), 0)::BIGINT AS bytes, coalesce(sum(lines), 0)::BIGINT AS lines,
        count(*) FILTER (NOT complete) AS incomplete_files
    FROM files
), covered AS (
    SELECT count(DISTINCT day) AS days, min(day) AS first_day, max(day) AS last_day
    FROM coverage
    WHERE ($since IS NULL OR day >= $since::TIMESTAMP::DATE) AND ($until IS NULL OR day < $until::TIMESTAMP)
)
SELECT
    r.files, r.bytes, r.lines, c.records, w.records_in_store, c.first_record, c.last_record, d.first_day, d.last_day, d.days,
    CASE WHEN d.days > 0 THEN date_diff('day', d.first_day, d.last_day) + 1 - d.days ELSE 0 END AS gap_days,
    (SELECT count(*) FROM rejects) AS rejects, c.undated, w.undated_left_out, w.without_agent_left_out, w.duplicates,
    (SELECT count(*) FROM fires f JOIN events_in($since, $until, $agent) e ON e.event_id = f.event_id WHERE f.check_id IS NULL) AS unmapped,
    r.incomplete_files
FROM counted c, whole w, read r, covered d
