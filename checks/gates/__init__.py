"""The sibling gates of the honesty gate: six pure functions over a turn, each with one regeneration per turn.

Source: the honesty gates page, *The sibling gates*. Where the page gives only a purpose, the rule is the plainest one
that can be decided from the turn's state, and the gate's docs say what it cannot see.
"""

from checks.gates.turn_state import Barrier, GateFinding, Plan, Source, Step, TurnState
from checks.registry import Check, family_checks

__all__ = ["Barrier", "GateFinding", "Plan", "Source", "Step", "TurnState", "gates"]


def gates() -> tuple[Check, ...]:
    """The six gates, in the order in which a turn asks them; each `function` takes a TurnState."""
    return family_checks("gates")
