"""gatecov checks: the catalog of live checks."""

import json
from enum import StrEnum
from typing import Annotated

import typer


class ListFormat(StrEnum):
    table = "table"
    json = "json"


def checks_command(
    style: Annotated[ListFormat, typer.Option("--format", help="How to print it.")] = ListFormat.table,
) -> None:
    """Print the catalog of live checks."""
    from checks.registry import catalog

    if style is ListFormat.json:
        print(json.dumps([check.summary() for check in catalog()], ensure_ascii=False, indent=2))
        return
    width = max(len(check.check_id) for check in catalog())
    for check in catalog():
        kept = " (kept)" if check.kept else ""
        place = f"{check.source}:{check.line}" if check.source else f"runs elsewhere: {check.runs_elsewhere}"
        print(f"{check.check_id:<{width}}  {check.title}{kept}  [{place}]")
