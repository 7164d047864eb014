"""gatecov audit: measure, blind, what a check's removal costs."""

from pathlib import Path
from typing import Annotated

import typer

from commands.options import ReportFormat

audit = typer.Typer(name="audit", help="Measure, blind, what a check's removal costs.", no_args_is_help=True)


@audit.command(name="build")
def audit_build_command(
    passage: Annotated[Path, typer.Option("--passage", metavar="FILE", help="The passage, as text.")],
    chat: Annotated[Path, typer.Option("--chat", metavar="FILE", help="The chat lines, as JSONL.")],
    condition: Annotated[
        list[str],
        typer.Option(
            "--condition", metavar="NAME=FILE", help="Messages of one condition, the baseline first; two or more."
        ),
    ],
    known_good: Annotated[Path, typer.Option("--known-good", metavar="FILE", help="Messages that are clean.")],
    known_bad: Annotated[Path, typer.Option("--known-bad", metavar="FILE", help="Messages that leak.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the packet and the key.")],
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Seed of the shuffle; drawn where none is given.")
    ] = None,
) -> None:
    """Make a packet for auditors, and a key that is not for them."""
    from review.audit import build_files

    print(build_files(passage, chat, condition, known_good, known_bad, out, seed).sentence())


@audit.command(name="score")
def audit_score_command(
    labels: Annotated[list[Path], typer.Argument(metavar="LABELS...", help="The auditors' labels, CSV or JSONL.")],
    packet: Annotated[Path, typer.Option("--packet", metavar="FILE", help="packet.jsonl of the packet.")],
    key: Annotated[
        Path, typer.Option("--key", metavar="FILE", help="The key; it is opened when two auditors are complete.")
    ],
    style: Annotated[ReportFormat, typer.Option("--format", help="How to print it.")] = ReportFormat.table,
) -> None:
    """Say what two complete auditors found, and what these numbers could show."""
    from review.audit import render, score_files

    print(render(score_files(packet, key, labels), style.value), end="")
