"""Whose turn it is at the store, so that a writer among many readers gets one.

DuckDB lets readers in as long as any other reads, and a writer would wait for ever. Here a writer locks the store's
folder while it waits and writes, and readers wait before they open the store. The lock dies with its process. It is for fairness
alone: where it cannot be had, and against other programs, DuckDB's own lock decides.
"""

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # no such locks on this system
    fcntl = None

_turns: set[Path] = set()
"""The folders in whose stores this process has its turn to write."""


@contextmanager
def turn(db: Path, until: float) -> Iterator[None]:
    """Keep new readers waiting from when a writer of `db` begins to wait until it has written; at most until `until`."""
    folder = db.resolve().parent
    if folder in _turns or fcntl is None:  # it is this process's turn already
        yield
        return
    handle = None
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        _wait(handle, until)
    _turns.add(folder)
    try:
        yield
    finally:
        _turns.discard(folder)
        if handle is not None:
            os.close(handle)


@contextmanager
def between_writers(db: Path, until: float) -> Iterator[None]:
    """A moment in which no writer of another process has its turn, for a reader to open the store; waits at most until `until`."""
    folder = db.resolve().parent
    if folder in _turns or fcntl is None:
        yield
        return
    handle = None
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        _wait(handle, until)  # one reader at a time: many that share it would leave no moment for a writer
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _wait(handle: int, until: float) -> None:
    while time.monotonic() < until:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(0.01 + 0.02 * random.random())
