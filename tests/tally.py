"""What the live systems did, kept by a tally that reads no log: what the store must say once their logs are read.

Rows are put in by the worlds of `worlds.py`, from what the code returned and from what the checks say of the scripted
texts. `expected(check)` then gives the figures that the store's view `check_totals` must hold for that check.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from checks.registry import Check

FIGURES = (
    "fires evaluated evaluated_fires first_drafts first_draft_fires sole_fires template_fires sessions days"
).split()


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that a family judged.

    `reach` is the order of the check that stopped the chain (None: it went through), `only` the checks that judged it
    where these are not the whole family.
    """

    family: str
    session: str
    day: dt.date
    reach: int | None = None
    first: bool = False
    only: tuple[str, ...] = ()

    def judged_by(self, check: Check) -> bool:
        reached = self.reach is None or self.reach >= check.order
        return self.family == check.family and reached and (not self.only or check.check_id in self.only)


@dataclass(frozen=True, slots=True)
class Fired:
    """One record in which these checks objected to `item`; None where the log cannot tell that it was judged."""

    check_ids: tuple[str, ...]
    item: Item | None = None
    template: bool = False


@dataclass
class Tally:
    """All that was done, in counts. Gates are keyed by (gate, reason, severity), attempts by (system, attempts, outcome)."""

    items: list[Item] = field(default_factory=list)
    fired: list[Fired] = field(default_factory=list)
    attempts: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    runs: Counter[tuple[bool, int, int]] = field(default_factory=Counter)
    gates: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    gate_results: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    events: Counter[tuple[str, str]] = field(default_factory=Counter)
    drops: Counter[tuple[str, str]] = field(default_factory=Counter)
    reminders: Counter[str] = field(default_factory=Counter)
    refusals: Counter[tuple[str, str]] = field(default_factory=Counter)

    def judge(self, item: Item, check_ids: Iterable[str] = ()) -> None:
        """An item was judged, and these checks objected."""
        self.items.append(item)
        self.fire(check_ids, item)

    def fire(self, check_ids: Iterable[str], item: Item | None = None, *, template: bool = False) -> None:
        """These checks objected together, if any did."""
        if names := tuple(check_ids):
            self.fired.append(Fired(names, item, template))

    def expected(self, check: Check) -> dict[str, int | None]:
        """The figures of `check`, under the names of the view's columns."""
        known = any(item.family == check.family for item in self.items)
        judged = [item for item in self.items if item.judged_by(check)]
        mine = [fired for fired in self.fired if check.check_id in fired.check_ids]
        live = [fired for fired in mine if not fired.template]
        shape = check.family == "socratic.shape"
        figures: dict[str, int | None] = {
            "fires": len(live),
            "evaluated": len(judged),
            "evaluated_fires": sum(fired.item is not None for fired in live),
            "first_drafts": sum(item.first for item in judged) if shape else None,
            "first_draft_fires": sum(fired.item is not None and fired.item.first for fired in live) if shape else None,
            "sole_fires": sum(set(fired.check_ids) == {check.check_id} for fired in live),
            "template_fires": len(mine) - len(live),
            "sessions": len({item.session for item in judged}),
            "days": len({item.day for item in judged}),
        }
        unknown = (
            () if known else ("evaluated", "evaluated_fires", "first_drafts", "first_draft_fires", "sessions", "days")
        )
        return figures | dict.fromkeys(unknown)
