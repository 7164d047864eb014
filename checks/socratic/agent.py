"""One cycle of the agent around the probe: eligibility, decision, slots, stage, guardrail, in the page's order."""

from collections.abc import Callable
from dataclasses import dataclass

from checks.guardrail.professionalism import after_stage
from checks.socratic.contexts import ShapeContext, SlotContext, Slots, StageResult
from checks.socratic.eligibility import (
    GOAL,
    Cycle,
    Decision,
    Ruling,
    activity,
    anything_active,
    chosen,
    grounded,
    slots_accepted,
)
from checks.socratic.judging import validate_slots
from checks.socratic.stage import Log, run_stage
from checks.socratic.writer import Writer


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a cycle came to: the post or None, the ruling that ended it early, and the stage's result if it ran."""

    post: str | None
    ended_by: Ruling | None = None
    stage: StageResult | None = None


def run_cycle(
    cycle: Cycle,
    decide: Callable[[], tuple[Decision, Slots]],
    writer: Writer,
    log: Log,
    *,
    participants: tuple[str, ...] = (),
    recent_posts: tuple[str, ...] = (),
    posture: str = "standard",
    guardrail: Callable[[str], bool] = lambda message: True,
) -> Outcome:
    """Run one cycle and log what each step leaves; `decide` is the decision call, and the model of `writer` another.

    `guardrail` is true for a post that passes, and is asked under the strict posture alone. What `decide` and
    `guardrail` raise is the caller's to handle.
    """
    quiet = activity(cycle)
    if not quiet.goes_on:
        return _ended(quiet, log)
    ungrounded = grounded(cycle)
    _warn(ungrounded, log)
    idle = anything_active(cycle)
    if not idle.goes_on:
        return Outcome(None, idle)
    decision, slots = decide()
    ruling = chosen(decision, cycle)
    if not ruling.goes_on:
        return _ended(ruling, log)
    passage = "\n\n".join(cycle.passages)
    validated = validate_slots(slots, SlotContext(passage, cycle.resources, cycle.human_lines))
    if validated.slots is None:
        return _ended(slots_accepted(validated, cycle), log)
    context = ShapeContext(
        source_label=validated.slots.source_label,
        participants=participants,
        passage=passage,
        recent_posts=recent_posts,
        chat_lines=cycle.human_lines,
    )
    result = run_stage(writer, validated.slots, context, log)
    post = after_stage(result.message, posture=posture, agent=cycle.agent, goal=GOAL, guardrail=guardrail, log=log)
    if post is not None:
        log.info(f"{cycle.agent}: Detected {GOAL} opportunity — {validated.slots.concept}")
    return Outcome(post, None, result)


def _warn(ruling: Ruling, log: Log) -> None:
    if ruling.line:
        log.warning(ruling.line)


def _ended(ruling: Ruling, log: Log) -> Outcome:
    _warn(ruling, log)
    return Outcome(None, ruling)
