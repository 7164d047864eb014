"""A conclusion while a question is open

What it does
    Refuses `probe_done` while a `quiz` or an `ask_user_question` call has no result yet.

Why
    The assessment would leave out the answer that the learner is about to give, and the teacher would take over in the
    middle of a question.

When it is wrong
    A question whose result was lost in a crash stays open for good; it has to be resolved before the probe can end.

Source
    The probe and teach page, section 2: "Refuses while a question is open ("resolve the open question first")".
"""

from collections.abc import Sequence

from checks.lesson.calls import Call
from checks.registry import check

QUESTIONS = ("quiz", "ask_user_question")


@check(
    "lesson.probe_done_while_open",
    title="A conclusion while a question is open",
    reason="probe_done_while_open",
    order=3,
    aliases=[r"[\s\S]*resolve the open question first[\s\S]*"],
    fires_on=[
        ((Call("quiz", "c1", "input-available", {"question": "Why?"}),),),
        ((Call("ask_user_question", "c1", "input-streaming", {}),),),
    ],
    silent_on=[
        ((Call("quiz", "c1", "output-available", {}, "right"),),),
        ((Call("quiz", "c1", "output-error", {}),),),
        ((),),
    ],
)
def probe_done_while_open(earlier: Sequence[Call]) -> bool:
    """Whether one of the calls made before this `probe_done` is a question without a result."""
    return any(call.tool in QUESTIONS and call.open for call in earlier)
