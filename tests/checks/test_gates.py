"""The six sibling gates, rule by rule. Source: the honesty gates page, *The sibling gates*.

1. There are six, asked in the order of the page, each independent of the others.
2. empty_conclusion: empty or too short after tools; reason codes empty_after_tools and too_short_after_tools.
3. half_finished: a hand-off in mid-task as if it were normal; tells the phrase, plan updates that succeeded, the plan.
4. output_format: a long reply without its `## For User` section.
5. citation_grounding: a citation that does not support its sentence.
6. plan_failure_false_claim: success told against the plan's state; circuit_breaker_fired, placeholder_plan_unclosed.
7. viability: a pitch for an approach that a known barrier has blocked.
8. Each gate reads Chinese as well as English (the cases of tests/cases/gates.*.jsonl, and one here for each).
9. One regeneration per gate and turn (in test_turn.py).
"""

import pytest

from checks.gates import Barrier, GateFinding, Plan, Source, Step, TurnState, gates
from checks.honesty import ToolResult

TOOLS = (ToolResult("search", "✓ TOOL OK"), ToolResult("search", "⚠ TOOL FAILED"))
OPEN_PLAN = Plan("p-1", steps=(Step("draft", done=True), Step("test")))


def asked(turn: TurnState) -> dict[str, GateFinding]:
    """What all gates say of a turn, by gate; those that stay silent are left out."""
    found = {gate.reason: gate.function(turn) for gate in gates() if gate.function}
    return {name: finding for name, finding in found.items() if finding}


def test_rule_1_six_gates_in_order() -> None:
    """Protects the order in which a turn asks them, and that none stops the others."""
    names = [
        "empty_conclusion",
        "half_finished",
        "output_format",
        "citation_grounding",
        "plan_failure_false_claim",
        "viability",
    ]
    assert names == [gate.reason for gate in gates()]
    assert [f"gates.{name}" for name in names] == [gate.check_id for gate in gates()]
    assert {False} == {gate.stops_chain for gate in gates()}


def test_rule_1_an_ordinary_turn_passes_all() -> None:
    """Protects good replies: none of the six objects to one."""
    text = "The search found three reports; the newest is from spring [1]."
    turn = TurnState(text, TOOLS, OPEN_PLAN, (Source("1", "Three reports, spring."),), (Barrier("sieve", "parity"),))
    assert asked(turn) == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "empty_after_tools"), (" \n", "empty_after_tools"), ("k", "too_short_after_tools"), ("1234567", None)],
)
def test_rule_2_reason_and_details(text: str, reason: str | None) -> None:
    """Protects the two reason codes and the figures of the audit event."""
    found = asked(TurnState(text, TOOLS)).get("empty_conclusion")
    assert reason == (found.reason if found else None)
    if found:
        assert found.details == {"toolCallsThisTurn": 2, "finalTextLength": len(text.strip())}


@pytest.mark.parametrize(
    ("text", "fires"),
    [("Sorry", True), ("Sorry!!!", True), ("Berlin", False), ("七八", True), ("七八九", False)],
)
def test_rule_2_the_shortest_conclusion(text: str, fires: bool) -> None:
    """Protects the threshold of 6 letters, where a Chinese character counts as two."""
    assert fires == ("empty_conclusion" in asked(TurnState(text, TOOLS)))


def test_rule_2_only_after_tools() -> None:
    """Protects turns without tools: an empty text there is no empty conclusion."""
    assert asked(TurnState("")) == {}


def test_rule_3_reason_and_details() -> None:
    """Protects the fields of the audit event: the phrase, the updates that succeeded, the active plan or null."""
    text = "The draft is written. Next, I'll write the tests."
    phrase = "Next, I'll write the tests"
    with_plan = asked(TurnState(text, TOOLS, OPEN_PLAN))["half_finished"]
    assert with_plan == GateFinding(
        "half_finished", "handoff_without_plan_update", phrase, {"planUpdateStepOk": 0, "activePlanId": "p-1"}
    )
    without = asked(TurnState(text, TOOLS))["half_finished"]
    assert without == GateFinding(
        "half_finished", "handoff_mid_task", phrase, {"planUpdateStepOk": 0, "activePlanId": None}
    )


@pytest.mark.parametrize("tool", ["plan_update_step", "planUpdateStep", "update_plan", "plan_step_done"])
def test_rule_3_an_updated_plan_is_an_orderly_hand_off(tool: str) -> None:
    """Protects a plan that is kept: with a recorded step the rest may wait."""
    turn = TurnState("Next, I'll write the tests.", (ToolResult(tool, "✓ TOOL OK"),), OPEN_PLAN)
    assert asked(turn) == {}


def test_rule_3_a_finished_plan_has_no_rest() -> None:
    """Protects the meaning of an active plan: done steps or a closed plan leave the rule without a plan."""
    done = Plan("p-2", steps=(Step("draft", done=True),))
    assert asked(TurnState("Next, I'll write the tests.", (), done)) == {}
    assert asked(TurnState("Next, I'll write the tests.", (), Plan("p-3", "closed", (Step("a"),)))) == {}


@pytest.mark.parametrize(("length", "fires"), [(799, False), (800, True), (5000, True)])
def test_rule_4_long_means_800_characters(length: int, fires: bool) -> None:
    """Protects the threshold to the character, and the figure of the audit event."""
    found = asked(TurnState("x" * length)).get("output_format")
    assert fires == (found is not None)
    if found:
        assert (found.reason, found.details) == ("missing_for_user_section", {"finalTextLength": length})


def test_rule_4_the_section_frees_a_long_reply() -> None:
    """Protects the required heading: on a line of its own, outside code."""
    long = "x" * 900
    assert asked(TurnState(f"{long}\n\n## For User\nAll is well.")) == {}
    assert "output_format" in asked(TurnState(f"{long}\n```\n## For User\n```\n"))
    assert "output_format" in asked(TurnState(f"{long} ## For User"))


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Sales rose by 12 % [1].", None),
        ("Sales rose by 13 % [1].", "number_not_in_source"),
        ("Sales rose [2].", "unknown_source"),
        ('Sales "fell sharply" [1].', "quote_not_in_source"),
        ("Penguins migrate [1].", "nothing_in_common"),
        ("Penguins migrate.", None),
    ],
)
def test_rule_5_reasons(sentence: str, reason: str | None) -> None:
    """Protects the four ways in which a citation can fail, and that an uncited sentence is left alone."""
    found = asked(TurnState(sentence, sources=(Source("1", "Sales rose by 12 % in spring."),))).get(
        "citation_grounding"
    )
    assert reason == (found.reason if found else None)


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (None, None),
        (OPEN_PLAN, None),
        (Plan("p", circuit_breaker_fired=True), "circuit_breaker_fired"),
        (Plan("p", "closed", circuit_breaker_fired=True), "circuit_breaker_fired"),
        (Plan("p", is_placeholder=True), "placeholder_plan_unclosed"),
        (Plan("p", "closed", is_placeholder=True), None),
        (Plan("p", is_placeholder=True, circuit_breaker_fired=True), "circuit_breaker_fired"),
    ],
)
def test_rule_6_what_contradicts_a_claim(plan: Plan | None, reason: str | None) -> None:
    """Protects the two reason codes, and plans whose state contradicts nothing."""
    for text, claim in (("I've deployed it.", "deployed"), ("全部完成。", "完成")):
        found = asked(TurnState(text, plan=plan)).get("plan_failure_false_claim")
        assert (reason, claim if reason else None) == ((found.reason, found.phrase) if found else (None, None))


def test_rule_7_a_pitch_names_the_approach() -> None:
    """Protects the three parts of the rule: a known barrier, its approach named, and an outright pitch."""
    barriers = (Barrier("sieve methods", "the parity barrier", also_called=("筛法",)),)
    for text in ("We should stop. I recommend sieve methods.", "继续使用筛法。"):
        found = asked(TurnState(text, barriers=barriers))["viability"]
        assert (found.reason, found.details) == ("blocked_approach_pitched", {"barrier": "the parity barrier"})
    for text in ("Sieve methods are old.", "I recommend another way.", "I don't recommend sieve methods."):
        assert asked(TurnState(text, barriers=barriers)) == {}
    assert asked(TurnState("I recommend sieve methods.")) == {}
