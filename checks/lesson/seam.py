"""Which agent a request constructs and which phase a lesson is in: both from events of the transcript alone.

The page says both that the teacher is constructed "the moment the transcript carries a probe_done" and that the
conclusion is "durable in the transcript by the tool result itself". A call that waits for its result, or that was
refused, has concluded nothing: with a question open, taking it for the seam would hand the learner over in the
middle of it. So here the seam is a `probe_done` that succeeded. It is the only key: a transcript without it is a
prober's, whatever else it holds. Source: the probe and teach page, sections 1, 2, 4 and 8.
"""

from typing import Literal

from checks.lesson.calls import Transcript, calls

Agent = Literal["prober", "teacher"]
Phase = Literal["probe", "planning", "teach"]


def agent(transcript: Transcript) -> Agent:
    """The agent that the next request of this transcript constructs."""
    return "prober" if phase(transcript) == "probe" else "teacher"


def phase(transcript: Transcript) -> Phase:
    """The phase after the last message: probe, planning once `probe_done` succeeded, teach once `plan_init` did.

    Until a learner can accept a plan, a successful `plan_init` stands for that; one before the seam stands for nothing.
    """
    current: Phase = "probe"
    for call in calls(transcript):
        current = next_phase(current, call.tool, call.succeeded)
    return current


def next_phase(current: Phase, tool: str, succeeded: bool) -> Phase:
    """The phase after a call, given the phase before it. There is no way back."""
    if succeeded and (current, tool) == ("probe", "probe_done"):
        return "planning"
    if succeeded and (current, tool) == ("planning", "plan_init"):
        return "teach"
    return current


def stuck_before_teach(transcript: Transcript) -> Phase | None:
    """The phase in which a lesson ended without reaching teach; None for a lesson that reached it."""
    last = phase(transcript)
    return None if last == "teach" else last
