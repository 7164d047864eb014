"""gatecov whatif: the logs as they would have been without some checks."""

from typing import Annotated

import typer

from commands.options import AgentOption, DbOption, ReportFormat, SinceOption, UntilOption, chosen
from places import store_path


def whatif_command(
    checks: Annotated[list[str], typer.Argument(metavar="CHECK...", help="Ids of the checks to imagine gone.")],
    db: DbOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    agent: AgentOption = None,
    style: Annotated[ReportFormat, typer.Option("--format", help="How to print it.")] = ReportFormat.table,
) -> None:
    """Tell what the logs would have been without these checks, and which texts would have got through."""
    from queries.whatif import whatif
    from queries.whatifpage import render

    store = store_path(db)
    print(render(whatif(store, chosen(store, since, until, agent), checks), style.value))
