"""Probe and teach: where a lesson stands, worked out from its transcript alone, and what its tools refuse."""

from checks.lesson.calls import Call, calls
from checks.lesson.position import Position, position, position_of
from checks.lesson.seam import Agent, Phase, agent, phase, stuck_before_teach
from checks.lesson.shapes import Assessment, Node, Plan, Strand, assessment, plan
from checks.lesson.share import Share, untagged_share
from checks.lesson.tools import TOOLS, Outcome, outcome

__all__ = [
    "TOOLS",
    "Agent",
    "Assessment",
    "Call",
    "Node",
    "Outcome",
    "Phase",
    "Plan",
    "Position",
    "Share",
    "Strand",
    "agent",
    "assessment",
    "calls",
    "outcome",
    "phase",
    "plan",
    "position",
    "position_of",
    "stuck_before_teach",
    "untagged_share",
]
