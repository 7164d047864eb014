"""gatecov ingest: read log files into the store."""

import json
import os
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from commands.options import FAILED, DbOption, tell
from places import read_config, store_path

if TYPE_CHECKING:
    from ingest import Summary

REJECTS = 3


class Redact(StrEnum):
    none = "none"
    names = "names"
    text = "text"


def ingest_command(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Files, folders, globs, or - for standard input.")
    ],
    db: DbOption = None,
    tz: Annotated[
        str, typer.Option("--tz", metavar="ZONE", help="Zone of times that have no offset of their own.")
    ] = "UTC",
    as_json: Annotated[bool, typer.Option("--json", help="Print this call's figures as one JSON object.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 3 where a record could not be read.")] = False,
    follow_on: Annotated[
        bool, typer.Option("--follow", help="Go on as the logs grow and are rotated, until Ctrl-C or SIGTERM.")
    ] = False,
    dedupe: Annotated[
        bool, typer.Option("--dedupe", help="Let a record count once that stands in several files (re-exports).")
    ] = False,
    redact: Annotated[
        Redact | None,
        typer.Option(
            "--redact", help="Keep texts (none), mask people in them (names) or hash them (text) [default: as before]."
        ),
    ] = None,
) -> None:
    """Read log files into the store; what it holds already is left out."""
    # Polars keeps memory that it may need again for ten seconds; at this pace it is needed again at once or never.
    os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:200,muzzy_decay_ms:0")
    from ingest import IngestSettings, Redaction, follow, ingest, progress_for_terminal, stopped_by_signals

    settings = IngestSettings.from_mapping(read_config().get("ingest", {}))
    chosen = Redaction(redact.value) if redact else None
    if follow_on:
        with stopped_by_signals() as stop:
            summary = follow(
                paths, store_path(db), stop, tz=tz, settings=settings, redact=chosen, dedupe=dedupe, tell=tell
            )
    else:
        progress, stdin = progress_for_terminal(), sys.stdin.buffer
        summary = ingest(
            paths,
            store_path(db),
            tz=tz,
            settings=settings,
            progress=progress,
            stdin=stdin,
            redact=chosen,
            dedupe=dedupe,
        )
    tell_outcome(summary)
    print(json.dumps(summary.figures()) if as_json else in_words(summary))
    if summary.problems:
        raise typer.Exit(FAILED)
    if strict and summary.rejected:
        from queries.wording import plural

        unread = plural(summary.rejected, "record")
        tell(f"{unread} could not be read (--strict); see what was wrong with: gatecov export DIR, rejects.csv")
        raise typer.Exit(REJECTS)


def tell_outcome(summary: "Summary") -> None:
    """Say beside the data what was odd about an ingest."""
    for note in summary.notes:
        tell(note)
    for file, why in summary.problems:
        tell(f"{file}: {why}")


def in_words(summary: "Summary") -> str:
    """What an ingest did, in one sentence."""
    from queries.wording import plural

    of = {name: int(value) for name, value in summary.figures().items()}
    size = f"{plural(of['bytes'], 'byte')}, {plural(of['lines'], 'line')}"
    return (
        f"read {plural(of['files'], 'file')} ({size}): {plural(of['events'], 'event')}, {plural(of['fires'], 'fire')}, "
        f"{of['rejected']:,} rejected, {of['undated']:,} undated, {of['unmapped']:,} unmapped; "
        f"{plural(of['skipped_files'], 'file')} held nothing new"
    )
