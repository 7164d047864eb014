"""Invented conversations for the closed loop: run through the live systems, with a tally of what these did.

Texts and seeds are others than those of `samples`. A world hands back the lines that the systems wrote and enters into
its tally what the code returned, and what the checks say of the texts that the scripts handed out.
"""

import datetime as dt
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from checks.logs import WinstonJson, WinstonText, compact_json
from checks.registry import family_checks
from checks.socratic import Resource, ShapeContext, SlotContext, Slots, StageResult, check_shape, validate_slots
from checks.socratic.agent import Outcome, run_cycle
from checks.socratic.eligibility import GOAL, Cycle, Decision
from checks.socratic.stage import template_question
from checks.socratic.writer import WriterBrief
from samples.folder import docker
from samples.socratic import Clock, Collector, conversation_log
from tests.tally import Item, Tally

START = dt.datetime(2027, 2, 1, tzinfo=dt.UTC)
EVERY = dt.timedelta(hours=3)
"""Time between two conversations of a stream: longer than any takes, so that one without an id is told by its order."""
AGENT = "Marram"
ORDERS = {check.check_id: check.order for check in family_checks("socratic.slots")}

Line = tuple[dt.datetime, str]


@dataclass(frozen=True, slots=True)
class Text:
    """An invented reading: the citation in the slots, the name in a draft, a term, a passage and a piece of it."""

    citation: str
    name: str
    title: str
    concept: str
    passage: str
    piece: str


TEXTS = (
    Text(
        "Vasquez-Iturbe (2014), Weather for two",
        "Vasquez-Iturbe",
        "Weather for two",
        "borrowed calm",
        "Vasquez-Iturbe asks ferry crews what they do before a storm. Borrowed calm is the quiet that one hand lends to "
        "another. Crews that practised it lost fewer ropes, in 18 of 24 crossings; most ropes found their owner. The book doubts that courage is what "
        "people call it afterwards.",
        "the quiet that one hand lends",
    ),
    Text(
        "Halloran and Nkemelu, The second bell",
        "Halloran and Nkemelu",
        "The second bell",
        "late ringing",
        "Halloran and Nkemelu listen to schools that ring twice. Late ringing means that nobody leaves before the last "
        "sentence is done. Attendance grew by 9 percent where the bell was kept by the youngest. They distrust the word "
        "'punctual'.",
        "nobody leaves before the last sentence",
    ),
    Text(
        "Przybylska (2022), Ledgers of thanks",
        "Przybylska",
        "Ledgers of thanks",
        "open debt",
        "Przybylska reads the books of a village shop. An open debt is one that both sides prefer to keep. Families with "
        "three of them visited more often. She names the habit of settling at once 'clean hands'.",
        "both sides prefer to keep",
    ),
)
WORDS = ("brave", "polite", "generous", "modern")
PEOPLE = (("Quiet Otter", "Red Kite"), ("Quiet Otter", "Grey Vasquez-Iturbe", "Dun Nkemelu", "Old Przybylska"))
SLIPS = (
    "",
    "18 crossings",
    "quiet confidence",
    "a term of seven words is too long",
    "Attendance grew",
    "fewer ropes",
    "ropes found",
)
"""Concepts that the decision should not have filled in."""
DRAFTS = (
    'Would {s} call this evening "{w}" at all?',
    "Where in our talk would {s} look for {c}?",
    'Who among us could decide, on the view of {s}, what counts as "{w}"?',
    'When we say "{w}", would {s} mean the same thing by it?',
    "How does {s} treat {c}?",
    "Would {s} accept {p}?",
    'Is "{w}" what {s} means by {c}?',
    "What would the author make of {c}?",
    'Does {s} use "{w}" as we do? Do you?',
    "Would {s} find 18 crossings enough for {c}?",
    "Has {s} shown that {c} leads to trust?",
    "What if {s} sat here: would it be {c}?",
    'Would {s} defend his own "{w}", and would we?',
    "How would {s} see {c}, given that you all agree?",
    "Would Otter and {s} agree on {c}?",
    "How would {s} and all of us and everyone who ever waited for a bell or a boat or a shop to open on a long and wet "
    "and windy day in a town where nothing else at all was going on and nobody minded see {c}?",
    "",
    '{s} treats {c}; braces {{}} and "quotes" are no trouble\nnor is a second line',
    "Würde {s} das “{w}” nennen – 你怎么看？",
)
FAILURES: tuple[Exception, ...] = (
    TimeoutError("no answer in 30 s"),
    ConnectionError('said "no"; {"attempt":9}\nand left'),
)


class Killed(BaseException):
    """The process ends in the middle of a call."""


@dataclass
class Script:
    """A writer that draws its answers by chance and keeps what it gave: drafts, exceptions, or the end of the process."""

    rnd: random.Random
    text: Text
    word: str
    dies: float
    fails: float
    given: list[str | BaseException] = field(default_factory=list)

    def __call__(self, brief: WriterBrief) -> str:
        chance = self.rnd.random()
        if chance < self.dies:
            self.given.append(Killed())
        elif chance < self.dies + self.fails:
            self.given.append(self.rnd.choice(FAILURES))
        else:
            form = self.rnd.choice(DRAFTS[:3] if self.rnd.random() < 0.3 else DRAFTS)
            self.given.append(form.format(s=self.text.name, c=self.text.concept, w=self.word, p=self.text.piece))
        answer = self.given[-1]
        if isinstance(answer, BaseException):
            raise answer
        return answer


@dataclass
class SocraticWorld:
    """Conversations of one agent in one stream; without `identified` no line names its conversation."""

    rnd: random.Random
    stream: str
    identified: bool
    make: Callable[[Callable[[], dt.datetime]], logging.Formatter]
    tally: Tally
    dies: float = 0.02
    fails: float = 0.07
    lines: list[Line] = field(default_factory=list)
    runs: int = 0

    def converse(self, conversations: int, every: dt.timedelta = EVERY) -> None:
        """So many conversations, one after another (or at once, where `every` is shorter than one takes)."""
        for number in range(conversations):
            begins = START + every * number
            collector = Collector(Clock(begins, self.rnd), self.make)
            name = f"{self.stream}-{number:03d}"
            log = conversation_log(collector, **({"conversationId": name} if self.identified else {}))
            posts: list[str] = []
            for _ in range(self.rnd.choice((1, 2, 3))):
                if not self._cycle(name, begins.date(), log, posts):
                    break
                collector._clock.now += dt.timedelta(minutes=self.rnd.randint(1, 20))
            self.lines += collector.lines
        self.lines.sort(key=lambda line: line[0])

    def _cycle(self, name: str, day: dt.date, log: "logging.LoggerAdapter[logging.Logger]", posts: list[str]) -> bool:
        """One cycle, run and tallied; false where the process ended in it."""
        text, word = self.rnd.choice(TEXTS), self.rnd.choice(WORDS)
        slots = self._slots(text, word)
        kind = self.rnd.choices(("search works", "search fails", "nothing found"), (92, 4, 4))[0]
        cycle = Cycle(
            agent=AGENT,
            active_goals=(GOAL, "summary"),
            resources=(Resource(text.title, (text.name,), text.citation, "reading.pdf"),),
            human_lines=(f"that was {word}", f"who calls it {word}?", f"I would not say {word}", "read it again"),
            passages=(text.passage,) if kind == "search works" else (),
            retrieval_error="the index\nis down" if kind == "search fails" else None,
        )
        writer = Script(self.rnd, text, word, self.dies, self.fails)
        drops: list[str] = []

        def guardrail(message: str) -> bool:
            passes = self.rnd.random() > 0.15
            drops.extend([] if passes else [message])
            return passes

        people = self.rnd.choices(PEOPLE, (5, 1))[0]
        recent = tuple(posts)
        try:
            outcome = run_cycle(
                cycle,
                lambda: (Decision(GOAL), slots),
                writer,
                log,
                participants=people,
                recent_posts=recent,
                posture="strict",
                guardrail=guardrail,
            )
        except Killed:
            outcome = None
        self._keep(name, day, cycle, slots, people, recent, writer.given, outcome, drops)
        posts += [outcome.post] if outcome and outcome.post else []
        return outcome is not None

    def _slots(self, text: Text, word: str) -> Slots:
        chance = self.rnd.random()
        if chance < 0.1:
            concept = self.rnd.choice(SLIPS)
            return Slots(text.citation, concept)
        if chance < 0.13:
            return Slots("Nobody Atall (1999)", text.concept)
        return Slots(text.citation, text.concept, word if chance < 0.6 else None)

    def _keep(
        self,
        name: str,
        day: dt.date,
        cycle: Cycle,
        slots: Slots,
        people: tuple[str, ...],
        recent: tuple[str, ...],
        given: list[str | BaseException],
        outcome: Outcome | None,
        drops: list[str],
    ) -> None:
        tally, session = self.tally, name if self.identified else self.stream
        if cycle.retrieval_error:
            tally.events["agent", "prefetch_failed"] += 1
        if not cycle.passages:
            assert outcome is not None
            assert given == []
            tally.events["agent", "chosen_without_passages"] += 1
            return
        passage = cycle.passages[0]
        validated = validate_slots(slots, SlotContext(passage, cycle.resources, cycle.human_lines))
        if validated.failure or validated.slots is None:
            assert validated.failure is not None
            assert outcome is not None
            assert outcome.stage is None
            tally.events["agent", "slots_rejected"] += 1
            failed = validated.failure.check_id
            tally.judge(Item("socratic.slots", session, day, ORDERS[failed]), [failed])
            return
        self.runs += 1
        run = name if self.identified else f"{self.stream} run {self.runs}"
        context = ShapeContext(
            validated.slots.source_label, validated.slots.concept, validated.slots.loaded_word, people, passage, recent
        )
        stage = self._keep_stage(run, day, context, template_question(validated.slots), given)
        assert stage == (outcome and outcome.stage)
        if outcome is None:
            return
        for _ in drops:
            tally.events["guardrail", "guardrail_drop"] += 1
            tally.drops[AGENT, GOAL] += 1
            tally.judge(Item("guardrail", session, day), ["guardrail.professionalism"])
        if outcome.post:
            tally.events["guardrail", "post_detected"] += 1
            tally.judge(Item("guardrail", session, day))

    def _keep_stage(
        self, run: str, day: dt.date, context: ShapeContext, template: str, given: list[str | BaseException]
    ) -> StageResult | None:
        """What the checks say of the answers that the writer gave; None for a run that broke off."""
        tally = self.tally
        broke_off = isinstance(given[-1], Killed)
        rejected = failed = 0
        if not broke_off or len(given) > 1:
            tally.items.append(Item("socratic.slots", run, day))
        for attempt, answer in enumerate(given, start=1):
            if isinstance(answer, Killed):
                break
            if isinstance(answer, BaseException):
                failed += 1
                tally.events["socratic", "writer_failed"] += 1
                continue
            ids = [failure.check_id for failure in check_shape(answer, context)]
            if not ids:
                tally.items.append(Item("socratic.shape", run, day, first=attempt == 1))
                return self._ended("posted-writer", answer.strip(), attempt, rejected, failed)
            rejected += 1
            tally.events["socratic", "draft_rejected"] += 1
            if broke_off:
                tally.fire(ids)
            else:
                tally.judge(Item("socratic.shape", run, day, first=attempt == 1), ids)
        if broke_off:
            tally.runs[False, rejected, failed] += rejected + failed > 0
            return None
        ids = [failure.check_id for failure in check_shape(template, context)]
        tally.events["socratic", "template_fallback"] += 1
        tally.events["socratic", "template_failed" if ids else "template_used"] += 1
        tally.fire(ids, template=True)
        outcome, message = ("silent", None) if ids else ("posted-template", template)
        return self._ended(outcome, message, len(given), rejected, failed)

    def _ended(self, outcome: str, message: str | None, attempts: int, rejected: int, failed: int) -> StageResult:
        self.tally.events["socratic", "summary"] += 1
        self.tally.attempts["socratic", attempts, outcome] += 1
        self.tally.runs[True, rejected, failed] += 1
        return StageResult(outcome, message, attempts)


class PinoJson(logging.Formatter):
    """pino's console form: numbers for level and time, the fields of the child logger beside the message."""

    def __init__(self, clock: Callable[[], dt.datetime]) -> None:
        super().__init__()
        self._clock = clock

    def format(self, record: logging.LogRecord) -> str:
        head = {"level": record.levelno + 10, "time": int(self._clock().timestamp() * 1000), "pid": 3, "hostname": "m"}
        return compact_json(head | getattr(record, "fields", {}) | {"msg": record.getMessage()})


@dataclass(frozen=True, slots=True)
class Form:
    """How a deployment writes: whether its lines name the conversation, the formatter, what wraps a line."""

    identified: bool
    make: Callable[[Callable[[], dt.datetime]], logging.Formatter]
    wrap: Callable[[dt.datetime, str], str] = lambda when, line: line


FORMS = {
    "winston-json": Form(True, WinstonJson),
    "winston-text": Form(False, WinstonText),
    "docker": Form(True, WinstonJson, docker),
    "pino": Form(True, PinoJson),
    "pino-in-docker": Form(False, PinoJson, docker),
}
