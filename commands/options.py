"""What commands share: options, formats, and how they speak."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from queries import Window
    from review.decisions import Decisions

FAILED = 1

DbOption = Annotated[
    str | None, typer.Option("--db", metavar="FILE", help="The store [default: $GATECOV_DB or gatecov.duckdb].")
]
SinceOption = Annotated[
    str | None,
    typer.Option("--since", metavar="D", help="First date or timestamp to count (UTC unless it has an offset)."),
]
UntilOption = Annotated[
    str | None, typer.Option("--until", metavar="D", help="First date or timestamp not to count any more.")
]
AgentOption = Annotated[
    str | None, typer.Option("--agent", metavar="NAME", help="Count the records of this agent alone.")
]
PortOption = Annotated[int, typer.Option("--port", metavar="N", min=1, max=65535, help="Port to serve on.")]


class ReportFormat(StrEnum):
    table = "table"
    markdown = "markdown"
    json = "json"


def tell(line: str) -> None:
    """Say something beside the data."""
    print(f"gatecov: {line}", file=sys.stderr)


def chosen(db: Path, since: str | None, until: str | None, agent: str | None) -> "Window":
    """The part of the logs in `db` that the options name."""
    from queries import Window
    from queries.agents import check_agent

    window = Window.parse(since, until, agent)
    if agent is not None:
        check_agent(db, agent)
    return window


def decided() -> "Decisions":
    """What people decided about checks; what is odd about it is said beside the data."""
    from checks.registry import catalog
    from review.decisions import decisions_path, load_decisions

    decisions = load_decisions(decisions_path(), {check.check_id for check in catalog()})
    for warning in decisions.warnings:
        tell(warning)
    return decisions


def fail(sentence: str, code: int = FAILED) -> NoReturn:
    """Say why it ends, and end."""
    tell(sentence)
    raise SystemExit(code)
