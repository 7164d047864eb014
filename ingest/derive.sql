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

-- Each distinct list of reasons has a number. Lists are told apart by a digest of 128 bits: they may be as many as the records, and
-- the reasons themselves would not fit into memory.
CREATE OR REPLACE TEMP MACRO reason_digest(position, family, fragment, check_id) AS
    md5_number(concat_ws(chr(31), position, family, fragment, coalesce(check_id, chr(30))));
CREATE OR REPLACE TEMP TABLE fresh_lists AS
SELECT f.event_id, bit_xor(reason_digest(f.position + 1, f.family, f.fragment, f.check_id)) AS digest
FROM fires f SEMI JOIN fresh_events e ON e.event_id = f.event_id
WHERE f.event_id >= getvariable('stale_from')
GROUP BY f.event_id;
CREATE OR REPLACE TEMP TABLE fresh_objections AS
WITH known AS MATERIALIZED (
    SELECT objection, bit_xor(reason_digest(position, family, fragment, check_id)) AS digest FROM objections GROUP BY objection
), new AS (
    SELECT digest, min(event_id) AS given_by FROM fresh_lists ANTI JOIN known USING (digest) GROUP BY digest
)
SELECT digest, objection, NULL AS given_by FROM known SEMI JOIN fresh_lists USING (digest)
UNION ALL
SELECT digest, (SELECT coalesce(max(objection), 0) FROM objections) + row_number() OVER (ORDER BY given_by), given_by FROM new;
INSERT INTO objections
SELECT o.objection, f.position + 1, f.family, f.fragment, f.check_id FROM fresh_objections o JOIN fires f ON f.event_id = o.given_by;
CREATE OR REPLACE TEMP TABLE fresh_numbers AS
SELECT event_id, objection FROM fresh_lists JOIN fresh_objections USING (digest);

DELETE FROM judged WHERE place IN (SELECT place FROM stale);
DELETE FROM stage_runs WHERE place IN (SELECT place FROM stale);
INSERT INTO stage_runs BY NAME SELECT * FROM runs_of('fresh_lines');
INSERT INTO judged BY NAME SELECT * FROM judged_of('fresh_events', 'fresh_lines', 'stage_runs', 'fresh_numbers');
DELETE FROM places WHERE place IN (SELECT place FROM stale) AND place NOT IN (SELECT place FROM judged UNION ALL SELECT place FROM stage_runs);
DELETE FROM stale;

DROP TABLE fresh_events;
DROP TABLE fresh_lines;
DROP TABLE fresh_lists;
DROP TABLE fresh_objections;
DROP TABLE fresh_numbers;
DROP MACRO reason_digest;
RESET VARIABLE stale_from;
