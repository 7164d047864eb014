"""The Socratic stage: slots are validated, a writer that never saw the passage drafts one question, checks judge it."""

from checks.socratic.contexts import Failure, Resource, ShapeContext, SlotContext, SlotResult, Slots, StageResult
from checks.socratic.judging import check_shape, validate_slots
from checks.socratic.stage import run_stage

__all__ = [
    "Failure",
    "Resource",
    "ShapeContext",
    "SlotContext",
    "SlotResult",
    "Slots",
    "StageResult",
    "check_shape",
    "run_stage",
    "validate_slots",
]
