"""The cases of tests/cases/honesty.*.jsonl and gates.*.jsonl: each a text, its context, what is expected, and why."""

import json
from pathlib import Path
from typing import Any

import pytest

from checks.gates import Barrier, Plan, Source, Step, TurnState
from checks.honesty import ReasoningState, ToolResult
from checks.registry import Check, family_checks

CASES = Path(__file__).resolve().parents[1] / "cases"
HONESTY = family_checks("honesty")
GATES = family_checks("gates")
LEAST = {"honesty": 25, "gates": 10}


def cases_of(check: Check) -> list[dict[str, Any]]:
    """The cases of one check; fails for a file that is too short, or expects only objections, or none."""
    lines = (CASES / f"{check.check_id}.jsonl").read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line]
    assert LEAST[check.family] <= len(cases)
    assert {case["expected"] is None for case in cases} == {True, False}, f"{check.check_id}: both answers are needed"
    return cases


def tools_of(context: dict[str, Any]) -> tuple[ToolResult, ...]:
    return tuple(ToolResult(*result) for result in context.get("tools", ()))


def turn_of(text: str, context: dict[str, Any]) -> TurnState:
    plan = context.get("plan")
    return TurnState(
        text,
        tools_of(context),
        Plan(**{**plan, "steps": tuple(Step(*step) for step in plan.get("steps", ()))}) if plan else None,
        tuple(Source(*source) for source in context.get("sources", ())),
        tuple(Barrier(*barrier) for barrier in context.get("barriers", ())),
    )


def verdict(check: Check, text: str, context: dict[str, Any]) -> str | None:
    """What the check says: the claim for honesty, the reason for a gate; None where it stays silent."""
    assert check.function is not None
    if check.family == "gates":
        found = check.function(turn_of(text, context))
        return found and found.reason
    reasoning = context.get("reasoning")
    found = check.function(text, tools_of(context), ReasoningState(**reasoning) if reasoning else None)
    return found and found.claim


@pytest.mark.parametrize("check", [*HONESTY, *GATES], ids=lambda check: check.check_id)
def test_cases(check: Check) -> None:
    """Protects what each check says of texts that were thought of one by one, in both languages."""
    cases = cases_of(check)
    expected = [(case["text"], case["why"], case["expected"]) for case in cases]
    assert expected == [(case["text"], case["why"], verdict(check, case["text"], case["context"])) for case in cases]


@pytest.mark.parametrize("check", [*HONESTY, *GATES], ids=lambda check: check.check_id)
def test_examples_in_the_file(check: Check) -> None:
    """Protects the examples that stand beside each check's code and that the dashboard shows."""
    assert check.function is not None
    assert [True] * len(check.fires_on) == [bool(check.function(*example)) for example in check.fires_on]
    assert [False] * len(check.silent_on) == [bool(check.function(*example)) for example in check.silent_on]


def test_every_file_belongs_to_a_check() -> None:
    """Protects cases from lying in a file whose check was renamed."""
    named = {
        path.name.removesuffix(".jsonl") for kind in ("honesty", "gates") for path in CASES.glob(f"{kind}.*.jsonl")
    }
    assert {check.check_id for check in [*HONESTY, *GATES]} == named
