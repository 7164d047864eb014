"""Where a lesson is and where it has been: position, never completion.

A `nodeId` on a quiz call says that the question is about that node, and nothing else. The newest tagged call gives
the current node, whatever its state; every node of an earlier tagged call is visited, for good. Untagged calls and
results move nothing, and before the first tag nothing is current. An id that no plan made before the call holds names
no node (the call boundary refuses it), so it moves nothing either; where the transcript holds no plan yet, the tag
is taken at its word. Source: the probe and teach page, section 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from checks.lesson.calls import Transcript, calls
from checks.lesson.shapes import plan, plan_of


@dataclass(frozen=True, slots=True)
class Position:
    """The current node, the visited ones in the order of their first visit, and the plan's nodes that are neither.

    The current node is among the visited ones too when an earlier call was about it.
    """

    current: str | None
    visited: tuple[str, ...]
    upcoming: tuple[str, ...]


def position(transcript: Transcript) -> Position:
    """The position after the last message of the transcript."""
    messages = list(transcript)
    tags: list[str] = []
    known: set[str] = set()
    for call in calls(messages):
        if call.tool == "plan_init" and call.succeeded:
            known.update(plan_of(call).ids)
        elif call.node_id is not None and (not known or call.node_id in known):
            tags.append(call.node_id)
    latest = plan(messages)
    return position_of(tags, latest.ids if latest else ())


def position_of(tags: Sequence[str], nodes: Sequence[str]) -> Position:
    """The position that the node ids of the tagged calls, in their order, give in a plan of these nodes."""
    current = tags[-1] if tags else None
    visited = tuple(dict.fromkeys(tags[:-1]))
    return Position(current, visited, tuple(node for node in nodes if node != current and node not in visited))
