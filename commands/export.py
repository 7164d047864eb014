"""gatecov export: every table as CSV."""

from pathlib import Path
from typing import Annotated

import typer

from commands.options import AgentOption, DbOption, SinceOption, UntilOption, chosen, decided
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
    from queries.export import export
    from queries.settings import thresholds_from

    store = store_path(db)
    window = chosen(store, since, until, agent)
    thresholds, decisions = thresholds_from(read_config()), decided()
    for written in export(store, directory, window, thresholds, decisions.actions):
        print(written)
