"""The professionalism guardrail: a model call of the agent's own, and the hook that puts it after a stage."""

from collections.abc import Callable
from logging import Logger, LoggerAdapter
from typing import Any

from checks.registry import elsewhere

elsewhere(
    "guardrail.professionalism",
    title="A post is professional",
    reason="professionalism",
    order=1,
    where="a model call of the agent, under a strict safety posture",
    doc="""
What it does
    Under the strict safety posture, a model judges the final message and may drop it.

Why
    A conversation with a strict policy wants every post judged, whichever goal it came from.

When it is wrong
    It has dropped valid probes, and those drops are in none of the stage's own lines.

Source
    The Socratic probe page, gating (*Strict safety posture*) and *Known gaps*.
""",
    aliases=[
        r"(?:.{0,200}\b)?rejected by (?:the )?professionalism guardrail\b.*",
        r"professionalism guardrail",
        r"(?:un|not )professional",
    ],
)


def after_stage(
    message: str | None,
    *,
    posture: str,
    agent: str,
    goal: str,
    guardrail: Callable[[str], bool],
    log: "Logger | LoggerAdapter[Any]",
) -> str | None:
    """`message` if it may be posted, else None; only the strict posture asks `guardrail`, which is true for a pass.

    A drop leaves one warning. What `guardrail` raises is the caller's to handle: an error is neither pass nor drop.
    """
    if message is None or posture != "strict" or guardrail(message):
        return message
    log.warning(f"{agent}: intervention rejected by professionalism guardrail (goal: {goal})")
    return None
