"""When the goal `socratic_probe` may act: pure functions over what the agent knows, each with the line it leaves.

Source: the Socratic probe page, *What it does and when it fires*. Most rulings leave no line there, and none here.
"""

from dataclasses import dataclass

from checks.arguments import several
from checks.socratic.contexts import Resource, SlotResult

GOAL = "socratic_probe"
MIN_CONFIDENCE = 70
QUERY_LINES = 5


@dataclass(frozen=True, slots=True)
class Cycle:
    """What one cycle of the agent starts from.

    `active_goals` are goal ids, `silence_compatible` those among them that may run in a quiet chat; `human_lines` are
    oldest first. `passages` is what was retrieved, and `retrieval_error` the text of what went wrong instead.
    """

    agent: str
    active_goals: tuple[str, ...] = (GOAL,)
    silence_compatible: tuple[str, ...] = (GOAL,)
    resources: tuple[Resource, ...] = ()
    human_lines: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    retrieval_error: str | None = None
    chat_quiet: bool = False
    transcript_quiet: bool = False

    def __post_init__(self) -> None:
        for name in ("active_goals", "silence_compatible", "human_lines", "passages"):
            object.__setattr__(self, name, several(getattr(self, name), name, str))
        object.__setattr__(self, "resources", several(self.resources, "resources", Resource))


@dataclass(frozen=True, slots=True)
class Decision:
    """What the decision call chose; `confidence` is 0 to 100."""

    goal: str
    confidence: int = 100


@dataclass(frozen=True, slots=True)
class Ruling:
    """Whether the cycle goes on, why it does not, and the warning that this leaves, if any."""

    goes_on: bool
    because: str = ""
    line: str | None = None


GO_ON = Ruling(True)


def activity(cycle: Cycle) -> Ruling:
    """Quiet chat: with both quiet the agent skips; with the chat alone quiet, a silence-compatible goal keeps it going."""
    if not cycle.chat_quiet:
        return GO_ON
    if cycle.transcript_quiet:
        return Ruling(False, "chat and transcript are quiet")
    if not set(cycle.active_goals) & set(cycle.silence_compatible):
        return Ruling(False, "the chat is quiet and no active goal is silence-compatible")
    return GO_ON


def background_query(cycle: Cycle) -> str:
    """The query for background reading: the last few human lines; empty when there is nothing to ask with."""
    return " ".join(line.strip() for line in cycle.human_lines[-QUERY_LINES:] if line.strip())


def prefetch(cycle: Cycle) -> Ruling:
    """Whether to search at all: the goal is active, a resource has a file, and there is a query."""
    if GOAL not in cycle.active_goals:
        return Ruling(False, "the goal is not active")
    if not any(resource.file_name for resource in cycle.resources):
        return Ruling(False, "no resource has a file")
    if not background_query(cycle):
        return Ruling(False, "there is no query")
    return GO_ON


def grounded(cycle: Cycle) -> Ruling:
    """Grounded only: the goal is offered when passages were retrieved; a failed retrieval leaves a warning."""
    search = prefetch(cycle)
    if not search.goes_on:
        return search
    if cycle.retrieval_error is not None:
        reason = " ".join(cycle.retrieval_error.split())
        return Ruling(False, "the retrieval failed", f"{cycle.agent}: background prefetch failed: {reason}")
    if not any(passage.strip() for passage in cycle.passages):
        return Ruling(False, "nothing was retrieved")
    return GO_ON


def eligible_goals(cycle: Cycle) -> tuple[str, ...]:
    """The goals that the decision model is offered."""
    return tuple(goal for goal in cycle.active_goals if goal != GOAL or grounded(cycle).goes_on)


def anything_active(cycle: Cycle) -> Ruling:
    """Nothing else active: where no goal is left to offer, the agent returns without calling the model."""
    return GO_ON if eligible_goals(cycle) else Ruling(False, "no goal is eligible")


def chosen(decision: Decision, cycle: Cycle) -> Ruling:
    """Whether the decision leads to a probe: not with `none` or another goal, below 70, or without passages."""
    if decision.goal != GOAL:
        return Ruling(False, "no goal was chosen" if decision.goal == "none" else "another goal was chosen")
    if not any(passage.strip() for passage in cycle.passages):
        line = f"{cycle.agent}: {GOAL} chosen without retrieved passages — discarding the decision"
        return Ruling(False, "no passage was retrieved", line)
    if decision.confidence < MIN_CONFIDENCE:
        return Ruling(False, f"the confidence is below {MIN_CONFIDENCE}")
    return GO_ON


def slots_accepted(result: SlotResult, cycle: Cycle) -> Ruling:
    """A bad concept or source silences the goal for this cycle, with a warning that names the rule."""
    if result.failure is None:
        return GO_ON
    return Ruling(False, "the slots were rejected", f"{cycle.agent}: slots rejected ({result.failure.reason})")
