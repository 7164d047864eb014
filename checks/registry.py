"""The catalog of live checks: each one registers itself, with a snapshot of the source that runs.

A check is one file that holds one decorated function. The decorator refuses what would make the catalog
untrustworthy (an id used twice, a reason that two checks share, a docstring without its headings, examples of
one kind only) and always names the file, since that is where the mistake is mended.
"""

import hashlib
import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from checks.families import FAMILIES

Function = TypeVar("Function", bound=Callable[..., Any])
Example = tuple[Any, ...]
"""The positional arguments of one call of a check's function."""

ROOT = Path(__file__).resolve().parent.parent
HEADINGS = ("What it does", "Why", "When it is wrong", "Source")


class CatalogError(Exception):
    """A check cannot be registered; the message names the file and says how to mend it."""


@dataclass(frozen=True, slots=True)
class Check:
    """One rule of the catalog.

    `reason` is what the check writes into a log when it fires; `aliases` are regular expressions that match the
    wording of other writers, whole and without regard to case. `source` is a path relative to the checkout, `line`
    the line (from 1) where the check's decorator stands, `source_text` the file as it was when it was registered and
    `source_sha256` the digest of its bytes. A check whose code runs elsewhere has no source, and says where it runs.
    `needs` names the fields of the context that the check reads beside the text itself: without them it cannot be run again.
    """

    check_id: str
    family: str
    title: str
    reason: str
    order: int
    stops_chain: bool
    kept_because: str
    aliases: tuple[str, ...]
    doc: str
    source: str | None
    line: int | None
    source_text: str | None
    source_sha256: str | None
    runs_elsewhere: str
    function: Callable[..., Any] | None
    fires_on: tuple[Example, ...]
    silent_on: tuple[Example, ...]
    needs: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        return bool(self.kept_because)

    def summary(self) -> dict[str, object]:
        """The fields of `gatecov checks --format json`, in their order."""
        names = ("check_id", "family", "title", "reason", "order", "stops_chain", "kept", "kept_because")
        fields: dict[str, object] = {name: getattr(self, name) for name in names}
        return fields | {"source": self.source, "line": self.line, "source_sha256": self.source_sha256}

    def changed_since_registered(self) -> bool:
        """Whether the file on disk is no longer the one that was registered (also when it is gone)."""
        if self.source is None:
            return False
        try:
            return hashlib.sha256((ROOT / self.source).read_bytes()).hexdigest() != self.source_sha256
        except OSError:
            return True


@dataclass(frozen=True, slots=True)
class Retired:
    """A check that is no longer in the catalog, but that older logs still name."""

    check_id: str
    family: str
    title: str
    reason: str
    because: str


class Registry:
    """What has been registered so far, and the rules for adding to it."""

    def __init__(self) -> None:
        self._checks: dict[str, Check] = {}
        self._retired: dict[str, Retired] = {}
        self._by_family: dict[str, tuple[Check, ...]] = {}

    def check(
        self,
        check_id: str,
        *,
        title: str,
        reason: str,
        order: int,
        fires_on: Iterable[Example],
        silent_on: Iterable[Example],
        kept_because: str = "",
        aliases: Sequence[str] = (),
        needs: Sequence[str] = (),
    ) -> Callable[[Function], Function]:
        """Register the decorated function as the live code of `check_id`.

        The function is pure and returns something true when it objects. `fires_on` and `silent_on` hold the
        positional arguments of example calls. The docstring of the function's module must hold all `HEADINGS`.
        """

        def register(function: Function) -> Function:
            code = function.__code__
            path = Path(code.co_filename).resolve()
            content = path.read_bytes()
            doc = (sys.modules[function.__module__].__doc__ or "").strip()
            source = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()
            missing = [heading for heading in HEADINGS if not any(line.strip() == heading for line in doc.splitlines())]
            examples = (tuple(fires_on), tuple(silent_on))
            if missing:
                raise CatalogError(
                    f"{source}: the docstring of {check_id!r} lacks the heading {missing[0]!r}; "
                    f"it needs {', '.join(HEADINGS)}, each on a line of its own"
                )
            if not all(examples):
                lacking = "fires_on" if not examples[0] else "silent_on"
                raise CatalogError(
                    f"{source}: {check_id!r} has no example in {lacking}; give at least one of each kind"
                )
            self._add(
                Check(
                    check_id=check_id,
                    family=self._family(check_id, source),
                    title=title,
                    reason=reason,
                    order=order,
                    stops_chain=FAMILIES[check_id.rpartition(".")[0]].stops_chain,
                    kept_because=kept_because,
                    aliases=tuple(aliases),
                    doc=doc,
                    source=source,
                    line=code.co_firstlineno,
                    source_text=content.decode("utf-8"),
                    source_sha256=hashlib.sha256(content).hexdigest(),
                    runs_elsewhere="",
                    function=function,
                    fires_on=examples[0],
                    silent_on=examples[1],
                    needs=tuple(needs),
                ),
                place=source,
            )
            return function

        return register

    def elsewhere(
        self,
        check_id: str,
        *,
        title: str,
        reason: str,
        order: int,
        where: str,
        doc: str,
        kept_because: str = "",
        aliases: Sequence[str] = (),
    ) -> None:
        """Catalogue a check whose code is not here (a model call in another program); `where` says where it runs."""
        self._add(
            Check(
                check_id=check_id,
                family=self._family(check_id, check_id),
                title=title,
                reason=reason,
                order=order,
                stops_chain=FAMILIES[check_id.rpartition(".")[0]].stops_chain,
                kept_because=kept_because,
                aliases=tuple(aliases),
                doc=doc.strip(),
                source=None,
                line=None,
                source_text=None,
                source_sha256=None,
                runs_elsewhere=where,
                function=None,
                fires_on=(),
                silent_on=(),
            ),
            place=check_id,
        )

    def retired(self, check_id: str, *, title: str, reason: str, because: str) -> None:
        """Name a check that was removed, so that old logs still map to it."""
        if check_id in self._checks or check_id in self._retired:
            raise CatalogError(f"{check_id}: the id is in use already; a retired check keeps an id of its own")
        self._retired[check_id] = Retired(check_id, self._family(check_id, check_id), title, reason, because)

    def checks(self) -> tuple[Check, ...]:
        """All checks, in the order of the families and, within one, in the order of evaluation."""
        families = list(FAMILIES)
        return tuple(sorted(self._checks.values(), key=lambda c: (families.index(c.family), c.order, c.check_id)))

    def family(self, family: str) -> tuple[Check, ...]:
        """The checks of one family, in the order of evaluation."""
        if family not in self._by_family:
            self._by_family[family] = tuple(check for check in self.checks() if check.family == family)
        return self._by_family[family]

    def retired_checks(self) -> tuple[Retired, ...]:
        return tuple(self._retired.values())

    def _family(self, check_id: str, place: str) -> str:
        family = check_id.rpartition(".")[0]
        if family not in FAMILIES:
            raise CatalogError(f"{place}: {check_id!r} is of no known family; the families are {', '.join(FAMILIES)}")
        return family

    def _add(self, new: Check, place: str) -> None:
        if ";" in new.reason or not new.reason.strip():
            raise CatalogError(
                f"{place}: the reason {new.reason!r} is empty or holds ';', which separates reasons in a log"
            )
        if new.check_id in self._retired:
            raise CatalogError(f"{place}: the id {new.check_id!r} is retired; choose a new one")
        for alias in new.aliases:
            try:
                re.compile(alias)
            except re.error as error:
                raise CatalogError(
                    f"{place}: the alias {alias!r} is no regular expression ({error}); mend it"
                ) from error
        for old in self._checks.values():
            if old.check_id == new.check_id and not _same_function(old, new):
                raise CatalogError(
                    f"{place}: the id {new.check_id!r} is already registered by {old.source or old.check_id}"
                )
            if old.check_id != new.check_id and old.family == new.family:
                if old.reason.casefold() == new.reason.casefold():
                    raise CatalogError(f"{place}: the reason {new.reason!r} already belongs to {old.check_id!r}")
                if old.order == new.order:
                    raise CatalogError(f"{place}: the order {new.order} already belongs to {old.check_id!r}")
                for owner, other in ((new, old), (old, new)):
                    for alias in owner.aliases:
                        if re.fullmatch(alias, other.reason, re.IGNORECASE):
                            raise CatalogError(
                                f"{place}: the alias {alias!r} of {owner.check_id!r} matches the reason "
                                f"{other.reason!r} of {other.check_id!r}; make it narrower"
                            )
        self._checks[new.check_id] = new
        self._by_family.pop(new.family, None)


def _same_function(old: Check, new: Check) -> bool:
    """A module that is imported again (a development server does that) registers the same function anew."""
    if old.function is None or new.function is None:
        return old.function is new.function and old.runs_elsewhere == new.runs_elsewhere
    return (old.source, old.function.__qualname__) == (new.source, new.function.__qualname__)


_default = Registry()
check = _default.check
elsewhere = _default.elsewhere
retired = _default.retired


def catalog() -> tuple[Check, ...]:
    """Every live check, found by being a module under `checks`, in the order of evaluation."""
    _import_all()
    return _default.checks()


@cache
def _import_family(family: str) -> None:
    """Import the modules of `checks.<family>` once; a family's name is the name of its package."""
    package = importlib.import_module(f"checks.{family}")
    for module in pkgutil.iter_modules(package.__path__, prefix=f"checks.{family}."):
        importlib.import_module(module.name)


def family_checks(family: str) -> tuple[Check, ...]:
    """The live checks of one family, in the order of evaluation: the modules of the package `checks.<family>`."""
    _import_family(family)
    return _default.family(family)


def retired_checks() -> tuple[Retired, ...]:
    """Every check that older logs name and that is no longer in the catalog."""
    _import_all()
    return _default.retired_checks()


def _import_all() -> None:
    import checks

    for module in pkgutil.walk_packages(checks.__path__, prefix="checks."):
        importlib.import_module(module.name)
