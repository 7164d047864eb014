"""Tools ran, and the final text concludes nothing.

What it does
    Objects where at least one tool ran and the final text is empty (`empty_after_tools`), or where what is left of
    it, without an announcement such as "Here are the results:" and without marks, is shorter than 6 letters, a
    Chinese one counting as two (`too_short_after_tools`). An answer that short is let through where it holds a
    digit or says yes or no.

Why
    The user waited for the tools and gets nothing to show for it.

When it is wrong
    Where the question was so narrow that one other word answers it ("Rome"). It cannot see whether a longer text
    concludes anything.

Source
    The honesty gates page, first sibling gate; the reason codes are those of the audit events.
"""

import re

from checks.gates.turn_state import GateFinding, TurnState
from checks.honesty.model import ToolResult
from checks.registry import check

SHORTEST = 6
"""Letters of the shortest text that counts as a conclusion; a Chinese character counts as two."""

_ANNOUNCEMENT = re.compile(
    r"^\W*(?:here(?:'s| is| are)|below (?:is|are)|these are|this is|the following (?:is|are))\b[^.!?。：:\n]{0,80}[:：.…]*\s*$"
    r"|^\W*(?:以下|下面|如下|结果如下|这是|具体如下)[^。！？\n]{0,30}[：:。…]*\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWER = re.compile(
    r"[0-9]|\b(?:yes|no|true|false|none)\b|^\W*(?:是的?|不是|否|有|没有|对|不对|无|能|不能|可以|不可以)\W*$", re.I
)
_TOOLS = (ToolResult("search", "✓ TOOL OK"),)


@check(
    "gates.empty_conclusion",
    title="Promises a result and concludes nothing",
    reason="empty_conclusion",
    order=1,
    fires_on=[
        (TurnState("", _TOOLS),),
        (TurnState("。", _TOOLS),),
        (TurnState("Here are the results:", _TOOLS),),
    ],
    silent_on=[
        (TurnState("The server listens on port 8080.", _TOOLS),),
        (TurnState("42", _TOOLS),),
        (TurnState("是的。", _TOOLS),),
        (TurnState("", ()),),
    ],
)
def empty_conclusion(turn: TurnState) -> GateFinding | None:
    if not turn.tool_results:
        return None
    text = turn.text.strip()
    rest = _ANNOUNCEMENT.sub("", text.replace("’", "'")).strip()
    details = {"toolCallsThisTurn": len(turn.tool_results), "finalTextLength": len(text)}
    if not text:
        return GateFinding("empty_conclusion", "empty_after_tools", details=details)
    if _weight(rest) < SHORTEST and not _ANSWER.search(rest):
        return GateFinding("empty_conclusion", "too_short_after_tools", details=details)
    return None


def _weight(text: str) -> int:
    return sum(2 if "㐀" <= char <= "鿿" else 1 for char in text if char.isalnum())
