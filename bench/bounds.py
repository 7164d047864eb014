"""What no ingest of ours can take less than: starting, searching and storing by themselves, without a line being understood.

    make bench-bounds     or: python bench/bounds.py [--sparse 1000] [--dense 300] [--rounds 3]

Each step is done as fast as the libraries can: the start imports them and creates the tables of a store; the search reads the file
and looks for all markers, by as many threads as search in an ingest; storing puts the events and fires of that log from memory
into a new file, in one transaction. The bound is their processor seconds, shared by all cores; the ratio is
that of `bench/run.py` (best rival / ours, on the clock) that an ingest would reach that did nothing else.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from bench import logs, rivals  # noqa: E402 - this file is run as a script
from bench.run import SQL_ENGINES, ingest, run  # noqa: E402

_TIMED = """
import sys, time
def timed(work):
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    print(time.perf_counter() - wall, time.process_time() - cpu)
"""
_START = """
import sys
import duckdb, polars, pyarrow, typer, xxhash
from ingest.search import standard_search
from storefile import SCHEMA
standard_search()
with duckdb.connect(sys.argv[1]) as connection:
    connection.execute((SCHEMA / 'schema.sql').read_text('utf-8'))
"""
_SEARCH = (
    _TIMED
    + """
from concurrent.futures import ThreadPoolExecutor
from ingest.ahead import SEARCHERS
from ingest.compression import Decompressed
from ingest.framing import chunks
from ingest.search import standard_search
search = standard_search()
def work():
    with open(sys.argv[1], 'rb') as file, ThreadPoolExecutor(SEARCHERS) as threads:
        waiting = []
        for chunk in chunks(Decompressed(file, None), b''):
            waiting.append(threads.submit(search.find, chunk.data))
            if len(waiting) > 2 * SEARCHERS:
                waiting.pop(0).result()
timed(work)
"""
)
_STORE = (
    _TIMED
    + """
import duckdb
from storefile import SCHEMA, transaction
with duckdb.connect(sys.argv[1], read_only=True) as old:
    tables = {name: old.sql(f'SELECT * FROM {name}').to_arrow_table() for name in ('events', 'fires')}
with duckdb.connect(sys.argv[2]) as connection:
    connection.execute((SCHEMA / 'schema.sql').read_text('utf-8'))
def work():
    with duckdb.connect(sys.argv[2]) as connection, transaction(connection):
        for name, rows in tables.items():
            connection.register('new_rows', rows)
            connection.execute(f'INSERT INTO {name} SELECT * FROM new_rows')
timed(work)
"""
)


def timed(code: str, *arguments: object) -> tuple[float, float]:
    """Seconds on the clock and of the processors that a step by itself took."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    wall, cpu = map(float, done.stdout.split())
    return wall, cpu


def bounds(title: str, log: Path, rounds: int, folder: Path) -> None:
    """Print one table: each step, and what they come to."""
    full, empty = folder / "full.duckdb", folder / "empty.duckdb"
    run(ingest(log, full))
    took: dict[str, list[tuple[float, float]]] = {"start": [], "search": [], "store": []}
    engines = [command for name, command in rivals.commands(str(log))[0].items() if name in SQL_ENGINES]
    best = []
    for _ in range(rounds):
        empty.unlink(missing_ok=True)
        start = run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{_START}", str(empty)])
        took["start"].append((start.wall, start.cpu))
        took["search"].append(timed(_SEARCH, log))
        empty.unlink(missing_ok=True)
        took["store"].append(timed(_STORE, full, empty))
        best.append(min(run(command).wall for command in engines))
    print(f"\n{title}: {log.stat().st_size / 1e6:,.0f} MB, {rounds} rounds\n")
    print("| step by itself | wall s | cpu s |\n| --- | ---: | ---: |")
    least = 0.0
    for name, values in took.items():
        wall, cpu = (statistics.median(one) for one in zip(*values, strict=True))
        least += cpu / (os.cpu_count() or 1)
        print(f"| {name} | {wall:.2f} | {cpu:.2f} |")
    rival = statistics.median(best)
    print(
        f"\nat least {least:.2f} s on the clock, against {rival:.2f} s of the best rival: at most {rival / least:.2f} x"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sparse", type=float, default=1000, metavar="MB", help="size of the quiet log [1000]")
    parser.add_argument("--dense", type=float, default=300, metavar="MB", help="size of the log of gate lines [300]")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for title, mb, share in (("sparse", given.sparse, 0.01), ("dense", given.dense, 0.9)):
            log = Path(name) / f"{title}.log"
            logs.write(log, mb, share)
            bounds(title, log, given.rounds, Path(name))
            log.unlink()


if __name__ == "__main__":
    main()
