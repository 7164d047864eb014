-- How often did each check fire per week, out of how many evaluations, and in how many conversations?
-- Grain: one row per check and week (its Monday, UTC) in which it was evaluated or fired; what it is out of is NULL where it is not known.
-- Parameters: $since, $until, $agent
-- fired_sessions are those of the sessions (conversations, or inferred runs) in which it fired on an evaluated item; days are those of the week on which it was evaluated.
WITH cells AS MATERIALIZED (
    SELECT *, date_trunc('week', day)::DATE AS week FROM cells_in($since, $until, $agent) WHERE day IS NOT NULL
), judged AS (
    SELECT family, scope, week, reach, sum(items) AS items FROM cells GROUP BY family, scope, week, reach
), by_session AS (
    SELECT family, scope, week, reach, count(*) AS sessions
    FROM (SELECT family, scope, week, session, max(reach) AS reach FROM cells GROUP BY family, scope, week, session)
    GROUP BY family, scope, week, reach
), by_day AS (
    SELECT family, scope, week, reach, count(*) AS days
    FROM (SELECT family, scope, week, day, max(reach) AS reach FROM cells GROUP BY family, scope, week, day)
    GROUP BY family, scope, week, reach
), counted AS (
    SELECT family, scope, week, reach, items, 0 AS sessions, 0 AS days FROM judged
    UNION ALL SELECT family, scope, week, reach, 0, sessions, 0 FROM by_session
    UNION ALL SELECT family, scope, week, reach, 0, 0, days FROM by_day
), evaluated AS (
    SELECT c.check_id, c.family, n.week, sum(n.items)::BIGINT AS evaluated, sum(n.sessions)::BIGINT AS sessions, sum(n.days)::BIGINT AS days
    FROM checks c JOIN counted n ON n.family = c.family AND n.reach >= c."order" AND (n.scope IS NULL OR starts_with(c.check_id, n.scope))
    WHERE NOT c.retired
    GROUP BY c.check_id, c.family, n.week
), told AS MATERIALIZED (
    SELECT objection, item_family, place, session, date_trunc('week', time)::DATE AS week, count(*) AS records
    FROM objected_in($since, $until, $agent) WHERE time IS NOT NULL AND NOT template GROUP BY ALL
), fired AS (
    SELECT o.check_id, any_value(o.family) AS family, t.week, sum(t.records)::BIGINT AS fires
    FROM (SELECT objection, week, sum(records) AS records FROM told GROUP BY objection, week) t JOIN objecting o ON o.objection = t.objection
    GROUP BY o.check_id, t.week
), among AS (
    SELECT o.check_id, t.week, t.session FROM told t JOIN objecting o ON o.objection = t.objection AND o.family = t.item_family
    UNION
    -- A gate's fire is another record than the turn that it belongs to.
    SELECT o.check_id, t.week, t.place FROM told t JOIN objecting o ON o.objection = t.objection AND o.family = 'gates'
    SEMI JOIN (SELECT DISTINCT week, session FROM cells WHERE family = 'gates') i ON i.week = t.week AND i.session = t.place
), in_sessions AS (
    SELECT check_id, week, count(DISTINCT session) AS fired_sessions FROM among GROUP BY check_id, week
)
SELECT
    coalesce(e.check_id, f.check_id) AS check_id, coalesce(e.family, f.family) AS family, coalesce(e.week, f.week) AS week,
    coalesce(f.fires, 0) AS fires, e.evaluated, e.sessions,
    CASE WHEN e.sessions IS NOT NULL THEN coalesce(s.fired_sessions, 0) END AS fired_sessions, e.days
FROM evaluated e
FULL JOIN fired f ON f.check_id = e.check_id AND f.week = e.week
LEFT JOIN in_sessions s ON s.check_id = e.check_id AND s.week = e.week
ORDER BY check_id, week
