"""A long reply without its `## For User` section.

What it does
    Objects where the reply has 800 characters or more and no `## For User` heading of its own outside code blocks
    (`missing_for_user_section`).

Why
    Long replies hold reasoning and logs; the section is where the user finds what concerns them.

When it is wrong
    Where a long reply is all for the user anyway. It cannot see whether the section says anything useful.

Source
    The honesty gates page, third sibling gate. The page says "long" without a number; 800 is ours.
"""

import re

from checks.gates.turn_state import GateFinding, TurnState
from checks.registry import check

LONG = 800
"""Characters from which a reply is long."""

_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_SECTION = re.compile(r"^##[ \t]+For User\b", re.IGNORECASE | re.MULTILINE)
_LONG_TEXT = "The log shows nothing unusual. " * 30


@check(
    "gates.output_format",
    title="Long reply without its section for the user",
    reason="output_format",
    order=3,
    fires_on=[
        (TurnState(_LONG_TEXT),),
        (TurnState("```\n## For User\n```\n" + _LONG_TEXT),),
        (TurnState("日志没有异常。" * 120),),
    ],
    silent_on=[
        (TurnState("Short."),),
        (TurnState(_LONG_TEXT + "\n## For User\nNothing unusual."),),
    ],
)
def output_format(turn: TurnState) -> GateFinding | None:
    if len(turn.text) < LONG or _SECTION.search(_FENCED.sub("", turn.text)):
        return None
    return GateFinding("output_format", "missing_for_user_section", details={"finalTextLength": len(turn.text)})
