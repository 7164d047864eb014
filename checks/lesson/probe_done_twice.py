"""A second conclusion

What it does
    Refuses `probe_done` when one has succeeded before. One that was refused does not count.

Why
    The probe concludes once: the first assessment is what the plan was made from, and a second would start the handoff
    again.

When it is wrong
    An assessment that was concluded too early cannot be mended by concluding again.

Source
    The probe and teach page, section 2: "Refuses a second conclusion"; section 1: a re-call by the teacher "degrades to
    a returned tool-error".
"""

from collections.abc import Sequence

from checks.lesson.calls import Call
from checks.registry import check


@check(
    "lesson.probe_done_twice",
    title="A second conclusion",
    reason="probe_done_twice",
    order=2,
    aliases=[r"[\s\S]*the probe has concluded already[\s\S]*"],
    fires_on=[((Call("probe_done", "c1", "output-available", {"strands": []}, {"ok": True}),),)],
    silent_on=[((Call("probe_done", "c1", "output-error", {}, None, "resolve the open question first"),),), ((),)],
)
def probe_done_twice(earlier: Sequence[Call]) -> bool:
    """Whether one of the calls made before this `probe_done` has concluded the probe."""
    return any(call.tool == "probe_done" and call.succeeded for call in earlier)
