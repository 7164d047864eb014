"""gatecov plan: the pruning plan, ready for a pull request."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from commands.options import AgentOption, DbOption, SinceOption, UntilOption, chosen, decided
from places import read_config, store_path


class PlanFormat(StrEnum):
    markdown = "markdown"
    csv = "csv"


def plan_command(
    db: DbOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    agent: AgentOption = None,
    style: Annotated[PlanFormat, typer.Option("--format", help="How to print it.")] = PlanFormat.markdown,
    audits: Annotated[
        list[Path] | None,
        typer.Option("--audit", metavar="FILE", help="Result of an audit: gatecov audit score --format json."),
    ] = None,
) -> None:
    """Print the pruning plan, ready for a pull request."""
    from queries.settings import thresholds_from
    from queries.whatif import whatif
    from review.audit import read_evidence
    from review.plan import make_plan
    from review.planpage import plan_csv, plan_markdown

    store = store_path(db)
    window = chosen(store, since, until, agent)
    thresholds, decisions = thresholds_from(read_config()), decided()
    evidence = [found for file in audits or () for found in read_evidence(file)]
    plan = make_plan(
        store,
        window,
        thresholds,
        decisions,
        whatif=lambda ids: whatif(store, window, ids).sentence(),
        audits=evidence,
    )
    print((plan_csv if style is PlanFormat.csv else plan_markdown)(plan), end="")
