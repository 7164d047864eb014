-- Whose answers were not read, and at which point?
-- Grain: one row per probe, point and participant of a session; unread have an answer without a value, na have no answer, text were not asked for a number.
-- Parameters: $since, $until, $agent
SELECT
    session, probe, point, place, participant, count(*) AS answers, count(*) FILTER (outcome = 'read') AS read,
    count(*) FILTER (outcome = 'unread') AS unread, count(*) FILTER (outcome = 'na') AS na, count(*) FILTER (outcome = 'text') AS text
FROM probe_answers_in($since, $until, $agent)
GROUP BY session, probe, point, place, participant
ORDER BY unread DESC, na DESC, session, probe, place, point, participant
