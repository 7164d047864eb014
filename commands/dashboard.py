"""gatecov dashboard: serve the dashboard; what that takes is in `commands.serving`."""

from typing import Annotated

import typer

from commands.options import DbOption, PortOption
from commands.serving import serve
from places import store_path


def dashboard_command(
    db: DbOption = None,
    port: PortOption = 8501,
    host: Annotated[str, typer.Option("--host", help="Address to serve on.")] = "127.0.0.1",
    insecure_open: Annotated[
        bool,
        typer.Option("--insecure-open", help="Let everyone who reaches --host read the log texts, without a login."),
    ] = False,
) -> None:
    """Serve the dashboard until it is stopped with Ctrl-C."""
    serve(store_path(db), port, host, insecure_open=insecure_open)
