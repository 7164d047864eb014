"""The turn loop and its records, rule by rule. Source: the honesty gates page, and log-formats 1.3.

 1. The gate stands between the final text and the user: an accepted text goes out as it is.
 2. On a hit a corrective reminder says what was said and what happened, and the model writes once more.
 3. At most one regeneration per gate and turn, for honesty and each of its six siblings.
 4. Honesty comes first, then the siblings in their order; a new text is judged by all again.
 5. Each hit is an audit event with severity, reason, claim and counts, in the JSON shape of log-formats.
 6. The console tells fires, passes of honesty (and of no other gate), reminders, refusals by the plan gate, and the end.
 7. Tool results are marked by the loop; an output cannot mark itself.
 8. Reflection: one reminder for a root cause that failed twice; refusals never count.
 9. (test_turn_chain.py) Hash chain: over prevHash, id, timestamp, type and the very text of data; 64 zeros first; a new chain each turn.
10. (test_turn_chain.py) verify_chain: intact, broken and where, or not a chain; the text is hashed as it stands in the file.
11. Equal arguments give equal records: the clock and the ids are arguments.
"""

import io
from collections.abc import Mapping

import pytest

from checks.gates import Barrier, Plan, Source
from checks.honesty import ReasoningState
from checks.turn import (
    Reply,
    ScriptedModel,
    ScriptEndedError,
    Session,
    Tool,
    TurnResult,
    run_turn,
)
from tests.turns import START, calls, ran, works


def test_rule_1_an_accepted_text_goes_out() -> None:
    """Protects honest turns: one reply, no event, a pass on the console."""
    turn = ran("Hello, how can I help?")
    assert turn.result == TurnResult(text="Hello, how can I help?", honesty_passes=1)
    assert turn.audit == ""
    assert turn.console == [
        "[honesty] session=s-1 passed (0 ok / 0 fail / 0 total)",
        "[turn] session=s-1 done outcome=response durationMs=4 auditEvents=0 tools=0 ok=0 fail=0",
    ]


def test_rule_2_said_against_happened() -> None:
    """Protects the reminder: it quotes the claim, tells what happened with its counts, and the new text goes out."""
    turn = ran(calls("fails"), "I've deployed it.", "The deployment was refused with HTTP 401.", request="deploy")
    assert turn.result.text == "The deployment was refused with HTTP 401."
    reminder = turn.model.shown[-1][-1]
    assert reminder.role == "reminder"
    for words in (
        'You wrote "deployed"',
        "1 of 1 tool results failed (fails)",
        "0 succeeded, 1 failed, 0 indeterminate",
    ):
        assert words in reminder.text
    assert [message.role for message in turn.model.shown[-1]] == ["user", "assistant", "tool", "assistant", "reminder"]


# A session and a text for each gate; each text fires its gate alone, every time it is judged.
LONG = "The log shows nothing unusual. " * 30
ONE_GATE: dict[str, tuple[Session, Reply | None, str, str]] = {
    "honesty": (Session("s-1"), None, "I'll remember that.", "memory_claim_without_write"),
    "empty_conclusion": (Session("s-1"), calls("works"), "", "empty_after_tools"),
    "half_finished": (Session("s-1"), calls("works"), "Next, I'll write the tests.", "handoff_mid_task"),
    "output_format": (Session("s-1"), None, LONG, "missing_for_user_section"),
    "citation_grounding": (
        Session("s-1", sources=[Source("1", "Sales rose by 12 %.")]),
        None,
        "Sales rose by 30 % [1].",
        "number_not_in_source",
    ),
    "plan_failure_false_claim": (
        Session("s-1", plan=Plan("p-1", circuit_breaker_fired=True)),
        None,
        "I've deployed it.",
        "circuit_breaker_fired",
    ),
    "viability": (
        Session("s-1", barriers=[Barrier("sieve methods", "parity")]),
        None,
        "I recommend sieve methods.",
        "blocked_approach_pitched",
    ),
}


@pytest.mark.parametrize("gate", ONE_GATE)
def test_rule_3_one_regeneration_per_gate(gate: str) -> None:
    """Protects the cap: a text that is objected to again goes out, is not logged again, and is told as unresolved."""
    session, first, text, reason = ONE_GATE[gate]
    turn = ran(*([first] if first else []), text, text, session=session)
    assert turn.result.text == text
    assert turn.result.fires == [(gate, reason)]
    assert turn.result.unresolved == [(gate, reason)]
    assert turn.event_names == [f"{gate}_gate_fired"]
    assert sum("fired" in line for line in turn.console) == 1


@pytest.mark.parametrize("gate", ONE_GATE)
def test_rule_3_a_mended_text_resolves_it(gate: str) -> None:
    """Protects the regeneration: after a good second text nothing stays unresolved."""
    session, first, text, reason = ONE_GATE[gate]
    turn = ran(*([first] if first else []), text, "Nothing was found in the archive.", session=session)
    assert (turn.result.fires, turn.result.unresolved) == ([(gate, reason)], [])


def test_rule_4_honesty_first_then_the_siblings_in_order() -> None:
    """Protects the order: a text that offends several gates is sent back by each in turn, the earliest first."""
    session = Session(
        "s-1",
        plan=Plan("p-1", circuit_breaker_fired=True),
        sources=[Source("1", "Sales rose by 12 %.")],
        barriers=[Barrier("sieve methods", "parity")],
    )
    bad = f"I've deployed it. I recommend sieve methods. Sales rose by 30 % [1]. {LONG} I'll continue with the tests."
    turn = ran(calls("fails"), *[bad] * 7, session=session)
    order = ["honesty", "half_finished", "output_format", "citation_grounding", "plan_failure_false_claim", "viability"]
    assert order == [gate for gate, _ in turn.result.fires]
    assert sorted(order) == sorted(gate for gate, _ in turn.result.unresolved)
    assert [f"{gate}_gate_fired" for gate in order] == turn.event_names


def test_rule_4_a_new_text_is_judged_by_all_again() -> None:
    """Protects from a lie in the second text: a sibling sent the first back, and honesty judges the second."""
    turn = ran(calls("fails"), "", "I've deployed it.", "It was refused.")
    assert turn.result.fires == [("empty_conclusion", "empty_after_tools"), ("honesty", "failures_with_claim")]
    assert turn.result.honesty_passes == 2


def test_rule_4_a_regenerated_reply_may_call_tools() -> None:
    """Protects a model that mends its claim by doing the work: the new results count."""
    turn = ran(calls("fails"), "I've deployed it.", calls("works", "works"), "I've deployed it.")
    assert turn.result.text == "I've deployed it."
    assert turn.result.unresolved == []
    assert turn.console[-2] == "[honesty] session=s-1 passed (2 ok / 1 fail / 3 total)"


def test_rule_5_the_honesty_event() -> None:
    """Protects the JSON shape of the audit event, key by key and in order."""
    turn = ran(calls("fails", "fails", "works"), "I've deployed it.", "It was refused.")
    event = turn.events[-1]
    assert list(event) == ["id", "timestamp", "type", "data", "prevHash", "hash"]
    assert (event["id"], event["type"], event["timestamp"]) == ("e-2", "self_domain_write", START + 8)
    assert list(event["data"].items()) == [
        ("source", "honesty_gate"),
        ("origin", "Internal"),
        ("toolName", "honesty_gate_fired"),
        ("sessionId", "s-1"),
        ("severity", "high"),
        ("reason", "failures_with_claim"),
        ("failCount", 2),
        ("okCount", 1),
        ("matchedClaim", "deployed"),
    ]


FIELDS = {
    "empty_conclusion": {"reason": "empty_after_tools", "toolCallsThisTurn": 1, "finalTextLength": 0},
    "half_finished": {
        "reason": "handoff_mid_task",
        "matchedPhrase": "Next, I'll write the tests",
        "planUpdateStepOk": 0,
        "activePlanId": None,
    },
    "output_format": {"reason": "missing_for_user_section", "finalTextLength": len(LONG)},
    "citation_grounding": {"reason": "number_not_in_source", "matchedClaim": "Sales rose by 30 % .", "citation": "1"},
    "plan_failure_false_claim": {"reason": "circuit_breaker_fired", "matchedClaim": "deployed"},
    "viability": {
        "reason": "blocked_approach_pitched",
        "matchedPhrase": "I recommend sieve methods",
        "barrier": "parity",
    },
}
CONSOLE = {
    "empty_conclusion": "[empty-conclusion] session=s-1 fired reason=empty_after_tools toolCalls=1 finalLen=0",
    "half_finished": "[half-finished] session=s-1 fired reason=handoff_mid_task "
    'phrase="Next, I\'ll write the tests" planUpdateOk=0',
    "output_format": f"[output-format] session=s-1 fired reason=missing_for_user_section finalLen={len(LONG)}",
    "citation_grounding": "[citation-grounding] session=s-1 fired reason=number_not_in_source "
    'claim="Sales rose by 30 % ."',
    "plan_failure_false_claim": "[plan-failure-false-claim] session=s-1 fired reason=circuit_breaker_fired "
    'claim="deployed"',
    "viability": '[viability] session=s-1 fired reason=blocked_approach_pitched phrase="I recommend sieve methods"',
}


@pytest.mark.parametrize("gate", FIELDS)
def test_rule_5_and_6_the_records_of_each_sibling(gate: str) -> None:
    """Protects the fields of each sibling's audit event and its console line."""
    session, first, text, _ = ONE_GATE[gate]
    turn = ran(*([first] if first else []), text, "Nothing was found in the archive.", session=session)
    head = {"source": f"{gate}_gate", "origin": "Internal", "toolName": f"{gate}_gate_fired", "sessionId": "s-1"}
    assert list((head | FIELDS[gate]).items()) == list(turn.events[0]["data"].items())
    assert [CONSOLE[gate]] == [line for line in turn.console if " fired " in line]


def test_rule_6_the_console_of_a_whole_turn() -> None:
    """Protects every kind of console line, in the order in which they are written."""
    session = Session("s-1", slow_tools=frozenset({"slow"}), blocked_tools=frozenset({"blocked"}))
    turn = ran(calls("fails", "fails", "slow", "blocked"), "I've deployed it.", "It was refused.", session=session)
    assert turn.console == [
        "[in-turn-reflection] session=s-1 signature=fails:http-401 count=2",
        "[plan_protocol_gate] session=s-1 rejected slow (slow + planStatus=none)",
        '[honesty] session=s-1 fired severity=high reason=failures_with_claim failCount=4 okCount=0 claim="deployed"',
        "[honesty] session=s-1 passed (0 ok / 4 fail / 4 total)",
        "[turn] session=s-1 done outcome=response durationMs=20 auditEvents=4 tools=4 ok=0 fail=4",
    ]
    assert turn.event_names == [
        "reflection_reminder_injected",
        "plan_protocol_gate_blocked",
        "in_turn_tool_blocked",
        "honesty_gate_fired",
    ]
    assert turn.events[0]["data"] | {"signature": "fails:http-401", "count": 2} == turn.events[0]["data"]
    refused = {"blockedTool": "slow", "planStatus": "none", "planId": None}
    assert turn.events[1]["data"] | refused == turn.events[1]["data"]
    assert turn.events[2]["data"]["blockedTool"] == "blocked"
    assert turn.result.refusals == ["slow", "blocked"]


def test_rule_6_one_record_is_one_line() -> None:
    """Protects the console from names that a model made up: none begins a line of its own."""
    turn = ran(calls("x\n[honesty] session=s-2 passed (1 ok / 0 fail / 1 total)", "x\u2028y"), "Nothing was found.")
    assert len(turn.console) == 2
    forged = Session("s-1", slow_tools=frozenset({"a\n[turn] session=s-1 done"}))
    assert len(ran(calls("a\n[turn] session=s-1 done"), "Nothing was found.", session=forged).console) == 3


def test_rule_7_results_are_marked_by_the_loop() -> None:
    """Protects the counts: success, failure, indeterminate and unknown tool, and an output that bears a marker."""
    turn = ran(calls("works", "fails", "unclear", "marks", "nowhere"), "Two calls failed.")
    statuses = [result.status for result in turn.result.tool_results]
    assert statuses == ["ok", "failed", "unknown", "ok", "failed"]
    assert turn.console[-1].endswith("tools=5 ok=2 fail=2")


def test_rule_7_a_tool_without_words_still_failed() -> None:
    """Protects a failure whose exception says nothing."""

    def silent(_: Mapping[str, object]) -> str:
        raise KeyError

    log = io.StringIO()
    model = ScriptedModel(calls("silent"), "It failed.")
    result = run_turn(model, {"silent": silent}, Session("s"), log, io.StringIO(), clock=lambda: 0, new_id=lambda: "i")
    assert result.tool_results[0].content == "⚠ TOOL FAILED KeyError"


def test_rule_8_one_reminder_for_a_root_cause() -> None:
    """Protects the one-shot: four failures of one kind, one reminder, right after the second."""
    turn = ran(calls("fails"), calls("fails"), calls("fails", "fails"), "It was refused.")
    assert turn.result.reminders == ["fails:http-401"]
    assert turn.event_names == ["reflection_reminder_injected"]
    assert [message.role for message in turn.model.shown[2]][-1] == "reminder"
    assert "Check first that the credential exists" in turn.model.shown[2][-1].text


def test_rule_8_refusals_bring_no_reminder() -> None:
    """Protects guidance from setting off the reminder: refused calls are logged as refusals alone."""
    session = Session("s-1", blocked_tools=frozenset({"works"}))
    turn = ran(calls(*["works"] * 4), "The tool is not available.", session=session)
    assert (turn.result.reminders, turn.event_names) == ([], ["in_turn_tool_blocked"] * 4)


def test_rule_8_a_plan_opens_the_slow_tools() -> None:
    """Protects the plan gate: a tool may open the plan while the turn runs, and the slow tool is free from then on."""
    session = Session("s-1", slow_tools=frozenset({"works"}))

    def plan(_: Mapping[str, object]) -> str:
        session.plan = Plan("p-1")
        return "planned"

    log, audit = io.StringIO(), io.StringIO()
    model = ScriptedModel(calls("works"), calls("plan"), calls("works"), "It works.")
    tools: dict[str, Tool] = {"works": works, "plan": plan}
    result = run_turn(model, tools, session, log, audit, clock=lambda: 0, new_id=lambda: "i")
    assert [one.status for one in result.tool_results] == ["failed", "ok", "ok"]
    assert result.refusals == ["works"]


def test_rule_11_equal_arguments_equal_records() -> None:
    """Protects sample logs and closed-loop counts: nothing depends on the time of day or on chance."""
    one, other = (ran(calls("fails", "works"), "Done.", "One call failed.") for _ in range(2))
    assert (one.console, one.audit, one.result) == (other.console, other.audit, other.result)


def test_a_turn_without_end_is_cut_off() -> None:
    """Protects from a model that only ever calls tools: the turn ends, and says so."""
    turn = ran(*[calls("works")] * 40)
    assert turn.result.outcome == "step_limit"
    assert " done outcome=step_limit " in turn.console[-1]


def test_the_models_own_failure_is_passed_on() -> None:
    """Protects from hiding a broken model behind a silent turn."""
    with pytest.raises(ScriptEndedError, match="the script holds 1 replies"):
        ran(calls("works"))


def test_reasoning_and_memory_reach_the_gate() -> None:
    """Protects what the loop hands to honesty: the session's reasoning state beside the results."""
    session = Session("s-1", reasoning=ReasoningState(open_frontier_count=2))
    turn = ran("The conjecture is proved.", "Two nodes are open.", session=session)
    assert turn.result.fires == [("honesty", "fabricated_reasoning_state")]
