"""The cases of tests/cases/socratic.*.jsonl: each a text, the context it is judged in, what is expected, and why."""

import json
from pathlib import Path
from typing import Any

import pytest

from checks.registry import Check, family_checks
from checks.socratic import Resource, ShapeContext, SlotContext, Slots
from checks.socratic.source_label import trim_label

CASES = Path(__file__).resolve().parents[1] / "cases"
CHECKS = [*family_checks("socratic.slots"), *family_checks("socratic.shape")]


def cases_of(check: Check) -> list[dict[str, Any]]:
    """The cases of one check; fails for a file that is missing, or that expects one answer only."""
    lines = (CASES / f"{check.check_id}.jsonl").read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line]
    assert {case["expected"] for case in cases} == {True, False}, f"{check.check_id}: its file must expect both answers"
    return cases


def verdict(check: Check, text: str, context: dict[str, Any]) -> bool:
    """Whether `check` objects to the draft, or concept, `text`."""
    assert check.function is not None
    if check.family == "socratic.shape":
        return bool(check.function(text, ShapeContext(**context)))
    slots = Slots(trim_label(context["source_label"]), text)
    resources = tuple(Resource(**resource) for resource in context.get("resources", ()))
    return bool(check.function(slots, SlotContext(context["passage"], resources)))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.check_id)
def test_cases(check: Check) -> None:
    """Protects what each check says of texts that were thought of one by one."""
    cases = cases_of(check)
    expected = [(case["text"], case["why"], case["expected"]) for case in cases]
    assert expected == [(case["text"], case["why"], verdict(check, case["text"], case["context"])) for case in cases]


def test_every_file_belongs_to_a_check() -> None:
    """Protects cases from lying in a file whose check was renamed."""
    named = {path.name.removesuffix(".jsonl") for path in CASES.glob("socratic.*.jsonl")}
    assert {check.check_id for check in CHECKS} == named
