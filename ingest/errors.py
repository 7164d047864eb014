"""The errors of reading; their messages are whole sentences that the command line prints as they are."""

from storefile import UserError


class IngestError(UserError):
    """Nothing can be read as asked: a path that does not exist, a pattern that matches nothing."""


class ZoneError(IngestError):
    """The time zone that was asked for does not exist."""

    exit_code = 2


class UnreadableError(Exception):
    """One file cannot be read, or not to its end; the ingest goes on and reports it."""


class BinaryError(UnreadableError):
    """A file is no text at all; that is only a problem where someone named it as a log."""


class UndecodableError(Exception):
    """One line cannot be taken out of its envelopes; it becomes a reject with this reason if it holds a marker."""


class CutOffError(UndecodableError):
    """The JSON of a line does not end on it; the lines after it may hold the rest."""
