"""A node that is not in the plan

What it does
    Refuses a quiz call whose `nodeId` names no node of the plan, also when there is no plan yet. A call without a
    `nodeId` is an ad-hoc check and passes.

Why
    The id is a position on the map; one that is not on it would move the lesson nowhere. The error goes back to the
    agent, which tries again.

When it is wrong
    A node that a later plan dropped is refused, though the learner was there before.

Source
    The probe and teach page, section 3: "Present-but-invalid ids are still rejected at the call boundary"; "Untagged
    checks are legal ad-hoc checks".
"""

from collections.abc import Collection, Mapping

from checks.registry import check


@check(
    "lesson.unknown_node",
    title="A node that is not in the plan",
    reason="unknown_node",
    order=1,
    aliases=[r"[\s\S]*is not in the plan\b[\s\S]*"],
    fires_on=[({"question": "Why?", "nodeId": "n9"}, ("n1", "n2")), ({"nodeId": "n1"}, ()), ({"nodeId": ""}, ("n1",))],
    silent_on=[({"question": "Why?", "nodeId": "n1"}, ("n1", "n2")), ({"question": "Why?"}, ("n1",))],
)
def unknown_node(given: Mapping[str, object], nodes: Collection[str]) -> bool:
    """Whether the input of a teacher's quiz call has a `nodeId` that is not among the ids of the plan's nodes."""
    node_id = given.get("nodeId")
    return node_id is not None and not (isinstance(node_id, str) and node_id in nodes)
