"""What can be read but once, kept so that it can be read again."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from ingest import framing
from ingest.discover import STDIN


def opened_now(path: str) -> BinaryIO:
    """The regular file at `path`; raises OSError for what else may have taken its place, where opening a pipe would wait for
    its writer."""
    raw = open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))  # noqa: SIM115 - the caller closes it
    if not stat.S_ISREG(os.fstat(raw.fileno()).st_mode):
        raw.close()
        raise OSError("it is no regular file")
    return raw


class Spools:
    """Standard input and pipes, copied to temporary files: they can be read once, and an ingest may have to look again."""

    def __init__(self, stdin: BinaryIO | None) -> None:
        self._stdin = stdin
        self.files: dict[str, BinaryIO] = {}

    def of(self, path: str, pipe: BinaryIO | None) -> BinaryIO:
        """The copy of `path`, which is standard input or the open `pipe`; raises ValueError for a device, which may never end."""
        if path not in self.files:
            raw = self._stdin if path == STDIN else pipe
            if raw is None:
                raise ValueError("there is no standard input here")
            if pipe and not stat.S_ISFIFO(os.fstat(pipe.fileno()).st_mode):
                pipe.close()
                raise ValueError("it is a device, not a log; give a file or a pipe, or - for standard input")
            spool = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115 - closed with the run
            shutil.copyfileobj(raw, spool, framing.BLOCK)
            self.files[path] = spool
        return self.files[path]

    @contextmanager
    def opened(self, path: str) -> Iterator[BinaryIO]:
        """The file at `path`, or the copy of what can be read but once, from its start."""
        if path in self.files:
            self.files[path].seek(0)
            yield self.files[path]
        else:
            with opened_now(path) as raw:
                yield raw

    def close(self) -> None:
        for file in self.files.values():
            file.close()
