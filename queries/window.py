"""The part of the logs that a question is about."""

import datetime as dt
from dataclasses import dataclass

from storefile import UserError


class BadWindowError(UserError):
    """A bound of the window cannot be read; the message gives the value and how to write it."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Window:
    """`since` inclusive, `until` exclusive, as UTC timestamps without a zone; None for no bound, or for every agent."""

    since: dt.datetime | None = None
    until: dt.datetime | None = None
    agent: str | None = None

    @classmethod
    def parse(
        cls,
        since: str | None = None,
        until: str | None = None,
        agent: str | None = None,
        names: tuple[str, str] = ("--since", "--until"),
    ) -> "Window":
        """Read two dates or timestamps, UTC unless an offset is given; raises BadWindowError, with the bounds' `names`."""
        first, last = names
        window = cls(moment(first, since), moment(last, until), agent or None)
        if window.since and window.until and window.since >= window.until:
            raise BadWindowError(
                f"{first} {since} {last} {until}: no time lies between them, since {last} is exclusive; "
                f"give an {last} that is later"
            )
        return window

    @property
    def bounded(self) -> bool:
        """Whether records without a time are left out."""
        return self.since is not None or self.until is not None

    def describe(self) -> str:
        """The window in words."""
        words = [f"since {_short(self.since)}"] if self.since else []
        words += [f"until {_short(self.until)} (exclusive)"] if self.until else []
        words += [f"agent {self.agent}"] if self.agent else []
        return ", ".join(words) or "everything in the store"


def moment(option: str, text: str | None) -> dt.datetime | None:
    """The UTC time that the value of an option names, None for none; raises BadWindowError."""
    if text is None:
        return None
    try:
        read = dt.datetime.fromisoformat(text.strip())
        return read.astimezone(dt.UTC).replace(tzinfo=None) if read.tzinfo else read
    except (ValueError, OverflowError):
        raise BadWindowError(
            f"{option} {text or repr(text)}: this is no date or timestamp; write 2026-06-01 or 2026-06-01T09:30:00Z"
        ) from None


def _short(moment: dt.datetime) -> str:
    return f"{moment:%Y-%m-%d}" if moment.time() == dt.time() else f"{moment.isoformat()}Z"
