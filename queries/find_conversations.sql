-- Which conversations fit: by a part of their name, by a text in their records, by time?
-- Grain: one row per session or inferred run, newest first; total is their number without the limit. Parts are found as they are written, without regard to case.
-- Parameters: $since, $until, $agent, $session = NULL, $text = NULL, $limit = 50
WITH lines AS (
    SELECT
        coalesce(e.session, i.run) AS session, e.session IS NULL AS inferred, e.time, e.system, e.kind, e.outcome, e.agent,
        $text IS NULL OR contains(lower(e.text), lower($text::VARCHAR))
        OR e.event_id IN (SELECT f.event_id FROM fires f WHERE $text IS NOT NULL AND contains(lower(f.fragment), lower($text::VARCHAR))) AS fits
    FROM events_in($since, $until, $agent) e LEFT JOIN inferred_runs i ON i.event_id = e.event_id
), found AS (
    SELECT
        session, any_value(inferred) AS inferred, max(agent) AS agent, min(time) AS first_time, max(time) AS last_time, count(*) AS records,
        count(*) FILTER (system = 'socratic' AND kind = 'summary') AS runs,
        count(*) FILTER (kind = 'draft_rejected') AS rejected_drafts,
        count(*) FILTER (kind = 'slots_rejected') AS slots_rejected,
        count(*) FILTER (kind = 'guardrail_drop') AS drops,
        arg_max(outcome, time) FILTER (system = 'socratic' AND kind = 'summary') AS outcome
    FROM lines
    WHERE session IS NOT NULL AND ($session IS NULL OR contains(lower(session), lower($session::VARCHAR)))
    GROUP BY session HAVING bool_or(coalesce(fits, false))
)
SELECT *, count(*) OVER () AS total FROM found
ORDER BY last_time DESC NULLS LAST, session LIMIT $limit
