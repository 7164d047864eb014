"""Which agent a question is about: one that the logs name."""

import difflib
from pathlib import Path

from queries.loader import ask
from queries.window import Window
from queries.wording import visible
from storefile import UserError, opened

NAMED = 10
"""As many agents are named, the nearest first."""


class UnknownAgentError(UserError):
    """An agent that no record of the store names; the message names those that there are."""

    exit_code = 2


def check_agent(db: Path, agent: str) -> None:
    """Raise UnknownAgentError where no record of the store, whenever it was, names `agent`. Raises StoreError."""
    with opened(db) as connection:
        known = [str(name) for name in ask(connection, "agents", Window())["agent"].drop_nulls()]
    if agent in known:
        return
    near = sorted(known, key=lambda name: -difflib.SequenceMatcher(None, name.casefold(), agent.casefold()).ratio())
    more = f" and {len(known) - NAMED:,} more" if len(known) > NAMED else ""
    there = (
        f"there are {', '.join(visible(name) for name in near[:NAMED])}{more}" if near else "they name no agent at all"
    )
    raise UnknownAgentError(f"--agent {visible(agent) or repr(agent)}: the logs name no such agent; {there}")
