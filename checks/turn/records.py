"""What a turn leaves behind: audit events in a hash chain, and console lines. Shapes: log-formats 1.3."""

from collections.abc import Callable, Mapping
from typing import Protocol

from checks.gates.turn_state import GateFinding
from checks.honesty.model import Counts, HonestyFinding
from checks.logs import compact_json
from checks.reflection.reflect import Reminder
from checks.turn.chain import FIRST, event_hash

EVENT_TYPE = "self_domain_write"

# What the audit event calls the words that a gate caught, and what the console calls the fields of the event.
_PHRASE = {"half_finished": "matchedPhrase", "viability": "matchedPhrase"}
_WITHOUT_PHRASE = ("empty_conclusion", "output_format")
_CONSOLE = {
    "toolCallsThisTurn": "toolCalls",
    "finalTextLength": "finalLen",
    "planUpdateStepOk": "planUpdateOk",
    "matchedPhrase": "phrase",
    "matchedClaim": "claim",
}


class Writable(Protocol):
    def write(self, text: str, /) -> object:
        """Take one line, with its line feed."""


class Records:
    """The audit trail and the console of one turn; `clock` gives epoch milliseconds, `new_id` an event's id."""

    def __init__(
        self, session_id: str, log: Writable, audit: Writable, clock: Callable[[], int], new_id: Callable[[], str]
    ) -> None:
        self._session = session_id
        self._log = log
        self._audit = audit
        self._clock = clock
        self._new_id = new_id
        self._previous = FIRST
        self._started = clock()
        self.audit_events = 0

    def honesty_passed(self, counts: Counts) -> None:
        total = counts.ok + counts.failed + counts.unknown
        self._line("honesty", f"passed ({counts.ok} ok / {counts.failed} fail / {total} total)")

    def honesty_fired(self, found: HonestyFinding) -> None:
        event = {
            "severity": found.severity,
            "reason": found.reason,
            "failCount": found.fail_count,
            "okCount": found.ok_count,
            "matchedClaim": found.claim,
        }
        self._event("honesty_gate", "honesty_gate_fired", event)
        counts = f"failCount={found.fail_count} okCount={found.ok_count}"
        self._line("honesty", f'fired severity={found.severity} reason={found.reason} {counts} claim="{found.claim}"')

    def gate_fired(self, found: GateFinding) -> None:
        event: dict[str, object] = {"reason": found.reason}
        if found.gate not in _WITHOUT_PHRASE:
            event[_PHRASE.get(found.gate, "matchedClaim")] = found.phrase
        event |= found.details
        self._event(f"{found.gate}_gate", f"{found.gate}_gate_fired", event)
        fields = " ".join(
            f'{_CONSOLE[name]}="{value}"' if isinstance(value, str) else f"{_CONSOLE[name]}={value}"
            for name, value in event.items()
            if name in _CONSOLE
        )
        self._line(found.gate.replace("_", "-"), f"fired reason={found.reason} {fields}")

    def reminded(self, reminder: Reminder) -> None:
        event = {"signature": reminder.signature, "count": reminder.count}
        self._event("in_turn_reflection", "reflection_reminder_injected", event)
        self._line("in-turn-reflection", f"signature={reminder.signature} count={reminder.count}")

    def tool_blocked(self, tool: str) -> None:
        self._event("in_turn_tool_block", "in_turn_tool_blocked", {"blockedTool": tool})

    def plan_blocked(self, tool: str, status: str, plan_id: str | None) -> None:
        event = {"blockedTool": tool, "planStatus": status, "planId": plan_id}
        self._event("plan_protocol_gate", "plan_protocol_gate_blocked", event)
        self._line("plan_protocol_gate", f"rejected {tool} (slow + planStatus={status})")

    def done(self, outcome: str, counts: Counts) -> None:
        tools = counts.ok + counts.failed + counts.unknown
        self._line(
            "turn",
            f"done outcome={outcome} durationMs={self._clock() - self._started} auditEvents={self.audit_events} "
            f"tools={tools} ok={counts.ok} fail={counts.failed}",
        )

    def _line(self, name: str, text: str) -> None:
        # Tool names and claims come from a model: they must not begin a line of their own.
        line = " ".join(f"[{name}] session={self._session} {text}".splitlines())
        self._log.write(f"{line}\n")

    def _event(self, source: str, name: str, fields: Mapping[str, object]) -> None:
        head = {"source": source, "origin": "Internal", "toolName": name, "sessionId": self._session}
        data = compact_json({**head, **fields})
        event_id, timestamp = self._new_id(), self._clock()
        own = event_hash(self._previous, event_id, str(timestamp), EVENT_TYPE, data)
        # Put together by hand: the hash is over the very text of `data` that stands in the file.
        self._audit.write(
            f'{{"id":{compact_json(event_id)},"timestamp":{timestamp},"type":"{EVENT_TYPE}","data":{data},'
            f'"prevHash":"{self._previous}","hash":"{own}"}}\n'
        )
        self._previous = own
        self.audit_events += 1
