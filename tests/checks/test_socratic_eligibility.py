"""When the probe may act, by the rules of the Socratic probe page (*What it does and when it fires*):

1. grounded only: the goal is offered when passages were retrieved
2. the prefetch runs only if the goal is active and a resource has a file
3. the query is built from the last few human lines
4. no resource, no query, empty or failed retrieval: the goal is removed; a failure leaves a warning
5. nothing else active and no passage: the agent returns without calling the model
6. quiet chat: the goal keeps the agent running while the transcript is active; with both quiet it skips
7. a decision of none is ignored
8. a decision for the probe without passages is discarded, with a warning
9. the minimum confidence is 70
10. rejected slots leave a warning that names the rule
11. a strict posture puts the professionalism guardrail behind the stage, which warns of a drop
"""

import logging
from dataclasses import replace

import pytest

from checks.guardrail.professionalism import after_stage
from checks.socratic import Resource, SlotContext, Slots, validate_slots
from checks.socratic.agent import Outcome, run_cycle
from checks.socratic.eligibility import (
    Cycle,
    Decision,
    activity,
    anything_active,
    background_query,
    chosen,
    eligible_goals,
    grounded,
    prefetch,
    slots_accepted,
)
from checks.socratic.writer import ScriptedWriter

READING = Resource("On repair", ("Ada Okafor",), file_name="repair.pdf")
CYCLE = Cycle(
    "Group Agent", resources=(READING,), human_lines=("so fair", "is it fair?"), passages=("Okafor on shared repair.",)
)
SLOTS = Slots("Okafor", "shared repair")
GOOD = "How does Okafor treat shared repair?"


@pytest.mark.parametrize(
    ("rule", "change", "because"),
    [
        (1, {}, ""),
        (2, {"active_goals": ("recap",)}, "the goal is not active"),
        (2, {"resources": ()}, "no resource has a file"),
        (2, {"resources": (Resource("On repair"),)}, "no resource has a file"),
        (3, {"human_lines": ()}, "there is no query"),
        (3, {"human_lines": (" ", "")}, "there is no query"),
        (4, {"passages": ()}, "nothing was retrieved"),
        (4, {"passages": (" ",)}, "nothing was retrieved"),
        (4, {"retrieval_error": "ECONNREFUSED", "passages": ()}, "the retrieval failed"),
    ],
)
def test_rules_1_to_4_grounded_only(rule: int, change: dict[str, object], because: str) -> None:
    """Protects the room from a question about a reading that nobody retrieved."""
    cycle = replace(CYCLE, **change)
    assert grounded(cycle).because == because, f"rule {rule}"
    assert ("socratic_probe" in eligible_goals(cycle)) == (because == "")
    assert prefetch(cycle).goes_on == (because in ("", "nothing was retrieved", "the retrieval failed"))


def test_rule_3_query_of_the_last_lines() -> None:
    """Protects the search from an old topic."""
    lines = tuple(f"line {n} " for n in range(9))
    assert background_query(replace(CYCLE, human_lines=lines)) == "line 4 line 5 line 6 line 7 line 8"


def test_rule_4_a_failed_retrieval_warns() -> None:
    """Protects the line that explains a missing probe; an empty result leaves none."""
    assert grounded(replace(CYCLE, retrieval_error="x\ny")).line == "Group Agent: background prefetch failed: x y"
    assert grounded(replace(CYCLE, passages=())).line is None


def test_rule_5_nothing_else_active() -> None:
    """Protects against a model call with nothing to offer."""
    assert not anything_active(replace(CYCLE, passages=())).goes_on
    assert anything_active(replace(CYCLE, passages=(), active_goals=("socratic_probe", "recap"))).goes_on
    assert anything_active(CYCLE).goes_on


@pytest.mark.parametrize(
    ("chat_quiet", "transcript_quiet", "compatible", "expected"),
    [
        (False, False, (), True),
        (False, True, (), True),
        (True, False, ("socratic_probe",), True),
        (True, False, (), False),
        (True, True, ("socratic_probe",), False),
    ],
)
def test_rule_6_quiet_chat(
    chat_quiet: bool, transcript_quiet: bool, compatible: tuple[str, ...], expected: bool
) -> None:
    """Protects the activity gate: quiet on both sides always skips."""
    cycle = replace(CYCLE, chat_quiet=chat_quiet, transcript_quiet=transcript_quiet, silence_compatible=compatible)
    assert activity(cycle).goes_on == expected


def test_rules_7_to_9_decision() -> None:
    """Protects what a decision may start, and the warning of one made without passages."""
    assert chosen(Decision("none"), CYCLE).because == "no goal was chosen"
    assert chosen(Decision("recap"), CYCLE).because == "another goal was chosen"
    ungrounded = chosen(Decision("socratic_probe"), replace(CYCLE, passages=()))
    assert ungrounded.line == (
        "Group Agent: socratic_probe chosen without retrieved passages — discarding the decision"
    )
    assert [chosen(Decision("socratic_probe", confidence), CYCLE).goes_on for confidence in (69, 70)] == [False, True]


def test_rule_10_rejected_slots_warn() -> None:
    """Protects the line that names the rule which silenced the goal."""
    bad = validate_slots(Slots("Okafor", "12 points"), SlotContext("Okafor on 12 points"))
    assert slots_accepted(bad, CYCLE).line == "Group Agent: slots rejected (concept contains digits)"
    assert slots_accepted(validate_slots(SLOTS, SlotContext(CYCLE.passages[0])), CYCLE).line is None


@pytest.mark.parametrize(
    ("posture", "passes", "expected", "lines"),
    [
        ("strict", True, GOOD, []),
        ("strict", False, None, ["A: intervention rejected by professionalism guardrail (goal: socratic_probe)"]),
        ("standard", False, GOOD, []),
    ],
)
def test_rule_11_professionalism_guardrail(
    posture: str, passes: bool, expected: str | None, lines: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Protects that the guardrail acts under the strict posture alone, and that its drops can be counted."""
    post = after_stage(
        GOOD, posture=posture, agent="A", goal="socratic_probe", guardrail=lambda _: passes, log=logging.getLogger("g")
    )
    assert (post, caplog.messages, [record.levelname for record in caplog.records]) == (
        expected,
        lines,
        ["WARNING"] * len(lines),
    )


def test_rule_11_silence_is_not_judged() -> None:
    """Protects the guardrail's count from runs that posted nothing."""
    judged: list[str] = []
    after_stage(
        None,
        posture="strict",
        agent="A",
        goal="g",
        guardrail=lambda m: bool(judged.append(m)),
        log=logging.getLogger("g"),
    )
    assert judged == []


def cycle_log(
    caplog: pytest.LogCaptureFixture,
    cycle: Cycle = CYCLE,
    decision: Decision | None = None,
    slots: Slots = SLOTS,
    **options: object,
) -> tuple[Outcome, list[str]]:
    """The outcome of a cycle and what it logged."""
    caplog.clear()
    caplog.set_level(logging.DEBUG)
    choice = (decision or Decision("socratic_probe"), slots)
    outcome = run_cycle(cycle, lambda: choice, ScriptedWriter([GOOD]), logging.getLogger("cycle"), **options)  # type: ignore[arg-type]
    return outcome, caplog.messages


def test_a_whole_cycle(caplog: pytest.LogCaptureFixture) -> None:
    """Protects the order of the steps: each ends the cycle with its own line, and the last one posts."""
    summary = '[SocraticStage] summary {"outcome":"posted-writer","attempts":1}'
    outcome, lines = cycle_log(caplog)
    assert (outcome.post, lines) == (
        GOOD,
        [summary, "Group Agent: Detected socratic_probe opportunity — shared repair"],
    )
    dropped, lines = cycle_log(caplog, posture="strict", guardrail=lambda _: False)
    assert (dropped.post, dropped.stage and dropped.stage.outcome) == (None, "posted-writer")
    assert lines == [summary, "Group Agent: intervention rejected by professionalism guardrail (goal: socratic_probe)"]
    assert cycle_log(caplog, slots=Slots("Okafor", ""))[1] == ["Group Agent: slots rejected (concept missing)"]
    both = replace(CYCLE, active_goals=("socratic_probe", "recap"), passages=(), retrieval_error="x")
    assert cycle_log(caplog, both)[1] == [
        "Group Agent: background prefetch failed: x",
        "Group Agent: socratic_probe chosen without retrieved passages — discarding the decision",
    ]
    quiet = cycle_log(caplog, replace(CYCLE, chat_quiet=True, transcript_quiet=True))
    assert (quiet[0].post, quiet[0].stage, quiet[1]) == (None, None, [])
    assert cycle_log(caplog, replace(CYCLE, passages=()))[0].ended_by is not None
    assert cycle_log(caplog, decision=Decision("none")) == (Outcome(None, chosen(Decision("none"), CYCLE)), [])


def test_an_error_of_the_guardrail_is_no_verdict() -> None:
    """Protects the count of drops and passes from an error, which is neither."""

    def broken(message: str) -> bool:
        raise TimeoutError(message)

    with pytest.raises(TimeoutError):
        after_stage(GOOD, posture="strict", agent="A", goal="g", guardrail=broken, log=logging.getLogger("g"))
