"""A transcript as records: one message per line of JSONL.

Every record begins with `"type":"lesson_message"`, by which a reader knows it. Keys, in order: type, session, time,
role, parts. A tool call is a part with the keys type (`tool-quiz`), toolCallId, state, input, and output or errorText;
where a check refused the call, the part also has `refusal`, the check's reason text.
"""

import json
from collections.abc import Mapping

from checks.lesson.tools import Outcome

TYPE = "lesson_message"


def message(role: str, *parts: Mapping[str, object]) -> dict[str, object]:
    """One message of a transcript."""
    return {"role": role, "parts": [dict(part) for part in parts]}


def text(content: str) -> dict[str, object]:
    """A part that is plain text."""
    return {"type": "text", "text": content}


def call(tool: str, call_id: str, given: Mapping[str, object], state: str = "input-available") -> dict[str, object]:
    """A part that calls a tool and has no result yet."""
    return {"type": f"tool-{tool}", "toolCallId": call_id, "state": state, "input": dict(given)}


def answered(part: Mapping[str, object], output: object) -> dict[str, object]:
    """The part of a call with the result that came."""
    return {**part, "state": "output-available", "output": output}


def returned(part: Mapping[str, object], outcome: Outcome) -> dict[str, object]:
    """The part of a call with what the tool's own rules make of it: ok, or the error that the agent is told."""
    if outcome.error is None:
        return answered(part, {"ok": True})
    refusal = {} if outcome.refusal is None else {"refusal": outcome.refusal.rpartition(".")[2]}
    return {**part, "state": "output-error", "errorText": outcome.error, **refusal}


def to_jsonl(message: Mapping[str, object], *, session: str | None = None, time: str | None = None) -> str:
    """One line of JSONL, in ASCII, for one message. `time` is ISO 8601."""
    record = {"type": TYPE, "session": session, "time": time, "role": message["role"], "parts": message["parts"]}
    return json.dumps(record, separators=(",", ":")) + "\n"
