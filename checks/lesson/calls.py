"""The tool calls of a transcript, in the order in which they were made.

A transcript is a sequence of messages, each a mapping with `role` and `parts`. A tool call is a part that names a tool
(`toolName`, or `type` as `tool-quiz`), with a call id (`toolCallId`), a `state`, an `input`, and an `output` or an
`errorText`. Whatever else a message or a part holds is content, and passed over. Nothing here raises: a part that
is no call in this shape is none.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

Transcript = Iterable[Mapping[str, object]]

OPEN_STATES = ("input-streaming", "input-available")
"""States of a call that has no result yet."""


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call, as the newest record of it tells."""

    tool: str
    call_id: str | None
    state: str
    input: Mapping[str, object]
    output: object = None
    error: str | None = None

    @property
    def open(self) -> bool:
        """Whether it still waits for its result."""
        return self.state in OPEN_STATES

    @property
    def succeeded(self) -> bool:
        """Whether its result is there and is no error, neither by its state nor by what the tool returned."""
        return self.state == "output-available" and not self.error and not _says_error(self.output)

    @property
    def node_id(self) -> str | None:
        """The node that a quiz call is about; None for an untagged one and for every other tool."""
        tag = self.input.get("nodeId")
        return tag if self.tool == "quiz" and isinstance(tag, str) and tag.strip() else None


def calls(transcript: Transcript) -> tuple[Call, ...]:
    """Every call, where it was first made; one that is recorded again as its state grew counts once, as it ended.

    Some models number their calls anew in each message, so an id that waits again after it had its result is a new call.
    """
    found: list[Call] = []
    places: dict[tuple[str, str], int] = {}
    for call in _parts(transcript):
        place = None if call.call_id is None else places.get((call.tool, call.call_id))
        if place is None or (call.open and not found[place].open):
            found.append(call)
            if call.call_id is not None:
                places[call.tool, call.call_id] = len(found) - 1
        else:
            # A later record may hold the result alone.
            found[place] = call if call.input else replace(call, input=found[place].input)
    return tuple(found)


def _parts(transcript: Transcript) -> Iterator[Call]:
    for message in transcript:
        parts = message.get("parts") if isinstance(message, Mapping) else None
        for part in parts if isinstance(parts, list | tuple) else ():
            if isinstance(part, Mapping) and (call := _call(part)) is not None:
                yield call


def _call(part: Mapping[str, object]) -> Call | None:
    name, kind, state = part.get("toolName"), part.get("type"), part.get("state")
    tool = name if isinstance(name, str) else kind[5:] if isinstance(kind, str) and kind.startswith("tool-") else None
    if not tool or not isinstance(state, str):
        return None
    call_id, given, error = part.get("toolCallId"), part.get("input"), part.get("errorText")
    return Call(
        tool=tool,
        call_id=call_id if isinstance(call_id, str) else None,
        state=state,
        input=given if isinstance(given, Mapping) else {},
        output=part.get("output"),
        error=error if isinstance(error, str) else None,
    )


def _says_error(output: object) -> bool:
    """Whether a tool's own result says that it refused: its output is ok or error."""
    if isinstance(output, Mapping):
        return output.get("ok") is False or bool(output.get("error"))
    return isinstance(output, str) and output.strip().casefold().startswith("error")
