-- Where does each lesson stand, and was the way there marked? Worked out from the tool calls of its transcript alone.
-- Grain: one row per lesson with a tool call, the newest first. untagged_share is NULL where no quiz was called while teaching; stuck_in is the phase that a lesson never left, NULL for one that reached teach.
-- Parameters: $since, $until, $agent
WITH calls AS MATERIALIZED (
    SELECT * FROM lesson_calls()
), tags AS MATERIALIZED (
    SELECT * FROM lesson_tags()
), told AS (
    SELECT lesson, count(*) AS calls, count(*) FILTER (refused) AS refusals, max(agent) AS written_by, min(time) AS first_time, max(time) AS last_time
    FROM calls GROUP BY lesson
), quizzes AS (
    SELECT c.lesson, count(*) AS teaching_quizzes, count(*) FILTER (c.told.node IS NULL) AS untagged
    FROM calls c JOIN lesson_phases() p ON p.lesson = c.lesson AND c.place > p.accepted
    WHERE c.tool = 'quiz' GROUP BY c.lesson
), plan AS (
    SELECT n.lesson, count(*) AS nodes FROM lesson_nodes() n JOIN lesson_phases() p ON p.lesson = n.lesson AND p.planned = n.plan_place GROUP BY n.lesson
), seen AS (
    SELECT lesson, count(DISTINCT node) FILTER (newest > 1) AS visited, max(node) FILTER (newest = 1) AS current FROM tags GROUP BY lesson
), staged AS (
    SELECT lesson, CASE WHEN concluded IS NULL THEN 'probe' WHEN accepted IS NULL THEN 'planning' ELSE 'teach' END AS phase FROM lesson_phases()
)
SELECT
    t.lesson, CASE s.phase WHEN 'probe' THEN 'prober' ELSE 'teacher' END AS agent, s.phase, coalesce(p.nodes, 0) AS nodes,
    coalesce(v.visited, 0) AS visited, v.current, coalesce(q.teaching_quizzes, 0) AS teaching_quizzes, coalesce(q.untagged, 0) AS untagged,
    q.untagged / q.teaching_quizzes AS untagged_share, t.refusals, t.calls, CASE WHEN s.phase <> 'teach' THEN s.phase END AS stuck_in,
    t.first_time, t.last_time
FROM told t JOIN staged s ON s.lesson = t.lesson
LEFT JOIN plan p ON p.lesson = t.lesson
LEFT JOIN seen v ON v.lesson = t.lesson
LEFT JOIN quizzes q ON q.lesson = t.lesson
WHERE in_window(t.last_time, $since, $until) AND of_agent(t.written_by, $agent)
ORDER BY t.last_time DESC NULLS LAST, t.lesson
