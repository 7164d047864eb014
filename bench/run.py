"""How fast is an ingest, beside engines that only answer one question? Prints one table; every ratio is of one run.

    make bench            or: python bench/run.py [--sparse 1000] [--dense 300] [--rounds 3]

Ours is the whole `gatecov ingest` process into a new store: every event with its provenance, mapped and committed. The
rivals count the reasons of one kind of line. All take turns on the same file, so that a machine that slows down slows
down all of them; the ratio is the median over the rounds of (best rival / ours).
"""

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from bench import logs, rivals  # noqa: E402 - this file is run as a script

SQL_ENGINES = ("duckdb", "clickhouse", "polars")


class Took(NamedTuple):
    """Seconds on the clock and of the processors, and the highest memory in MiB of one process."""

    wall: float
    cpu: float
    memory: float


def run(command: Sequence[str]) -> Took:
    """Run one command to its end."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=_installed())
        _, status, used = os.wait4(child.pid, 0)
        wall = time.perf_counter() - started
        if code := os.waitstatus_to_exitcode(status):
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace").strip()[-300:]
            raise SystemExit(f"{' '.join(command)[:120]}: failed with {code}, so there is nothing to compare: {said}")
    return Took(wall, used.ru_utime + used.ru_stime, _mebibytes(used))


def _installed() -> dict[str, str]:
    """The environment in which a program is run that somebody installed: its modules are compiled once."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _mebibytes(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def ingest(log: Path, store: Path, *, anew: bool = True) -> list[str]:
    if anew:
        store.unlink(missing_ok=True)
    return [sys.executable, "-c", "import gatecov; gatecov.main()", "ingest", str(log), "--db", str(store)]


def compare(title: str, log: Path, rounds: int, store: Path) -> None:
    """Print one table: ours and each rival in turn."""
    others, missing = rivals.commands(str(log))
    took: dict[str, list[Took]] = {name: [] for name in ("gatecov ingest", *others, "gatecov ingest, unchanged")}
    run(["cat", str(log)])  # into the page cache
    for _ in range(rounds):
        took["gatecov ingest"].append(run(ingest(log, store)))
        for name, command in others.items():
            took[name].append(run(command))
        took["gatecov ingest, unchanged"].append(run(ingest(log, store, anew=False)))
    size = log.stat().st_size
    print(f"\n{title}: {size / 1e6:,.0f} MB, {rounds} rounds\n")
    print("| what | wall s | cpu s | MB/s | memory MiB |\n| --- | ---: | ---: | ---: | ---: |")
    for name, all_of_it in took.items():
        wall, cpu, memory = (statistics.median(values) for values in zip(*all_of_it, strict=True))
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {size / wall / 1e6:,.0f} | {memory:,.0f} |")
    engines = [name for name in SQL_ENGINES if name in took]
    for figure, what in ((0, "wall"), (1, "cpu")):
        ratios = [
            min(took[name][n][figure] for name in engines) / took["gatecov ingest"][n][figure] for n in range(rounds)
        ]
        print(f"\nbest of {', '.join(engines)} / ours, {what}: {statistics.median(ratios):.2f} x", end="")
    print("".join(f"\nnot installed: {name}" for name in missing))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sparse", type=float, default=1000, metavar="MB", help="size of the quiet log [1000]")
    parser.add_argument("--dense", type=float, default=300, metavar="MB", help="size of the log of gate lines [300]")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    os.chdir(ROOT)
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as folder:
        for title, mb, share in (("sparse", given.sparse, 0.01), ("dense", given.dense, 0.9)):
            log = Path(folder) / f"{title}.log"
            logs.write(log, mb, share)
            compare(title, log, given.rounds, Path(folder) / "store.duckdb")
            log.unlink()


if __name__ == "__main__":
    main()
