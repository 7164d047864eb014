"""When did a check's source last change? Asked of git, where the checkers live in a checkout: offline, once per process."""

import datetime as dt
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from checks.registry import ROOT

SECONDS = 10
"""Git is given up after this long; then the dates are unknown."""


@cache
def last_changes(root: Path = ROOT, folder: str = "checks") -> Mapping[str, dt.datetime]:
    """The date of the last commit (naive UTC) of each file under `folder`, by its path relative to `root`.

    Empty where there is no git, no checkout or no answer. A file whose last commit lies beyond a shallow clone's edge
    is left out, since the edge is not its date; so is one that was changed and not committed.
    """
    shallow = _git(root, "rev-parse", "--is-shallow-repository").strip() == "true"
    # core.quotePath would write a path in other letters as octal codes.
    history = _git(
        root, "-c", "core.quotePath=false", "log", "--format=>%ct %P", "--name-only", "--relative", "--", folder
    )
    dates: dict[str, dt.datetime | None] = {}
    date: dt.datetime | None = None
    for line in history.splitlines():
        if line.startswith(">"):
            seconds, _, parents = line[1:].partition(" ")
            date = (
                None
                if shallow and not parents
                else dt.datetime.fromtimestamp(int(seconds), dt.UTC).replace(tzinfo=None)
            )
        elif line:
            dates.setdefault(line, date)
    unsaved = set(
        _git(root, "-c", "core.quotePath=false", "diff", "--name-only", "--relative", "HEAD", "--", folder).splitlines()
    )
    return {path: date for path, date in dates.items() if date is not None and path not in unsaved}


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return done.stdout
