"""Decisions that last: what a person wrote down about a check, and whether the evidence behind it still holds.

They live in a TOML file made to be reviewed in a repository, one table per check:

    [decisions."socratic.shape.no_digits"]
    action = "prune"
    owner = "Ada"
    reason = "never fired in 1,204 drafts"
    date = 2026-11-30
    since = 2026-10-01
    until = 2026-11-30
    evaluations = 1204
    fires = 0
    upper_bound = 0.002485
    source_sha256 = "9f2c..."

The keys from `since` on are a snapshot of the evidence that the person saw. An edit touches its own table alone: comments,
order and every byte elsewhere stay.
"""

import datetime as dt
import difflib
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tomlkit.exceptions import TOMLKitError

from places import TABLES, config_path
from queries.wording import plural
from review.filelock import locked, read_text, replace_text
from review.tomltables import drop_table, put_table
from storefile import UserError

ACTIONS = ("keep", "prune", "watch")
MAX_AGE_DAYS = 90
"""After this many days the window of a decision is called old."""


class DecisionError(UserError):
    """A decision cannot be read or written; the message names the file, the table and the key."""


class DecisionConflictError(DecisionError):
    """Somebody else changed the decision since it was read; nothing was written."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The evidence at the time of a decision; None where it was not known.

    `since` and `until` are naive UTC times, `until` exclusive; `upper_bound` is a share from 0 to 1.
    """

    since: dt.datetime | None = None
    until: dt.datetime | None = None
    evaluations: int | None = None
    fires: int | None = None
    upper_bound: float | None = None
    source_sha256: str | None = None

    @property
    def empty(self) -> bool:
        return self == Snapshot()


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided about one check. `audit` says what the blind audit showed, or where its result lies."""

    check_id: str
    action: str
    owner: str
    reason: str
    date: dt.date
    audit: str | None = None
    snapshot: Snapshot = Snapshot()


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions of one file, by check id in the order of the file, and what is odd about them, one sentence each."""

    path: Path
    by_check: Mapping[str, Decision] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def actions(self) -> dict[str, str]:
        """What was decided, by check id: keep, prune or watch."""
        return {check_id: decision.action for check_id, decision in self.by_check.items()}


def snapshot(evidence: Mapping[str, Any], since: dt.datetime | None, until: dt.datetime | None) -> Snapshot:
    """The evidence of one judged row as a decision keeps it; without `until` it ends with the newest record."""
    newest = evidence.get("newest_record")
    if until is None and newest is not None:
        until = newest.replace(microsecond=0) + dt.timedelta(seconds=1)
    bound = evidence.get("upper_bound")
    return Snapshot(
        since=since,
        until=until,
        evaluations=evidence.get("evaluated"),
        fires=evidence.get("fires"),
        upper_bound=None if bound is None else round(bound, 6),
        source_sha256=evidence.get("source_sha256"),
    )


def decisions_path(config: Path | None = None) -> Path:
    """The file that holds the decisions: the configuration itself, or the file that its `decisions = "..."` names.

    A relative name counts from the configuration's folder. Raises DecisionError where the configuration is no TOML.
    """
    config = config or config_path()
    named = _tables(config, read_text(config)).get("decisions")
    return config.parent / named if isinstance(named, str) else config


def load_decisions(path: Path, known: Collection[str] | None = None) -> Decisions:
    """The decisions in `path`; none where there is no such file. An id outside `known` is a warning with near names.

    Raises DecisionError for what cannot be read as a decision.
    """
    return _parse(path, read_text(path), known)


def save_decision(path: Path, decision: Decision, *, seen: Decision | None) -> None:
    """Write `decision` into `path`; `seen` is the decision on that check that its author was looking at, None for none.

    Raises DecisionConflictError, and writes nothing, where the file holds another one by now.
    """
    for name, value in _values(decision).items():
        if value is not None or name in _NEEDED:
            _value(f'{path}: [decisions."{decision.check_id}"]', name, value)
    _edit(path, decision.check_id, seen, decision)


def withdraw_decision(path: Path, check_id: str, *, seen: Decision) -> None:
    """Take the decision on `check_id` out of `path`. Raises DecisionConflictError where it is no longer the one seen."""
    _edit(path, check_id, seen, None)


def stale(
    decision: Decision, evidence: Mapping[str, Any], now: dt.datetime, max_age_days: int = MAX_AGE_DAYS
) -> tuple[str, ...]:
    """Why the evidence behind `decision` no longer holds, one sentence each; none while it does.

    `evidence` is today's row of the check (`fires`, `last_fired`, `source_sha256` are read); `now` is naive UTC.
    """
    then = decision.snapshot
    if then.empty:
        return ("no evidence was written down with the decision, so nothing shows whether it still holds",)
    return tuple(
        reason
        for reason in (_source_changed(then, evidence), _fired_since(decision, evidence), _old(then, now, max_age_days))
        if reason
    )


def _source_changed(then: Snapshot, evidence: Mapping[str, Any]) -> str:
    sha = evidence.get("source_sha256")
    if then.source_sha256 is None or sha == then.source_sha256:
        return ""
    if sha is None:
        return f"its source is no longer in the catalog (it was {then.source_sha256[:12]})"
    return f"its source changed: {then.source_sha256[:12]} when it was decided, {sha[:12]} today"


def _fired_since(decision: Decision, evidence: Mapping[str, Any]) -> str:
    """A fire is news where there was none, or where the check is to go; a kept check that goes on firing is not."""
    then = decision.snapshot
    if decision.action != "prune" and then.fires:
        return ""
    last, fires = evidence.get("last_fired"), evidence.get("fires") or 0
    end = then.until or dt.datetime.combine(decision.date, dt.time()) + dt.timedelta(days=1)
    if last is not None and last >= end:
        return f"it fired since: last on {last:%Y-%m-%d %H:%M} UTC, and the evidence ends {end:%Y-%m-%d}"
    if fires > (then.fires or 0):
        return f"{plural(fires, 'fire')} known now, where the decision counted {then.fires or 0:,}"
    return ""


def _old(then: Snapshot, now: dt.datetime, max_age_days: int) -> str:
    if then.until is None:
        return ""
    age = (now - then.until).days
    return (
        f"its window ended {then.until:%Y-%m-%d}, {age} days ago (more than {max_age_days})"
        if age > max_age_days
        else ""
    )


# --- reading -----------------------------------------------------------------------------------------------------


def _tables(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise DecisionError(f"{path}: it cannot be read as TOML ({error}); mend it there") from error


def _parse(path: Path, text: str, known: Collection[str] | None = None) -> Decisions:
    whole = _tables(path, text)
    tables = whole.get("decisions", {})
    if not isinstance(tables, dict):
        raise DecisionError(
            f'{path}: decisions is {tables!r}, not a table; write each decision as a table [decisions."CHECK"]'
        )
    warnings = [
        f'{path}: nothing reads the table [{name}]; write each decision as a table [decisions."CHECK"]'
        for name in whole
        if name not in TABLES
    ]
    by_check = {check_id: _read(path, check_id, table, warnings) for check_id, table in tables.items()}
    if known is not None:
        warnings += [_unknown_check(path, check_id, known) for check_id in by_check if check_id not in known]
    return Decisions(path, MappingProxyType(by_check), tuple(warnings))


def _read(path: Path, check_id: str, table: object, warnings: list[str]) -> Decision:
    place = f'{path}: [decisions."{check_id}"]'
    if not isinstance(table, dict):
        raise DecisionError(f"{place} is {table!r}, not a table; it needs action, owner, reason and date")
    names = [*_PLAIN, *_SNAPSHOT]
    for name in table:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"
            warnings.append(f"{place}: the key {name} means nothing here; {hint}")
    values = {name: _value(place, name, table[name]) for name in names if name in table}
    for name in _NEEDED:
        if name not in values:
            raise DecisionError(f"{place}: {name} is missing; {_HELP[name]}")
    snapshot = Snapshot(**{name: values[name] for name in _SNAPSHOT if name in values})
    if snapshot.since and snapshot.until and snapshot.since >= snapshot.until:
        raise DecisionError(f"{place}: until does not come after since; the window must hold at least a moment")
    return Decision(check_id, **{name: values[name] for name in _PLAIN if name in values}, snapshot=snapshot)


def _value(place: str, name: str, value: object) -> Any:
    try:
        return _PARSERS[name](value)
    except (TypeError, ValueError) as error:
        raise DecisionError(f"{place}: {name} is {value!r}; {_HELP[name]}") from error


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    value.encode("utf-8")
    return value


def _action(value: object) -> str:
    if value not in ACTIONS:
        raise ValueError
    return str(value)


def _day(value: object) -> dt.date:
    if isinstance(value, str):
        return dt.date.fromisoformat(value)
    if isinstance(value, dt.datetime) or not isinstance(value, dt.date):
        raise TypeError
    return value


def _time(value: object) -> dt.datetime:
    """A date is its first moment; a time with an offset is turned to UTC, and one without is UTC already."""
    if isinstance(value, str):
        value = dt.datetime.fromisoformat(value)
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).replace(tzinfo=None) if value.tzinfo else value
    if isinstance(value, dt.date):
        return dt.datetime.combine(value, dt.time())
    raise TypeError


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise ValueError
    return value


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError
    return float(value)


_PARSERS: dict[str, Callable[[object], Any]] = {
    "action": _action,
    "owner": _text,
    "reason": _text,
    "date": _day,
    "audit": _text,
    "since": _time,
    "until": _time,
    "evaluations": _count,
    "fires": _count,
    "upper_bound": _share,
    "source_sha256": _text,
}
_HELP = {
    "action": f"write one of {', '.join(ACTIONS)}",
    "owner": "write the name of the person who answers for it",
    "reason": "write why, in a sentence",
    "date": "write the day it was decided, such as 2026-11-30",
    "audit": "write what the blind audit showed, or leave the key out",
    "since": "write a date or time, such as 2026-10-01 or 2026-10-01T08:00:00Z",
    "until": "write a date or time, such as 2026-10-01 or 2026-10-01T08:00:00Z",
    "evaluations": "write a whole number, 0 or more",
    "fires": "write a whole number, 0 or more",
    "upper_bound": "write a share between 0 and 1",
    "source_sha256": "write the digest that `gatecov checks --format json` prints",
}
_NEEDED = ("action", "owner", "reason", "date")
_SNAPSHOT = tuple(item.name for item in fields(Snapshot))
_PLAIN = tuple(item.name for item in fields(Decision) if item.name not in ("check_id", "snapshot"))


def _unknown_check(path: Path, check_id: str, known: Collection[str]) -> str:
    ids = sorted(known)
    short = check_id.rpartition(".")[2]
    near = [name for name in ids if name.rpartition(".")[2] == short] or difflib.get_close_matches(check_id, ids, 3)
    hint = f"near names are {', '.join(near)}" if near else "list the checks with: gatecov checks"
    return f'{path}: [decisions."{check_id}"] is about a check that nobody knows; {hint}'


# --- writing -----------------------------------------------------------------------------------------------------


def _edit(path: Path, check_id: str, seen: Decision | None, new: Decision | None) -> None:
    """Read, compare, change and replace the file while nobody else may."""
    path = path.resolve()
    with locked(path):
        text = read_text(path)
        found = _parse(path, text).by_check.get(check_id)
        if found != seen:
            raise DecisionConflictError(_conflict(path, check_id, found))
        if new == found:
            return
        table = ("decisions", check_id)
        try:
            changed = put_table(text, table, _values(new), _same) if new else drop_table(text, table)
            _prove(path, text, changed, check_id, new)
        except (ValueError, TOMLKitError) as error:
            raise DecisionError(
                f"{path}: the decision on {check_id} cannot be written beside what stands there, and nothing was changed; "
                f'write each decision as a table of its own, [decisions."{check_id}"], and try again'
            ) from error
        replace_text(path, changed)


def _prove(path: Path, before: str, after: str, check_id: str, new: Decision | None) -> None:
    """The last guard before a file is replaced: the decision reads back, and nothing else differs."""
    old_tables, new_tables = tomllib.loads(before), tomllib.loads(after)
    for tables in (old_tables, new_tables):
        tables.setdefault("decisions", {}).pop(check_id, None)
    if old_tables != new_tables or _parse(path, after).by_check.get(check_id) != new:
        raise ValueError(check_id)


def _conflict(path: Path, check_id: str, found: Decision | None) -> str:
    if found is None:
        return f"{path}: somebody withdrew the decision on {check_id} since you read it; look again, then decide anew"
    return (
        f"{path}: {found.owner} changed the decision on {check_id} since you read it "
        f"(now: {found.action}, {found.date}); look at it, then decide anew"
    )


def _values(decision: Decision) -> dict[str, object]:
    """What the table of a decision holds, in the order it is written; None for what is left out."""
    plain: dict[str, object] = {name: getattr(decision, name) for name in _PLAIN}
    return plain | {name: _written(getattr(decision.snapshot, name)) for name in _SNAPSHOT}


def _written(value: object) -> object:
    if not isinstance(value, dt.datetime):
        return value
    if value.time() == dt.time():
        return value.date()
    return value.replace(tzinfo=dt.UTC)


def _same(name: str, old: object, new: object) -> bool:
    return bool(_PARSERS[name](old) == _PARSERS[name](new))
