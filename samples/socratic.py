"""Lantern and Harbor, the two agents that run the Socratic stage: the scripts decide what the writer says, the live
checks decide what fires, and write the log lines themselves."""

import logging
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from checks.logs import WinstonJson, WinstonText, compact_json, with_fields
from checks.socratic import Resource, Slots
from checks.socratic.agent import run_cycle
from checks.socratic.eligibility import Cycle, Decision
from checks.socratic.writer import ScriptedWriter
from samples.folder import START, Line, chatter, days, docker, iso, save, week, winston_json, winston_text
from samples.material import BAD, GOOD, LINES, PEOPLE, READINGS, WORDS, Reading

QUIET_AFTER_DAY = 5


@dataclass
class Clock:
    """The time of one conversation; every line takes a little of it."""

    now: datetime
    rnd: random.Random

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=self.rnd.randint(300, 6000))
        return self.now


class Collector(logging.Handler):
    """Keeps what is logged, with the time of its clock."""

    def __init__(self, clock: Clock, make: Callable[[Callable[[], datetime]], logging.Formatter]) -> None:
        super().__init__()
        self.lines: list[Line] = []
        self._clock = clock
        self.setFormatter(make(lambda: self._clock.now))

    def emit(self, record: logging.LogRecord) -> None:
        self._clock()
        self.lines.append((self._clock.now, self.format(record)))


def conversation_log(collector: Collector, **fields: object) -> "logging.LoggerAdapter[logging.Logger]":
    """A logger of its own that writes to `collector` alone, with `fields` on every JSON record."""
    log = logging.Logger("sample")
    log.addHandler(collector)
    return with_fields(log, **fields)


@dataclass
class Deployment:
    """One agent that runs the Socratic stage: its name, how it writes, and how often its writer forgets the source."""

    agent: str
    make: Callable[[Callable[[], datetime]], logging.Formatter]
    conversations_a_day: int
    forgets_source: float
    strict_posture: bool = False
    versions: tuple[tuple[int, str], ...] = ()
    lines: list[Line] = field(default_factory=list)

    def version(self, day: int) -> dict[str, object]:
        known = [version for first, version in self.versions if day >= first]
        return {"version": known[-1]} if known else {}


def socratic(deployment: Deployment, rnd: random.Random) -> None:
    """All conversations of one deployment."""
    for day in days():
        for number in range(deployment.conversations_a_day - (day % 7 > 4) * 2):
            begins = START + timedelta(days=day, hours=8, seconds=rnd.randint(0, 13 * 3600))
            collector = Collector(Clock(begins, rnd), deployment.make)
            conversation = f"{deployment.agent.lower()}-{day:02d}{number:02d}"
            log = conversation_log(
                collector, conversationId=conversation, agent=deployment.agent, **deployment.version(day)
            )
            posts: list[str] = []
            for _ in range(rnd.choice((1, 1, 2))):
                _cycle(deployment, day, rnd, log, posts)
                collector._clock.now += timedelta(minutes=rnd.randint(4, 25))
            deployment.lines += collector.lines


def _cycle(
    deployment: Deployment, day: int, rnd: random.Random, log: "logging.LoggerAdapter[logging.Logger]", posts: list[str]
) -> None:
    reading, word = rnd.choice(READINGS), rnd.choice(WORDS)
    about = "word" if rnd.random() < 0.55 else "concept"
    chance = rnd.random()
    slots = Slots(reading.citation, reading.concept, word if about == "word" else None)
    if chance < 0.04:
        slots = Slots(reading.citation, rnd.choice(("yields rose", "3 assemblies", "quiet contempt", "")), None)
    elif chance < 0.05:
        slots = Slots("Brandvold (2011)", reading.concept, None)
    lines = tuple(line.format(w=word) for line in rnd.sample(LINES[:5], 3) + rnd.sample(LINES[5:], 2))
    cycle = Cycle(
        agent=deployment.agent,
        resources=(Resource(reading.title, (reading.label,), reading.citation, "reading.pdf"),),
        human_lines=lines,
        passages=() if chance > 0.985 else (reading.passage,),
        retrieval_error="vector store did not answer within 10 s" if 0.975 < chance <= 0.985 else None,
    )
    outcome = run_cycle(
        cycle,
        lambda: (Decision("socratic_probe"), slots),
        ScriptedWriter(script(deployment, day, reading, word, about, rnd)),
        log,
        participants=tuple(rnd.sample(PEOPLE, 4)),
        recent_posts=tuple(posts[-5:]),
        posture="strict" if deployment.strict_posture else "standard",
        guardrail=lambda message: rnd.random() > 0.05,
    )
    if outcome.post:
        posts.append(outcome.post)


def script(
    deployment: Deployment, day: int, reading: Reading, word: str, about: str, rnd: random.Random
) -> list[str | Exception]:
    """What the writer answers, call by call: some drafts that fail, then one that passes; now and then none does."""

    def draft(kind: str) -> str:
        texts = (reading.copied,) if kind == "copied" else BAD[kind][about] if kind else GOOD[about]
        return str(rnd.choice(texts)).format(s=reading.label, w=word, c=reading.concept)

    faults = ["compound"] * 5 + ["questions"] * 4 + ["credit"] * 3 + ["unquoted"] * 2 + ["long", "pronoun", "copied", "trailing", "trailing"]  # fmt: skip
    if day < QUIET_AFTER_DAY:
        faults += ["analogy"] * 4
    first = "source" if rnd.random() < deployment.forgets_source else rnd.choice(faults) if rnd.random() < 0.3 else ""
    failing = [first] if first else []
    while failing and len(failing) < 4 and rnd.random() < 0.32:
        failing.append(rnd.choice(faults))
    if rnd.random() < 0.012:
        failing = ["source", "compound", "questions", "compound"]
    answers: list[str | Exception] = [*(draft(kind) for kind in failing), draft("")]
    if rnd.random() < 0.02:
        answers.insert(rnd.randrange(len(answers)), TimeoutError("the model did not answer within 30 s"))
    return [*answers, draft(""), draft(""), draft("")][: max(4, len(answers))]


def lantern(directory: Path, rnd: random.Random) -> None:
    """Lantern writes winston text without a conversation id, rotated each week."""
    agent = Deployment("Lantern", lambda clock: WinstonText(clock), 7, 0.62)
    socratic(agent, rnd)
    lines = chatter(agent.lines, 130, rnd, winston_text)
    cut = next(line for when, line in lines if "draft rejected" in line and (when - START).days == 24)
    lines.append((START + timedelta(days=24, hours=23, minutes=58), cut[: len(cut) // 2]))
    for number, name in enumerate(("agent.log.3.gz", "agent.log.2.gz", "agent.log.1", "agent.log")):
        save(directory / "lantern" / name, week(sorted(lines, key=lambda line: line[0]), number))


def harbor(directory: Path, rnd: random.Random) -> None:
    """Harbor writes winston JSON with a conversation id; from the third week on it runs in Docker."""
    agent = Deployment(
        "Harbor", lambda clock: WinstonJson(clock), 9, 0.58, strict_posture=True, versions=((0, "1.8.0"), (14, "1.9.0"))
    )
    socratic(agent, rnd)
    for day in (1, 3):  # an older writer of the stage, whose check is nobody's any more
        when = START + timedelta(days=day, hours=7, minutes=12)
        reason = {
            "attempt": 1,
            "stage": "shape",
            "reason": "tone too stiff",
            "draft": "Would one call the evening apposite?",
        }
        fields = {"timestamp": iso(when), "conversationId": f"harbor-old-{day}", "agent": "Harbor", "version": "1.7.9"}
        agent.lines.append(
            (
                when,
                compact_json(
                    {"level": "warn", "message": f"[SocraticStage] draft rejected {compact_json(reason)}"} | fields
                ),
            )
        )
        summary = compact_json({"outcome": "posted-writer", "attempts": 2})
        agent.lines.append(
            (
                when + timedelta(seconds=4),
                compact_json({"level": "info", "message": f"[SocraticStage] summary {summary}"} | fields),
            )
        )
    lines = chatter(agent.lines, 110, rnd, winston_json)
    broken = [line for _, line in lines if "draft rejected" in line]
    lines.append((START + timedelta(days=9, hours=3), broken[11][:160]))
    lines.append((START + timedelta(days=20, hours=3), broken[12][:200]))
    lines.sort(key=lambda line: line[0])
    for number in (0, 1):
        save(directory / "harbor" / f"harbor-2026-W{45 + number}.jsonl.zst", week(lines, number))
    wrapped = [(when, docker(when, line)) for when, line in lines]
    container = directory / "docker" / "3f9c1e77a0b2-json.log"
    save(container.with_name(container.name + ".1"), week(wrapped, 2))
    save(container, week(wrapped, 3))
