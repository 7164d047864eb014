-- How did each participant's position change, from start to end and from one point to the next?
-- Grain: one row per session, probe, participant and pair of points: start and end, and any two between which nothing was asked. change is NULL where either answer has no value; of two answers at one point the later counts.
-- Parameters: $since, $until, $agent
WITH answers AS (
    SELECT session, probe, participant, point, place, value, nth FROM probe_answers_in($since, $until, $agent)
    WHERE outcome <> 'text'
    QUALIFY row_number() OVER (PARTITION BY session, probe, participant, point ORDER BY nth DESC) = 1
), steps AS (
    SELECT
        session, probe, participant, lag(point) OVER in_order AS from_point, lag(place) OVER in_order AS from_place, lag(value) OVER in_order AS from_value,
        point AS to_point, place AS to_place, value AS to_value
    FROM answers
    WINDOW in_order AS (PARTITION BY session, probe, participant ORDER BY nth)
), pairs AS (
    SELECT * FROM steps WHERE from_point IS NOT NULL
    UNION
    SELECT s.session, s.probe, s.participant, s.point, s.place, s.value, e.point, e.place, e.value
    FROM answers s JOIN answers e ON e.session = s.session AND e.probe = s.probe AND e.participant = s.participant
    WHERE s.point = 'start' AND e.point = 'end'
)
SELECT session, probe, participant, from_point, to_point, from_value, to_value, to_value - from_value AS change
FROM pairs
ORDER BY probe, from_place, to_place, from_point, to_point, session, participant
