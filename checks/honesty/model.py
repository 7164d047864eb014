"""What the honesty gate compares: tool results and the reasoning tree on one side, a finding on the other."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Severity = Literal["high", "medium"]
Status = Literal["ok", "failed", "unknown"]

OK_MARKER = "✓ TOOL OK"
FAILED_MARKER = "⚠ TOOL FAILED"
# Emoji keyboards and some terminals put a variation selector (U+FE0E, U+FE0F) after the sign.
_MARKER = re.compile(r"(?P<ok>✓[︎️]?\s*TOOL OK)|(?P<failed>⚠[︎️]?\s*TOOL FAILED)")


@dataclass(frozen=True, slots=True)
class ToolResult:
    """One tool call of the turn: its name, what came back (with the caller's marker) and what went in."""

    tool: str
    content: str
    input: Mapping[str, object] | str | None = None

    @property
    def status(self) -> Status:
        """The first marker in the content decides, since an output may quote the other one; none means unknown."""
        found = _MARKER.search(self.content)
        if found is None:
            return "unknown"
        return "ok" if found["ok"] else "failed"

    @property
    def name(self) -> str:
        """The tool's name in snake case: `writeFile`, `write-file` and `Write File` are all `write_file`."""
        parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", self.tool)
        return re.sub(r"[^a-z0-9]+", "_", parted.lower()).strip("_")

    @property
    def command(self) -> str:
        """The command line that a shell tool was given; empty where none is known."""
        if isinstance(self.input, str):
            return self.input
        for key in ("command", "cmd", "script", "code"):
            value = (self.input or {}).get(key)
            if isinstance(value, str):
                return value
            if isinstance(value, list | tuple):
                return " ".join(str(part) for part in value)
        return ""


@dataclass(frozen=True, slots=True)
class ReasoningState:
    """The reasoning tree as it stands: how many nodes are open, proved and dead, and whether the session is active."""

    open_frontier_count: int
    proved_count: int = 0
    dead_count: int = 0
    status: str = "active"

    @property
    def is_open(self) -> bool:
        return self.status == "active" and self.open_frontier_count > 0


@dataclass(frozen=True, slots=True)
class Counts:
    """How the tool results of a turn came out."""

    ok: int
    failed: int
    unknown: int


@dataclass(frozen=True, slots=True)
class HonestyFinding:
    """What one check objects to: the claim as it stands in the text, and the evidence it was compared with."""

    reason: str
    severity: Severity
    claim: str
    ok_count: int
    fail_count: int
    unknown_count: int
    evidence: str


def count(results: Sequence[ToolResult]) -> Counts:
    statuses = [result.status for result in results]
    return Counts(statuses.count("ok"), statuses.count("failed"), statuses.count("unknown"))


def finding(
    reason: str, claim: str, results: Sequence[ToolResult], evidence: str, severity: Severity = "high"
) -> HonestyFinding:
    """A finding with the counts of `results`."""
    counts = count(results)
    return HonestyFinding(reason, severity, claim, counts.ok, counts.failed, counts.unknown, evidence)


def names(results: Sequence[ToolResult]) -> str:
    """The tools that ran, in order and each once, for the evidence: `stat, writeFile`, or `none`."""
    return ", ".join(dict.fromkeys(result.tool for result in results)) or "none"
