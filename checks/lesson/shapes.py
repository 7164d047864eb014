"""What the two seam tools carry: the assessment (`probe_done`) and the plan (`plan_init`).

Both are the input of a call, so the transcript alone holds them. The plan is structure only: nodes, titles, what each
requires. Neither holds a current node or a finished one. Source: the probe and teach page, sections 2 and 3.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from checks.lesson.calls import Call, Transcript, calls


@dataclass(frozen=True, slots=True)
class Strand:
    """One strand that the lesson depends on, and a free reading of where the learner's edge is on it."""

    strand: str
    edge: str


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the prober found: the strands, and an overall summary where it gave one. Version 1 of the shape."""

    strands: tuple[Strand, ...]
    overall: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a plan; `requires` are the ids of the nodes before it."""

    id: str
    title: str
    requires: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The nodes of a lesson, in the order of the plan."""

    nodes: tuple[Node, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(node.id for node in self.nodes)


def assessment(transcript: Transcript) -> Assessment | None:
    """The assessment of the `probe_done` that succeeded; None before it."""
    concluded = (call for call in calls(transcript) if call.tool == "probe_done" and call.succeeded)
    return next((parse_assessment(call.input) for call in concluded), None)


def plan(transcript: Transcript) -> Plan | None:
    """The plan of the latest `plan_init` that succeeded; None before the first."""
    plans = [plan_of(call) for call in calls(transcript) if call.tool == "plan_init" and call.succeeded]
    return plans[-1] if plans else None


def plan_of(call: Call) -> Plan:
    """The plan in the input of a `plan_init` call. A node without an id cannot be referred to and is left out."""
    found = []
    for node in _mappings(call.input.get("nodes")):
        node_id = node.get("id")
        # Ids are compared as they stand; only text for reading is trimmed.
        if isinstance(node_id, str) and node_id.strip():
            found.append(Node(node_id, _text(node.get("title")) or node_id, _ids(node.get("requires"))))
    return Plan(tuple(found))


def parse_assessment(given: Mapping[str, object]) -> Assessment:
    """The assessment in the input of a `probe_done` call."""
    strands = (Strand(_text(item.get("strand")), _text(item.get("edge"))) for item in _mappings(given.get("strands")))
    return Assessment(tuple(strands), _text(given.get("overall")) or None)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _ids(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list | tuple) else ()


def _mappings(value: object) -> tuple[Mapping[str, object], ...]:
    return tuple(item for item in value if isinstance(item, Mapping)) if isinstance(value, list | tuple) else ()
