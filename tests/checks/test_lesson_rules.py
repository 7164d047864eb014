"""Probe and teach over a transcript: the rules of the probe and teach page, numbered.

Two agents (section 1)
 1. The prober runs the probing phase with quiz, ask_user_question and probe_done; no plan tools.
 2. The prober's quiz is another tool under the same name: it has no nodeId at all.
 3. The teacher runs everything from planning onward; it is constructed once the transcript carries a probe_done, which
    is durable by the tool result: a call that waits or was refused constructs nobody.
 4. The agents share the message history: what the prober did stays in the transcript and changes nothing later.
probe_done (section 2)
 5. It refuses while a question is open, with "resolve the open question first".
 6. It refuses a second conclusion, the teacher's included.
 7. The assessment is its input: a list of strands, the learner's edge on each, an optional overall summary.
 8. It queues the handoff; should that be lost, the transcript still constructs the teacher.
nodeId (section 3)
 9. Current is the node of the newest tagged quiz call: the call, in any state, not its result.
10. Visited is every node of an earlier tagged call: sticky, monotonic.
11. There is no completion of any kind: results move nothing.
12. Several questions may tag the same node, and the map stays put.
13. Untagged checks are legal and move nothing.
14. Before the first tagged check nothing is current.
15. A nodeId that is present but not in the plan is rejected at the call boundary, and returned to the agent.
16. Upcoming is what is neither current nor visited.
17. The plan carries structure only.
Phases (section 4)
18. probe, then planning after probe_done, then teach after a successful plan_init: events alone, never the position.
19. Without a probe_done a transcript is a prober's (section 8).
Diagnosis
20. The share of untagged teaching questions, and lessons that never left an earlier phase, can be seen.
"""

import itertools
import json
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks import lesson
from checks.lesson import (
    TOOLS,
    Assessment,
    Node,
    Outcome,
    Plan,
    Position,
    Share,
    Strand,
    agent,
    assessment,
    calls,
    outcome,
    phase,
    plan,
    position,
    position_of,
    stuck_before_teach,
    untagged_share,
)
from checks.lesson.records import answered, call, message, returned, text, to_jsonl
from checks.registry import family_checks

Message = dict[str, Any]
NUMBERS = itertools.count(1000)
STATES = ("input-streaming", "input-available", "output-available", "output-error")
NODES = [
    {"id": "n1", "title": "Ends", "requires": []},
    {"id": "n2", "title": "Means", "requires": ["n1"]},
    {"id": "n3"},
]
STRANDS = {"strands": [{"strand": "Will to power", "edge": "Names it, cannot apply it"}], "overall": "Ready"}


def says(*parts: Mapping[str, object]) -> Message:
    return message("assistant", *parts)


def quiz(
    node: str | None = None, state: str = "output-available", call_id: str | None = None, **more: object
) -> Message:
    """A quiz call in a message of its own, tagged with `node` where one is given."""
    given = {"question": "Why?", "correctAnswer": "So"} | ({} if node is None else {"nodeId": node})
    part = call("quiz", call_id or f"q{next(NUMBERS)}", given, state)
    return says(part | ({"output": "right"} if state == "output-available" else {}) | more)


DONE = says(answered(call("probe_done", "d1", STRANDS), {"ok": True}))
PLANNED = says(answered(call("plan_init", "p1", {"nodes": NODES}), {"ok": True}))
TEACHING = [message("user", text("Teach me Nietzsche")), quiz(), DONE, PLANNED]


@pytest.mark.parametrize("check", family_checks("lesson"), ids=lambda check: check.check_id)
def test_each_check_holds_on_its_own_examples(check: Any) -> None:
    """The examples that the dashboard shows beside a check's source are true."""
    assert check.check_id == f"lesson.{check.reason}"
    for arguments in check.fires_on:
        assert check.function(*arguments), arguments
    for arguments in check.silent_on:
        assert not check.function(*arguments), arguments


def test_rule_1_each_agent_has_the_tools_of_its_own_phase() -> None:
    """The prober cannot plan, and the teacher cannot conclude a probe."""
    assert ["quiz", "ask_user_question", "probe_done"] == list(TOOLS["prober"])
    assert {"quiz", "plan_init"} <= set(TOOLS["teacher"])
    assert "probe_done" not in TOOLS["teacher"]
    refused = outcome("plan_init", {"nodes": NODES}, [])
    assert "plan_init: the prober has no such tool; it has quiz, ask_user_question, probe_done" == refused.error


def test_rule_2_the_probers_quiz_has_no_node_id() -> None:
    """The word does not occur in its schema, nothing else may be added, and the teacher's quiz has it as optional."""
    assert "nodeId" not in json.dumps(TOOLS["prober"])
    assert TOOLS["prober"]["quiz"]["additionalProperties"] is False
    assert "nodeId" in TOOLS["teacher"]["quiz"]["properties"]
    assert "nodeId" not in TOOLS["teacher"]["quiz"]["required"]
    assert (
        "quiz: nodeId is no field of this tool; ask the question without it"
        == outcome("quiz", {"nodeId": "n1"}, []).error
    )


def test_rule_3_the_teacher_is_constructed_once_probe_done_has_succeeded() -> None:
    """Before it the prober, from it on the teacher."""
    assert ["prober", "prober", "teacher", "teacher"] == [agent(TEACHING[:n]) for n in range(1, 5)]


@pytest.mark.parametrize(
    "part",
    [
        *[call("probe_done", "d1", STRANDS, state) for state in ("input-streaming", "input-available", "output-error")],
        answered(call("probe_done", "d1", STRANDS), {"ok": False, "error": "resolve the open question first"}),
        answered(call("probe_done", "d1", STRANDS), {"error": "a question is open"}),
        answered(call("probe_done", "d1", STRANDS), "Error: a question is open"),
    ],
)
def test_rule_3_a_probe_done_that_waits_or_was_refused_constructs_nobody(part: dict[str, object]) -> None:
    """The conclusion is durable by its result; a refusal is told by the state or by what the tool returned."""
    assert ("prober", "probe") == (agent([quiz(), says(part)]), phase([quiz(), says(part)]))


def test_rule_4_the_history_is_shared() -> None:
    """The prober's calls stay in the transcript that the teacher reads, and count for nothing there."""
    assert ["quiz", "probe_done", "plan_init"] == [made.tool for made in calls(TEACHING)]
    assert Position(None, (), ("n1", "n2", "n3")) == position(TEACHING)


@pytest.mark.parametrize("tool", ["quiz", "ask_user_question"])
@pytest.mark.parametrize("state", ["input-streaming", "input-available"])
def test_rule_5_probe_done_refuses_while_a_question_is_open(tool: str, state: str) -> None:
    """Both kinds of question, in both states without a result."""
    found = outcome("probe_done", STRANDS, [says(call(tool, "q1", {}, state))])
    assert "lesson.probe_done_while_open" == found.refusal
    assert "probe_done: a question is open; resolve the open question first" == found.error
    assert not found.handoff


@pytest.mark.parametrize("state", ["output-available", "output-error"])
def test_rule_5_a_resolved_question_does_not_hold_the_probe_open(state: str) -> None:
    """Also where the transcript recorded the question a second time, once it had its result."""
    open_first = [quiz(state="input-available", call_id="q1"), quiz(state=state, call_id="q1")]
    assert Outcome(handoff=True) == outcome("probe_done", STRANDS, open_first)


def test_rule_6_probe_done_refuses_a_second_conclusion() -> None:
    """The teacher that calls it, with a question open or not, is told that the probe is over."""
    for earlier in (TEACHING, [*TEACHING, quiz("n1", "input-available")]):
        found = outcome("probe_done", STRANDS, earlier)
        assert ("lesson.probe_done_twice", False) == (found.refusal, found.handoff)
        assert "probe_done: the probe has concluded already; go on with the plan" == found.error
    refused = says(call("probe_done", "d0", STRANDS, "output-error"))
    assert Outcome(handoff=True) == outcome("probe_done", STRANDS, [refused])


def test_rule_6_a_refused_second_conclusion_changes_nothing() -> None:
    """The assessment stays the first one, and the phase does not go back."""
    again = says(returned(call("probe_done", "d2", {"strands": []}), outcome("probe_done", {}, TEACHING)))
    assert assessment(TEACHING) == assessment([*TEACHING, again])
    assert "teach" == phase([*TEACHING, again])


def test_rule_7_the_assessment_is_the_input_of_probe_done() -> None:
    """Strands with the learner's edge, and an overall summary that may be left out."""
    expected = Assessment((Strand("Will to power", "Names it, cannot apply it"),), "Ready")
    assert expected == assessment(TEACHING)
    short = says(answered(call("probe_done", "d1", {"strands": STRANDS["strands"]}), "ok"))
    assert Assessment(expected.strands, None) == assessment([short])
    assert assessment([quiz()]) is None
    assert ["strands"] == TOOLS["prober"]["probe_done"]["required"]
    assert ["strand", "edge"] == TOOLS["prober"]["probe_done"]["properties"]["strands"]["items"]["required"]


def test_rule_8_probe_done_queues_the_handoff() -> None:
    """The call says that the teacher's turn is due; without it, the next message finds the teacher all the same."""
    assert outcome("probe_done", STRANDS, [quiz()]).handoff
    assert "teacher" == agent([quiz(), DONE, message("user", text("hello?"))])


@pytest.mark.parametrize("state", STATES)
def test_rule_9_current_is_the_newest_tagged_call_in_any_state(state: str) -> None:
    """A call that still streams, waits, succeeded or failed is where the lesson is."""
    assert "n2" == position([*TEACHING, quiz("n1"), quiz("n2", state)]).current


def test_rule_10_visited_is_every_node_of_an_earlier_tagged_call() -> None:
    """In the order of the first visit; going back removes nothing, and a node can be both current and visited."""
    walk = [*TEACHING, quiz("n2"), quiz("n1"), quiz("n2"), quiz("n3")]
    assert Position("n3", ("n2", "n1"), ()) == position(walk)
    assert Position("n1", ("n2", "n1", "n3"), ()) == position([*walk, quiz("n1")])
    assert Position("n2", (), ("n1", "n3")) == position(walk[: len(TEACHING) + 1])


def test_rule_11_nothing_is_ever_done() -> None:
    """No name and no field of a lesson speaks of completion, and a right answer leaves the node where it was."""
    names = [*lesson.__all__, *(field.name for kind in (Position, Plan, Node) for field in fields(kind))]
    assert [] == [
        name for name in names if any(word in name.lower() for word in ("done", "complete", "finished", "passed"))
    ]
    right = quiz("n1", output={"correct": True})
    assert Position("n1", (), ("n2", "n3")) == position([*TEACHING, right])


def test_rule_12_several_questions_on_one_node_leave_the_map_in_place() -> None:
    """Three checks of one node are one place."""
    found = position([*TEACHING, quiz("n1"), quiz("n1"), quiz("n1")])
    assert ("n1", ("n2", "n3")) == (found.current, found.upcoming)


@pytest.mark.parametrize(
    "untagged", [quiz(), quiz(""), quiz("  "), says(call("ask_user_question", "a", {"nodeId": "n3"}))]
)
def test_rule_13_untagged_checks_move_nothing(untagged: Message) -> None:
    """Neither a quiz without a node nor another tool's call, and the boundary lets an untagged quiz pass."""
    walk = [*TEACHING, quiz("n1"), quiz("n2")]
    assert position(walk) == position([*walk, untagged])
    assert Outcome() == outcome("quiz", {"question": "Why?"}, TEACHING)


def test_rule_14_nothing_is_current_before_the_first_tag() -> None:
    """Not even a node without requirements: there is no guess."""
    assert Position(None, (), ("n1", "n2", "n3")) == position([*TEACHING, quiz(), quiz()])
    assert Position(None, (), ()) == position([])


def test_rule_15_an_id_that_is_not_in_the_plan_is_returned_to_the_agent() -> None:
    """The error names the id and what would do; a known one passes; without a plan there is nothing to name."""
    found = outcome("quiz", {"question": "Why?", "nodeId": "n9"}, TEACHING)
    assert "lesson.unknown_node" == found.refusal
    assert "quiz: nodeId 'n9' is not in the plan; use one of n1, n2, n3, or leave nodeId out" == found.error
    assert Outcome() == outcome("quiz", {"nodeId": "n3"}, TEACHING)
    assert "lesson.unknown_node" == outcome("quiz", {"nodeId": "n1"}, [DONE]).refusal
    assert ["lesson.unknown_node"] * 3 == [
        outcome("quiz", {"nodeId": bad}, TEACHING).refusal for bad in ("", 1, ["n1"])
    ]


def test_rule_15_a_refused_call_does_not_move_the_map() -> None:
    """An id that no plan holds names no node, in whatever state its call ended."""
    refused = returned(call("quiz", "q9", {"nodeId": "n9"}), outcome("quiz", {"nodeId": "n9"}, TEACHING))
    assert ("output-error", "unknown_node") == (refused["state"], refused["refusal"])
    assert Position("n1", (), ("n2", "n3")) == position([*TEACHING, quiz("n1"), says(refused)])
    assert Position("n1", (), ("n2", "n3")) == position([*TEACHING, quiz("n1"), quiz("n9", "input-streaming")])


def test_rule_16_upcoming_is_what_is_left_of_the_newest_plan() -> None:
    """A plan authored again brings its own nodes; what was visited stays visited."""
    second = says(answered(call("plan_init", "p2", {"nodes": [{"id": "n2"}, {"id": "n4"}]}), {"ok": True}))
    failed = says(call("plan_init", "p3", {"nodes": [{"id": "n5"}]}, "output-error"))
    walk = [*TEACHING, quiz("n1"), second, failed, quiz("n2")]
    assert Position("n2", ("n1",), ("n4",)) == position(walk)
    assert Position("a", ("b",), ("c",)) == position_of(["b", "a"], ["a", "b", "c"])


def test_rule_17_the_plan_is_the_input_of_the_latest_plan_init_that_succeeded() -> None:
    """Ids, titles and requirements; a node without an id is left out, and nothing but structure is kept."""
    nodes = (Node("n1", "Ends"), Node("n2", "Means", ("n1",)), Node("n3", "n3"))
    assert Plan(nodes) == plan(TEACHING)
    assert ["id", "title", "requires"] == [field.name for field in fields(Node)]
    odd = {"nodes": [{"title": "no id"}, "text", {"id": " "}, {"id": "x", "title": 3, "requires": "n1"}]}
    assert Plan((Node("x", "x"),)) == plan([says(answered(call("plan_init", "p", odd), "ok"))])
    assert plan([DONE]) is None


def test_rule_18_the_phase_follows_events_alone() -> None:
    """A call that failed, waits, or came in the wrong order starts nothing; tags and results play no part."""
    assert ["probe", "probe", "planning", "teach"] == [phase(TEACHING[:n]) for n in range(1, 5)]
    waiting = says(call("plan_init", "p1", {"nodes": NODES}))
    failed = says(call("plan_init", "p1", {"nodes": NODES}, "output-error"))
    assert ["planning"] * 3 == [phase([DONE, event]) for event in (waiting, failed, quiz("n1"))]
    assert "planning" == phase([PLANNED, DONE])
    assert "teach" == phase([*TEACHING, PLANNED])


def test_rule_19_without_probe_done_a_transcript_is_a_probers() -> None:
    """Plans and tags of older lessons are no key to the teacher."""
    assert ("prober", "probe") == (agent([PLANNED, quiz("n1")]), phase([PLANNED, quiz("n1")]))


def test_rule_20_the_share_of_untagged_questions_counts_teaching_ones_alone() -> None:
    """The prober's questions cannot be tagged, and before a plan there is nothing to tag."""
    found = untagged_share([quiz(), DONE, quiz(), PLANNED, quiz("n1"), quiz(), quiz(""), quiz("n2", "output-error")])
    assert (Share(2, 4), 0.5) == (found, found.share)
    assert (Share(0, 0), None) == (untagged_share([quiz()]), untagged_share([quiz()]).share)


def test_rule_20_a_lesson_that_never_taught_says_where_it_stayed() -> None:
    """The phase it ended in, and nothing for a lesson that reached teach."""
    assert ["probe", "planning", None] == [stuck_before_teach(TEACHING[:n]) for n in (2, 3, 4)]


def test_a_call_recorded_again_counts_once_where_it_was_made() -> None:
    """A log that writes a message at each state does not turn one question into several."""
    first, second = quiz("n1", "input-streaming", "q1"), quiz("n2", "input-available", "q2")
    ended = says({"type": "tool-quiz", "toolCallId": "q1", "state": "output-available", "output": "right"})
    assert ["output-available", "input-available"] == [made.state for made in calls([first, second, ended])]
    assert Position("n2", ("n1",), ()) == position([first, second, ended])


def test_an_id_that_is_used_again_is_another_call() -> None:
    """A model that numbers its calls anew in each message does not hide the newer question behind the older one."""
    walk = [
        quiz("n1", call_id="q1"),
        quiz("n2", "input-available", "q1"),
        DONE,
        says(call("quiz", "d1", {"nodeId": "n3"})),
    ]
    assert ["n1", "n2", None, "n3"] == [made.node_id for made in calls(walk)]


def test_a_call_is_known_by_either_way_of_naming_its_tool() -> None:
    """`type` as tool-NAME and `toolName` beside another type are the same call."""
    named = {
        "type": "dynamic-tool",
        "toolName": "quiz",
        "toolCallId": "q1",
        "state": "input-available",
        "input": {"nodeId": "n1"},
    }
    assert calls([quiz("n1", "input-available", "q1")])[0].node_id == calls([says(named)])[0].node_id == "n1"


def test_a_record_has_the_keys_that_readers_look_for() -> None:
    """The type comes first, so that a reader knows the line by its beginning."""
    line = to_jsonl(says(call("quiz", "q1", {"nodeId": "n1"})), session="s-1", time="2026-09-01T10:00:00Z")
    assert (
        '{"type":"lesson_message","session":"s-1","time":"2026-09-01T10:00:00Z","role":"assistant","parts":['
        '{"type":"tool-quiz","toolCallId":"q1","state":"input-available","input":{"nodeId":"n1"}}]}\n'
    ) == line


def test_what_an_agent_is_told_maps_to_the_check_that_refused() -> None:
    """A log of other writers holds the error text alone; each check knows its own and no other's."""
    told = {
        found.refusal: str(found.error)
        for found in (
            outcome("quiz", {"nodeId": "a\nb"}, TEACHING),
            outcome("probe_done", STRANDS, TEACHING),
            outcome("probe_done", STRANDS, [quiz(state="input-available")]),
        )
    }
    for refusal, error in told.items():
        known = [
            c.check_id for c in family_checks("lesson") if any(re.fullmatch(a, error, re.IGNORECASE) for a in c.aliases)
        ]
        assert [refusal] == known


outputs = (
    st.none() | st.text() | st.dictionaries(st.sampled_from(["ok", "error", "correct"]), st.booleans() | st.text())
)
tags = st.lists(st.sampled_from(["n1", "n2", "n3", None]), max_size=12)


@given(tags, st.data())
def test_results_and_states_never_move_a_lesson(walk: list[str | None], data: st.DataObject) -> None:
    """The same calls with any states and results give the same position: only the tags count."""
    tagged = [node for node in walk if node is not None]
    again = [
        quiz(node, data.draw(st.sampled_from(STATES)), f"q{n}", output=data.draw(outputs))
        for n, node in enumerate(walk)
    ]
    found = position([*TEACHING, *again])
    assert position_of(tagged, ("n1", "n2", "n3")) == found
    assert set(tagged) == {*found.visited, found.current} - {None}
    assert {"n1", "n2", "n3"} == {*found.visited, found.current, *found.upcoming} - {None}


@given(tags)
def test_what_was_visited_stays_visited(walk: list[str | None]) -> None:
    """Every longer transcript has visited at least what a shorter one had, in the same order."""
    before: tuple[str, ...] = ()
    for n in range(len(walk) + 1):
        visited = position([*TEACHING, *(quiz(node) for node in walk[:n])]).visited
        assert before == visited[: len(before)]
        before = visited


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.sampled_from(["quiz", "tool-quiz", "probe_done", *STATES]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "parts",
                    "type",
                    "toolName",
                    "toolCallId",
                    "state",
                    "input",
                    "output",
                    "errorText",
                    "nodeId",
                    "nodes",
                    "id",
                    "strands",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(st.lists(st.dictionaries(st.sampled_from(["role", "parts"]), anything)))
def test_any_transcript_gives_a_place_and_no_exception(transcript: list[Message]) -> None:
    """Logs are hostile: parts of any shape are passed over, and every question still has an answer."""
    assert agent(transcript) == ("prober" if phase(transcript) == "probe" else "teacher")
    found = position(transcript)
    assert found.current is None or isinstance(found.current, str)
    assert 0 <= untagged_share(transcript).untagged <= untagged_share(transcript).quizzes
    assert isinstance(assessment(transcript), Assessment | None)
    assert isinstance(outcome("probe_done", {}, transcript), Outcome)
