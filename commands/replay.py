"""gatecov replay: today's checks over what was logged."""

import sys
from typing import Annotated

import typer

from commands.options import DbOption, ReportFormat, SinceOption, UntilOption
from places import store_path


def replay_command(
    db: DbOption = None,
    family: Annotated[
        str | None, typer.Option("--family", metavar="F", help="Only the checks of this family, such as probe.scale.")
    ] = None,
    since: SinceOption = None,
    until: UntilOption = None,
    style: Annotated[ReportFormat, typer.Option("--format", help="How to print it.")] = ReportFormat.table,
) -> None:
    """Run today's checks over the logged drafts and texts, and tell where they differ from the log."""
    from queries import Window
    from review.replay import replay
    from review.replaypage import render

    found = replay(store_path(db), Window.parse(since, until), family, progress=_tell_judged)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(render(found, style.value))


def _tell_judged(records: int) -> None:
    if sys.stderr.isatty():
        print(f"\rgatecov: records judged again: {records:,}", end="", file=sys.stderr, flush=True)
