"""Probed discussions and lessons: answers on a scale, and transcripts of a prober and a teacher."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from checks.lesson.records import answered, call, message, returned, text
from checks.lesson.records import to_jsonl as message_line
from checks.lesson.tools import outcome
from checks.probe import Line as Spoken
from checks.probe import Persona, Probe, ProbeAnswer, Reply, Request, after_item, ask, to_csv, to_jsonl
from samples.folder import START, days, iso, save

PROBE = Probe(
    "Where do you stand on longer opening hours, from 1 (strongly against) to 7 (strongly in favour)?",
    ["start", after_item(4), "end"],
    label="position",
    scale=(1, 7),
)
UNREAD = ("between 3 and 4", "not 7", "six", "4.5", "6/10", "P3 said 5", "at least 5", "3 or 4", "9")
NODES = (("roots", "Where the idea comes from", ()), ("terms", "Its terms", ("roots",)), ("case", "A worked case", ("terms",)),
         ("limits", "Where it ends", ("terms",)), ("own", "A case of one's own", ("case", "limits")))  # fmt: skip


@dataclass
class Panel:
    """Participants whose positions drift, and who do not always answer with a number."""

    rnd: random.Random
    stands: dict[str, int]

    def reply(self, request: Request) -> Reply:
        chance, stands = self.rnd.random(), self.stands[request.persona.participant]
        if chance < 0.03:
            return Reply("", cut_off=False)
        if chance < 0.16 and not request.exchange:
            return Reply(self.rnd.choice(UNREAD))
        if chance < 0.04 or (request.exchange and chance > 0.8):
            return Reply("I would rather not say")
        return Reply(
            self.rnd.choice((f"{stands}", f"**{stands}**", f"{stands}/7, I think", f"On a scale of 1 to 7: {stands}"))
        )


def probes(directory: Path, rnd: random.Random) -> None:
    """Two probed discussions a week, the last one as CSV."""
    answers: list[ProbeAnswer] = []
    for number in range(8):
        begins = START + timedelta(days=number * 3 + 2, hours=18)
        people = [f"P{place}" for place in range(1, 7)]
        panel = Panel(rnd, {name: rnd.randint(2, 5) for name in people})
        log = [Spoken("moderator", "Welcome."), *(Spoken(name, "I have a view on that.") for name in people)]
        for step, point in enumerate(PROBE.at):
            when = iso(begins + timedelta(minutes=25 * step))
            asked = ask(
                PROBE, point, [Persona(name) for name in people], log, panel, session=f"panel-{number}", time=when
            )
            answers += asked.answers
            panel.stands = {
                name: min(7, max(1, at + rnd.choice((0, 0, 1, 1, -1)))) for name, at in panel.stands.items()
            }
    last = [answer for answer in answers if answer.session == "panel-7"]
    save(directory / "panels" / "answers.jsonl", to_jsonl(a for a in answers if a not in last).splitlines())
    save(directory / "panels" / "answers-panel-7.csv", to_csv(last).split("\n")[:-1])


@dataclass
class Lesson:
    """A transcript that grows, and the time of its newest message."""

    session: str
    now: datetime
    messages: list[dict[str, object]]
    lines: list[str]

    def say(self, role: str, *parts: Mapping[str, object]) -> None:
        self.now += timedelta(seconds=40)
        self.messages.append(message(role, *parts))
        self.lines.append(message_line(self.messages[-1], session=self.session, time=iso(self.now)).rstrip("\n"))

    def tool(self, tool: str, given: Mapping[str, object], number: int) -> None:
        """Call a tool; what its own rules make of the call is its result."""
        part = call(tool, f"c{number}", given)
        self.say("assistant", returned(part, outcome(tool, given, self.messages)))


def lessons(directory: Path, rnd: random.Random) -> None:
    """Nine lessons: most are taught with tags, some never tag a quiz, one is stuck before `teach`."""
    for number, day in enumerate(list(days())[::3]):
        lesson = Lesson(f"lesson-{number}", START + timedelta(days=day, hours=16), [], [])
        lesson.say("user", text("I would like to understand this."))
        for quiz in range(2):
            part = call("quiz", f"p{quiz}", {"question": "What do you take it to mean?", "correctAnswer": "open"})
            lesson.say("assistant", answered(part, {"answer": "not sure"}))
        if number == 4:
            open_question = call("quiz", "p9", {"question": "And why?", "correctAnswer": "open"})
            lesson.say("assistant", open_question)
            lesson.tool("probe_done", {"strands": [{"strand": "terms", "edge": "knows the words"}]}, 90)
        else:
            lesson.tool("probe_done", {"strands": [{"strand": "terms", "edge": "knows the words"}]}, 10)
            if number == 2:
                lesson.tool("probe_done", {"strands": [{"strand": "terms", "edge": "again"}]}, 11)
            lesson.tool("plan_init", {"nodes": [{"id": i, "title": t, "requires": list(r)} for i, t, r in NODES]}, 12)
            _teach(lesson, rnd, tags=0.0 if number in (1, 6) else 0.8, strays=number == 5)
        save(directory / "lessons" / f"{lesson.session}.jsonl", lesson.lines)


def _teach(lesson: Lesson, rnd: random.Random, tags: float, strays: bool) -> None:
    for number, (node, title, _) in enumerate(NODES[: rnd.randint(2, len(NODES))]):
        for check in range(rnd.randint(1, 3)):
            given = {"question": f"{title}: what follows?", "correctAnswer": "open"}
            if strays and check == 0 and number == 1:
                lesson.tool("quiz", given | {"nodeId": "terns"}, 20 + number)
            part = call("quiz", f"t{number}{check}", given | ({"nodeId": node} if rnd.random() < tags else {}))
            lesson.say("assistant", answered(part, {"correct": rnd.random() < 0.7}))
