"""Hands off in the middle of a task as if that were normal.

What it does
    Objects where the last two sentences hand the rest of the work to later ("I'll continue with...", "to be
    continued", "接下来我会", "未完待续") and the turn was at work: with an active plan that has open steps and of
    which no step was recorded in this turn (`handoff_without_plan_update`), or, without a plan, after at least one
    tool call (`handoff_mid_task`). A question to the user, a condition, and a report of what blocks the work are no
    such hand-off.

Why
    There is no later: the turn ends here, and nobody continues.

When it is wrong
    Where the host does start the next turn by itself. It cannot see whether the work announced was part of the
    request, nor a hand-off in other words.

Source
    The honesty gates page, second sibling gate.
"""

import re
from collections.abc import Iterator

from checks.gates.turn_state import GateFinding, Plan, Step, TurnState
from checks.honesty.claims import LANGUAGES, Segment, segments
from checks.honesty.model import ToolResult
from checks.registry import check

_HANDOFF = re.compile(
    r"\b(?:I(?:'ll|\s+will|'m\s+going\s+to)|we(?:'ll|\s+will)|let\s+me)\s+(?:now\s+|then\s+|next\s+)?"
    r"(?:continue|proceed|carry\s+on|pick\s+(?:this|it)\s+up|resume|move\s+on|finish|complete|get\s+to|work\s+on|handle|do)\b[^.!?\n]{0,60}"
    r"|\b(?:to\s+be\s+continued|more\s+to\s+(?:come|follow)|(?:the\s+)?remaining\s+(?:steps|parts|work)\s+will\s+follow"
    r"|next,?\s+I(?:'ll|\s+will)\b[^.!?\n]{0,60})"
    r"|(?:接下来|下一步|随后|稍后|然后)(?:我|将|会|就|再|继续)+[^。！？\n]{0,30}|我(?:会|将|马上|稍后)?(?:再)?继续[^。！？\n]{0,30}"
    r"|未完待续|剩余(?:的)?(?:部分|步骤|工作)(?:稍后|将|会|后续)[^。！？\n]{0,20}",
    re.IGNORECASE,
)
_BLOCKED = re.compile(
    r"\b(?:blocked|cannot|can't|couldn't|unable|waiting\s+for|need\s+(?:you|your)|requires?\s+your|failed)\b"
    r"|卡住|无法|失败|需要[你您]|等待[你您]|缺少",
    re.IGNORECASE,
)
_UPDATES_PLAN = re.compile(
    r"(?:^|_)(?:update_plan|plan_update)(?:_step)?(?:_|$)|(?:^|_)plan_(?:step_)?(?:done|complete)(?:_|$)"
)
_TOOLS = (ToolResult("write_file", "✓ TOOL OK"),)
_PLAN = Plan("p-1", steps=(Step("draft"), Step("test")))


@check(
    "gates.half_finished",
    title="Hands off in the middle of a task",
    reason="half_finished",
    order=2,
    fires_on=[
        (TurnState("I wrote the first module. Next, I'll write the tests.", _TOOLS, _PLAN),),
        (TurnState("第一部分写好了。接下来我会继续写测试。", _TOOLS),),
    ],
    silent_on=[
        (TurnState("I wrote the module and its tests.", _TOOLS, _PLAN),),
        (TurnState("I wrote the module. Shall I continue with the tests?", _TOOLS, _PLAN),),
        (TurnState("Next, I'll write the tests.", (*_TOOLS, ToolResult("plan_update_step", "✓ TOOL OK")), _PLAN),),
        (TurnState("接下来我会继续写测试。", ()),),
    ],
)
def half_finished(turn: TurnState) -> GateFinding | None:
    updates = sum(r.status == "ok" and _UPDATES_PLAN.search(r.name) is not None for r in turn.tool_results)
    planned = turn.plan is not None and turn.plan.has_open_steps
    if (planned and updates) or not (planned or turn.tool_results):
        return None
    if _BLOCKED.search(turn.text):
        return None
    for segment in _last_sentences(turn.text):
        match = _HANDOFF.search(segment.sentence)
        conditional = any(language.conditional.search(segment.sentence) for language in LANGUAGES)
        if match and not segment.asks and not conditional:
            details = {
                "planUpdateStepOk": updates,
                "activePlanId": turn.plan.plan_id if planned and turn.plan else None,
            }
            reason = "handoff_without_plan_update" if planned else "handoff_mid_task"
            return GateFinding("half_finished", reason, " ".join(match.group().split()), details)
    return None


def _last_sentences(text: str) -> Iterator[Segment]:
    found = {segment.sentence: segment for segment in segments(text)}
    yield from list(found.values())[-2:]
