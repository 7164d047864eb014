-- What was purged from the store, and so is in no count?
-- Grain: one row per purge; before is NULL where a session was purged.
-- Parameters: none
SELECT purged, before, events, fires, rejects FROM purges ORDER BY purged
