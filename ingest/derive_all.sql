-- Everything is stale: the definitions changed, or what is derived was never worked out. Run before derive.sql.
INSERT INTO places
SELECT (SELECT coalesce(max(place), 0) FROM places) + row_number() OVER (), name
FROM (SELECT DISTINCT coalesce(session, stream) AS name FROM events) ANTI JOIN places USING (name);
DELETE FROM stale;
INSERT INTO stale SELECT place, -1 FROM places;
