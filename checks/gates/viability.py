"""Pitches an approach that a known barrier has blocked.

What it does
    Objects where a sentence names a blocked approach (by its name or another that it goes by) and recommends to go
    on with it ("continue with", "promising", "next step", "继续", "值得"), outright: no question, no negation, no
    hedge, and no mention in that sentence that it is blocked (`blocked_approach_pitched`).

Why
    The barrier was paid for once. Going on without overcoming it pays again.

When it is wrong
    Where the barrier has been overcome and its record was not. It cannot see an approach that is described rather
    than named.

Source
    The honesty gates page, sixth sibling gate.
"""

import re

from checks.gates.turn_state import Barrier, GateFinding, TurnState
from checks.honesty.claims import is_stated, segments
from checks.registry import check

_PITCH = re.compile(
    r"\b(?:continu\w+|keep(?:ing)?|pursu\w+|proceed\w*|go(?:ing)?\s+on|push(?:ing)?\s+on|stick\w*\s+with|try(?:ing)?\s+again|retry\w*"
    r"|promising|viable|worth|best\s+(?:way|route|path|option)|way\s+forward|next\s+step|recommend\w*|suggest\w*|let's|we\s+can\s+use)\b"
    r"|继续|坚持|推进|值得|有希望|有前景|可行|下一步|建议|推荐|再试|沿着",
    re.IGNORECASE,
)
_ACKNOWLEDGED = re.compile(
    r"\b(?:barrier|blocked|obstruct\w*|obstacle|ruled\s+out|dead\s+end|avoid\w*|abandon\w*|drop(?:ped)?|stop(?:ped)?)\b"
    r"|障碍|阻|行不通|死路|放弃|排除|绕过|避免",
    re.IGNORECASE,
)
_BARRIERS = (Barrier("natural proofs", "relativisation", also_called=("自然证明",)),)


@check(
    "gates.viability",
    title="Pitches an approach that is known to be blocked",
    reason="viability",
    order=6,
    fires_on=[
        (TurnState("We continue with natural proofs.", barriers=_BARRIERS),),
        (TurnState("下一步继续用自然证明推进。", barriers=_BARRIERS),),
    ],
    silent_on=[
        (TurnState("Natural proofs are blocked, so we continue elsewhere.", barriers=_BARRIERS),),
        (TurnState("Should we continue with natural proofs?", barriers=_BARRIERS),),
        (TurnState("我们不再继续自然证明。", barriers=_BARRIERS),),
        (TurnState("We continue with natural proofs.", barriers=()),),
    ],
)
def viability(turn: TurnState) -> GateFinding | None:
    for segment in segments(turn.text) if turn.barriers else ():
        match = _PITCH.search(segment.text)
        if not match or _ACKNOWLEDGED.search(segment.sentence) or not is_stated(segment, segment.text):
            continue
        for barrier in turn.barriers:
            names = (barrier.approach, *barrier.also_called)
            if any(name and _named(name, segment.text) for name in names):
                phrase = " ".join(segment.text.split())[:200]
                return GateFinding("viability", "blocked_approach_pitched", phrase, {"barrier": barrier.why})
    return None


def _named(name: str, text: str) -> bool:
    pattern = re.escape(name) if not name.isascii() else rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])"
    return re.search(pattern, text, re.IGNORECASE) is not None
