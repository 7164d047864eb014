"""The families of checks: which checks are evaluated together, on what, and how far each evaluation goes."""

from dataclasses import dataclass
from typing import Literal

Mode = Literal["collect-all", "first-match", "independent"]


@dataclass(frozen=True, slots=True)
class Family:
    """One family of checks.

    `mode` says what one evaluation tells of the other checks: *collect-all* reports every failed check,
    *first-match* stops at the first, *independent* checks know nothing of each other.
    `item` is what one evaluation judges, in the singular.
    """

    name: str
    title: str
    mode: Mode
    item: str

    @property
    def stops_chain(self) -> bool:
        return self.mode == "first-match"


FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        Family("socratic.slots", "Socratic slots", "first-match", "slot set"),
        Family("socratic.shape", "Socratic shape", "collect-all", "draft"),
        Family("honesty", "Honesty gate", "first-match", "final text"),
        Family("gates", "Sibling gates", "independent", "turn"),
        Family("reflection", "In-turn reflection", "independent", "repeated failure"),
        Family("guardrail", "Guardrails", "independent", "post"),
        Family("probe.scale", "Probe answers", "first-match", "answer"),
        Family("lesson", "Lesson tools", "independent", "tool call"),
    )
}
