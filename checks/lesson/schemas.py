"""The input of each tool as a JSON Schema. The two agents' quizzes are two tools under one name.

Source: the probe and teach page, sections 1 to 3.
"""

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

_TEXT: Schema = {"type": "string", "minLength": 1}
_TEXTS: Schema = {"type": "array", "items": _TEXT}


def _object(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    properties = {**required, **(optional or {})}
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


# The prober is never shown a field that it must not use: its quiz has no nodeId at all.
PROBER_QUIZ = _object({"question": _TEXT, "correctAnswer": _TEXT}, {"options": _TEXTS})
TEACHER_QUIZ = _object(
    {"question": _TEXT, "correctAnswer": _TEXT},
    {"options": _TEXTS, "nodeId": {**_TEXT, "description": "The node of the plan that this question is about."}},
)
ASK_USER_QUESTION = _object({"question": _TEXT}, {"options": _TEXTS})
PROBE_DONE = _object(
    {"strands": {"type": "array", "minItems": 1, "items": _object({"strand": _TEXT, "edge": _TEXT})}},
    {"overall": _TEXT},
)
PLAN_INIT = _object(
    {"nodes": {"type": "array", "minItems": 1, "items": _object({"id": _TEXT, "title": _TEXT}, {"requires": _TEXTS})}}
)
