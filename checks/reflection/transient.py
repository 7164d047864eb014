"""A failure that may pass by itself.

What it does
    Gives the advice for failures of the network and of busy services: timeouts, resets, names that do not
    resolve, HTTP 408, 425, 429 and 5xx except 501.

Why
    Retrying is right here, once; a loop of retries only wastes the turn.

When it is wrong
    Where a service answers 500 to a request that is wrong for good.

Source
    The honesty gates page, *In-turn reflection*: transient, network jitter. The list of statuses is ours.
"""

import re

from checks.reflection.failure import Failure
from checks.registry import check

ADVICE = "The network or the service may be busy for a moment. Wait, then try once more, and no more than once."
CAUSES = re.compile(
    r"(?<![0-9])(?:408|425|429|50[02-9]|5[1-9][0-9])(?![0-9])"
    r"|time[d-]*.?out|econn|connection|enotfound|\bdns\b|network|unavailable|rate.?limit|jitter|transient",
    re.IGNORECASE,
)


@check(
    "reflection.transient",
    title="A failure that may pass by itself",
    reason="transient",
    order=1,
    fires_on=[
        (Failure("http", "http-503"),),
        (Failure("http", "timeout"),),
        (Failure("shell", "dns"),),
    ],
    silent_on=[
        (Failure("http", "http-401"),),
        (Failure("bash", "syntax-error"),),
        (Failure("http", "http-501"),),
    ],
)
def transient(failure: Failure) -> str | None:
    return ADVICE if CAUSES.search(failure.cause) else None
