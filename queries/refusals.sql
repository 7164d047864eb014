-- Which tools did the protocol layer refuse on purpose? (Counted apart: these are no check's fires.)
-- Grain: one row per kind of refusal and tool.
-- Parameters: $since, $until, $agent
SELECT kind, subject AS tool, count(*) AS refusals, min(time) AS first_seen, max(time) AS last_seen
FROM events_in($since, $until, $agent)
WHERE system = 'protocol'
GROUP BY kind, subject ORDER BY refusals DESC, kind, tool
