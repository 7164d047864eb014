"""gatecov trace: one conversation, record by record."""

from typing import Annotated

import typer

from commands.options import DbOption, ReportFormat, SinceOption, UntilOption
from places import store_path


def trace_command(
    session: Annotated[
        str | None, typer.Argument(metavar="[SESSION]", help="Id of a conversation; without one they are listed.")
    ] = None,
    db: DbOption = None,
    text: Annotated[
        str | None, typer.Option("--text", metavar="TEXT", help="List only conversations with this in a record.")
    ] = None,
    since: SinceOption = None,
    until: UntilOption = None,
    style: Annotated[ReportFormat, typer.Option("--format", help="How to print it.")] = ReportFormat.table,
) -> None:
    """Tell one conversation record by record, and why there was no probe."""
    from queries import Window
    from review.trace import conversations, trace

    if session is None:
        print(conversations(store_path(db), Window.parse(since, until), text, style.value), end="")
        return
    found = trace(store_path(db), session)
    print({"table": found.as_text, "markdown": found.as_markdown, "json": found.as_json}[style.value](), end="")
