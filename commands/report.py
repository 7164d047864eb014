"""gatecov report: what the logs cover, and whether a rule of --fail-on broke."""

from pathlib import Path
from typing import Annotated

import typer

from commands.options import AgentOption, DbOption, ReportFormat, SinceOption, UntilOption, chosen, decided, tell
from places import read_config, store_path

RULE_BROKE = 4


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
    from queries.report import findings, render
    from queries.settings import thresholds_from
    from review.filelock import replace_text
    from review.rules import check_rules, parse_rule, rules_from, summary_json, summary_markdown

    store, settings = store_path(db), read_config()
    window = chosen(store, since, until, agent)
    thresholds, decisions = thresholds_from(settings), decided()
    rules = [*rules_from(settings), *(parse_rule(text) for text in fail_on or ())]
    found = findings(store, window, thresholds, decisions.actions)
    results = check_rules(store, window, thresholds, rules, decisions, judged=found.checks)
    if summary:
        replace_text(summary, (summary_json if summary.suffix == ".json" else summary_markdown)(results))
    print(render(found, style.value))
    for result in results:
        if result.state != "held":
            tell(result.sentence)
    if any(result.broken for result in results):
        raise typer.Exit(RULE_BROKE)
