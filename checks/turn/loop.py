"""One turn: the model calls tools and writes a final text, the gates judge it, and it is written anew where one objects.

The honesty gate comes first, then its siblings in their order. Each may send the text back once in a turn; the new
text is judged by all of them again. A gate that objects once more after its one regeneration changes nothing: the
text goes out, no line is logged (the log has none for it), and the result lists the objection as unresolved.
Source: the honesty gates page; the records are those of log-formats 1.3.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from checks.gates import GateFinding, TurnState, gates
from checks.honesty import ToolResult, evaluate_honesty
from checks.honesty.model import FAILED_MARKER, OK_MARKER, count
from checks.reflection import reflect
from checks.reflection.failure import PLAN_GATE, TOOL_BLOCK
from checks.turn.conversation import Message, Model, Session, Tool, ToolCall
from checks.turn.records import Records, Writable
from checks.turn.reminders import gate_reminder, honesty_reminder

MOST_REPLIES = 40
"""Replies of the model in one turn; past it the turn ends with what text there is."""


@dataclass(slots=True)
class TurnResult:
    """What a turn did. `fires` and `unresolved` hold (gate, reason), `refusals` the tools that were refused.

    `outcome` is `response`, or `step_limit` where the model never came to an accepted text.
    """

    text: str = ""
    outcome: Literal["response", "step_limit"] = "response"
    tool_results: list[ToolResult] = field(default_factory=list)
    honesty_passes: int = 0
    fires: list[tuple[str, str]] = field(default_factory=list)
    unresolved: list[tuple[str, str]] = field(default_factory=list)
    reminders: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    audit_events: int = 0


def run_turn(
    model: Model,
    tools: Mapping[str, Tool],
    state: Session,
    log: Writable,
    audit: Writable,
    *,
    clock: Callable[[], int],
    new_id: Callable[[], str],
    request: str = "",
) -> TurnResult:
    """Run one turn to its end; console lines go to `log`, audit events as NDJSON to `audit`.

    `clock` gives epoch milliseconds and `new_id` the id of an audit event, so that equal arguments give equal
    records. A tool that raises is a failed result; what the model raises is passed on.
    """
    turn = _Turn(tools, state, Records(state.session_id, log, audit, clock, new_id))
    messages = [Message("user", request)]
    turn.result.outcome = "step_limit"
    for _ in range(MOST_REPLIES):
        reply = model.reply(tuple(messages))
        messages.append(Message("assistant", reply.text))
        for call in reply.tool_calls:
            messages.extend(turn.call(call))
        if reply.tool_calls:
            continue
        turn.result.text = reply.text
        reminder = turn.judge(reply.text)
        if reminder is None:
            turn.result.outcome = "response"
            break
        messages.append(Message("reminder", reminder))
    turn.records.done(turn.result.outcome, count(turn.result.tool_results))
    turn.result.audit_events = turn.records.audit_events
    return turn.result


class _Turn:
    """The parts of `run_turn` that share the turn's state."""

    def __init__(self, tools: Mapping[str, Tool], state: Session, records: Records) -> None:
        self.tools = tools
        self.state = state
        self.records = records
        self.result = TurnResult()
        self.spent: set[str] = set()

    def call(self, call: ToolCall) -> list[Message]:
        """Run one tool call; the messages that the model gets to see, a reminder among them where one is due."""
        refusal = self._refusal(call)
        content = refusal if refusal else _run(self.tools, call)
        self.result.tool_results.append(ToolResult(call.tool, content, call.input))
        messages = [Message("tool", content)]
        if reminder := reflect(self.result.tool_results, self.result.reminders):
            self.records.reminded(reminder)
            self.result.reminders.append(reminder.signature)
            messages.append(Message("reminder", reminder.text))
        return messages

    def judge(self, text: str) -> str | None:
        """The reminder of the first gate that objects and has its regeneration left; None lets the text out."""
        self.result.unresolved = []
        results: Sequence[ToolResult] = tuple(self.result.tool_results)
        found = evaluate_honesty(text, results, self.state.reasoning)
        if found is None:
            self.result.honesty_passes += 1
            self.records.honesty_passed(count(results))
        elif self._may_regenerate("honesty", found.reason):
            self.records.honesty_fired(found)
            return honesty_reminder(found)
        return self._judge_by_siblings(text, results)

    def _judge_by_siblings(self, text: str, results: Sequence[ToolResult]) -> str | None:
        turn = TurnState(text, results, self.state.plan, self.state.sources, self.state.barriers)
        for gate in gates():
            objection = gate.function(turn) if gate.function else None
            if isinstance(objection, GateFinding) and self._may_regenerate(objection.gate, objection.reason):
                self.records.gate_fired(objection)
                return gate_reminder(objection)
        return None

    def _may_regenerate(self, gate: str, reason: str) -> bool:
        """Spend the gate's one regeneration; where it is spent already, the objection stays unresolved."""
        if gate in self.spent:
            self.result.unresolved.append((gate, reason))
            return False
        self.spent.add(gate)
        self.result.fires.append((gate, reason))
        return True

    def _refusal(self, call: ToolCall) -> str:
        plan = self.state.plan
        if call.tool in self.state.blocked_tools:
            self.records.tool_blocked(call.tool)
            refusal = f"{FAILED_MARKER} [{TOOL_BLOCK}] {call.tool} is not available in this turn"
        elif call.tool in self.state.slow_tools and (plan is None or plan.status == "none"):
            self.records.plan_blocked(call.tool, "none", plan.plan_id if plan else None)
            refusal = f"{FAILED_MARKER} [{PLAN_GATE}] {call.tool} is slow and needs a plan first"
        else:
            return ""
        self.result.refusals.append(call.tool)
        return refusal


def _run(tools: Mapping[str, Tool], call: ToolCall) -> str:
    """The marked output of a tool. Tools are foreign code, so whatever one raises is its failure, not the turn's."""
    tool = tools.get(call.tool)
    if tool is None:
        return f"{FAILED_MARKER} unknown tool {call.tool}; there are: {', '.join(sorted(tools)) or 'none'}"
    try:
        output = tool(call.input)
    except Exception as error:
        return f"{FAILED_MARKER} {str(error) or type(error).__name__}"
    # The marker goes first, since the first one decides: an output cannot mark itself.
    return "" if output is None else f"{OK_MARKER} {output}"
