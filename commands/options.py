"""What commands share: options, formats, the configuration, and how they speak."""

import os
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

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


def fail(sentence: str, code: int = FAILED) -> NoReturn:
    """Say why it ends, and end."""
    tell(sentence)
    raise SystemExit(code)


def config() -> Mapping[str, Any]:
    """The tables of gatecov.toml (or the file that GATECOV_CONFIG names); none where there is no such file."""
    import tomllib

    named = os.environ.get("GATECOV_CONFIG")
    path = Path(named or "gatecov.toml")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if named:
            fail(f"{named}: there is no such file, though GATECOV_CONFIG names it")
        return {}
    except (OSError, ValueError) as error:
        fail(f"{path}: it cannot be read as TOML ({error}); mend it, or name another with GATECOV_CONFIG")
