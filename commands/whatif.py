"""gatecov whatif: the logs as they would have been without some checks."""

from typing import Annotated

import typer

from commands.options import DbOption, ReportFormat, SinceOption, UntilOption
from places import store_path


def whatif_command(
    checks: Annotated[list[str], typer.Argument(metavar="CHECK...", help="Ids of the checks to imagine gone.")],
    db: DbOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    style: Annotated[ReportFormat, typer.Option("--format", help="How to print it.")] = ReportFormat.table,
) -> None:
    """Tell what the logs would have been without these checks, and which texts would have got through."""
    from queries import Window
    from queries.whatif import whatif
    from queries.whatifpage import render

    print(render(whatif(store_path(db), Window.parse(since, until), checks), style.value))
