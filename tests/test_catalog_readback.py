"""A log written from the catalog's reason texts reads back as the catalog's ids, family by family."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from checks.registry import catalog, retired_checks
from ingest import ingest
from queries import run

WHEN = "2027-03-01T10:00:{:02d}.000Z"


def winston(number: int, message: str) -> str:
    return json.dumps(
        {"level": "warn", "message": message, "timestamp": WHEN.format(number % 60), "sessionId": f"s{number}"}
    )


def shape(number: int, reason: str) -> str:
    payload = {"attempt": 1, "stage": "shape", "reason": reason, "draft": "So?"}
    return winston(number, f"[SocraticStage] draft rejected {json.dumps(payload)}")


def slots(number: int, reason: str) -> str:
    return winston(number, f"Marram: slots rejected ({reason})")


def audit(number: int, name: str, fields: dict[str, object]) -> str:
    data = {"toolName": name, "sessionId": f"s{number}", **fields}
    return json.dumps(
        {"id": f"{number}", "timestamp": 1_800_000_000_000 + number, "type": "self_domain_write", "data": data}
    )


def honesty(number: int, reason: str) -> str:
    return audit(number, "honesty_gate_fired", {"severity": "high", "reason": reason, "failCount": 1, "okCount": 0})


def gates(number: int, reason: str) -> str:
    return audit(number, f"{reason}_gate_fired", {"reason": "code of its own"})


def reflection(number: int, reason: str) -> str:
    return audit(number, "reflection_reminder_injected", {"signature": f"tool:{reason}", "count": 2})


def guardrail(number: int, reason: str) -> str:
    return winston(number, f"Marram: intervention rejected by {reason} guardrail (goal: socratic_probe)")


def answer(number: int, reason: str) -> str:
    record = {
        "type": "probe_answer",
        "session": f"s{number}",
        "time": WHEN.format(number % 60),
        "probe": "p",
        "point": "end",
    }
    return json.dumps(
        record | {"participant": "P1", "answer": "?", "raw": "?", "value": None, "attempts": 1, "refusals": [reason]}
    )


def lesson(number: int, reason: str) -> str:
    part = {
        "type": "tool-quiz",
        "toolCallId": "c",
        "state": "output-error",
        "input": {},
        "errorText": "no",
        "refusal": reason,
    }
    record = {"type": "lesson_message", "session": f"s{number}", "time": WHEN.format(number % 60), "role": "assistant"}
    return json.dumps(record | {"parts": [part]})


WRITERS: dict[str, Callable[[int, str], str]] = {
    "socratic.slots": slots,
    "socratic.shape": shape,
    "honesty": honesty,
    "gates": gates,
    "reflection": reflection,
    "guardrail": guardrail,
    "probe.scale": answer,
    "lesson": lesson,
}
VARIANTS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in capitals": str.upper,
    "with more space": lambda reason: reason.replace(" ", "  "),
    "with a detail": lambda reason: f"{reason} (51)",
}


def read_back(folder: Path, lines: list[str]) -> Counter[str | None]:
    """How often each check fired in the store that the lines give."""
    (folder / "log.ndjson").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    summary = ingest([str(folder / "log.ndjson")], folder / "log.duckdb")
    assert (0, 0, len(lines)) == (summary.rejected, summary.unmapped, summary.figures()["events"])
    totals = run(folder / "log.duckdb", "check_totals")
    return Counter({row["check_id"]: row["fires"] for row in totals.to_dicts() if row["fires"]})


@pytest.mark.parametrize("family", WRITERS)
def test_reasons_of_the_catalog_read_back_as_its_ids(tmp_path: Path, family: str) -> None:
    """Protects the link between a check and its line in a log: every reason text names its own check and no other."""
    checks = [check for check in catalog() if check.family == family]
    lines = [WRITERS[family](number, check.reason) for number, check in enumerate(checks)]
    assert Counter(check.check_id for check in checks) == read_back(tmp_path, lines)


@pytest.mark.parametrize("family", ["socratic.shape", "socratic.slots"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_wordings_that_do_not_matter_read_back_as_the_same_ids(tmp_path: Path, family: str, variant: str) -> None:
    """Protects text reasons of other builds: case, white space and a bracketed detail never hide which check it was."""
    checks = [check for check in catalog() if check.family == family]
    lines = [WRITERS[family](n, VARIANTS[variant](check.reason)) for n, check in enumerate(checks)]
    assert Counter(check.check_id for check in checks) == read_back(tmp_path, lines)


def test_all_reasons_of_shape_on_one_line(tmp_path: Path) -> None:
    """Protects the list of reasons: all of a family's, joined as the stage joins them, are all of its checks."""
    checks = [check for check in catalog() if check.family == "socratic.shape"]
    line = shape(1, "; ".join(check.reason for check in checks))
    assert Counter(check.check_id for check in checks) == read_back(tmp_path, [line])


def test_retired_reasons_read_back_as_retired_ids(tmp_path: Path) -> None:
    """Protects old logs: a check that is gone keeps its name."""
    lines = [WRITERS[old.family](n, old.reason) for n, old in enumerate(retired_checks())]
    assert Counter(old.check_id for old in retired_checks()) == read_back(tmp_path, lines)
