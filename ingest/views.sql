-- What is counted, derived from the tables, so that it is right however the lines arrived.
-- Each question is a table macro over a window, (since, until, agent): naive UTC timestamps, since inclusive, until
-- exclusive, NULL for no bound or every agent. The view of the same name is the macro over everything.
-- A record without a time counts only where there is no bound; a record that repeats another (duplicate_of) never does.

CREATE OR REPLACE MACRO in_window(moment, from_time, to_time) AS
    (from_time IS NULL OR moment >= from_time) AND (to_time IS NULL OR moment < to_time);

CREATE OR REPLACE MACRO of_agent(name, only_agent) AS (only_agent IS NULL OR name = only_agent);

CREATE OR REPLACE MACRO events_in(from_time, to_time, only_agent) AS TABLE
    SELECT * FROM events
    WHERE duplicate_of IS NULL AND in_window(time, from_time, to_time) AND of_agent(agent, only_agent);
COMMENT ON MACRO TABLE events_in IS 'Grain: one row per event that counts in the window.';

-- Runs are put together before any window is laid over them: one that began before it is still one run.
CREATE OR REPLACE MACRO stage_runs_in(from_time, to_time, only_agent) AS TABLE
SELECT
    *, summary IS NOT NULL AS complete,
    CASE WHEN summary IS NOT NULL THEN rejected_drafts + failed_calls + (outcome = 'posted-writer')::INTEGER = attempts END AS consistent,
    CASE WHEN summary IS NOT NULL THEN rejected_drafts + (outcome = 'posted-writer')::INTEGER END AS judged_drafts
FROM all_runs WHERE in_window(last_time, from_time, to_time) AND of_agent(agent, only_agent);
COMMENT ON MACRO TABLE stage_runs_in IS 'Grain: one row per Socratic run that ended in the window, by its numbers.';

CREATE OR REPLACE MACRO named_runs_in(from_time, to_time, only_agent) AS TABLE
SELECT r.*, coalesce(i.run, p.name) || ' #' || r.segment AS name, CASE WHEN NOT r.inferred THEN p.name END AS session_name
FROM stage_runs_in(from_time, to_time, only_agent) r
JOIN places p ON p.place = r.place
LEFT JOIN inferred_runs i ON r.session < 0 AND i.event_id = r.run;
COMMENT ON MACRO TABLE named_runs_in IS 'Grain: one row per Socratic run that ended in the window, by its numbers and its names.';

CREATE OR REPLACE MACRO runs_in(from_time, to_time, only_agent) AS TABLE
SELECT
    name AS run, session_name AS session, inferred, agent, version, first_time, last_time, rejected_drafts, failed_calls, attempts, outcome,
    complete, consistent, judged_drafts, first_event
FROM named_runs_in(from_time, to_time, only_agent);
COMMENT ON MACRO TABLE runs_in IS 'Grain: one row per Socratic run that ended in the window.';

CREATE OR REPLACE VIEW runs AS SELECT * FROM runs_in(NULL::TIMESTAMP, NULL::TIMESTAMP, NULL::VARCHAR);
COMMENT ON VIEW runs IS 'Grain: one row per Socratic run: drafts, redrafts, perhaps the template, then a summary.';
COMMENT ON COLUMN runs.run IS 'Key of the run: its session (or inferred run) and its number within it, from 1.';
COMMENT ON COLUMN runs.session IS 'Conversation; NULL where the log names none.';
COMMENT ON COLUMN runs.inferred IS 'True where the run was put together by stream, order and attempt number, for want of a session.';
COMMENT ON COLUMN runs.agent IS 'Agent that its lines name; NULL where none does.';
COMMENT ON COLUMN runs.version IS 'Version that its lines name; NULL where none does.';
COMMENT ON COLUMN runs.first_time IS 'Time of its first dated line (UTC).';
COMMENT ON COLUMN runs.last_time IS 'Time of its last dated line (UTC); the run belongs to the window that holds it.';
COMMENT ON COLUMN runs.rejected_drafts IS 'Number of draft rejected lines.';
COMMENT ON COLUMN runs.failed_calls IS 'Number of writer calls that failed; they judge nothing.';
COMMENT ON COLUMN runs.attempts IS 'Writer calls as the summary reports them; NULL without a summary.';
COMMENT ON COLUMN runs.outcome IS 'Outcome as the summary reports it; NULL without a summary.';
COMMENT ON COLUMN runs.complete IS 'True where the run has its summary.';
COMMENT ON COLUMN runs.consistent IS 'True where rejected drafts, failed calls and the posted draft add up to the attempts reported; NULL without a summary.';
COMMENT ON COLUMN runs.judged_drafts IS 'Drafts judged: the rejected ones, and one more if the writer''s was posted; NULL without a summary.';
COMMENT ON COLUMN runs.first_event IS 'Lowest event number among its lines.';

-- What a list of reasons says of the checks that it names, each once.
CREATE OR REPLACE VIEW objecting AS
SELECT
    objection, family, check_id,
    -- A reason that belongs to no check is another failure.
    any_value(failures) = 1 AS sole
FROM (
    SELECT o.*, n.failures FROM all_objections o
    JOIN (SELECT objection, count(DISTINCT coalesce(check_id, lower(fragment))) AS failures FROM all_objections GROUP BY objection) n
        ON n.objection = o.objection
) WHERE check_id IS NOT NULL GROUP BY objection, family, check_id;
COMMENT ON VIEW objecting IS 'Grain: one row per list of reasons and check that objected in it.';
COMMENT ON COLUMN objecting.sole IS 'True where no other check failed in the list, unmapped reasons included.';

-- How far the chain of a first-match family went, by the reasons that stopped it: -1 where a reason is not one of the
-- catalog's, so that no check may claim to have been reached.
CREATE OR REPLACE VIEW stopping AS
SELECT
    o.objection, o.family, min(CASE WHEN c.retired THEN -1 ELSE coalesce(c."order", -1) END) AS stopped_at,
    max(c."order") FILTER (NOT c.retired) AS farthest
FROM all_objections o LEFT JOIN checks c ON c.check_id = o.check_id
WHERE o.family IN ('socratic.slots', 'honesty', 'probe.scale', 'lesson')
GROUP BY o.objection, o.family;
COMMENT ON VIEW stopping IS 'Grain: one row per list of reasons and first-match family in it.';
COMMENT ON COLUMN stopping.stopped_at IS 'Lowest order of the checks that stopped the chain; -1 where one of them is not in the catalog.';
COMMENT ON COLUMN stopping.farthest IS 'Highest order of those that the catalog knows.';

-- Honest texts and posts are items only where those that passed are logged too.
CREATE OR REPLACE MACRO passes_in(from_time, to_time, only_agent) AS TABLE
SELECT DISTINCT family FROM all_judged
WHERE family IN ('honesty', 'guardrail') AND NOT objected AND in_window(time, from_time, to_time) AND of_agent(item_agent, only_agent);
COMMENT ON MACRO TABLE passes_in IS 'Grain: one row per family of these whose passes are logged in the window.';

-- The items that checks judged. stopped_at is NULL where an item went through the whole chain.
CREATE OR REPLACE MACRO items_in(from_time, to_time, only_agent) AS TABLE
SELECT
    'socratic.shape' AS family, NULL AS scope, summary AS event_id, place, run, session, inferred, agent, version, summary_time AS time,
    false AS objected, attempts = 1 AS first_draft, NULL::INTEGER AS stopped_at, 'derived' AS basis
FROM all_runs WHERE outcome = 'posted-writer' AND in_window(summary_time, from_time, to_time) AND of_agent(agent, only_agent)
UNION ALL
SELECT 'socratic.slots', NULL, first_event, place, run, session, inferred, agent, version, first_time, false, NULL, NULL, 'derived'
FROM all_runs WHERE in_window(first_time, from_time, to_time) AND of_agent(agent, only_agent)
UNION ALL
SELECT 'socratic.shape', NULL, event_id, place, run, session, inferred, item_agent, item_version, time, true, first_draft, NULL, 'derived'
FROM all_judged WHERE family = 'socratic.shape' AND in_window(time, from_time, to_time) AND of_agent(item_agent, only_agent)
UNION ALL
SELECT
    j.family, j.scope, j.event_id, j.place, j.run, j.session, j.inferred, j.item_agent, j.item_version, j.time, j.objected, j.first_draft,
    CASE WHEN j.stops THEN CASE
        WHEN j.family IN ('socratic.slots', 'honesty') THEN coalesce(s.stopped_at, -1)
        -- After a re-ask there were two readings: the chain was gone through as far as the farther of them went.
        WHEN j.family = 'probe.scale' THEN coalesce(s.farthest, s.stopped_at)
        -- A second conclusion is refused before an open question is looked for, so that one rule judged it and not both.
        ELSE s.stopped_at
    END END,
    CASE WHEN j.family IN ('honesty', 'probe.scale', 'lesson') THEN 'logged' ELSE 'derived' END
FROM all_judged j LEFT JOIN stopping s ON s.objection = j.objection AND s.family = j.family
WHERE j.family <> 'socratic.shape' AND in_window(j.time, from_time, to_time) AND of_agent(j.item_agent, only_agent)
  AND (j.family NOT IN ('honesty', 'guardrail') OR j.family IN (SELECT family FROM passes_in(from_time, to_time, only_agent)));
COMMENT ON MACRO TABLE items_in IS 'Grain: one row per item judged by a family in the window, without the number of its reasons (evaluations_in adds it); session is the number of its conversation.';

CREATE OR REPLACE MACRO evaluations_in(from_time, to_time, only_agent) AS TABLE
SELECT
    i.family, f.item, i.event_id, coalesce(r.run, p.name) AS session, i.inferred, i.agent, i.version, i.time, i.stopped_at, i.scope, i.basis,
    CASE WHEN i.objected THEN coalesce(n.reasons, 0) ELSE 0 END AS fired, i.objected, coalesce(i.first_draft, false) AS is_first_draft
FROM items_in(from_time, to_time, only_agent) i
JOIN places p ON p.place = i.place
LEFT JOIN inferred_runs r ON i.session < 0 AND r.event_id = i.run
JOIN (VALUES
    ('socratic.slots', 'slot set'), ('socratic.shape', 'draft'), ('honesty', 'final text'), ('gates', 'turn'),
    ('guardrail', 'post'), ('probe.scale', 'answer'), ('lesson', 'tool call')
) f(family, item) ON f.family = i.family
LEFT JOIN (SELECT event_id, family, count(*) AS reasons FROM fires GROUP BY event_id, family) n
    ON n.event_id = i.event_id AND n.family = i.family;
COMMENT ON MACRO TABLE evaluations_in IS 'Grain: one row per item judged by a family in the window.';

CREATE OR REPLACE VIEW evaluations AS SELECT * FROM evaluations_in(NULL::TIMESTAMP, NULL::TIMESTAMP, NULL::VARCHAR);
COMMENT ON VIEW evaluations IS 'Grain: one row per item judged per family. A family whose opportunities the logs do not tell has no rows.';
COMMENT ON COLUMN evaluations.family IS 'Family of the checks that judged it.';
COMMENT ON COLUMN evaluations.item IS 'What was judged: draft, slot set, final text, turn, post, answer, tool call.';
COMMENT ON COLUMN evaluations.event_id IS 'The event that shows it; for slots that passed, the first stage line of the run they led to.';
COMMENT ON COLUMN evaluations.session IS 'Conversation, or the inferred run (or the stream) where the log names none.';
COMMENT ON COLUMN evaluations.inferred IS 'True where the session was not logged.';
COMMENT ON COLUMN evaluations.agent IS 'Agent that the record names, or that the run''s lines name.';
COMMENT ON COLUMN evaluations.version IS 'Version that the record names, or that the run''s lines name.';
COMMENT ON COLUMN evaluations.time IS 'When it was logged (UTC).';
COMMENT ON COLUMN evaluations.stopped_at IS 'First-match families: order of the check that stopped the chain; NULL where it went through, -1 where that check is not in the catalog.';
COMMENT ON COLUMN evaluations.scope IS 'Prefix of the ids of the checks that judged it; NULL where the whole family did.';
COMMENT ON COLUMN evaluations.basis IS 'logged: a record says so; derived: worked out from attempts, turns or posts.';
COMMENT ON COLUMN evaluations.fired IS 'Number of reasons that the record gives; 0 where the item passed.';
COMMENT ON COLUMN evaluations.objected IS 'True where some check objected, also if no reason was logged.';
COMMENT ON COLUMN evaluations.is_first_draft IS 'True for the draft of attempt 1.';

CREATE OR REPLACE MACRO objected_in(from_time, to_time, only_agent) AS TABLE
SELECT
    event_id, place, run, session, time, agent, version, template, attempt, objection, inferred,
    -- The item that it is, where it is one: a line without an agent belongs to that of its run.
    CASE
        WHEN of_agent(item_agent, only_agent) AND (family NOT IN ('honesty', 'guardrail') OR family IN (SELECT family FROM passes_in(from_time, to_time, only_agent)))
        THEN family
    END AS item_family,
    item_agent, item_version, coalesce(first_draft, false) AS first_draft
FROM all_judged WHERE objection IS NOT NULL AND in_window(time, from_time, to_time) AND of_agent(agent, only_agent);
COMMENT ON MACRO TABLE objected_in IS 'Grain: one row per event in the window that gives reasons; item_family is the family of the item that it is, NULL where it is none.';

CREATE OR REPLACE MACRO fired_in(from_time, to_time, only_agent) AS TABLE
SELECT
    j.event_id, o.family, o.check_id, j.template, j.time, j.place AS session, o.sole, j.agent, j.version,
    -- What is known of it as an item of that family.
    coalesce(j.item_family = o.family, false) AS among, CASE WHEN among THEN j.session END AS item_session, CASE WHEN among THEN j.item_agent END AS item_agent,
    CASE WHEN among THEN j.item_version END AS item_version, among AND j.first_draft AS first_draft
FROM objected_in(from_time, to_time, only_agent) j JOIN objecting o ON o.objection = j.objection;
COMMENT ON MACRO TABLE fired_in IS 'Grain: one row per event in the window and check that objected in it, however often the record names it; among tells whether it is one of items_in.';

CREATE OR REPLACE MACRO cells_in(from_time, to_time, only_agent) AS TABLE
SELECT
    family, scope, coalesce(stopped_at, 2147483647) AS reach, session, inferred, time::DATE AS day,
    count(*) AS items, count(*) FILTER (first_draft) AS first_drafts, max(time) AS last_time, any_value(basis) AS basis
FROM items_in(from_time, to_time, only_agent)
GROUP BY family, scope, reach, session, inferred, day;
COMMENT ON MACRO TABLE cells_in IS 'Grain: one row per conversation, day and way through the checks of a family, of the items in the window.';

CREATE OR REPLACE MACRO check_totals_in(from_time, to_time, only_agent) AS TABLE
WITH cells AS MATERIALIZED (
    SELECT * FROM cells_in(from_time, to_time, only_agent)
), known AS (
    SELECT * FROM checks
    UNION ALL BY NAME
    -- A check that was taken out of the catalog without being declared retired.
    SELECT DISTINCT f.check_id, f.family, 'independent' AS mode, f.check_id AS title, '' AS reason, 2147483647 AS "order", '' AS kept_because, NULL AS source, NULL AS source_sha256, true AS retired
    FROM fires f ANTI JOIN checks c ON c.check_id = f.check_id WHERE f.check_id IS NOT NULL
), by_reach AS (
    SELECT family, scope, reach, sum(items) AS items, sum(first_drafts) AS first_drafts, max(last_time) AS last_time, any_value(basis) AS basis
    FROM cells GROUP BY family, scope, reach
), by_session AS (
    SELECT family, scope, reach, count(*) AS sessions, count(*) FILTER (inferred) AS inferred_sessions
    FROM (SELECT family, scope, session, bool_or(inferred) AS inferred, max(reach) AS reach FROM cells GROUP BY family, scope, session)
    GROUP BY family, scope, reach
), by_day AS (
    SELECT family, scope, reach, count(*) AS days
    FROM (SELECT family, scope, day, max(reach) AS reach FROM cells WHERE day IS NOT NULL GROUP BY family, scope, day)
    GROUP BY family, scope, reach
), in_family AS (
    SELECT family, sum(items)::BIGINT AS items, any_value(basis) AS basis, sum(first_drafts)::BIGINT AS first_drafts FROM by_reach GROUP BY family
), judged AS (
    SELECT k.check_id, sum(r.items)::BIGINT AS evaluated, sum(r.first_drafts)::BIGINT AS first_drafts, max(r.last_time) AS last_evaluated
    FROM known k JOIN by_reach r ON r.family = k.family AND r.reach >= k."order" AND (r.scope IS NULL OR starts_with(k.check_id, r.scope))
    WHERE NOT k.retired GROUP BY k.check_id
), in_sessions AS (
    SELECT k.check_id, sum(r.sessions)::BIGINT AS sessions, sum(r.inferred_sessions)::BIGINT AS inferred_sessions
    FROM known k JOIN by_session r ON r.family = k.family AND r.reach >= k."order" AND (r.scope IS NULL OR starts_with(k.check_id, r.scope))
    WHERE NOT k.retired GROUP BY k.check_id
), on_days AS (
    SELECT k.check_id, sum(r.days)::BIGINT AS days
    FROM known k JOIN by_day r ON r.family = k.family AND r.reach >= k."order" AND (r.scope IS NULL OR starts_with(k.check_id, r.scope))
    WHERE NOT k.retired GROUP BY k.check_id
), objections_in AS (
    SELECT
        objection, template, item_family, first_draft, count(*) AS records, count(*) FILTER (time IS NULL) AS undated, min(time) AS first_time, max(time) AS last_time
    FROM objected_in(from_time, to_time, only_agent) GROUP BY objection, template, item_family, first_draft
), fires_by_check AS (
    SELECT
        o.check_id,
        coalesce(sum(n.records) FILTER (NOT n.template), 0)::BIGINT AS fires,
        coalesce(sum(n.records) FILTER (n.template), 0)::BIGINT AS template_fires,
        coalesce(sum(n.records) FILTER (o.sole AND NOT n.template), 0)::BIGINT AS sole_fires,
        coalesce(sum(n.undated) FILTER (NOT n.template), 0)::BIGINT AS undated_fires,
        coalesce(sum(n.records) FILTER (n.item_family = o.family), 0)::BIGINT AS evaluated_fires,
        coalesce(sum(n.records) FILTER (n.item_family = o.family AND n.first_draft), 0)::BIGINT AS first_draft_fires,
        min(n.first_time) FILTER (NOT n.template) AS first_fired,
        max(n.last_time) FILTER (NOT n.template) AS last_fired
    FROM objections_in n JOIN objecting o ON o.objection = n.objection
    GROUP BY o.check_id
), gate_fires AS (
    -- A gate's fire is another record than the turn that it belongs to: those of sessions whose turns are logged count.
    SELECT o.check_id, count(*) AS evaluated_fires
    FROM objected_in(from_time, to_time, only_agent) j JOIN objecting o ON o.objection = j.objection
    WHERE o.family = 'gates' AND j.place IN (SELECT session FROM cells WHERE family = 'gates')
    GROUP BY o.check_id
)
SELECT
    k.check_id, k.family, k.mode, k.title, k.reason, k."order", k.kept_because, k.source, k.source_sha256, k.retired,
    coalesce(f.fires, 0) AS fires,
    CASE WHEN k.retired THEN NULL WHEN n.items IS NULL THEN NULL ELSE coalesce(j.evaluated, 0) END AS evaluated,
    CASE WHEN k.retired THEN 'unknown' ELSE coalesce(n.basis, 'unknown') END AS evaluated_basis,
    CASE WHEN k.retired OR n.items IS NULL THEN NULL
         WHEN k.family = 'gates' THEN coalesce(g.evaluated_fires, 0)
         ELSE coalesce(f.evaluated_fires, 0) END AS evaluated_fires,
    CASE WHEN k.family = 'socratic.shape' AND NOT k.retired THEN j.first_drafts END AS first_drafts,
    CASE WHEN k.family = 'socratic.shape' AND NOT k.retired AND n.items IS NOT NULL THEN coalesce(f.first_draft_fires, 0) END AS first_draft_fires,
    coalesce(f.sole_fires, 0) AS sole_fires,
    coalesce(f.template_fires, 0) AS template_fires,
    coalesce(f.undated_fires, 0) AS undated_fires,
    CASE WHEN k.retired OR n.items IS NULL THEN NULL ELSE coalesce(s.sessions, 0) END AS sessions,
    CASE WHEN k.retired OR n.items IS NULL THEN NULL ELSE coalesce(s.inferred_sessions, 0) END AS inferred_sessions,
    CASE WHEN k.retired OR n.items IS NULL THEN NULL ELSE coalesce(d.days, 0) END AS days,
    CASE WHEN NOT k.retired THEN n.items END AS family_evaluated,
    f.first_fired, f.last_fired, j.last_evaluated
FROM known k
LEFT JOIN in_family n ON n.family = k.family
LEFT JOIN judged j ON j.check_id = k.check_id
LEFT JOIN in_sessions s ON s.check_id = k.check_id
LEFT JOIN on_days d ON d.check_id = k.check_id
LEFT JOIN fires_by_check f ON f.check_id = k.check_id
LEFT JOIN gate_fires g ON g.check_id = k.check_id;
COMMENT ON MACRO TABLE check_totals_in IS 'Grain: one row per check, with what the window says of it.';

CREATE OR REPLACE VIEW check_totals AS SELECT * FROM check_totals_in(NULL::TIMESTAMP, NULL::TIMESTAMP, NULL::VARCHAR);
COMMENT ON VIEW check_totals IS 'Grain: one row per check of the catalog, and per check that only the logs know.';
COMMENT ON COLUMN check_totals.check_id IS 'The check.';
COMMENT ON COLUMN check_totals.family IS 'Checks that are evaluated together.';
COMMENT ON COLUMN check_totals.mode IS 'How the family is evaluated: collect-all, first-match or independent.';
COMMENT ON COLUMN check_totals.title IS 'What it is called.';
COMMENT ON COLUMN check_totals.reason IS 'What it writes into a log when it fires.';
COMMENT ON COLUMN check_totals."order" IS 'Place in the order of evaluation of its family.';
COMMENT ON COLUMN check_totals.kept_because IS 'Why it is kept whatever the evidence; empty where it is not on the keep-list.';
COMMENT ON COLUMN check_totals.source IS 'File of the live code, relative to the checkout.';
COMMENT ON COLUMN check_totals.source_sha256 IS 'Digest of that file when it was registered.';
COMMENT ON COLUMN check_totals.retired IS 'True where only the logs know the check any more.';
COMMENT ON COLUMN check_totals.fires IS 'Records in which it objected; a template that failed is not among them.';
COMMENT ON COLUMN check_totals.evaluated IS 'Items that it is known to have judged; NULL where the logs do not tell.';
COMMENT ON COLUMN check_totals.evaluated_basis IS 'logged, derived or unknown: how the evaluations are known.';
COMMENT ON COLUMN check_totals.evaluated_fires IS 'Fires among those items: what a rate may be made of.';
COMMENT ON COLUMN check_totals.first_drafts IS 'Drafts of attempt 1 in complete runs; NULL outside Socratic shape.';
COMMENT ON COLUMN check_totals.first_draft_fires IS 'Those of them to which it objected; NULL outside Socratic shape.';
COMMENT ON COLUMN check_totals.sole_fires IS 'Fires in which no other check failed, unmapped reasons included.';
COMMENT ON COLUMN check_totals.template_fires IS 'Templates to which it objected.';
COMMENT ON COLUMN check_totals.undated_fires IS 'Fires without a time.';
COMMENT ON COLUMN check_totals.sessions IS 'Conversations in which it was evaluated; inferred runs count as one each.';
COMMENT ON COLUMN check_totals.inferred_sessions IS 'Those of them that are inferred runs or streams, for want of a session.';
COMMENT ON COLUMN check_totals.days IS 'Days (UTC) on which it was evaluated.';
COMMENT ON COLUMN check_totals.family_evaluated IS 'Items that reached its family at all.';
COMMENT ON COLUMN check_totals.first_fired IS 'Time of its first dated fire.';
COMMENT ON COLUMN check_totals.last_fired IS 'Time of its last dated fire.';
COMMENT ON COLUMN check_totals.last_evaluated IS 'Time of the last item that it judged.';

-- The order in which a discussion comes to its points.
CREATE OR REPLACE MACRO point_place(point) AS CASE
    WHEN point = 'start' THEN 0
    WHEN point = 'before_closing' THEN 1000000000
    WHEN point = 'end' THEN 1000000001
    ELSE 1 + 2 * coalesce(TRY_CAST(regexp_extract(point, '[0-9]{1,8}') AS BIGINT), 400000000) + starts_with(point, 'after')::INTEGER
END;

CREATE OR REPLACE MACRO probe_answers_in(from_time, to_time, only_agent) AS TABLE
SELECT
    e.event_id, e.time, coalesce(e.session, e.stream) AS session, e.subject AS probe, e.extra ->> '$.point' AS point,
    point_place(e.extra ->> '$.point') AS place, e.extra ->> '$.participant' AS participant, e.text AS answer,
    (e.extra ->> '$.value')::INTEGER AS value, (e.extra ->> '$.lo')::INTEGER AS lo, (e.extra ->> '$.hi')::INTEGER AS hi, e.attempts,
    CASE
        WHEN (e.extra ->> '$.value') IS NOT NULL THEN 'read'
        WHEN e.text IS NULL THEN 'na'
        WHEN (e.extra ->> '$.lo') IS NOT NULL OR e.event_id IN (SELECT event_id FROM fires WHERE family = 'probe.scale') THEN 'unread'
        ELSE 'text'
    END AS outcome,
    row_number() OVER (
        PARTITION BY coalesce(e.session, e.stream), e.subject, e.extra ->> '$.participant' ORDER BY e.time, e.file_id, e.byte_offset, e.part
    ) AS nth
FROM events_in(from_time, to_time, only_agent) e
WHERE e.system = 'probe' AND e.kind = 'answer';
COMMENT ON MACRO TABLE probe_answers_in IS 'Grain: one row per answer to a probe. outcome: read (it has a value), unread (it has a scale or a refusal, and no value), na (no answer), text (no scale); nth counts a participant''s answers to a probe in the order given.';

-- A lesson is put together before any window is laid over it, from every record of its calls: a call stands where it
-- was first made, and is what its newest record says. An id that waits again after it had its result is a new call.
CREATE OR REPLACE MACRO lesson_calls() AS TABLE
WITH records AS (
    SELECT
        event_id, coalesce(session, stream) AS lesson, agent, time, kind, extra ->> '$.call' AS call, extra ->> '$.state' AS state,
        coalesce(extra ->> '$.input', 'true') = 'true' AS has_input, text, extra -> '$.nodes' AS nodes,
        CASE kind WHEN 'quiz_call' THEN 'quiz' WHEN 'tool_refused' THEN subject WHEN 'tool_call' THEN subject ELSE kind END AS tool,
        CASE kind WHEN 'quiz_call' THEN subject WHEN 'tool_refused' THEN extra ->> '$.node' END AS node,
        row_number() OVER (PARTITION BY coalesce(session, stream) ORDER BY time, file_id, byte_offset, part) AS place
    FROM events WHERE system = 'lesson' AND kind <> 'message'
), ordered AS (
    SELECT
        *, coalesce(call, place::VARCHAR || ' without id') AS id,
        (state IN ('input-streaming', 'input-available')) AS waits
    FROM records
), marked AS (
    SELECT *, waits AND NOT lag(waits, 1, true) OVER (PARTITION BY lesson, tool, id ORDER BY place) AS anew FROM ordered
), numbered AS (
    SELECT *, count(*) FILTER (anew) OVER (PARTITION BY lesson, tool, id ORDER BY place) AS number FROM marked
)
SELECT
    lesson, tool, min(place) AS place, max(agent) AS agent, max(time) AS time, max_by(event_id, place) AS event_id,
    max_by(kind, place) = 'tool_refused' AS refused,
    max_by(kind, place) IN ('probe_done', 'plan_init') AND coalesce(max_by(state, place), 'output-available') = 'output-available' AS succeeded,
    -- What a record without any input leaves out stands in the one before it.
    max_by(struct_pack(node := node), place) FILTER (has_input) AS told,
    max_by(nodes::VARCHAR, place) FILTER (has_input) AS nodes
FROM numbered GROUP BY lesson, tool, id, number;
COMMENT ON MACRO TABLE lesson_calls IS 'Grain: one row per tool call of a lesson (told.node: the node that a quiz names); place is its order in the lesson, from 1, with gaps.';

CREATE OR REPLACE MACRO lesson_phases() AS TABLE
WITH calls AS MATERIALIZED (
    SELECT * FROM lesson_calls()
), concluded AS (
    SELECT lesson, min(place) AS concluded FROM calls WHERE tool = 'probe_done' AND succeeded GROUP BY lesson
)
SELECT
    c.lesson, d.concluded, min(c.place) FILTER (c.tool = 'plan_init' AND c.succeeded AND c.place > d.concluded) AS accepted,
    max(c.place) FILTER (c.tool = 'plan_init' AND c.succeeded) AS planned
FROM calls c LEFT JOIN concluded d ON d.lesson = c.lesson
GROUP BY c.lesson, d.concluded;
COMMENT ON MACRO TABLE lesson_phases IS 'Grain: one row per lesson with a tool call: the places of the call that concluded its probe, of the plan that began its teaching, and of its latest plan; NULL where there is none.';

CREATE OR REPLACE MACRO lesson_nodes() AS TABLE
SELECT
    c.lesson, c.place AS plan_place, n.id, n.title, n.requires, n.position
FROM lesson_calls() c, LATERAL (
    SELECT value ->> '$.id' AS id, value ->> '$.title' AS title, value -> '$.requires' AS requires, key::INTEGER + 1 AS position
    FROM json_each(c.nodes::JSON)
) n
WHERE c.tool = 'plan_init' AND c.succeeded AND c.nodes IS NOT NULL;
COMMENT ON MACRO TABLE lesson_nodes IS 'Grain: one row per node of each plan that a lesson had (plan_place: the place of its call).';

CREATE OR REPLACE MACRO lesson_tags() AS TABLE
WITH nodes AS MATERIALIZED (
    SELECT lesson, id, min(plan_place) AS since FROM lesson_nodes() GROUP BY lesson, id
), first_plan AS (
    SELECT lesson, min(since) AS since FROM nodes GROUP BY lesson
)
SELECT c.lesson, c.place, c.told.node AS node, row_number() OVER (PARTITION BY c.lesson ORDER BY c.place DESC) AS newest
FROM lesson_calls() c
LEFT JOIN first_plan f ON f.lesson = c.lesson
LEFT JOIN nodes n ON n.lesson = c.lesson AND n.id = c.told.node
WHERE c.tool = 'quiz' AND c.told.node IS NOT NULL AND (f.since IS NULL OR c.place < f.since OR n.since < c.place);
COMMENT ON MACRO TABLE lesson_tags IS 'Grain: one row per quiz call that moves a lesson to a node: any tag before the first plan, then those of nodes that a plan holds; newest = 1 is the current one.';
