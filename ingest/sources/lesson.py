"""Lesson transcripts: each tool call is an event, so that position, phase and agent can be worked out from the store.

A call is recorded again as its state grows; `ingest/lessons.py` lets the newest record stand for it. `extra` holds the
call's id, its state, the node that a refused quiz named, the nodes of a plan, the strands of an assessment.
Source: the probe and teach page, sections 1 to 4; `checks/lesson/records.py` writes these records.
"""

from collections.abc import Mapping
from typing import Any

from checks.lesson import Call, calls
from checks.lesson.shapes import parse_assessment, plan_of
from ingest import decode
from ingest.reading import text_value
from ingest.source import Event, Expected, Fire, Reject, Result, Row, Source

_FOR_THE_SEAM = ("probe_done", "plan_init")
_KINDS = {"quiz": "quiz_call", "probe_done": "probe_done", "plan_init": "plan_init"}


def _call(event: Event, values: Mapping[str, Any]) -> Result:
    part = values.get("part")
    found = calls([{"parts": [part]}])
    if not isinstance(part, dict) or not found:
        lacks = "state" if isinstance(part, dict) and "state" not in part else "a tool's name"
        return Reject(f"tool_call: it lacks {lacks!r}")
    call = found[0]
    event.kind = _KINDS.get(call.tool, "tool_call")
    event.subject = text_value(call.node_id if call.tool == "quiz" else call.tool)
    event.text = _text(call.input.get("question") or call.input.get("overall"))
    event.extra = _extra(call)
    error = _error(call, part)
    if error is not None:
        event.kind, event.action, event.subject, event.text = (
            "tool_refused",
            "refuse",
            text_value(call.tool),
            _text(error),
        )
        reason = _text(part.get("refusal")) or error
        event.fires = (Fire("lesson", None, decode.storable(reason.removeprefix("lesson."))),)
    return event


def _extra(call: Call) -> dict[str, Any]:
    extra: dict[str, Any] = {"call": call.call_id, "state": call.state}
    if not call.input:
        extra["input"] = False
    if call.node_id is not None:
        extra["node"] = call.node_id
    if call.tool == "plan_init":
        extra["nodes"] = [{"id": n.id, "title": n.title, "requires": list(n.requires)} for n in plan_of(call).nodes]
    if call.tool == "probe_done":
        strands = parse_assessment(call.input).strands
        extra["strands"] = [{"strand": strand.strand, "edge": strand.edge} for strand in strands]
    return {key: value for key, value in extra.items() if value is not None}


def _error(call: Call, part: Mapping[str, Any]) -> str | None:
    """What the agent was told; None for a call that was accepted or still waits.

    Only the seam tools answer with an error as their output: the output of a quiz is the learner's.
    """
    if part.get("refusal") or call.state == "output-error" or (call.error and not call.open):
        return call.error or text_value(part.get("refusal")) or "no reason given"
    if call.tool in _FOR_THE_SEAM and not call.open and not call.succeeded:
        output = call.output.get("error") if isinstance(call.output, Mapping) else call.output
        return text_value(output) or "no reason given"
    return None


def _text(value: object) -> str | None:
    return decode.storable(value) if isinstance(value, str) and value.strip() else None


def _message(event: Event, values: Mapping[str, Any]) -> Result:
    return Reject("message: 'parts' is no list")


_PLAN = '{"type":"tool-plan_init","toolCallId":"p1","state":"output-available","input":{"nodes":[{"id":"n1","title":"Ends"},{"id":"n2","title":"Means","requires":["n1"]}]},"output":{"ok":true}}'
_OPEN = '{"type":"lesson_message","session":"l-1","time":"2026-09-01T10:00:00Z","role":"assistant","parts":['

SOURCE = Source(
    system="lesson",
    # Cut short: the end of its name is that of the commonest key of all logs, which costs the search a tenth.
    # A message without our type and without a call is not looked for: it moves nothing.
    markers=(b"lesson_m", b"toolCallId"),
    rows=(
        Row(kind="tool_call", form="name", pattern="lesson_call", adjust=_call),
        Row(kind="message", form="name", pattern="lesson_talk"),
        # The envelope takes a whole message apart: what arrives here lacks something.
        Row(kind="message", form="name", pattern="lesson_message", required=("role", "parts"), adjust=_message),
    ),
    samples=(
        (
            _OPEN + '{"type":"tool-quiz","toolCallId":"q1","state":"input-available","input":{"question":"Why?","nodeId":"n1"}}]}',
            Expected(
                "quiz_call",
                {"subject": "n1", "text": "Why?", "session": "l-1", "extra": {"call": "q1", "state": "input-available", "node": "n1"}},
            ),
        ),
        (
            '{"role":"assistant","parts":[{"type":"dynamic-tool","toolName":"quiz","toolCallId":"q2","state":"output-available","input":{"question":"So?"},"output":"error bars"}]}',
            Expected("quiz_call", {"subject": None, "text": "So?", "extra": {"call": "q2", "state": "output-available"}}),
        ),
        (
            _OPEN + _PLAN + "]}",
            Expected(
                "plan_init",
                {
                    "subject": "plan_init",
                    "extra": {
                        "call": "p1",
                        "state": "output-available",
                        "nodes": [
                            {"id": "n1", "title": "Ends", "requires": []},
                            {"id": "n2", "title": "Means", "requires": ["n1"]},
                        ],
                    },
                },
            ),
        ),
        (
            _OPEN + '{"type":"tool-probe_done","toolCallId":"d1","state":"output-available","input":{"strands":[{"strand":"Will","edge":"Names it"}],"overall":"Ready"},"output":{"ok":true}}]}',
            Expected(
                "probe_done",
                {"text": "Ready", "extra": {"call": "d1", "state": "output-available", "strands": [{"strand": "Will", "edge": "Names it"}]}},
            ),
        ),
        (
            _OPEN + '{"type":"tool-quiz","toolCallId":"q3","state":"output-error","input":{"question":"Why?","nodeId":"n9"},"errorText":"quiz: nodeId \'n9\' is not in the plan; use one of n1","refusal":"unknown_node"}]}',
            Expected("tool_refused", {"subject": "quiz", "action": "refuse"}, ("unknown_node",)),
        ),
        (
            _OPEN + '{"type":"tool-probe_done","toolCallId":"d2","state":"output-available","input":{},"output":{"ok":false,"error":"resolve the open question first"}}]}',
            Expected("tool_refused", {"subject": "probe_done"}, ("resolve the open question first",)),
        ),
        (
            _OPEN + '{"type":"tool-ask_user_question","toolCallId":"a1","state":"input-available","input":{"question":"Where to?"}}]}',
            Expected("tool_call", {"subject": "ask_user_question", "text": "Where to?"}),
        ),
        ('{"type":"lesson_message","role":"user","parts":[{"type":"text","text":"Hi"}]}', Expected("message", {"text": None})),
        (_OPEN + '{"type":"tool-quiz","toolCallId":"q4","input":{}}]}', Reject("tool_call: it lacks 'state'")),
        ('{"type":"lesson_message","session":"l-1","role":"user"}', Reject("message: it lacks 'parts'")),
        ('{"type":"lesson_message","role":"user","parts":"Hi"}', Reject("message: 'parts' is no list")),
        ('{"type":"lesson_message","parts":[]}', Reject("message: it lacks 'role'")),
        ("a toolCallId is no lesson_message", None),
    ),
)  # fmt: skip
