"""The errors of reading; their messages are whole sentences that the command line prints as they are."""

from storefile import UserError


class IngestError(UserError):
    """Nothing can be read as asked: a path that does not exist, a pattern that matches nothing, an unknown time zone."""


class UnreadableError(Exception):
    """One file cannot be read, or not to its end; the ingest goes on and reports it."""


class UndecodableError(Exception):
    """One line cannot be taken out of its envelopes; it becomes a reject with this reason if it holds a marker."""
