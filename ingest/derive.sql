-- The step that works out what is stale and keeps it (see derived.sql). Runs as one transaction.

-- Nothing of a stale place that matters stands before what changed in it and what is derived of it.
SET VARIABLE stale_from = (
    SELECT least(
        (SELECT min(from_event) FROM stale),
        (SELECT min(event_id) FROM judged WHERE place IN (SELECT place FROM stale)),
        (SELECT min(first_event) FROM stage_runs WHERE place IN (SELECT place FROM stale))
    )
);

CREATE OR REPLACE TEMP TABLE fresh_events AS SELECT * FROM stale_events;
CREATE OR REPLACE TEMP TABLE fresh_lines AS SELECT * FROM lines_of('fresh_events');

-- Each distinct list of reasons has a number. Reasons are numbered first: lists of numbers are compared fast.
CREATE OR REPLACE TEMP TABLE fresh_reasons AS
SELECT row_number() OVER () AS reason, * FROM (
    SELECT DISTINCT f.family, f.fragment, f.check_id
    FROM fires f SEMI JOIN fresh_events e ON e.event_id = f.event_id WHERE f.event_id >= getvariable('stale_from')
);
CREATE OR REPLACE TEMP TABLE fresh_lists AS
SELECT f.event_id, list((f.position::BIGINT << 32) | r.reason) AS given
FROM fires f
JOIN fresh_reasons r ON r.family = f.family AND r.fragment = f.fragment AND r.check_id IS NOT DISTINCT FROM f.check_id
SEMI JOIN fresh_events e ON e.event_id = f.event_id
WHERE f.event_id >= getvariable('stale_from')
GROUP BY f.event_id;
CREATE OR REPLACE TEMP TABLE fresh_objections AS
WITH element AS (
    SELECT given, unnest(list_sort(given)) AS element FROM (SELECT DISTINCT given FROM fresh_lists)
), whole AS (
    SELECT e.given, list(struct_pack(family := r.family, fragment := r.fragment, check_id := r.check_id) ORDER BY e.element) AS reasons
    FROM element e JOIN fresh_reasons r ON r.reason = e.element & 4294967295 GROUP BY e.given
), known AS (
    SELECT objection, list(struct_pack(family := family, fragment := fragment, check_id := check_id) ORDER BY position) AS reasons
    FROM objections GROUP BY objection
), matched AS (
    SELECT w.given, w.reasons, k.objection FROM whole w LEFT JOIN known k ON k.reasons = w.reasons
)
SELECT
    given, reasons, objection IS NULL AS is_new,
    coalesce(objection, (SELECT coalesce(max(objection), 0) FROM objections) + dense_rank() OVER (ORDER BY objection IS NOT NULL, reasons)) AS objection
FROM matched;
INSERT INTO objections
SELECT objection, generate_subscripts(reasons, 1), unnest(reasons, recursive := true)
FROM (SELECT DISTINCT objection, reasons FROM fresh_objections WHERE is_new);
CREATE OR REPLACE TEMP TABLE fresh_numbers AS
SELECT l.event_id, o.objection FROM fresh_lists l JOIN fresh_objections o ON o.given = l.given;

DELETE FROM judged WHERE place IN (SELECT place FROM stale);
DELETE FROM stage_runs WHERE place IN (SELECT place FROM stale);
INSERT INTO stage_runs BY NAME SELECT * FROM runs_of('fresh_lines');
INSERT INTO judged BY NAME SELECT * FROM judged_of('fresh_events', 'fresh_lines', 'stage_runs', 'fresh_numbers');
DELETE FROM places WHERE place IN (SELECT place FROM stale) AND place NOT IN (SELECT place FROM judged UNION ALL SELECT place FROM stage_runs);
DELETE FROM stale;

DROP TABLE fresh_events;
DROP TABLE fresh_lines;
DROP TABLE fresh_reasons;
DROP TABLE fresh_lists;
DROP TABLE fresh_objections;
DROP TABLE fresh_numbers;
RESET VARIABLE stale_from;
