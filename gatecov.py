"""The command line: reads arguments, calls one function, prints what it returns, and says how it ended.

stdout is data, stderr is everything else. Exit codes: 0 done, 1 failed, 2 usage, 3 done with rejects under --strict,
4 a --fail-on rule broke.
"""

import io
import json
import os
import sys
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.audit import audit
from commands.keeping import purge_command, verify_command
from commands.options import FAILED, DbOption, ReportFormat, fail, tell
from commands.serving import serve
from storefile import UserError, store_path

if TYPE_CHECKING:
    from ingest import Summary

ROOT = Path(__file__).resolve().parent
REJECTS, RULE_BROKE = 3, 4

app = typer.Typer(
    name="gatecov",
    help="Production coverage for an agent's runtime checks: which fire, which never do, and how sure that zero is.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

SinceOption = Annotated[
    str | None,
    typer.Option("--since", metavar="D", help="First date or timestamp to count (UTC unless it has an offset)."),
]
UntilOption = Annotated[
    str | None, typer.Option("--until", metavar="D", help="First date or timestamp not to count any more.")
]


AgentOption = Annotated[
    str | None, typer.Option("--agent", metavar="NAME", help="Count the records of this agent alone.")
]
app.add_typer(audit)
app.command(name="purge")(purge_command)
app.command(name="verify")(verify_command)


class Redact(StrEnum):
    none = "none"
    names = "names"
    text = "text"


class PlanFormat(StrEnum):
    markdown = "markdown"
    csv = "csv"


class ListFormat(StrEnum):
    table = "table"
    json = "json"


@app.command(name="ingest")
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
    from ingest import IngestSettings, Redaction, follow, ingest, progress_for_terminal, stopped_by_signals

    settings = IngestSettings.from_mapping(_config().get("ingest", {}))
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
    _tell_outcome(summary)
    print(json.dumps(summary.figures()) if as_json else _in_words(summary))
    if summary.problems:
        raise typer.Exit(FAILED)
    if strict and summary.rejected:
        tell(f"{summary.rejected} records could not be read (--strict); see them with: gatecov export DIR, rejects.csv")
        raise typer.Exit(REJECTS)


@app.command(name="report")
def report_command(
    db: DbOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    agent: AgentOption = None,
    style: Annotated[ReportFormat, typer.Option("--format", help="How to print it.")] = ReportFormat.table,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on", metavar="RULE", help="Exit with 4 where this rule breaks, such as 'silent_share > 0.05'."
        ),
    ] = None,
    summary: Annotated[
        Path | None, typer.Option("--summary", metavar="FILE", help="Also write how the rules did: .json, or Markdown.")
    ] = None,
) -> None:
    """Print what the logs cover, what may be pruned, and what cannot be said."""
    from queries import Window
    from queries.report import report
    from queries.settings import thresholds_from
    from review.decisions import decisions_path, load_decisions
    from review.filelock import replace_text
    from review.rules import check_rules, parse_rule, rules_from, summary_json, summary_markdown

    config, window = _config(), Window.parse(since, until, agent)
    thresholds, decisions = thresholds_from(config), load_decisions(decisions_path())
    rules = [*rules_from(config), *(parse_rule(text) for text in fail_on or ())]
    print(report(store_path(db), window, thresholds, style.value, decisions=decisions.actions))
    results = check_rules(store_path(db), window, thresholds, rules, decisions) if rules else []
    if summary:
        replace_text(summary, (summary_json if summary.suffix == ".json" else summary_markdown)(results))
    for result in results:
        if result.state != "held":
            tell(result.sentence)
    if any(result.broken for result in results):
        raise typer.Exit(RULE_BROKE)


@app.command(name="export")
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
    for written in export(store_path(db), directory, window, thresholds_from(_config()), decisions.actions):
        print(written)


@app.command(name="plan")
def plan_command(
    db: DbOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    style: Annotated[PlanFormat, typer.Option("--format", help="How to print it.")] = PlanFormat.markdown,
    audits: Annotated[
        list[Path] | None,
        typer.Option("--audit", metavar="FILE", help="Result of an audit: gatecov audit score --format json."),
    ] = None,
) -> None:
    """Print the pruning plan, ready for a pull request."""
    from checks.registry import catalog
    from queries import Window
    from queries.settings import thresholds_from
    from queries.whatif import whatif
    from review.audit import read_evidence
    from review.decisions import decisions_path, load_decisions
    from review.plan import make_plan
    from review.planpage import plan_csv, plan_markdown

    decisions = load_decisions(decisions_path(), {check.check_id for check in catalog()})
    evidence = [found for file in audits or () for found in read_evidence(file)]
    window = Window.parse(since, until)
    plan = make_plan(
        store_path(db),
        window,
        thresholds_from(_config()),
        decisions,
        whatif=lambda ids: whatif(store_path(db), window, ids).sentence(),
        audits=evidence,
    )
    print((plan_csv if style is PlanFormat.csv else plan_markdown)(plan), end="")


@app.command(name="whatif")
def whatif_command(
    checks: Annotated[list[str], typer.Argument(metavar="CHECK...", help="Ids of the checks to imagine gone.")],
    db: DbOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    style: Annotated[ReportFormat, typer.Option("--format", help="How to print it.")] = ReportFormat.table,
) -> None:
    """Tell what the logs would have been without these checks, and which texts would have got through."""
    from queries import Window
    from queries.whatif import whatif
    from queries.whatifpage import render

    print(render(whatif(store_path(db), Window.parse(since, until), checks), style.value))


@app.command(name="replay")
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


@app.command(name="trace")
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


@app.command(name="checks")
def checks_command(
    style: Annotated[ListFormat, typer.Option("--format", help="How to print it.")] = ListFormat.table,
) -> None:
    """Print the catalog of live checks."""
    from checks.registry import catalog

    if style is ListFormat.json:
        print(json.dumps([check.summary() for check in catalog()], ensure_ascii=False, indent=2))
        return
    width = max(len(check.check_id) for check in catalog())
    for check in catalog():
        kept = " (kept)" if check.kept else ""
        place = f"{check.source}:{check.line}" if check.source else f"runs elsewhere: {check.runs_elsewhere}"
        print(f"{check.check_id:<{width}}  {check.title}{kept}  [{place}]")


@app.command(name="dashboard")
def dashboard_command(
    db: DbOption = None,
    port: Annotated[int, typer.Option("--port", metavar="N", min=1, max=65535, help="Port to serve on.")] = 8501,
    host: Annotated[str, typer.Option("--host", help="Address to serve on.")] = "127.0.0.1",
    insecure_open: Annotated[
        bool,
        typer.Option("--insecure-open", help="Let everyone who reaches --host read the log texts, without a login."),
    ] = False,
) -> None:
    """Serve the dashboard until it is stopped with Ctrl-C."""
    serve(store_path(db), port, host, insecure_open=insecure_open)


@app.command(name="demo")
def demo_command(
    directory: Annotated[
        Path, typer.Option("--dir", metavar="DIR", help="Folder for the demo's store and CSV.")
    ] = Path("gatecov-demo"),
    port: Annotated[int, typer.Option("--port", metavar="N", min=1, max=65535, help="Port to serve on.")] = 8501,
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
    _tell_outcome(summary)
    tell(_in_words(summary))
    print(report(db, Window(), thresholds_from({}), "table"))
    written = export(db, directory / "csv", Window(), thresholds_from({}))
    tell(f"{len(written)} CSV files are in {directory / 'csv'}; the store is {db}, readable by any DuckDB client")
    if os.environ.get("DEMO_SERVE") == "0":
        return
    serve(db, port, "127.0.0.1")


def _tell_outcome(summary: "Summary") -> None:
    for note in summary.notes:
        tell(note)
    for file, why in summary.problems:
        tell(f"{file}: {why}")


def _in_words(summary: "Summary") -> str:
    """What an ingest did, in one sentence."""
    figures = {name: f"{value:,}" for name, value in summary.figures().items()}
    return (
        "read {files} files ({bytes} bytes, {lines} lines): {events} events, {fires} fires, {rejected} rejected, "
        "{undated} undated, {unmapped} unmapped; {skipped_files} files held nothing new".format(**figures)
    )


def _config() -> Mapping[str, Any]:
    """The tables of gatecov.toml (or the file that GATECOV_CONFIG names); none where there is no such file."""
    named = os.environ.get("GATECOV_CONFIG")
    path = Path(named or "gatecov.toml")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if named:
            fail(f"{named}: there is no such file, though GATECOV_CONFIG names it")
        return {}
    except (OSError, ValueError) as error:
        fail(f"{path}: it cannot be read as TOML ({error}); mend it, or name another with GATECOV_CONFIG")


def _tell_judged(records: int) -> None:
    if sys.stderr.isatty():
        print(f"\rgatecov: {records:,} records judged again", end="", file=sys.stderr, flush=True)


def main() -> None:
    """Run the command line; whatever goes wrong becomes one sentence on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except UserError as error:
        fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        fail("stopped; what was committed stays, and the next run goes on from there", 130)
    except BrokenPipeError:
        # Whoever read our output has gone (for example `| head`); that is no failure, but the buffer must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if os.environ.get("GATECOV_DEBUG"):
            raise
        fail(
            f"an unforeseen {type(error).__name__}: {error}; run it again with GATECOV_DEBUG=1 and report what it prints"
        )


if __name__ == "__main__":
    main()
