"""A failure of no known class.

What it does
    Gives the advice for what none of the other five classes knows: other HTTP statuses, denied permissions, and
    texts without a known word.

Why
    A failure that is not understood is not mended by trying again.

When it is wrong
    Where a known class words its failures in a way that is not listed.

Source
    The honesty gates page, *In-turn reflection*: "if it still can't classify".
"""

from checks.reflection import auth, mechanical, method, param, transient
from checks.reflection.failure import Failure
from checks.registry import check

ADVICE = (
    "Look in the skills, the stored facts and the documentation before the next call: do not act on a failure "
    "that you cannot name."
)
_OTHERS = (transient.CAUSES, auth.CAUSES, param.CAUSES, method.CAUSES, mechanical.CAUSES)


@check(
    "reflection.unclassified",
    title="A failure of no known class",
    reason="unclassified",
    order=6,
    fires_on=[
        (Failure("http", "http-409"),),
        (Failure("shell", "unknown-3f9a1c"),),
    ],
    silent_on=[
        (Failure("http", "http-401"),),
        (Failure("bash", "syntax-error"),),
    ],
)
def unclassified(failure: Failure) -> str | None:
    return None if any(causes.search(failure.cause) for causes in _OTHERS) else ADVICE
