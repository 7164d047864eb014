"""Turns over a scripted model, with all that they leave behind, for the tests of the loop and of its records."""

import io
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from checks.turn import (
    Reply,
    ScriptedModel,
    Session,
    Tool,
    ToolCall,
    TurnResult,
    run_turn,
)

START = 1_788_000_000_000


def works(_: Mapping[str, object]) -> str:
    return "done"


def fails(_: Mapping[str, object]) -> str:
    raise RuntimeError("HTTP 401 Unauthorized")


def unclear(_: Mapping[str, object]) -> None:
    return None


def marks_itself(_: Mapping[str, object]) -> str:
    return "⚠ TOOL FAILED says the log"


TOOLS: dict[str, Tool] = {"works": works, "fails": fails, "unclear": unclear, "marks": marks_itself}


@dataclass
class Ran:
    """One turn and all that it left behind."""

    result: TurnResult
    model: ScriptedModel
    console: list[str]
    audit: str
    events: list[dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.events = [json.loads(line) for line in self.audit.splitlines()]

    @property
    def event_names(self) -> list[str]:
        return [event["data"]["toolName"] for event in self.events]


def ran(*replies: Reply | str, session: Session | None = None, request: str = "") -> Ran:
    """Run a turn over a script, with a clock that goes on by 4 ms and ids that count up."""
    log, audit, model = io.StringIO(), io.StringIO(), ScriptedModel(*replies)
    clock, ids = itertools.count(START, 4), itertools.count(1)
    result = run_turn(
        model,
        TOOLS,
        session or Session("s-1"),
        log,
        audit,
        clock=lambda: next(clock),
        new_id=lambda: f"e-{next(ids)}",
        request=request,
    )
    return Ran(result, model, log.getvalue().splitlines(), audit.getvalue())


def calls(*tools: str) -> Reply:
    return Reply(tool_calls=[ToolCall(tool) for tool in tools])
