"""The progress bar: bytes, rate and time left, on a terminal's standard error; nothing at all when piped."""

import sys
from typing import Protocol


class Progress(Protocol):
    """What an ingest tells while it runs."""

    def start(self, total: int) -> None: ...
    def file(self, name: str) -> None: ...
    def advance(self, size: int) -> None: ...
    def stop(self) -> None: ...


class Silent:
    """Tells nothing."""

    def start(self, total: int) -> None: ...
    def file(self, name: str) -> None: ...
    def advance(self, size: int) -> None: ...
    def stop(self) -> None: ...


class TerminalBar:
    """A bar over the bytes on disk; of compressed files more bytes come out than the total says, so it only grows."""

    def __init__(self) -> None:
        # Here, since most ingests show no bar and need not load what draws it.
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn(),
            console=Console(stderr=True), transient=True,
        )  # fmt: skip
        self._task = self._bar.add_task("reading", total=None)

    def start(self, total: int) -> None:
        self._bar.update(self._task, total=total or None)
        self._bar.start()

    def file(self, name: str) -> None:
        self._bar.update(self._task, description=name[-40:].replace("[", r"\["))

    def advance(self, size: int) -> None:
        self._bar.update(self._task, advance=size)

    def stop(self) -> None:
        self._bar.stop()


def progress_for_terminal() -> Progress:
    """A bar where standard error is a terminal, else silence."""
    return TerminalBar() if sys.stderr.isatty() else Silent()
