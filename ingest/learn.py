"""Learning a shape from one line, by asking the exact way what becomes of other values in it."""

from typing import NamedTuple

from ingest.holes import TIMES, Hole, copied_value, holes_in, pattern_of
from ingest.shape import Ask, Shape, Told

LONGEST = 64 * 1024
MOST_HOLES = 40
_PROBES = {
    "text": ("zq7x", " Zq; 9 (x) ", "2026-01-02T03:04:05.678Z", "1788000000123", "7", "null", "[x] y: z", "warn", "true"),
    "number": ("7", "0", "13", "20", "30", "40", "50", "900001", "999999999"),
    "positive": ("7", "1", "13", "20", "30", "40", "50", "900001", "999999999"),
    "wide": ("7", "0", "999999999", "1788000000123", "999999999999999"),
    "iso": ("2026-01-02T03:04:05", "2031-12-31T23:59:59"),
    "clock": ("2026-01-02 03:04:05", "2031-12-31 23:59:59"),
    "epoch": ("1788000000123", "1900000000000"),
}  # fmt: skip
_QUOTED = ('say "zq", \n\tor', 'zq {"sessionId":"zq","reason":"zq"}')
_OTHERWISE = {"iso": "text", "clock": "text", "epoch": "wide", "number": "positive"}
"""What a hole may be as well: a time that is not the record's is a value like any other, and 0 may mean that there is none."""


def learn(line: str, ask: Ask, *, clocks: bool) -> Shape | None:
    """The shape of `line`; None where it has none that is worth knowing. `clocks` says whether local times are UTC."""
    holes = list(holes_in(line, 0, len(line), 0)) if len(line) <= LONGEST else []
    if not 0 < len(holes) <= MOST_HOLES:
        return None
    parts, position = [], 0
    for hole in holes:
        parts.append(line[position : hole.start])
        position = hole.end
    shape = Shape((*parts, line[position:]), holes, ask)
    values = [line[hole.start : hole.end] for hole in holes]
    base = ask(shape.line(values))
    if base is None:
        return None
    asked: list[int] = []
    extra: list[tuple[int, int]] = []
    for number, hole in enumerate(holes):
        role = _role(shape, values, number, base)
        if role is None and hole.kind in _OTHERWISE and values[number] != "0":
            holes[number] = hole._replace(kind=_OTHERWISE[hole.kind])
            role = _role(shape, values, number, base)
            if hole.kind in TIMES and (role is None or hole.kind == "clock"):
                return None  # it would have to be asked for every line
        if role is None:
            holes[number] = hole
            asked.append(number)
            continue
        if role.columns:
            if "time" in role.columns and hole.kind == "clock" and not clocks:
                return None
            shape.copies[number] = role.columns
        if role.place >= 0:
            extra.append((role.place, number))
    shape.asked, shape.extra = tuple(asked), tuple(number for _, number in sorted(extra))
    shape.pattern = pattern_of(shape.parts, holes)
    return shape


class Role(NamedTuple):
    """The columns that a hole is copied to, and where in `extra` it stands (-1: nowhere)."""

    columns: tuple[str, ...]
    place: int


def _role(shape: Shape, values: list[str], number: int, base: Told) -> Role | None:
    """What becomes of a hole, whatever stands in it; None where there is more to it."""
    hole, kind = shape.holes[number], shape.holes[number].kind
    # What stands there already tells nothing.
    probes = [probe for probe in _PROBES[kind] if hole.filled(probe) != values[number]]
    roles = {_role_of(shape, values, number, base, probe) for probe in probes}
    if kind == "text" and all(role and role.place < 0 for role in roles):
        roles |= {_role_of(shape, values, number, base, probe) for probe in _QUOTED}
    return roles.pop() if len(roles) == 1 else None


def _role_of(shape: Shape, values: list[str], number: int, base: Told, probe: str) -> Role | None:
    hole = shape.holes[number]
    told = shape.ask(shape.line([*values[:number], hole.filled(probe), *values[number + 1 :]]))
    if told is None or told[1] != base[1]:
        return None
    columns, place = [], -1
    for name, value in told[0].items():
        before = base[0][name]
        if name == "extra" and value != before:
            place = _place(hole, values[number], before or "", value or "", probe)
            if place < 0:
                return None
        elif name != "extra" and value != before:
            if value != copied_value(hole, probe, name):
                return None
            columns.append(name)
    return Role(tuple(columns), place)


def _place(hole: Hole, old: str, before: str, after: str, new: str) -> int:
    """Where in `before` the value `old` stands, if `after` is the same with `new` in its place; else -1."""
    if "\\" in old or hole.kind in TIMES:
        return -1
    quote = '"' if hole.kind == "text" else ""
    old, new = f"{quote}{old}{quote}", f"{quote}{new}{quote}"
    place = before.find(old)
    while place >= 0 and before[:place] + new + before[place + len(old) :] != after:
        place = before.find(old, place + 1)
    return place
