-- What do the logs say of the checks whose source is known to have changed, as far as it is of their source as it is now?
-- Grain: one row per live check of whose source the ingests saw more than one state.
-- Parameters: $since, $until, $agent
-- A record counts where its version came up after the last ingest that saw the former source, or is the digest of the source as it is now (at least seven digits of it). A record that names no version counts too, and is counted apart: it may be of either.
WITH stretch AS (
    SELECT *, row_number() OVER (PARTITION BY check_id ORDER BY last_seen DESC, first_seen DESC) AS newest FROM check_sources
), changed AS MATERIALIZED (
    SELECT c.check_id, c.family, c."order", n.source_sha256, o.last_seen AS changed_after, n.first_seen AS changed_before
    FROM checks c
    JOIN stretch n ON n.check_id = c.check_id AND n.newest = 1
    JOIN stretch o ON o.check_id = c.check_id AND o.newest = 2
    WHERE NOT c.retired
), versions AS (
    SELECT coalesce(agent, '') AS agent, version, min(time) AS first_time FROM events
    WHERE version IS NOT NULL AND (SELECT count(*) FROM changed) > 0 GROUP BY ALL
), current AS MATERIALIZED (
    SELECT
        c.check_id, v.agent, v.version,
        CASE
            WHEN EXISTS (SELECT 1 FROM check_sources s WHERE s.check_id = c.check_id AND length(v.version) >= 7 AND starts_with(s.source_sha256, lower(v.version)))
                THEN starts_with(c.source_sha256, lower(v.version))
            ELSE v.first_time >= c.changed_after
        END AS counts
    FROM changed c, versions v
), items AS MATERIALIZED (
    SELECT
        family, scope, event_id, session, inferred, time, coalesce(first_draft, false) AS first_draft, coalesce(stopped_at, 2147483647) AS reach,
        coalesce(agent, '') AS agent, version
    FROM items_in($since, $until, $agent) WHERE family IN (SELECT family FROM changed)
), judged AS (
    SELECT
        c.check_id, i.event_id, i.session, i.inferred, i.time, i.first_draft, i.version IS NULL AS unversioned,
        i.version IS NULL OR coalesce(n.counts, false) AS counts
    FROM items i
    JOIN changed c ON c.family = i.family AND i.reach >= c."order" AND (i.scope IS NULL OR starts_with(c.check_id, i.scope))
    LEFT JOIN current n ON n.check_id = c.check_id AND n.agent = i.agent AND n.version = i.version
), evaluated AS (
    SELECT
        check_id, count(*) FILTER (counts) AS evaluated, count(DISTINCT session) FILTER (counts) AS sessions,
        count(DISTINCT session) FILTER (counts AND inferred) AS inferred_sessions, count(DISTINCT time::DATE) FILTER (counts) AS days,
        count(*) FILTER (counts AND first_draft) AS first_drafts, max(time) FILTER (counts) AS last_evaluated,
        count(*) FILTER (NOT counts) AS former_evaluated, count(*) FILTER (unversioned) AS unversioned_evaluated
    FROM judged GROUP BY check_id
), turns AS (
    SELECT DISTINCT check_id, session FROM judged WHERE counts AND starts_with(check_id, 'gates.')
), fired AS (
    SELECT
        f.check_id, f.family, f.session, f.time, f.sole, f.among, f.first_draft,
        coalesce(f.item_version, f.version) IS NULL OR coalesce(n.counts, false) AS counts
    FROM fired_in($since, $until, $agent) f
    SEMI JOIN changed c ON c.check_id = f.check_id
    LEFT JOIN current n
        ON n.check_id = f.check_id AND n.agent = coalesce(nullif(f.item_agent, ''), f.agent, '') AND n.version = coalesce(f.item_version, f.version)
    WHERE NOT f.template
), objected AS (
    SELECT
        f.check_id, count(*) FILTER (counts) AS fires, count(*) FILTER (counts AND sole) AS sole_fires,
        count(*) FILTER (counts AND time IS NULL) AS undated_fires,
        count(*) FILTER (counts AND CASE WHEN family = 'gates' THEN t.session IS NOT NULL ELSE among END) AS evaluated_fires,
        count(*) FILTER (counts AND first_draft) AS first_draft_fires, min(time) FILTER (counts) AS first_fired, max(time) FILTER (counts) AS last_fired,
        count(*) FILTER (NOT counts) AS former_fires
    FROM fired f LEFT JOIN turns t ON t.check_id = f.check_id AND t.session = f.session
    GROUP BY f.check_id
)
SELECT
    c.check_id, c.changed_after, c.changed_before, coalesce(o.fires, 0) AS fires, e.evaluated,
    CASE WHEN e.evaluated IS NOT NULL THEN coalesce(o.evaluated_fires, 0) END AS evaluated_fires,
    CASE WHEN c.family = 'socratic.shape' THEN e.first_drafts END AS first_drafts,
    CASE WHEN c.family = 'socratic.shape' AND e.evaluated IS NOT NULL THEN coalesce(o.first_draft_fires, 0) END AS first_draft_fires,
    coalesce(o.sole_fires, 0) AS sole_fires, coalesce(o.undated_fires, 0) AS undated_fires, e.sessions, e.inferred_sessions, e.days,
    o.first_fired, o.last_fired, e.last_evaluated,
    coalesce(e.former_evaluated, 0) AS former_evaluated, coalesce(o.former_fires, 0) AS former_fires, coalesce(e.unversioned_evaluated, 0) AS unversioned_evaluated
FROM changed c
LEFT JOIN evaluated e ON e.check_id = c.check_id
LEFT JOIN objected o ON o.check_id = c.check_id
ORDER BY c.check_id
