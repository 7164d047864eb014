"""gatecov demo: the main job on sample_logs."""

import os
from pathlib import Path
from typing import Annotated

import typer

from commands.ingest import in_words, tell_outcome
from commands.options import PortOption, tell
from commands.serving import ROOT, serve
from usererror import UserError


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
    _remove(db)
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


def _remove(db: Path) -> None:
    """Remove the store of an earlier demo, and no other."""
    from storefile import read

    if not db.exists():
        return
    others = read(db, "SELECT file FROM files WHERE NOT contains(file, 'sample_logs') LIMIT 1")
    if others.height:
        raise UserError(
            f"{db}: this store holds other logs than the demo's, which would replace it; name another folder with --dir"
        )
    db.unlink()
