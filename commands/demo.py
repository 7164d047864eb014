"""gatecov demo: the main job on sample_logs."""

import os
from pathlib import Path
from typing import Annotated

import typer

from commands.ingest import in_words, tell_outcome
from commands.options import PortOption, tell
from commands.serving import ROOT, serve


def demo_command(
    directory: Annotated[
        Path, typer.Option("--dir", metavar="DIR", help="Folder for the demo's store and CSV.")
    ] = Path("gatecov-demo"),
    port: PortOption = 8501,
) -> None:
    """Run the main job on sample_logs: report, CSV, dashboard (DEMO_SERVE=0 stops before serving)."""
    import samples
    from ingest import ingest, progress_for_terminal
    from queries import Window
    from queries.export import export
    from queries.report import report
    from queries.settings import thresholds_from

    directory.mkdir(parents=True, exist_ok=True)
    db = directory / "gatecov.duckdb"
    db.unlink(missing_ok=True)
    logs = ROOT / "sample_logs"
    if not logs.is_dir():
        logs = directory / "sample_logs"
        samples.write(logs)
    summary = ingest([str(logs)], db, progress=progress_for_terminal())
    tell_outcome(summary)
    tell(in_words(summary))
    print(report(db, Window(), thresholds_from({}), "table"))
    written = export(db, directory / "csv", Window(), thresholds_from({}))
    tell(f"{len(written)} CSV files are in {directory / 'csv'}; the store is {db}, readable by any DuckDB client")
    if os.environ.get("DEMO_SERVE") == "0":
        return
    serve(db, port, "127.0.0.1")
