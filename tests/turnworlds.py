"""Invented turns, probed discussions and lessons for the closed loop, each with its tally (see `worlds.py`)."""

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from checks.gates.turn_state import Barrier, Plan, Source, Step
from checks.honesty import ReasoningState, ToolResult, evaluate_honesty
from checks.lesson.records import answered, call, message, returned, text
from checks.lesson.records import to_jsonl as message_line
from checks.lesson.tools import outcome
from checks.probe import Line as Spoken
from checks.probe import Persona, Probe, ProbeAnswer, Reply, Request, after_item, ask, read_scale_answer
from checks.registry import family_checks
from checks.turn.conversation import Message, Session, Tool, ToolCall
from checks.turn.conversation import Reply as Said
from checks.turn.loop import run_turn
from samples.quill import Kept, Turns
from tests.tally import Item, Tally
from tests.worlds import START, Line

ORDERS = {check.check_id: check.order for family in ("honesty", "probe.scale") for check in family_checks(family)}
ERRORS = {
    "fetch": ("transient", "ETIMEDOUT after 20 s"),
    "resolve": ("transient", "getaddrinfo ENOTFOUND api"),
    "stream": ("transient", "socket hang up"),
    "quota": ("transient", "Too many requests, slow down"),
    "upstream": ("transient", "HTTP 502 bad gateway"),
    "login": ("auth", "HTTP 403 forbidden"),
    "sign": ("auth", "invalid api key"),
    "submit": ("param", "HTTP 422 unprocessable entity"),
    "validate": ("param", "validation failed: missing field name"),
    "route": ("method", "HTTP 405 method not allowed"),
    "command": ("method", "unknown method frobnicate"),
    "evaluate": ("mechanical", "SyntaxError: invalid syntax"),
    "script": ("mechanical", "KeyError: 'total'"),
    "shell": ("mechanical", "bash: jqq: command not found"),
    "open": ("unclassified", "EACCES: permission denied"),
    "mystery": ("unclassified", "the frob is not aligned"),
}
"""Tools that fail: the class that reflection must give their failure, and what they raise."""


def _gives(output: str | None) -> Tool:
    return lambda _: output


def _raises(error: str) -> Tool:
    def tool(_: Mapping[str, object]) -> str:
        raise RuntimeError(error)

    return tool


TOOLS: dict[str, Tool] = {name: _raises(error) for name, (_, error) in ERRORS.items()} | {
    "look": _gives("3 lines"),
    "measure": _gives("notes.md size 12034 bytes"),
    "keep_fact": _gives("stored"),
    "start_job": _gives(None),
    "write_page": _gives("written"),
}
TEXTS = (
    "The page lists three ferries.",
    "The migration has been completed.",
    'It "deployed" fine → 100 %; so I have fixed it.',
    "I'll remember that you row.",
    "已完成迁移。",
    "The file notes.md is 912 MB.",
    "I wrote /srv/ferry/plan.md.",
    "Round 4 added +2 proofs.",
    "All branches are closed.",
    "",
    "Ok.",
    "I did the first half. Next, I'll write the second half.",
    "The crossing was calm and the ropes held on every one of them. " * 20,
    "All steps of the plan are done.",
    "Let us go on with the tidal lemma.",
    "Ferries hibernate under 30 cm of ice [1].",
    "Should I go on?",
)


class Scripted:
    """A model that calls its tools one by one and then draws final texts by chance; keeps the texts it gave."""

    def __init__(self, rnd: random.Random, calls: Sequence[str], *, never_ends: bool = False) -> None:
        self._rnd, self._calls, self._never_ends = rnd, list(calls), never_ends
        self.texts: list[str] = []

    def reply(self, messages: Sequence[Message]) -> Said:
        if self._calls:
            return Said("", [ToolCall(self._calls.pop(0))])
        if self._never_ends:
            return Said("", [ToolCall("look")])
        self.texts.append(self._rnd.choice(TEXTS))
        return Said(self.texts[-1])


@dataclass
class TurnWorld:
    """Sessions of an agent with tools: the console's lines and the audit trail's."""

    rnd: random.Random
    tally: Tally
    console: list[Line] = field(default_factory=list)
    audit: list[Line] = field(default_factory=list)

    def converse(self, sessions: int) -> None:
        for number in range(sessions):
            turns = Turns(START + dt.timedelta(hours=3 * number), self.rnd)
            day = turns.now.date()
            for _ in range(self.rnd.randint(1, 5)):
                self._turn(turns, f"t-{number:03d}", day)
                turns.now += dt.timedelta(seconds=self.rnd.randint(30, 400))
            self.console += turns.console
            self.audit += turns.audit

    def _session(self, name: str) -> Session:
        chance = self.rnd.random
        return Session(
            name,
            plan=Plan("p-1", steps=(Step("one"), Step("two")), circuit_breaker_fired=True) if chance() < 0.25 else None,
            reasoning=ReasoningState(open_frontier_count=3) if chance() < 0.3 else None,
            sources=(Source("1", "Ferries cross at noon and rest at night."),) if chance() < 0.5 else (),
            barriers=(Barrier("tidal lemma", "it needs a choice"),) if chance() < 0.5 else (),
            blocked_tools=frozenset({"submit"}) if chance() < 0.2 else frozenset(),
            slow_tools=frozenset({"write_page"}) if chance() < 0.4 else frozenset(),
        )

    def _turn(self, turns: Turns, name: str, day: dt.date) -> None:
        state = self._session(name)
        tools = self.rnd.choices(
            list(TOOLS), [6 if name == "start_job" else 1 for name in TOOLS], k=self.rnd.choice((0, 1, 1, 2))
        )
        tools += tools[:1] * self.rnd.choice((0, 1))
        model = Scripted(self.rnd, tools, never_ends=self.rnd.random() < 0.03)
        result = run_turn(
            model,
            TOOLS,
            state,
            Kept(turns, turns.console),
            Kept(turns, turns.audit),
            clock=turns.milliseconds,
            new_id=turns.new_id,
        )
        tally = self.tally
        passes, fires = self._honesty(name, day, model.texts, result.tool_results, state.reasoning)
        assert (passes, fires) == (result.honesty_passes, [fire for fire in result.fires if fire[0] == "honesty"])
        for gate, reason in result.fires:
            if gate != "honesty":
                tally.events["gates", "gate_fired"] += 1
                tally.gates[gate, reason, ""] += 1
                tally.fire([f"gates.{gate}"], Item("gates", name, day) if result.outcome == "response" else None)
        for signature in result.reminders:
            tally.events["reflection", "reminder"] += 1
            tally.reminders[signature] += 1
            tally.fire([f"reflection.{ERRORS[signature.partition(':')[0]][0]}"])
        for tool in result.refusals:
            kind = "tool_blocked" if tool in state.blocked_tools else "plan_blocked"
            tally.events["protocol", kind] += 1
            tally.refusals[kind, tool] += 1
        tally.events["turn", "turn_done"] += 1
        if result.outcome == "response":
            tally.items.append(Item("gates", name, day))

    def _honesty(
        self,
        name: str,
        day: dt.date,
        texts: Sequence[str],
        results: Sequence[ToolResult],
        reasoning: ReasoningState | None,
    ) -> tuple[int, list[tuple[str, str]]]:
        """What the honesty gate says of each text; a second objection of a turn is not logged, so it is no item."""
        passes, fires = 0, []
        for said in texts:
            found = evaluate_honesty(said, results, reasoning)
            if found is None:
                passes += 1
                self.tally.events["honesty", "gate_passed"] += 1
                self.tally.judge(Item("honesty", name, day))
            elif not fires:
                fires.append(("honesty", found.reason))
                check_id = f"honesty.{found.reason}"
                self.tally.events["honesty", "gate_fired"] += 1
                self.tally.judge(Item("honesty", name, day, ORDERS[check_id]), [check_id])
                key = ("honesty", found.reason, found.severity)
                self.tally.gates[key] += 1
                self.tally.gate_results[(*key, "ok")] += found.ok_count
                self.tally.gate_results[(*key, "fail")] += found.fail_count
        return passes, fires


ANSWERS = (
    "3",
    "**5**",
    "4/6",
    "١",
    "between 2 and 3",
    "not 5",
    "two",
    "2.5",
    "4/10",
    "9",
    "at least 4",
    "2 or 3",
    "n/a",
    "",
)
PROBES = (
    Probe("How far would you go, from 1 to 6?", ["start", after_item(2), "end"], label="distance", scale=(1, 6)),
    Probe("What is on your mind?", ["end"], label="mind"),
)


@dataclass
class Panel:
    """Participants who answer by chance."""

    rnd: random.Random

    def reply(self, request: Request) -> Reply:
        return Reply(self.rnd.choice(ANSWERS), cut_off=self.rnd.random() < 0.1)


def probed(rnd: random.Random, discussions: int, tally: Tally) -> list[list[ProbeAnswer]]:
    """The answers of so many discussions."""
    found = []
    for number in range(discussions):
        session, day = f"panel-{number}", (START + dt.timedelta(days=number)).date()
        answers: list[ProbeAnswer] = []
        log = [Spoken("host", "Welcome.")]
        people = [Persona(f"P{place}") for place in range(5)]
        for probe in PROBES:
            for at in probe.at:
                asked = ask(probe, at, people, log, Panel(rnd), session=session, time=f"{day}T10:00:00.000Z")
                for answer in asked.answers:
                    calls = [one for one in asked.calls if one.participant == answer.participant]
                    _keep_answer(tally, probe, answer, [(one.purpose, one.raw) for one in calls], day)
                answers += asked.answers
        found.append(answers)
    return found


def _keep_answer(
    tally: Tally, probe: Probe, answer: ProbeAnswer, calls: Sequence[tuple[str, str]], day: dt.date
) -> None:
    """What reading each reply comes to, told from the calls alone."""
    first = [raw for purpose, raw in calls if purpose != "reask"][-1]
    stands = [first] + [raw for purpose, raw in calls if purpose == "reask" and raw]
    readings = [read_scale_answer(raw, *probe.scale) for raw in stands if raw] if probe.scale else []
    value = readings[-1].value if readings else None
    outcome = "na" if not stands[-1] else "text" if not probe.scale else "unread" if value is None else "read"
    tally.events["probe", "answer"] += 1
    tally.attempts["probe", len(calls), outcome] += 1
    assert (stands[-1] or None, value) == (answer.answer, answer.value)
    if readings:
        refused = [reading.refusal for reading in readings if reading.refusal]
        reach = max(ORDERS[check_id] for check_id in refused) if value is None else None
        tally.judge(Item("probe.scale", answer.session or "", day, reach), dict.fromkeys(refused))


PLAN = [{"id": f"n{number}", "title": f"Part {number}", "requires": []} for number in range(1, 4)]
BOTH = ("lesson.probe_done_twice", "lesson.probe_done_while_open")


@dataclass
class LessonWorld:
    """Lessons that call their tools in any order, refused or not; `lines` hold one message each."""

    rnd: random.Random
    tally: Tally
    lines: list[str] = field(default_factory=list)
    messages: list[dict[str, object]] = field(default_factory=list)
    plain_errors: int = 0

    def converse(self, lessons: int) -> None:
        for number in range(lessons):
            self.now, self.session, self.messages = START + dt.timedelta(hours=5 * number), f"lesson-{number}", []
            self._say("user", text("teach me"))
            for step in range(self.rnd.randint(3, 14)):
                self._step(f"c{step}")

    def _step(self, call_id: str) -> None:
        tool = self.rnd.choice(("quiz", "quiz", "quiz", "open quiz", "probe_done", "plan_init"))
        given: dict[str, object] = {}
        if tool == "probe_done":
            given = {"strands": [{"strand": "ferries", "edge": "knows one"}]}
        elif tool == "plan_init":
            given = {"nodes": PLAN}
        else:
            given = {"question": "why?", "correctAnswer": "so"}
            if self.rnd.random() < 0.6:
                given["nodeId"] = self.rnd.choice(("n1", "n2", "n3", "n9"))
        self._call(tool.removeprefix("open "), given, call_id, waits=tool.startswith("open"))

    def _call(self, tool: str, given: Mapping[str, object], call_id: str, *, waits: bool) -> None:
        came = outcome(tool, given, self.messages)
        part = call(tool, call_id, given)
        if came.error is not None or tool != "quiz":
            self._say("assistant", returned(part, came))
        else:
            self._say("assistant", part)
            if not waits:
                self._say("assistant", answered(part, {"answer": "so"}))
        day = self.now.date()
        self.plain_errors += came.error is not None and came.refusal is None
        if came.refusal:
            judged = BOTH if came.refusal == BOTH[1] else (came.refusal,)
            self.tally.judge(Item("lesson", self.session, day, only=judged), [came.refusal])
        elif came.error is None and tool == "probe_done":
            self.tally.judge(Item("lesson", self.session, day, only=BOTH))
        elif came.error is None and tool == "quiz" and "nodeId" in given:
            self.tally.judge(Item("lesson", self.session, day, only=("lesson.unknown_node",)))

    def _say(self, role: str, *parts: Mapping[str, object]) -> None:
        self.now += dt.timedelta(seconds=30)
        self.messages.append(message(role, *parts))
        time = self.now.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
        self.lines.append(message_line(self.messages[-1], session=self.session, time=time).rstrip("\n"))
