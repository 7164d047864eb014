"""kill -9 at random moments, four ingests, ten readers, for N minutes: at the end every event is in the store exactly once.

    python bench/stress.py [MINUTES] [--seed N]

Log files grow and are rotated while ingests of the whole folder run over them, are killed at random moments and start
again; readers ask all the time, and none may be turned away. Prints what it did, and ends with 1 where anything is wrong.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
INGESTS, READERS, FILES = 4, 10, 6
INGEST = """
import sys
from pathlib import Path
import ingest.store as store
from ingest import ingest
store.BATCH_ROWS, store.GROUP_ROWS = 500, 250
ingest([sys.argv[2]], Path(sys.argv[1]))
"""
READER = """
import sys, time
from pathlib import Path
from storefile import StoreError, read
db, done, asked = Path(sys.argv[1]), Path(sys.argv[2]), 0
longest = 0.0
while not done.exists():
    began = time.monotonic()
    try:
        read(db, "SELECT system, count(*) FROM events GROUP BY ALL")
        asked += 1
        longest = max(longest, time.monotonic() - began)
    except StoreError as error:
        if "no store here yet" not in str(error) and "nothing in this store" not in str(error):
            raise
    time.sleep(0.05)
print(asked, round(longest, 2))
"""


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Logs:
    """Files that grow, each turn logged once, and rotate by renaming."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.folder, self.dice, self.turns, self.rotations = folder, dice, 0, 0

    def grow(self) -> None:
        path = self.folder / f"app-{self.dice.randrange(FILES)}.log"
        with path.open("a", encoding="utf-8") as file:
            for _ in range(self.dice.randrange(1, 400)):
                message = f"[turn] session=s-{self.turns} done outcome=response durationMs=8 tools=1 ok=1 fail=0"
                stamp = "2026-09-01T10:00:00.000Z"
                file.write(json.dumps({"level": "info", "message": message, "timestamp": stamp}) + "\n")
                file.write(json.dumps({"level": "debug", "message": "chatter", "timestamp": stamp}) + "\n")
                self.turns += 1
        if self.dice.random() < 0.05:
            self.rotations += 1
            path.rename(self.folder / f"{path.name}.{self.rotations}")


def stress(minutes: float, seed: int) -> bool:
    """Whether all went well; what happened is printed."""
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        folder, db, done = Path(place) / "logs", Path(place) / "store.duckdb", Path(place) / "done"
        folder.mkdir()
        logs = Logs(folder, dice)
        logs.grow()
        readers = [start(READER, db, done) for _ in range(READERS)]
        running = [start(INGEST, db, folder) for _ in range(INGESTS)]
        ended = killed = 0
        problems: list[str] = []
        until = time.monotonic() + minutes * 60
        while time.monotonic() < until:
            logs.grow()
            time.sleep(dice.random() * 0.3)
            for n, one in enumerate(running):
                if one.poll() is None and dice.random() < 0.01:
                    one.kill()
                    killed += 1
                elif one.poll() is not None:
                    ended += one.returncode == 0
                    if one.returncode not in (0, -9):
                        problems.append(one.communicate()[1])
                else:
                    continue
                one.communicate()
                running[n] = start(INGEST, db, folder)
        for n in range(INGESTS + 1):
            one = running[n] if n < INGESTS else start(INGEST, db, folder)
            _, error = one.communicate()
            ended += one.returncode == 0
            problems += [error] if one.returncode else []
        done.touch()
        asked, longest = 0, 0.0
        for one in readers:
            out, error = one.communicate()
            if one.returncode:
                problems.append(error)
            else:
                asked += int(out.split()[0])
                longest = max(longest, float(out.split()[1]))
        for problem in dict.fromkeys(problems[:5]):
            print(problem[-2000:])
        from storefile import read

        [counted] = read(
            db, "SELECT count(*) AS events, count(DISTINCT session) AS turns FROM events WHERE kind = 'turn_done'"
        ).rows()
        print(
            f"seed {seed}, {minutes:g} minutes: {ended} ingests ended, {killed} were killed, {logs.rotations} rotations"
        )
        print(f"{asked} questions by {READERS} readers, the longest wait {longest} s; {len(problems)} programs failed")
        print(f"{logs.turns} turns were logged; the store holds {counted[0]} events of {counted[1]} turns")
        return not problems and counted == (logs.turns, logs.turns)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("minutes", nargs="?", type=float, default=5.0)
    arguments.add_argument("--seed", type=int, default=random.randrange(10**6))
    chosen = arguments.parse_args()
    sys.exit(0 if stress(chosen.minutes, chosen.seed) else 1)
