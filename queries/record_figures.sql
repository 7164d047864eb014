-- Which counts of records, reasons and days do a pipeline's rules compare?
-- Grain: one row. Rejects have no time and undated records are in no window, so rejects, undated and records_in_store are those of the whole store.
-- Parameters: $since, $until, $agent
WITH record AS (
    SELECT count(*) AS records FROM events_in($since, $until, $agent)
), reason AS (
    SELECT coalesce(sum(n.reasons), 0)::BIGINT AS reasons, coalesce(sum(n.unmapped), 0)::BIGINT AS unmapped
    FROM objected_in($since, $until, $agent) j JOIN (
        SELECT objection, count(*) AS reasons, count(*) FILTER (check_id IS NULL) AS unmapped FROM all_objections GROUP BY objection
    ) n ON n.objection = j.objection
), whole AS (
    SELECT
        (SELECT count(*) FROM rejects) AS rejects, count(*) AS records_in_store, count(*) FILTER (time IS NULL) AS undated,
        count(*) + (SELECT count(*) FROM rejects) AS records_and_rejects
    FROM events WHERE duplicate_of IS NULL
), day AS (
    -- The days of the window; where it is open, from the first and to the last day that is covered.
    SELECT
        count(DISTINCT day) AS days_with_logs,
        date_diff('day', coalesce($since::TIMESTAMP::DATE, min(day)), coalesce(($until::TIMESTAMP - INTERVAL 1 MICROSECOND)::DATE, max(day))) + 1 AS days_in_window
    FROM coverage
    WHERE ($since IS NULL OR day >= $since::TIMESTAMP::DATE) AND ($until IS NULL OR day < $until::TIMESTAMP)
)
SELECT *, days_in_window - days_with_logs AS days_without_logs FROM record, reason, whole, day
