"""The probe: a question asked of each participant in private, its answers read strictly on a scale."""

from checks.probe.asking import Asked, Call, Line, Participants, Persona, Reply, Request, ask
from checks.probe.errors import ProbeError, ScaleError
from checks.probe.points import AfterItem, BeforeTurn, Point, after_item, before_turn, point
from checks.probe.probe import Probe, labelled
from checks.probe.reading import Reading, read_scale_answer
from checks.probe.records import ProbeAnswer, to_csv, to_jsonl

__all__ = [
    "AfterItem",
    "Asked",
    "BeforeTurn",
    "Call",
    "Line",
    "Participants",
    "Persona",
    "Point",
    "Probe",
    "ProbeAnswer",
    "ProbeError",
    "Reading",
    "Reply",
    "Request",
    "ScaleError",
    "after_item",
    "ask",
    "before_turn",
    "labelled",
    "point",
    "read_scale_answer",
    "to_csv",
    "to_jsonl",
]
