-- Which records stand behind a number?
-- Grain: one row per record that counts, newest first; total is their number without the limit. NULL leaves a filter open.
-- Parameters: $since, $until, $agent, $event_id = NULL, $system = NULL, $kind = NULL, $check_id = NULL, $family = NULL, $fragment = NULL, $day = NULL, $session = NULL, $attempts = NULL, $outcome = NULL, $severity = NULL, $subject = NULL, $goal = NULL, $text = NULL, $point = NULL, $participant = NULL, $value = NULL, $undated = NULL, $limit = 200
WITH hit AS (
    SELECT e.*, count(*) OVER () AS total
    FROM events_in($since, $until, $agent) e
    WHERE ($event_id IS NULL OR e.event_id = $event_id)
      AND ($system IS NULL OR e.system = $system)
      AND ($kind IS NULL OR e.kind = $kind)
      AND ($day IS NULL OR (e.time >= $day::DATE AND e.time < $day::DATE + 1))
      AND ($session IS NULL OR coalesce(e.session, e.stream) = $session)
      AND ($attempts IS NULL OR e.attempts = $attempts)
      AND ($outcome IS NULL OR e.outcome = $outcome)
      AND ($severity IS NULL OR e.severity = $severity)
      AND ($subject IS NULL OR e.subject = $subject)
      AND ($goal IS NULL OR e.goal = $goal)
      AND ($text IS NULL OR e.text = $text)
      AND ($point IS NULL OR (e.extra ->> '$.point') = $point)
      AND ($participant IS NULL OR (e.extra ->> '$.participant') = $participant)
      AND ($value IS NULL OR (e.extra ->> '$.value') = $value::VARCHAR)
      AND ($undated IS NULL OR (e.time IS NULL) = $undated::BOOLEAN)
      AND (
          ($check_id IS NULL AND $family IS NULL AND $fragment IS NULL)
          OR e.event_id IN (
              SELECT f.event_id FROM fires f
              WHERE ($check_id IS NULL OR f.check_id = $check_id) AND ($family IS NULL OR f.family = $family) AND ($fragment IS NULL OR f.fragment = $fragment)
          )
      )
    ORDER BY e.time DESC NULLS LAST, e.event_id LIMIT $limit
)
SELECT
    h.event_id, h.time, h.system, h.kind, h.agent, h.session, h.attempt, h.attempts, h.outcome, h.severity, h.action, h.subject, h.goal, h.text,
    h.ok_count, h.fail_count,
    (SELECT string_agg(f.fragment, '; ' ORDER BY f.position) FROM fires f WHERE f.event_id = h.event_id) AS reasons,
    h.extra, n.file, h.line, h.byte_offset, h.envelope, h.time_source, h.total
FROM hit h LEFT JOIN files n ON n.file_id = h.file_id
ORDER BY h.time DESC NULLS LAST, h.event_id
