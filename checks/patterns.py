"""Patterns that are compiled when they are first used.

Whoever asks what checks there are, or maps a reason to one, loads every check; large tables of patterns would make
each of them wait a quarter of a second for work that only a judge needs.
"""

import re
from functools import cached_property
from typing import cast


class _Lazy:
    """Stands for a compiled pattern, and becomes one."""

    def __init__(self, source: str, flags: re.RegexFlag | int) -> None:
        self._source, self._flags = source, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._source, self._flags)

    def __getattr__(self, name: str) -> object:
        return getattr(self._compiled, name)


def lazy(source: str, flags: re.RegexFlag | int = 0) -> re.Pattern[str]:
    """`re.compile(source, flags)`, put off until a method or an attribute of it is asked for."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
