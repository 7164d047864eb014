"""Deliberate refusals of the protocol layer: the plan gate and blocked tools. They fire no check and are counted apart.

Source: the honesty gates page, the closing note of *In-turn reflection*.
"""

from ingest.source import Expected, Row, Source

_SESSION = {"session": ("session", "sessionId", "session_id")}

SOURCE = Source(
    system="protocol",
    markers=(
        b"[plan_protocol_gate]",
        b"in_turn_tool_blocked",
        b"plan_protocol_gate_blocked",
        b"[in-turn-tool-blocked]",
    ),
    opening=r"\[(?:plan_protocol_gate|in-turn-tool-blocked)\]",
    rows=(
        Row(
            kind="plan_blocked",
            form="console",
            pattern=r"\[plan_protocol_gate\] session=(?P<session>\S+) rejected (?P<tool>[^\s(]+)",
            columns={"subject": "tool", **_SESSION},
            action="refuse",
        ),
        Row(
            kind="tool_blocked",
            form="console",
            pattern=r"\[in-turn-tool-blocked\] session=(?P<session>\S+)(?: blocked| rejected)? (?P<tool>[^\s(=]+)(?=\s|$)",
            columns={"subject": "tool", **_SESSION},
            action="refuse",
        ),
        Row(
            kind="plan_blocked",
            form="name",
            pattern=r"plan_protocol_gate_blocked",
            required=("blockedTool",),
            columns={"subject": "blockedTool", **_SESSION},
            action="refuse",
        ),
        Row(
            kind="tool_blocked",
            form="name",
            pattern=r"in_turn_tool_blocked",
            required=("blockedTool",),
            columns={"subject": "blockedTool", **_SESSION},
            action="refuse",
        ),
    ),
    samples=(
        (
            "[plan_protocol_gate] session=s-1 rejected writeFile (slow + planStatus=none)",
            Expected("plan_blocked", {"session": "s-1", "subject": "writeFile", "action": "refuse"}),
        ),
        (
            '{"timestamp":1788000000123,"type":"self_domain_write","data":{"toolName":"in_turn_tool_blocked","sessionId":"s-1","blockedTool":"http"}}',
            Expected("tool_blocked", {"session": "s-1", "subject": "http"}),
        ),
        (
            '{"event":"plan_protocol_gate_blocked","blockedTool":"writeFile","planStatus":"none","planId":null}',
            Expected("plan_blocked", {"subject": "writeFile"}),
        ),
    ),
)
