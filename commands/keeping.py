"""What is kept, and whether it is whole: purge and verify."""

from typing import Annotated

import typer

from commands.options import FAILED, DbOption, fail, tell
from places import store_path


def purge_command(
    before: Annotated[
        str | None,
        typer.Option("--before", metavar="D", help="Remove what was logged before this date or timestamp (UTC)."),
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="S", help="Remove what belongs to this conversation.")
    ] = None,
    db: DbOption = None,
) -> None:
    """Remove records and their texts from the store's file, for good; a later ingest does not bring them back."""
    from ingest.purge import purge_before, purge_session
    from queries.window import moment

    if before and session is None:
        asked = moment("--before", before)
        assert asked is not None
        print(purge_before(store_path(db), asked).sentence())
    elif session and before is None:
        print(purge_session(store_path(db), session).sentence())
    else:
        fail("purge: give either --before D or --session S, so that it is plain what is to go", 2)


def verify_command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH...]", help="Files, folders or globs; without any, what the ingests found."),
    ] = None,
    db: DbOption = None,
) -> None:
    """Say whether the hash chains of audit files are whole; exit with 1 where one is broken."""
    from ingest.verify import stored_chains, verify_paths

    verified, problems = verify_paths(paths) if paths else (stored_chains(store_path(db)), [])
    for one in verified:
        print(one.sentence())
    if not verified and not problems:
        tell("no audit file with a hash chain is known; ingest some, or name them: gatecov verify PATH")
    for file, why in problems:
        tell(f"{file}: {why}")
    if problems or any(one.report.status == "broken" for one in verified):
        raise typer.Exit(FAILED)
