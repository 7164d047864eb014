"""A failure to be let in.

What it does
    Gives the advice for refused credentials: HTTP 401, 403 and 407, and texts that speak of keys, tokens and
    passwords.

Why
    The same key is refused the same way each time; what helps is to look where the credential should be.

When it is wrong
    Where 403 means that the request is forbidden to anyone.

Source
    The honesty gates page, *In-turn reflection*: auth, 401 and 403.
"""

import re

from checks.reflection.failure import Failure
from checks.registry import check

ADVICE = (
    "Check first that the credential exists and is whole. A prefix of a key is no key, do not build one from pieces."
)
CAUSES = re.compile(
    r"(?<![0-9])(?:401|403|407)(?![0-9])"
    r"|\bauth|unauthori[sz]ed|forbidden|credential|api.?key",
    re.IGNORECASE,
)


@check(
    "reflection.auth",
    title="A failure to be let in",
    reason="auth",
    order=2,
    fires_on=[
        (Failure("http", "http-401"),),
        (Failure("http", "http-403"),),
        (Failure("git", "auth-refused"),),
    ],
    silent_on=[
        (Failure("http", "http-400"),),
        (Failure("http", "http-4010"),),
        (Failure("bash", "permission-denied"),),
    ],
)
def auth(failure: Failure) -> str | None:
    return ADVICE if CAUSES.search(failure.cause) else None
