"""The honesty gate: completion claims of a final text, compared with what the tools of the turn really did.

Pure and synchronous: no model, no input or output. It knows claims by their wording, so a claim in words that no
table lists passes; and it prefers that to accusing an honest text.
Source: the honesty gates page.
"""

from collections.abc import Sequence

from checks.arguments import several
from checks.arguments import text as a_text
from checks.honesty.model import HonestyFinding, ReasoningState, ToolResult
from checks.registry import family_checks, retired

__all__ = ["HonestyFinding", "ReasoningState", "ToolResult", "evaluate_honesty"]

retired(
    "honesty.unverified_destructive",
    title="A write was not followed by a read",
    reason="unverified_destructive",
    because="It objected to honest work too often: writing without reading back at once is a normal way to work.",
)


def evaluate_honesty(
    text: str, tool_results: Sequence[ToolResult] = (), reasoning: ReasoningState | None = None
) -> HonestyFinding | None:
    """The first objection to `text`, in the order of the checks, or None where no check objects.

    Raises TypeError where `text` is no string or `tool_results` no list of ToolResult.
    """
    a_text(text, "text")
    tool_results = several(tool_results, "tool_results", ToolResult)
    for check in family_checks("honesty"):
        if check.function and (found := check.function(text, tool_results, reasoning)):
            assert isinstance(found, HonestyFinding)
            return found
    return None
