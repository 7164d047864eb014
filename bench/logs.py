"""Write a log with a known truth: an application's chatter, and runs of the Socratic stage among it.

    python bench/logs.py FILE --mb 1000 --runs 0.01 [--format winston-json] [--seed 7]

`--runs` is the share of steps that are runs of the stage: 0.01 is a quiet production log, 0.9 one that holds little else.
The reasons are those of the catalog, but for the last four, which never fire. The truth is printed as JSON.
"""

import argparse
import datetime as dt
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from checks.registry import catalog

WORDS = "agent transcript turn retrieved passage chunk embedding vector channel message poll latency token budget cache".split()
FORMATS = ("winston-json", "winston-text", "pino", "docker")
NEVER_FIRE = 4
START = dt.datetime(2026, 9, 1, tzinfo=dt.UTC)
BLOCK = 4000


def write(path: Path, mb: float, runs: float, layout: str = "winston-json", seed: int = 7) -> dict[str, Any]:
    """Write about `mb` megabytes to `path`; the truth: lines, events, fires by reason, runs by attempts and outcome."""
    writer = _Writer(runs, layout, seed)
    size = 0
    lines = writer.lines()
    with path.open("wb") as out:
        while size < mb * 1_000_000:
            data = "".join(f"{next(lines)}\n" for _ in range(min(BLOCK, int(mb * 4000) or 1))).encode()
            size += out.write(data)
        out.write("".join(f"{line}\n" for line in writer.rest(lines)).encode())
    return writer.truth()


class _Writer:
    def __init__(self, share: float, layout: str, seed: int) -> None:
        self.share, self.layout, self.dice = share, layout, random.Random(seed)
        reasons = [check.reason for check in catalog() if check.family == "socratic.shape"]
        self.reasons = reasons[:-NEVER_FIRE]
        self.now, self.conversation, self.open = START, 0, 0
        self.fires: Counter[str] = Counter()
        self.runs: Counter[str] = Counter()
        self.written = self.events = 0

    def truth(self) -> dict[str, Any]:
        return {"lines": self.written, "events": self.events, "fires": dict(self.fires), "runs": dict(self.runs)}

    def lines(self) -> Iterator[str]:
        while True:
            self.now += dt.timedelta(milliseconds=self.dice.randint(5, 900))
            if self.dice.random() < self.share:
                yield from self._run()
            else:
                text = " ".join(self.dice.choices(WORDS, k=self.dice.randint(8, 30)))
                request = f"r{self.dice.getrandbits(32):08x}"
                yield self._line(
                    "debug", text, service="engine", requestId=request, durationMs=self.dice.randint(1, 4000)
                )

    def rest(self, lines: Iterator[str]) -> Iterator[str]:
        """The lines that are left of a run that has begun."""
        while self.open:
            yield next(lines)

    def _run(self) -> Iterator[str]:
        self.conversation += 1
        session = f"c{self.conversation % 5000:05d}"
        outcome = self.dice.choices(["posted-writer", "posted-template", "silent"], [96, 3, 1])[0]
        posted = outcome == "posted-writer"
        attempts = self.dice.choices([1, 2, 3, 4], [60, 22, 12, 6])[0] if posted else 4
        records: list[tuple[str, str]] = []
        for attempt in range(1, attempts + (not posted)):
            failed = self.dice.sample(self.reasons, self.dice.choice([1, 1, 1, 2, 3]))
            self.fires.update(failed)
            draft = f'When we say "sound", would Lee mean the same; or {" ".join(self.dice.choices(WORDS, k=12))}?'
            payload = {"attempt": attempt, "stage": "shape", "reason": "; ".join(failed), "draft": draft}
            records.append(("warn", f"[SocraticStage] draft rejected {_compact(payload)}"))
        if not posted:
            records.append(("warn", "[SocraticStage] no draft passed — using template fallback"))
            used = "used" if outcome == "posted-template" else f"failed checks ({self.reasons[0]}) — staying silent"
            self.fires.update([] if outcome == "posted-template" else [self.reasons[0]])
            records.append(("info", f"[SocraticStage] template fallback {used}"))
        records.append(("info", f"[SocraticStage] summary {_compact({'outcome': outcome, 'attempts': attempts})}"))
        self.runs[f"{attempts} {outcome}"] += 1
        self.events += len(records)
        self.open = len(records)
        for level, message in records:
            self.open -= 1
            yield self._line(level, message, conversationId=session)

    def _line(self, level: str, message: str, **beside: object) -> str:
        self.written += 1
        iso = f"{self.now:%Y-%m-%dT%H:%M:%S}.{self.now.microsecond // 1000:03d}Z"
        if self.layout == "winston-text":
            return f"{self.now:%Y-%m-%d %H:%M:%S} {level}: {message}"
        if self.layout == "pino":
            number = {"debug": 20, "info": 30, "warn": 40}[level]
            time = int(self.now.timestamp() * 1000)
            return _compact({"level": number, "time": time, "pid": 7, "hostname": "h", "msg": message, **beside})
        record = _compact({"level": level, "message": message, "timestamp": iso, **beside})
        if self.layout == "docker":
            return _compact({"log": f"{record}\n", "stream": "stdout", "time": f"{iso[:-1]}000000Z"})
        return record


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--mb", type=float, default=100)
    parser.add_argument("--runs", type=float, default=0.01)
    parser.add_argument("--format", choices=FORMATS, default="winston-json")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    print(json.dumps(write(given.file, given.mb, given.runs, given.format, given.seed), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
