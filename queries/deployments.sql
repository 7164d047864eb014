-- What do the logs say of each check in each deployment: per agent, or per version?
-- Grain: one row per check and deployment whose records its family is in. $by is 'agent' or 'version'; deployment is NULL for the records that name none. Where family_passed is 0, a deployment is named on objections alone, and what it is out of is not known.
-- Parameters: $since, $until, $agent, $by, $quiet_days = 21
WITH newest AS MATERIALIZED (
    SELECT coalesce(CASE WHEN $by = 'agent' THEN agent ELSE version END, '') AS deployment, max(time) AS newest_record
    FROM events_in($since, $until, $agent) GROUP BY deployment
), cells AS MATERIALIZED (
    SELECT
        i.family, i.scope, i.deployment, i.session, i.inferred, i.time::DATE AS day, coalesce(i.stopped_at, 2147483647) AS reach,
        count(*) AS items, count(*) FILTER (NOT i.objected) AS passed, any_value(i.basis) AS basis, count(*) FILTER (i.first_draft) AS first_drafts,
        count(*) FILTER (i.time >= n.newest_record - to_days($quiet_days::INTEGER)) AS recent, max(i.time) AS last_time
    FROM (
        SELECT *, coalesce(CASE WHEN $by = 'agent' THEN agent ELSE version END, '') AS deployment FROM items_in($since, $until, $agent)
    ) i LEFT JOIN newest n ON n.deployment = i.deployment GROUP BY ALL
), told AS MATERIALIZED (
    SELECT
        objection, item_family, first_draft, place, session, CASE WHEN $by = 'agent' THEN agent ELSE version END AS own_deployment,
        nullif(CASE WHEN $by = 'agent' THEN item_agent ELSE item_version END, '') AS item_deployment,
        count(*) AS records, count(*) FILTER (time IS NULL) AS undated, min(time) AS first_time, max(time) AS last_time
    FROM objected_in($since, $until, $agent) WHERE NOT template GROUP BY ALL
), turns AS (
    SELECT DISTINCT deployment, session FROM cells WHERE family = 'gates'
), fired AS (
    -- A draft belongs to its run's deployment, also where the line itself names none.
    SELECT
        o.family, o.check_id, o.sole, f.records, f.undated, f.first_time, f.last_time, coalesce(f.item_family = o.family, false) AS among,
        CASE WHEN among THEN coalesce(f.item_deployment, f.own_deployment, '') ELSE coalesce(f.own_deployment, '') END AS deployment,
        among AND f.first_draft AS first_draft
    FROM (
        SELECT
            objection, item_family, first_draft, own_deployment, item_deployment, sum(records) AS records, sum(undated) AS undated,
            min(first_time) AS first_time, max(last_time) AS last_time
        FROM told GROUP BY ALL
    ) f JOIN objecting o ON o.objection = f.objection
), numbered AS (
    SELECT *, dense_rank() OVER (ORDER BY check_id) AS number FROM objecting
), in_sessions AS (
    -- Counted by number: texts are dear to tell apart.
    SELECT any_value(check_id) AS check_id, deployment, sum(records) AS evaluated_fires, count(*) AS fired_sessions
    FROM (
        SELECT any_value(check_id) AS check_id, number, deployment, session, sum(records) AS records FROM (
            SELECT o.check_id, o.number, coalesce(t.item_deployment, t.own_deployment, '') AS deployment, t.session, t.records
            FROM told t JOIN numbered o ON o.objection = t.objection AND o.family = t.item_family WHERE o.family <> 'gates'
            UNION ALL
            -- A gate's fire is another record than the turn that it belongs to.
            SELECT o.check_id, o.number, coalesce(t.own_deployment, ''), t.place, t.records
            FROM told t JOIN numbered o ON o.objection = t.objection
            SEMI JOIN turns g ON g.deployment = coalesce(t.own_deployment, '') AND g.session = t.place
            WHERE o.family = 'gates'
        ) GROUP BY number, deployment, session
    ) GROUP BY number, deployment
), by_reach AS (
    SELECT
        family, scope, deployment, reach, sum(items) AS items, any_value(basis) AS basis, sum(first_drafts) AS first_drafts,
        sum(recent) AS recent, max(last_time) AS last_time
    FROM cells WHERE deployment IN (SELECT deployment FROM newest) GROUP BY ALL
), by_session AS (
    SELECT family, scope, deployment, reach, count(*) AS sessions, count(*) FILTER (inferred) AS inferred_sessions
    FROM (SELECT family, scope, deployment, session, bool_or(inferred) AS inferred, max(reach) AS reach FROM cells GROUP BY family, scope, deployment, session)
    GROUP BY ALL
), by_day AS (
    SELECT family, scope, deployment, reach, count(*) AS days
    FROM (SELECT family, scope, deployment, day, max(reach) AS reach FROM cells WHERE day IS NOT NULL GROUP BY family, scope, deployment, day)
    GROUP BY ALL
), counted AS (
    SELECT * FROM by_reach UNION ALL BY NAME SELECT * FROM by_session UNION ALL BY NAME SELECT * FROM by_day
), judged AS (
    SELECT
        c.check_id, r.deployment, coalesce(sum(r.items), 0)::BIGINT AS evaluated, any_value(r.basis) AS basis, sum(r.sessions)::BIGINT AS sessions,
        sum(r.inferred_sessions)::BIGINT AS inferred_sessions, sum(r.days)::BIGINT AS days, sum(r.first_drafts)::BIGINT AS first_drafts,
        max(r.last_time) AS last_evaluated, sum(r.recent)::BIGINT AS evaluated_recently
    FROM counted r
    JOIN checks c ON c.family = r.family AND r.reach >= c."order" AND (r.scope IS NULL OR starts_with(c.check_id, r.scope))
    WHERE NOT c.retired
    GROUP BY c.check_id, r.deployment
), of_family AS (
    SELECT family, deployment, sum(items)::BIGINT AS items, sum(passed)::BIGINT AS passed, max(last_time) AS last_time FROM cells GROUP BY family, deployment
), objected AS (
    SELECT
        f.check_id, any_value(f.family) AS family, f.deployment, sum(f.records)::BIGINT AS fires, coalesce(sum(f.records) FILTER (f.sole), 0)::BIGINT AS sole_fires,
        sum(f.undated)::BIGINT AS undated_fires, coalesce(any_value(n.evaluated_fires), 0)::BIGINT AS evaluated_fires,
        coalesce(any_value(n.fired_sessions), 0) AS fired_sessions,
        coalesce(sum(f.records) FILTER (f.first_draft), 0)::BIGINT AS first_draft_fires, min(f.first_time) AS first_fired, max(f.last_time) AS last_fired
    FROM fired f LEFT JOIN in_sessions n ON n.check_id = f.check_id AND n.deployment = f.deployment
    GROUP BY f.check_id, f.deployment
), known AS (
    SELECT check_id, family, mode, kept_because, retired, "order" FROM checks
    UNION ALL BY NAME
    SELECT DISTINCT check_id, family, 'independent' AS mode, '' AS kept_because, true AS retired, 2147483647 AS "order" FROM objected ANTI JOIN checks USING (check_id)
), places AS (
    SELECT family, deployment FROM of_family UNION SELECT family, deployment FROM objected
)
SELECT
    k.check_id, k.family, k.mode, k.retired, k.kept_because, nullif(p.deployment, '') AS deployment,
    coalesce(o.fires, 0) AS fires, CASE WHEN NOT k.retired AND n.items > 0 THEN coalesce(j.evaluated, 0) END AS evaluated,
    CASE WHEN k.retired THEN 'unknown' ELSE coalesce(j.basis, 'unknown') END AS evaluated_basis,
    CASE WHEN NOT k.retired AND n.items > 0 THEN coalesce(o.evaluated_fires, 0) END AS evaluated_fires,
    CASE WHEN NOT k.retired THEN n.items END AS family_evaluated, CASE WHEN NOT k.retired THEN n.passed END AS family_passed,
    coalesce(j.evaluated_recently, 0) AS evaluated_recently,
    CASE WHEN k.family = 'socratic.shape' AND NOT k.retired THEN j.first_drafts END AS first_drafts,
    CASE WHEN k.family = 'socratic.shape' AND NOT k.retired AND n.items > 0 THEN coalesce(o.first_draft_fires, 0) END AS first_draft_fires,
    coalesce(o.sole_fires, 0) AS sole_fires, coalesce(o.undated_fires, 0) AS undated_fires,
    CASE WHEN NOT k.retired AND n.items > 0 THEN coalesce(j.sessions, 0) END AS sessions,
    CASE WHEN NOT k.retired AND n.items > 0 THEN coalesce(j.inferred_sessions, 0) END AS inferred_sessions,
    CASE WHEN NOT k.retired AND n.items > 0 THEN coalesce(o.fired_sessions, 0) END AS fired_sessions,
    CASE WHEN NOT k.retired AND n.items > 0 THEN coalesce(j.days, 0) END AS days,
    o.first_fired, o.last_fired, j.last_evaluated, n.last_time AS family_last_record, w.newest_record
FROM known k
JOIN places p ON p.family = k.family
LEFT JOIN of_family n ON n.family = k.family AND n.deployment = p.deployment
LEFT JOIN judged j ON j.check_id = k.check_id AND j.deployment = p.deployment
LEFT JOIN objected o ON o.check_id = k.check_id AND o.deployment = p.deployment
LEFT JOIN newest w ON w.deployment = p.deployment
WHERE NOT k.retired OR o.fires > 0
ORDER BY k.family, k.retired, k."order", k.check_id, p.deployment = '', p.deployment
