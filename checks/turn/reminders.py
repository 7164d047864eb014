"""What a model is told when a gate sends its text back: what it said, what happened, what to do now."""

from checks.gates.turn_state import GateFinding
from checks.honesty.model import HonestyFinding

_HONESTY = "Write the reply again. Say only what the tool results show, and say plainly what failed or was not done."

_GATES = {
    "empty_conclusion": "The tools ran, and the reply concludes nothing. Write what was found, or that nothing was.",
    "half_finished": "The reply leaves the rest for later, and there is no later: this turn is the last. Finish the "
    "work, or say what is done, what is not, and what blocks it.",
    "output_format": "The reply is long and has no section that begins with the heading '## For User'. Add it, with what "
    "concerns the user.",
    "citation_grounding": "The cited source does not say this. Cite one that does, or take the sentence out.",
    "plan_failure_false_claim": "The plan's own state says otherwise. Report what the plan's state is.",
    "viability": "This approach is known to be blocked. Say how the barrier is overcome, or propose another approach.",
}


def honesty_reminder(found: HonestyFinding) -> str:
    """What was said against what happened, with the counts."""
    return (
        f'You wrote "{found.claim}". What happened in this turn: {found.evidence} '
        f"({found.ok_count} succeeded, {found.fail_count} failed, {found.unknown_count} indeterminate). {_HONESTY}"
    )


def gate_reminder(found: GateFinding) -> str:
    said = f'You wrote "{found.phrase}". ' if found.phrase else ""
    return f"{said}{_GATES[found.gate]} ({found.reason})"
