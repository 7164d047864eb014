"""A message of a lesson's transcript: each tool call in it is a record; one without any stands for itself.

What people and models say in a message never becomes a record, whatever it looks like.
"""

from collections.abc import Mapping
from typing import Any

from ingest.envelope import JsonEnvelope, Sample


def _has_parts(value: Mapping[str, Any]) -> bool:
    return isinstance(value["role"], str) and isinstance(value["parts"], list)


def _calls(parts: list[Any]) -> list[dict[str, Any]]:
    found = [{"type": "lesson_call", "part": part} for part in parts if isinstance(part, dict) and _is_call(part)]
    return found or [{"type": "lesson_talk"}]


def _is_call(part: Mapping[str, Any]) -> bool:
    kind = part.get("type")
    return "toolCallId" in part or "toolName" in part or (isinstance(kind, str) and kind.startswith("tool-"))


ENVELOPE = JsonEnvelope(
    name="lesson message",
    keys=("role", "parts"),
    where=_has_parts,
    payload=("parts",),
    convert=_calls,
    time=("time", "timestamp", "createdAt", "created_at", "metadata.createdAt"),
    many=True,
    samples=(
        Sample(
            '{"type":"lesson_message","session":"l-1","time":"2026-09-01T10:00:00Z","role":"assistant","parts":[{"type":"text","text":"[turn] session=x done"},{"type":"tool-quiz","toolCallId":"q1","state":"input-available","input":{"question":"Why?"}}]}',
            message="lesson_call",
            time="2026-09-01T10:00:00",
            session="l-1",
        ),
        Sample(
            '{"id":"m1","role":"user","parts":[{"type":"text","text":"[turn] session=x done"}]}', message="lesson_talk"
        ),
    ),
)
