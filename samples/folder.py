"""How sample_logs lie on disk: days, chatter, what wraps a line, rotation and compression."""

import bz2
import gzip
import lzma
import random
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import zstandard

from checks.logs import compact_json
from samples.material import CHATTER

START = datetime(2026, 11, 2, tzinfo=UTC)
DAYS = 28
SILENT_DAY = 13

Line = tuple[datetime, str]
"""When a line was written, and the line without its line feed."""


def days() -> Iterator[int]:
    """The days of the month that have logs, from 0."""
    return (day for day in range(DAYS) if day != SILENT_DAY)


def chatter(lines: Iterable[Line], a_day: int, rnd: random.Random, write: Callable[[datetime, str], str]) -> list[Line]:
    """`lines` among the agent's own chatter, in the order of time."""
    mixed = list(lines)
    for day in days():
        for _ in range(a_day):
            when = START + timedelta(days=day, seconds=rnd.randint(0, 86_399), milliseconds=rnd.randint(0, 999))
            mixed.append((when, write(when, " ".join(rnd.choices(CHATTER, k=rnd.randint(5, 14))))))
    return sorted(mixed, key=lambda line: line[0])


def winston_text(when: datetime, message: str) -> str:
    return f"{when:%Y-%m-%d %H:%M:%S} debug: {message}"


def winston_json(when: datetime, message: str) -> str:
    return compact_json({"level": "debug", "message": message, "timestamp": iso(when), "service": "reader"})


def docker(when: datetime, line: str) -> str:
    return compact_json({"log": line + "\n", "stream": "stdout", "time": f"{when:%Y-%m-%dT%H:%M:%S.%f}000Z"})


def pino(when: datetime, message: str, level: int = 20) -> str:
    stamp = int(when.timestamp() * 1000)
    return compact_json(
        {"level": level, "time": stamp, "pid": 7, "hostname": "quill-1", "name": "Quill", "msg": message}
    )


def iso(when: datetime) -> str:
    return when.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def week(lines: Iterable[Line], number: int) -> list[str]:
    """The lines of one week, from 0."""
    return [line for when, line in lines if (when - START).days // 7 == number]


def save(path: Path, lines: Iterable[str]) -> None:
    """Write lines, compressed as the suffix says, the same bytes each time."""
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    elif path.suffix == ".bz2":
        data = bz2.compress(data)
    elif path.suffix == ".xz":
        data = lzma.compress(data)
    elif path.suffix == ".zst":
        data = zstandard.ZstdCompressor().compress(data)
    path.write_bytes(data)
