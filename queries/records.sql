-- Which records stand behind a number?
-- Grain: one row per record that counts, newest first; total is their number without the limit. NULL leaves a filter open.
-- Parameters: $since, $until, $agent, $event_id = NULL, $system = NULL, $kind = NULL, $check_id = NULL, $also = NULL, $sole = NULL, $evaluated = NULL, $first_draft = NULL, $family = NULL, $fragment = NULL, $day = NULL, $session = NULL, $attempts = NULL, $outcome = NULL, $severity = NULL, $subject = NULL, $goal = NULL, $text = NULL, $point = NULL, $participant = NULL, $value = NULL, $answer = NULL, $file = NULL, $missing = NULL, $undated = NULL, $repeats = NULL, $limit = 200
-- $also is a second check that objected; $evaluated a check or a family, for the records that show what it judged.
-- $answer lists what may have become of a probe's answer: read, unread, na, text.
-- $missing lists columns, with commas between them, that the record does not fill. $repeats asks for those that repeat others and do not count.
WITH judged AS (
    -- The window is that of the items: a line without an agent belongs to that of its run.
    SELECT i.event_id FROM items_in($since, $until, $agent) i LEFT JOIN checks c ON c.check_id = $evaluated AND NOT c.retired
    WHERE $evaluated IS NOT NULL AND i.first_draft IS NOT DISTINCT FROM coalesce($first_draft::BOOLEAN, i.first_draft)
      AND (i.family = $evaluated OR (
          i.family = c.family AND coalesce(i.stopped_at, 2147483647) >= c."order" AND (i.scope IS NULL OR starts_with(c.check_id, i.scope))
      ))
), asked AS (
    SELECT * FROM events_in($since, $until, $agent) WHERE $evaluated IS NULL AND $repeats IS NULL
    UNION ALL
    SELECT * FROM events WHERE $evaluated IS NOT NULL AND event_id IN (SELECT event_id FROM judged)
    UNION ALL
    SELECT * FROM events
    WHERE $repeats::BOOLEAN AND duplicate_of IS NOT NULL AND in_window(time, $since, $until) AND of_agent(agent, $agent)
), hit AS MATERIALIZED (
    SELECT e.event_id, e.time
    FROM asked e
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
      AND ($answer IS NULL OR e.event_id IN (
          SELECT a.event_id FROM probe_answers_in($since, $until, $agent) a WHERE $answer IS NOT NULL AND list_contains(string_split($answer, ','), a.outcome)
      ))
      AND ($file IS NULL OR e.file_id IN (SELECT file_id FROM files WHERE file = $file))
      AND ($undated IS NULL OR (e.time IS NULL) = $undated::BOOLEAN)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'agent'), false) OR e.agent IS NULL)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'session'), false) OR e.session IS NULL)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'attempts'), false) OR e.attempts IS NULL)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'outcome'), false) OR e.outcome IS NULL)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'severity'), false) OR e.severity IS NULL)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'subject'), false) OR e.subject IS NULL)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'goal'), false) OR e.goal IS NULL)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'text'), false) OR e.text IS NULL)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'point'), false) OR (e.extra ->> '$.point') IS NULL)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'participant'), false) OR (e.extra ->> '$.participant') IS NULL)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'value'), false) OR (e.extra ->> '$.value') IS NULL)
      AND (NOT coalesce(list_contains(string_split($missing, ','), 'fragment'), false) OR e.event_id NOT IN (
          SELECT f.event_id FROM fires f WHERE list_contains(string_split($missing, ','), 'fragment')
      ))
      AND (
          ($check_id IS NULL AND $family IS NULL AND $fragment IS NULL AND NOT coalesce(list_contains(string_split($missing, ','), 'check_id'), false))
          OR e.event_id IN (
              SELECT f.event_id FROM fires f
              WHERE NOT ($check_id IS NULL AND $family IS NULL AND $fragment IS NULL AND NOT coalesce(list_contains(string_split($missing, ','), 'check_id'), false)) AND ($check_id IS NULL OR f.check_id = $check_id) AND ($family IS NULL OR f.family = $family) AND ($fragment IS NULL OR f.fragment = $fragment)
                AND (f.check_id IS NULL OR NOT coalesce(list_contains(string_split($missing, ','), 'check_id'), false))
          )
      )
      AND ($also IS NULL OR e.event_id IN (SELECT f.event_id FROM fires f WHERE $also IS NOT NULL AND f.check_id = $also))
      AND ($sole IS NULL OR e.event_id IN (
          SELECT f.event_id FROM fires f WHERE $sole IS NOT NULL GROUP BY f.event_id
          HAVING (min(coalesce(f.check_id, lower(f.fragment))) = max(coalesce(f.check_id, lower(f.fragment)))) = $sole::BOOLEAN
      ))
), listed AS MATERIALIZED (
    -- Numbers alone are put in order; what the records say is fetched for those that are shown.
    SELECT event_id FROM hit ORDER BY time DESC NULLS LAST, event_id LIMIT $limit
)
SELECT
    h.event_id, h.time, h.system, h.kind, h.agent, h.session, h.attempt, h.attempts, h.outcome, h.severity, h.action, h.subject, h.goal, h.text,
    h.ok_count, h.fail_count,
    r.reasons,
    -- What the logs name, or the run that a record without a session was put into.
    coalesce(h.session, i.run) AS conversation,
    h.extra, n.file, h.line, h.byte_offset, h.envelope, h.time_source, (SELECT count(*) FROM hit) AS total
FROM events h SEMI JOIN listed l ON l.event_id = h.event_id
LEFT JOIN (
    SELECT f.event_id, string_agg(f.fragment, '; ' ORDER BY f.position) AS reasons
    FROM fires f SEMI JOIN listed l ON l.event_id = f.event_id GROUP BY f.event_id
) r ON r.event_id = h.event_id
LEFT JOIN files n ON n.file_id = h.file_id
LEFT JOIN inferred_runs i ON h.session IS NULL AND i.event_id = h.event_id
ORDER BY h.time DESC NULLS LAST, h.event_id
