"""Which lines of a checkout's tests speak of a check: they change with it, or fail when it is gone."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from checks.registry import Check

LARGEST = 2_000_000
"""Bytes; a larger file under tests/ is data that a person does not edit."""


def mentions(root: Path, checks: Iterable[Check]) -> dict[str, tuple[str, ...]]:
    """For each check the places, as `file:line` relative to `root` in their order, that name its id, its reason or its
    function, or that lie in a file named after it; no places where the checkout has no tests/."""
    wanted = {check.check_id: _pattern(check) for check in checks}
    found: dict[str, list[str]] = {check_id: [] for check_id in wanted}
    for path in _files(root / "tests"):
        name = path.relative_to(root).as_posix()
        lines = _lines(path)
        for check_id, pattern in wanted.items():
            if path.stem in (check_id, check_id.rpartition(".")[2]):
                found[check_id].append(f"{name}:1")
            places = (f"{name}:{number}" for number, line in enumerate(lines, start=1) if pattern.search(line))
            found[check_id] += [place for place in places if place not in found[check_id][-1:]]
    return {check_id: tuple(places) for check_id, places in found.items()}


def _pattern(check: Check) -> re.Pattern[str]:
    texts = [check.check_id, check.reason, check.function.__name__ if check.function else ""]
    words = "|".join(re.escape(text) for text in texts if text)
    return re.compile(rf"(?<![\w.])(?:{words})(?![\w])")


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith((".", "__pycache__")) for part in path.relative_to(folder).parts)
        if not hidden and path.is_file() and path.stat().st_size <= LARGEST:
            yield path


def _lines(path: Path) -> Sequence[str]:
    """The lines of a text file; none of a binary one."""
    try:
        return path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return ()
