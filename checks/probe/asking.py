"""Asking a probe at one point: the calls it takes, the answers it gives, the warnings it leaves.

The shared log goes in and is never written to: a probe and its answers are private, so that asking does not change
the discussion. Source: the probe page, *Description* and *Details*.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from checks.probe.errors import ProbeError
from checks.probe.points import AfterItem, BeforeTurn, point
from checks.probe.probe import Probe
from checks.probe.prompts import checked_templates, instruction, reask
from checks.probe.reading import Reading, read_scale_answer
from checks.probe.records import ProbeAnswer

BUDGET = 400
"""Tokens that a reply may take."""

LARGER = 4
"""How many times the budget the retry of an empty or cut-off reply has."""

Purpose = Literal["ask", "retry", "reask"]

_REASONING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Persona:
    """A participant: its id, and who it is, in words."""

    participant: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the shared log."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """What a participant is given: as for a turn, with the probe as the closing instruction.

    `exchange` is the private exchange so far, as pairs of instruction and reply; it is empty but for a re-ask.
    """

    persona: Persona
    rules: str
    log: tuple[Line, ...]
    exchange: tuple[tuple[str, str], ...]
    instruction: str
    budget: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model gave back: its raw text, and whether the budget cut it off."""

    raw: str
    cut_off: bool = False

    @property
    def answer(self) -> str:
        """The final answer, without any reasoning and surrounding space."""
        return _REASONING.sub("", self.raw).strip()


class Participants(Protocol):
    """Whatever answers for the participants: a model, or a script in tests and samples."""

    def reply(self, request: Request) -> Reply:
        """One reply to one request."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model, for the record of all calls."""

    probe: str
    point: str
    participant: str
    purpose: Purpose
    instruction: str
    budget: int
    raw: str
    cut_off: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """What asking a probe at one point gave: answers in the order of the participants, every call, the warnings."""

    answers: tuple[ProbeAnswer, ...]
    calls: tuple[Call, ...]
    warnings: tuple[str, ...]


def ask(
    probe: Probe,
    at: str | AfterItem | BeforeTurn,
    personas: Sequence[Persona],
    log: Sequence[Line],
    model: Participants,
    *,
    rules: str = "",
    templates: Mapping[str, str] | None = None,
    session: str | None = None,
    time: str | None = None,
) -> Asked:
    """Ask a labelled `probe` at the point `at` of everyone it is put to; `log` is the discussion so far.

    An empty or cut-off reply is retried once with a larger budget; one still empty is NA. With a scale, an answer that
    is not read is followed by one re-ask. `session` and `time` (ISO 8601) go into the records as they are.
    Raises ProbeError where the probe has no label, is not asked at this point, or names a participant who is not there.
    """
    where = point(at)
    if probe.label is None:
        raise ProbeError("label: None is no name for records; give the probes their labels with labelled(probes) first")
    if where not in probe.at:
        raise ProbeError(
            f"at: {where} is not a point of probe {probe.label}; it is asked at {', '.join(map(str, probe.at))}"
        )
    present = [persona.participant for persona in personas]
    if missing := [name for name in probe.participants or () if name not in present]:
        raise ProbeError(f"participants: {missing[0]!r} takes no part in this discussion; it has {', '.join(present)}")

    wording = checked_templates(templates or {})
    answers: list[ProbeAnswer] = []
    calls: list[Call] = []
    for persona in personas:
        if probe.asks(persona.participant):
            turn = _Exchange(probe, str(where), persona, rules, tuple(log), model, wording)
            answers.append(turn.answer(session, time))
            calls.extend(turn.calls)
    return Asked(tuple(answers), tuple(calls), _warnings(probe, str(where), answers))


class _Exchange:
    """The private exchange with one participant."""

    def __init__(
        self,
        probe: Probe,
        where: str,
        persona: Persona,
        rules: str,
        log: tuple[Line, ...],
        model: Participants,
        wording: Mapping[str, str],
    ) -> None:
        self._probe, self._where, self._persona, self._rules = probe, where, persona, rules
        self._log, self._model, self._wording = log, model, wording
        self.calls: list[Call] = []

    def answer(self, session: str | None, time: str | None) -> ProbeAnswer:
        question = instruction(self._probe, self._wording)
        reply = self._call("ask", question, BUDGET)
        if not reply.answer or reply.cut_off:
            reply = self._call("retry", question, BUDGET * LARGER)
        reply, readings = self._read(question, reply)
        lo, hi = self._probe.scale or (None, None)
        return ProbeAnswer(
            probe=self._probe.label or "",
            point=self._where,
            participant=self._persona.participant,
            answer=reply.answer or None,
            raw=reply.raw,
            value=readings[-1].value if readings else None,
            attempts=len(self.calls),
            lo=lo,
            hi=hi,
            refusal=_reason(readings[-1]) if readings else None,
            refusals=tuple(reason for reading in readings if (reason := _reason(reading))),
            readings=len(readings),
            session=session,
            time=time,
        )

    def _read(self, question: str, reply: Reply) -> tuple[Reply, list[Reading]]:
        """The reply that stands, and each reading made: none without a scale or an answer, two after a re-ask."""
        if self._probe.scale is None or not reply.answer:
            return reply, []
        lo, hi = self._probe.scale
        readings = [read_scale_answer(reply.answer, lo, hi)]
        if readings[0].refusal is not None:
            again = self._call("reask", reask(lo, hi, self._wording), BUDGET, ((question, reply.answer),))
            if again.answer:
                reply = again
                readings.append(read_scale_answer(again.answer, lo, hi))
        return reply, readings

    def _call(self, purpose: Purpose, wording: str, budget: int, exchange: tuple[tuple[str, str], ...] = ()) -> Reply:
        reply = self._model.reply(Request(self._persona, self._rules, self._log, exchange, wording, budget))
        self.calls.append(
            Call(
                probe=self._probe.label or "",
                point=self._where,
                participant=self._persona.participant,
                purpose=purpose,
                instruction=wording,
                budget=budget,
                raw=reply.raw,
                cut_off=reply.cut_off,
            )
        )
        return reply


def _reason(reading: Reading) -> str | None:
    """The reason text of a refusal, as records hold it."""
    return None if reading.refusal is None else reading.refusal.rpartition(".")[2]


def _warnings(probe: Probe, where: str, answers: Sequence[ProbeAnswer]) -> tuple[str, ...]:
    """At most one warning for answers that stayed empty and one for values that stayed unread, naming who."""
    empty = [record.participant for record in answers if record.answer is None]
    unread = [record.participant for record in answers if record.refusal is not None]
    found = []
    if empty:
        found.append(f"probe {probe.label} at {where}: no answer from {', '.join(empty)} after a retry; recorded as NA")
    if unread:
        lo, hi = probe.scale or (None, None)
        found.append(
            f"probe {probe.label} at {where}: no number from {lo} to {hi} could be read from the answers of "
            f"{', '.join(unread)}; their values are NA"
        )
    return tuple(found)
