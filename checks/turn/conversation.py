"""What a turn is made of: messages, a model that replies, tools that it calls, and the session around it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from checks.gates.turn_state import Barrier, Plan, Source
from checks.honesty.model import ReasoningState

Role = Literal["user", "assistant", "tool", "reminder"]
Tool = Callable[[Mapping[str, object]], str | None]
"""Runs with the call's input and returns what came out, or None where that cannot be told; raises what went wrong."""


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    tool: str
    input: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answers: tool calls to run, or, where there are none, its final text."""

    text: str = ""
    tool_calls: Sequence[ToolCall] = ()


class Model(Protocol):
    def reply(self, messages: Sequence[Message]) -> Reply:
        """The answer to the messages so far."""


class ScriptEndedError(Exception):
    """A scripted model was asked for more replies than its script holds."""


class ScriptedModel:
    """A model that gives the replies of a script in turn, and keeps the messages that it was shown."""

    def __init__(self, *replies: Reply | str) -> None:
        self._replies = [Reply(reply) if isinstance(reply, str) else reply for reply in replies]
        self.shown: list[tuple[Message, ...]] = []

    def reply(self, messages: Sequence[Message]) -> Reply:
        if len(self.shown) == len(self._replies):
            raise ScriptEndedError(f"the script holds {len(self._replies)} replies and a further one was asked for")
        self.shown.append(tuple(messages))
        return self._replies[len(self.shown) - 1]


@dataclass(slots=True)
class Session:
    """The conversation around a turn. Tools may change it while the turn runs, a plan tool its `plan` for example.

    `blocked_tools` are refused in this turn; `slow_tools` are refused as long as there is no plan.
    """

    session_id: str
    plan: Plan | None = None
    reasoning: ReasoningState | None = None
    sources: Sequence[Source] = ()
    barriers: Sequence[Barrier] = ()
    blocked_tools: frozenset[str] = frozenset()
    slow_tools: frozenset[str] = frozenset()
