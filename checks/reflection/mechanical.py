"""A bug in a script just written.

What it does
    Gives the advice for syntax and runtime errors of a script that the agent ran: what interpreters, compilers
    and shells print.

Why
    Told to research or to plan, the agent would find the very tools locked that mend the bug.

When it is wrong
    Where the script is not the agent's own: it reads the error text and cannot see who wrote the script.

Source
    The honesty gates page, *In-turn reflection*: the mechanical failure, which is told apart from the four
    classes.
"""

import re

from checks.reflection.failure import Failure
from checks.registry import check

ADVICE = "Read the exact error, mend the script, run it again. This needs no research and no plan."
CAUSES = re.compile(
    r"(?:syntax|indentation|name|reference|type|attribute|key|index|import|module|zero.?division|value|recursion|runtime|compile|script).?(?:error|bug)"
    r"|command.?not.?found|module.?not.?found|mechanical|\b(?:syntax|runtime|script)\b",
    re.IGNORECASE,
)


@check(
    "reflection.mechanical",
    title="A bug in a script just written",
    reason="mechanical",
    order=5,
    fires_on=[
        (Failure("bash", "syntax-error"),),
        (Failure("python", "name-error"),),
        (Failure("node", "type-error"),),
    ],
    silent_on=[
        (Failure("http", "http-500"),),
        (Failure("http", "http-404"),),
    ],
)
def mechanical(failure: Failure) -> str | None:
    return ADVICE if CAUSES.search(failure.cause) else None
