"""A reason fragment as logged -> the check that it names, or none."""

import re
from collections.abc import Iterable
from functools import lru_cache

import polars as pl

from checks.registry import Check, Retired, catalog, retired_checks

_SPACE = re.compile(r"\s+")
_CLOSERS = {")": "(", "]": "["}


class Mapping:
    """The reason texts and alias patterns of a catalog, by family."""

    def __init__(self, checks: Iterable[Check], retired: Iterable[Retired]) -> None:
        self._exact: dict[tuple[str, str], str] = {}
        self._aliases: dict[str, list[tuple[re.Pattern[str], str]]] = {}
        for old in retired:
            self._exact[old.family, folded(old.reason)] = old.check_id
            self._exact.setdefault((old.family, folded(old.check_id.rpartition(".")[2])), old.check_id)
        live = tuple(checks)
        for check in live:
            self._exact[check.family, folded(check.reason)] = check.check_id
            for alias in check.aliases:
                self._aliases.setdefault(check.family, []).append((re.compile(alias, re.IGNORECASE), check.check_id))
        self._any = {
            family: re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in aliases), re.IGNORECASE)
            for family, aliases in self._aliases.items()
        }
        for check in live:
            self._exact.setdefault((check.family, folded(check.check_id.rpartition(".")[2])), check.check_id)

    def check_of(self, family: str, rule: str | None, fragment: str) -> str | None:
        """The check of `family` that `rule` names, or `fragment` where the record gives no rule.

        By its reason text (case, white space and a trailing bracketed detail do not count) or its id's last part, else by
        the alias patterns, if those of exactly one check match.
        """
        logged = fragment if rule is None else rule
        bare = without_detail(logged)
        for text in (logged, bare):
            found = self._exact.get((family, folded(text)))
            if found:
                return found
        texts = {_SPACE.sub(" ", text).strip() for text in (logged, bare)}
        if family not in self._any or not any(self._any[family].fullmatch(text) for text in texts):
            return None  # most that have no such text match no alias either, and one pattern tells it
        matching = {
            check_id
            for pattern, check_id in self._aliases.get(family, ())
            if any(pattern.fullmatch(text) for text in texts)
        }
        return matching.pop() if len(matching) == 1 else None


@lru_cache(maxsize=1)
def current_mapping() -> Mapping:
    """The mapping of the catalog as this process loaded it."""
    return Mapping(catalog(), retired_checks())


def with_checks(fires: pl.DataFrame, mapping: Mapping) -> pl.DataFrame:
    """`fires` with the check of each as `check_id`; only the different fragments are looked up."""
    keys = ["family", "rule", "fragment"]
    distinct = fires.select(keys).unique()
    checks = [mapping.check_of(*row) for row in distinct.iter_rows()]
    return fires.join(
        distinct.with_columns(pl.Series("check_id", checks, dtype=pl.String)), on=keys, how="left", nulls_equal=True
    )


def folded(text: str) -> str:
    """`text` without regard to case and white space."""
    return _SPACE.sub(" ", text).strip().casefold()


def without_detail(text: str) -> str:
    """`text` without a bracketed detail at its end: "over 40 words (51)" -> "over 40 words"."""
    bare = text.rstrip()
    opener = _CLOSERS.get(bare[-1:])
    if not opener:
        return bare
    depth = 0
    for position in range(len(bare) - 1, -1, -1):
        if bare[position] == bare[-1]:
            depth += 1
        elif bare[position] == opener:
            depth -= 1
            if depth == 0:
                return bare[:position].rstrip() or bare
    return bare
