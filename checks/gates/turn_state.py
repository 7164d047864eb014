"""What the sibling gates look at: the final text, and the little of the turn's state that each of them needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from checks.arguments import several
from checks.honesty.model import ToolResult


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan."""

    title: str
    done: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan as its own record has it.

    `status` is `none`, `active`, `blocked` or `closed`; `is_placeholder` marks a plan that was opened without real
    steps, `circuit_breaker_fired` one whose execution was stopped after repeated failures.
    """

    plan_id: str
    status: str = "active"
    steps: Sequence[Step] = ()
    is_placeholder: bool = False
    circuit_breaker_fired: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", several(self.steps, "steps", Step))

    @property
    def has_open_steps(self) -> bool:
        return self.status == "active" and (self.is_placeholder or any(not step.done for step in self.steps))


@dataclass(frozen=True, slots=True)
class Source:
    """Something that a reply may cite: the label it is cited by (`1` for `[1]`), and its text."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Barrier:
    """An approach that is known to be blocked, by the names it goes by, and why."""

    approach: str
    why: str
    also_called: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "also_called", several(self.also_called, "also_called", str))


@dataclass(frozen=True, slots=True)
class TurnState:
    """One turn at the moment when its final text is judged."""

    text: str
    tool_results: Sequence[ToolResult] = ()
    plan: Plan | None = None
    sources: Sequence[Source] = ()
    barriers: Sequence[Barrier] = ()

    def __post_init__(self) -> None:
        for name, kind in (("tool_results", ToolResult), ("sources", Source), ("barriers", Barrier)):
            object.__setattr__(self, name, several(getattr(self, name), name, kind))


@dataclass(frozen=True, slots=True)
class GateFinding:
    """What a gate objects to. `phrase` is the wording that it caught, empty where the gate reads none.

    `details` are the further fields of the gate's audit event (log-formats), with JSON values.
    """

    gate: str
    reason: str
    phrase: str = ""
    details: Mapping[str, object] = field(default_factory=dict)
