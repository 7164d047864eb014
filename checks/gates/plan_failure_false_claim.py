"""Tells of a plan's success that the plan's own state contradicts.

What it does
    Objects to a claim of completion, in any of the forms that the honesty gate knows, where the plan's circuit
    breaker fired (`circuit_breaker_fired`), or where the plan is a placeholder that is still open
    (`placeholder_plan_unclosed`).

Why
    The plan is the record of the work. A success beside a tripped breaker or an empty plan was not recorded
    because it did not happen.

When it is wrong
    Where something else than the plan was finished in the same turn: it cannot tell which work a claim is about.
    An ordinary plan with open steps is left alone, since finishing one of its steps is a claim too.

Source
    The honesty gates page, fifth sibling gate; the reason codes are those of the audit events.
"""

from checks.gates.turn_state import GateFinding, Plan, Step, TurnState
from checks.honesty.claims import claims
from checks.registry import check

_TRIPPED = Plan("p-1", status="blocked", steps=(Step("migrate"),), circuit_breaker_fired=True)
_PLACEHOLDER = Plan("p-2", is_placeholder=True)


@check(
    "gates.plan_failure_false_claim",
    title="Tells of success against the plan's own state",
    reason="plan_failure_false_claim",
    order=5,
    fires_on=[
        (TurnState("All steps are done.", plan=_TRIPPED),),
        (TurnState("计划已全部完成。", plan=_PLACEHOLDER),),
    ],
    silent_on=[
        (TurnState("All steps are done.", plan=Plan("p-3", steps=(Step("migrate", done=True),))),),
        (TurnState("The plan is not done: the breaker tripped.", plan=_TRIPPED),),
        (TurnState("计划完成了吗？", plan=_PLACEHOLDER),),
        (TurnState("All steps are done.", plan=Plan("p-4", status="closed", is_placeholder=True)),),
    ],
)
def plan_failure_false_claim(turn: TurnState) -> GateFinding | None:
    if turn.plan is None:
        return None
    if turn.plan.circuit_breaker_fired:
        reason = "circuit_breaker_fired"
    elif turn.plan.is_placeholder and turn.plan.status != "closed":
        reason = "placeholder_plan_unclosed"
    else:
        return None
    for claim in claims(turn.text, "completion"):
        return GateFinding("plan_failure_false_claim", reason, claim.phrase)
    return None
