"""The tools that each agent has, and what comes of calling one: accepted, or an error returned to the agent.

An error is an answer like any other: it says what was wrong and what to do, and the agent goes on from it.
The program that runs lessons adds the teacher's tools for jobs and demos, which bear on no rule here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from checks.lesson import schemas
from checks.lesson.calls import Transcript, calls
from checks.lesson.probe_done_twice import probe_done_twice
from checks.lesson.probe_done_while_open import probe_done_while_open
from checks.lesson.seam import Agent, agent
from checks.lesson.shapes import plan
from checks.lesson.unknown_node import unknown_node

TOOLS: Mapping[Agent, Mapping[str, schemas.Schema]] = {
    "prober": {
        "quiz": schemas.PROBER_QUIZ,
        "ask_user_question": schemas.ASK_USER_QUESTION,
        "probe_done": schemas.PROBE_DONE,
    },
    "teacher": {
        "quiz": schemas.TEACHER_QUIZ,
        "ask_user_question": schemas.ASK_USER_QUESTION,
        "plan_init": schemas.PLAN_INIT,
    },
}
"""The input schema of each tool of each agent."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call comes to.

    `refusal` is the id of the check that refused it; None also where the agent has no such tool or field. `error` is
    what the agent is told, None for an accepted call. `handoff` says that the teacher's turn is due as soon as this one
    ends; should that be lost, the next message constructs the teacher all the same.
    """

    refusal: str | None = None
    error: str | None = None
    handoff: bool = False


def outcome(tool: str, given: Mapping[str, object], earlier: Transcript) -> Outcome:
    """What calling `tool` with the input `given` comes to, after the transcript `earlier`. Nothing is raised."""
    messages = list(earlier)
    made = calls(messages)
    caller = agent(messages)
    if tool == "probe_done":
        # Told of a second conclusion first: with the probe over, to resolve a question would not help.
        if probe_done_twice(made):
            return _refused("probe_done_twice", "probe_done: the probe has concluded already; go on with the plan")
        if probe_done_while_open(made):
            return _refused("probe_done_while_open", "probe_done: a question is open; resolve the open question first")
        return Outcome(handoff=True)
    if tool not in TOOLS[caller]:
        return Outcome(error=f"{tool}: the {caller} has no such tool; it has {', '.join(TOOLS[caller])}")
    if tool == "quiz" and caller == "prober" and "nodeId" in given:
        return Outcome(error="quiz: nodeId is no field of this tool; ask the question without it")
    if tool == "quiz" and caller == "teacher":
        current = plan(messages)
        nodes = current.ids if current else ()
        if unknown_node(given, nodes):
            known = (
                f"use one of {', '.join(nodes)}, or leave nodeId out"
                if nodes
                else "author a plan first, or leave it out"
            )
            return _refused("unknown_node", f"quiz: nodeId {given['nodeId']!r} is not in the plan; {known}")
    return Outcome()


def _refused(reason: str, error: str) -> Outcome:
    return Outcome(refusal=f"lesson.{reason}", error=error)
