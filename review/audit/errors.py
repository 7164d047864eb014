"""What can be wrong with an audit's files; each message is one sentence with the value, the place, the reason, the help."""

from storefile import UserError


class AuditError(UserError):
    """An audit file cannot be used."""


class AuditUsageError(AuditError):
    """An argument of the audit commands is wrong."""

    exit_code = 2


class NotComplete(AuditError):  # noqa: N818 - it is a state of the work, not a fault
    """Fewer than two auditors have labelled everything, so the key stays shut."""
