"""A failure of the path or the method itself.

What it does
    Gives the advice for addresses, methods and files that do not exist: HTTP 404, 405, 410 and 501, unknown
    tools and routes, missing files.

Why
    Varying the parameters of an address that is not there cannot succeed.

When it is wrong
    Where 404 hides a missing permission.

Source
    The honesty gates page, *In-turn reflection*: method, 404. The further statuses are ours.
"""

import re

from checks.reflection.failure import Failure
from checks.registry import check

ADVICE = "The path or the method itself is wrong, and no parameter will mend that. Look it up in the documentation."
CAUSES = re.compile(
    r"(?<![0-9])(?:404|405|410|501)(?![0-9])"
    r"|method|endpoint|\broute|^(?!command|module).*not.?found",
    re.IGNORECASE,
)


@check(
    "reflection.method",
    title="A failure of the path or the method itself",
    reason="method",
    order=4,
    fires_on=[
        (Failure("http", "http-404"),),
        (Failure("rpc", "wrong-method"),),
        (Failure("shell", "file-not-found"),),
    ],
    silent_on=[
        (Failure("http", "http-400"),),
        (Failure("bash", "command-not-found"),),
    ],
)
def method(failure: Failure) -> str | None:
    return ADVICE if CAUSES.search(failure.cause) else None
