"""Quill, an agent with tools: its turns leave audit events and console lines."""

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from checks.logs import compact_json
from checks.turn.conversation import ScriptedModel, Session
from checks.turn.loop import run_turn
from samples.folder import START, Line, chatter, days, pino, save, week
from samples.turns import SCENARIOS, TOOLS

SESSIONS_A_DAY = 7


@dataclass
class Turns:
    """The clock, the console and the audit trail of one session's turns."""

    now: datetime
    rnd: random.Random
    console: list[Line] = field(default_factory=list)
    audit: list[Line] = field(default_factory=list)

    def milliseconds(self) -> int:
        self.now += timedelta(milliseconds=self.rnd.randint(20, 900))
        return int(self.now.timestamp() * 1000)

    def new_id(self) -> str:
        return f"{self.rnd.getrandbits(64):016x}"


@dataclass
class Kept:
    """Takes the lines of a turn, with the time at which each was written."""

    turns: Turns
    lines: list[Line]

    def write(self, text: str) -> None:
        self.lines.append((self.turns.now, text.rstrip("\n")))


def quill(directory: Path, rnd: random.Random) -> None:
    """Four weeks of turns: the console through pino, rotated; the audit trail beside it, the older weeks compressed."""
    console: list[Line] = []
    audit: list[Line] = []
    for day in days():
        for number in range(SESSIONS_A_DAY - (day % 7 > 4) * 3):
            turns = Turns(START + timedelta(days=day, hours=7, seconds=rnd.randint(0, 14 * 3600)), rnd)
            for _ in range(rnd.randint(3, 8)):
                scenario = rnd.choices(SCENARIOS, [one.weight for one in SCENARIOS])[0]
                session = Session(f"q-{day:02d}{number:02d}")
                scenario.prepare(session)
                run_turn(
                    ScriptedModel(*scenario.replies()),
                    TOOLS,
                    session,
                    Kept(turns, turns.console),
                    Kept(turns, turns.audit),
                    clock=turns.milliseconds,
                    new_id=turns.new_id,
                )
                turns.now += timedelta(seconds=rnd.randint(20, 400))
            console += turns.console
            audit += turns.audit
    audit += [_retired(day, rnd) for day in (0, 1, 1, 2)]
    audit.sort(key=lambda line: line[0])
    printed = [(when, pino(when, text, 40 if " fired " in text else 30)) for when, text in console]
    lines = chatter(printed, 90, rnd, pino)
    save(directory / "quill" / "quill.log.2.bz2", week(lines, 0) + week(lines, 1))
    save(directory / "quill" / "quill.log.1.gz", week(lines, 2))
    save(directory / "quill" / "quill.log", week(lines, 3))
    for number in range(4):
        name = f"audit-2026-W{45 + number}.jsonl" + (".xz" if number < 2 else "")
        save(directory / "quill" / "audit" / name, week(audit, number))
    # A worker that prints to a bare console: no line has a time of its own, so what it tells is undated.
    bare = [text for _, text in console if text.startswith("[honesty]")][:40]
    save(directory / "quill" / "worker-console.txt", [text.replace("session=q-", "session=w-") for text in bare])


def _retired(day: int, rnd: random.Random) -> Line:
    """A fire of a check that is gone: the older build wrote no hash chain."""
    when = START + timedelta(days=day, hours=6, seconds=rnd.randint(0, 3000))
    data = {
        "source": "honesty_gate",
        "toolName": "honesty_gate_fired",
        "sessionId": f"q-old-{day}",
        "severity": "medium",
        "reason": "unverified_destructive",
        "failCount": 0,
        "okCount": 2,
        "matchedClaim": "cleaned up",
    }
    event = {
        "id": f"{rnd.getrandbits(64):016x}",
        "timestamp": int(when.timestamp() * 1000),
        "type": "self_domain_write",
        "data": data,
    }
    return when, compact_json(event)
