-- How far along its plan is one lesson, whenever that was?
-- Grain: one row per node of its latest plan, in the plan's order, then one per node that it was taught about and that this plan does not hold. state: current, visited (also where it is current now), upcoming; requires is a JSON list of ids.
-- Parameters: $lesson
WITH tags AS MATERIALIZED (
    SELECT * FROM lesson_tags() WHERE lesson = $lesson
), plan AS (
    SELECT n.id, any_value(n.title) AS title, any_value(n.requires)::VARCHAR AS requires, min(n.position) AS position
    FROM lesson_nodes() n JOIN lesson_phases() p ON p.lesson = n.lesson AND p.planned = n.plan_place
    WHERE n.lesson = $lesson GROUP BY n.id
), seen AS (
    SELECT node, count(*) AS quizzes, bool_or(newest = 1) AS is_current, bool_or(newest > 1) AS is_visited FROM tags GROUP BY node
)
SELECT
    coalesce(p.id, s.node) AS node, coalesce(p.title, s.node) AS title, coalesce(p.requires, '[]') AS requires, p.position,
    CASE WHEN s.is_current THEN 'current' WHEN s.is_visited THEN 'visited' ELSE 'upcoming' END AS state,
    coalesce(s.is_visited, false) AS visited, coalesce(s.quizzes, 0) AS quizzes, p.id IS NOT NULL AS in_plan
FROM plan p FULL JOIN seen s ON s.node = p.id
ORDER BY p.position NULLS LAST, node
