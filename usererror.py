"""The error that every part may raise and that the command line and the dashboard catch."""


class UserError(Exception):
    """Something that a person can mend: the message is one sentence with the value, the place, the reason and the help."""

    exit_code = 1
