"""gatecov export: every table as CSV."""

from pathlib import Path
from typing import Annotated

import typer

from commands.options import AgentOption, DbOption, SinceOption, UntilOption
from places import read_config, store_path


def export_command(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder for the CSV files; made where it is missing.")
    ],
    db: DbOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    agent: AgentOption = None,
) -> None:
    """Write every table as CSV."""
    from queries import Window
    from queries.export import export
    from queries.settings import thresholds_from
    from review.decisions import decisions_path, load_decisions

    window, decisions = Window.parse(since, until, agent), load_decisions(decisions_path())
    for written in export(store_path(db), directory, window, thresholds_from(read_config()), decisions.actions):
        print(written)
