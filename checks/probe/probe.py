"""The question asked of each participant at stated points: its arguments, and what is refused in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from checks.probe.errors import ProbeError, ScaleError
from checks.probe.points import AfterItem, BeforeTurn, Point, point
from checks.probe.reading import check_scale


@dataclass(frozen=True, slots=True, init=False)
class Probe:
    """A question asked at `at` of `participants`, whose answers never enter the shared log.

    `question` is one non-empty string. `at` is one point or several: "start", "before_closing", "end",
    `after_item(n)`, `before_turn(n)`. `label` names the probe in the records; `labelled` gives those without one
    theirs. `participants` are the ids to ask; None asks everyone. `scale` is `(lo, hi)`, two whole numbers with
    `lo < hi`, the ends of the scale on which the question asks for a number; None records the answers as text only.

    Raises ProbeError, naming the argument. Source: the probe page, *Arguments*.
    """

    question: str
    at: tuple[Point, ...]
    label: str | None
    participants: tuple[str, ...] | None
    scale: tuple[int, int] | None

    def __init__(
        self,
        question: str,
        at: str | AfterItem | BeforeTurn | Iterable[str | AfterItem | BeforeTurn],
        label: str | None = None,
        participants: str | Iterable[str] | None = None,
        scale: Sequence[int] | None = None,
    ) -> None:
        # Frozen once made, and free to take one value where a list is kept.
        assign = object.__setattr__
        assign(self, "question", _text(question, "question", "ask one question in words"))
        assign(self, "at", _points(at))
        assign(self, "label", None if label is None else _text(label, "label", "name it, or leave label out"))
        assign(self, "participants", None if participants is None else _ids(participants))
        assign(self, "scale", None if scale is None else _scale(scale))

    def asks(self, participant: str) -> bool:
        """Whether the probe is put to this participant."""
        return self.participants is None or participant in self.participants

    def __str__(self) -> str:
        scale = "" if self.scale is None else f", scale {self.scale[0]} to {self.scale[1]}"
        name = "probe" if self.label is None else f"probe {self.label}"
        return f"{name} at {', '.join(map(str, self.at))}{scale}\n{self.question}"


def labelled(probes: Iterable[Probe]) -> list[Probe]:
    """The probes in the order given, each with a label: its own, or else `probe_1`, `probe_2`, ... by its place.

    Raises ProbeError where two would have the same label, since their records could not be told apart.
    """
    named = [
        probe if probe.label is not None else replace(probe, label=f"probe_{place}")
        for place, probe in enumerate(probes, start=1)
    ]
    if twice := _repeated([probe.label for probe in named]):
        raise ProbeError(f"label: {twice!r} names two probes; give each probe a label of its own")
    return named


def _text(value: object, name: str, advice: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ProbeError(f"{name}: {value!r} is not a non-empty string; {advice}")
    return value


def _points(at: object) -> tuple[Point, ...]:
    several = at if isinstance(at, Iterable) and not isinstance(at, str) else [at]
    points = tuple(point(value) for value in several)
    if not points:
        raise ProbeError("at: the list is empty, so the probe would never be asked; give at least one point")
    if twice := _repeated(points):
        raise ProbeError(f"at: {twice} is given twice, and a probe is asked once at a point; leave one of them out")
    return points


def _ids(participants: object) -> tuple[str, ...]:
    several = (
        [participants] if isinstance(participants, str) or not isinstance(participants, Iterable) else participants
    )
    ids = tuple(_text(value, "participants", "give participant ids, for example ['P1', 'P3']") for value in several)
    if not ids:
        raise ProbeError("participants: the list is empty, so nobody would be asked; leave it out to ask everyone")
    if twice := _repeated(ids):
        raise ProbeError(f"participants: {twice!r} is given twice, and each is asked once; leave one of them out")
    return ids


def _scale(scale: object) -> tuple[int, int]:
    if not isinstance(scale, Sequence) or isinstance(scale, str | bytes) or len(scale) != 2:
        raise ScaleError(f"scale: {scale!r} is not two ends; give the lower and the upper one, for example (1, 7)")
    lo, hi = scale
    check_scale(lo, hi)
    return lo, hi


def _repeated(values: Sequence[object]) -> object | None:
    return next((value for place, value in enumerate(values) if value in values[:place]), None)
