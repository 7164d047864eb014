"""A failure of the parameters.

What it does
    Gives the advice for requests that were understood and found wrong: HTTP 400 and its relatives, missing or
    invalid arguments.

Why
    The answer is in the tool's own description; guessing another value is not reading it.

When it is wrong
    Where a service answers 400 to an expired credential.

Source
    The honesty gates page, *In-turn reflection*: param, 400. The further statuses are ours.
"""

import re

from checks.reflection.failure import Failure
from checks.registry import check

ADVICE = (
    "Read the tool's parameters again and compare them, one by one, with what was sent: what is missing, "
    "what is misspelt?"
)
CAUSES = re.compile(
    r"(?<![0-9])(?:400|406|411|413|414|415|416|417|422|428|431)(?![0-9])"
    r"|param|argument|bad.?request|validation|schema",
    re.IGNORECASE,
)


@check(
    "reflection.param",
    title="A failure of the parameters",
    reason="param",
    order=3,
    fires_on=[
        (Failure("http", "http-400"),),
        (Failure("search", "bad-parameter"),),
    ],
    silent_on=[
        (Failure("http", "http-404"),),
        (Failure("http", "timeout"),),
    ],
)
def param(failure: Failure) -> str | None:
    return ADVICE if CAUSES.search(failure.cause) else None
