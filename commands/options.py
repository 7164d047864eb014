"""What commands share: options, formats, and how they speak."""

import sys
from enum import StrEnum
from typing import Annotated, NoReturn

import typer

FAILED = 1

DbOption = Annotated[
    str | None, typer.Option("--db", metavar="FILE", help="The store [default: $GATECOV_DB or gatecov.duckdb].")
]


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
