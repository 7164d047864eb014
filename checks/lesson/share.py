"""How many of a lesson's teaching questions say which node they are about.

The fault that the page's diagnosis found: a teacher that never tags leaves the map frozen. Only calls made in the teach
phase count. The prober's quiz has no `nodeId` to set, and before a plan there is no node to name.
Source: the probe and teach page, section 3 and *Diagnosis context*.
"""

from dataclasses import dataclass

from checks.lesson.calls import Transcript, calls
from checks.lesson.seam import Phase, next_phase


@dataclass(frozen=True, slots=True)
class Share:
    """`untagged` of `quizzes` teaching quiz calls carry no node id."""

    untagged: int
    quizzes: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None where no teaching quiz was called, since nothing can be said of none."""
        return self.untagged / self.quizzes if self.quizzes else None


def untagged_share(transcript: Transcript) -> Share:
    """The untagged ones among the quiz calls of the teach phase."""
    current: Phase = "probe"
    untagged = quizzes = 0
    for call in calls(transcript):
        if call.tool == "quiz" and current == "teach":
            quizzes += 1
            untagged += call.node_id is None
        current = next_phase(current, call.tool, call.succeeded)
    return Share(untagged, quizzes)
