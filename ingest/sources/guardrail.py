"""The professionalism guardrail, in both wordings, and the post that got through (a usable, if partial, denominator)."""

from ingest.source import Expected, Reject, Row, Source

_FRAGMENT = "rejected by professionalism guardrail"
_DROP = {"subject": "professionalism"}

SOURCE = Source(
    system="guardrail",
    markers=(b"professionalism guardrail", b": Detected "),
    rows=(
        Row(
            kind="guardrail_drop",
            pattern=r"(?P<agent>[^:{}\n]{1,80}): intervention rejected by professionalism guardrail(?:\s*\(goal: (?P<goal>[^()\n]*)\))?",
            required=("goal",),
            columns={"agent": "agent", "goal": ("goal", "goalId")},
            fixed=_DROP,
            action="drop",
            family="guardrail",
            rule="professionalism",
            fragment=_FRAGMENT,
        ),
        Row(
            kind="guardrail_drop",
            pattern=r"Agent (?P<agent>[^:{}\n]{1,80}?) intervention rejected by professionalism guardrail(?:\. Type: (?P<goal>[^\s.]+))?",
            required=("goal",),
            columns={"agent": "agent", "goal": ("goal", "interventionType")},
            fixed=_DROP,
            action="drop",
            family="guardrail",
            rule="professionalism",
            fragment=_FRAGMENT,
        ),
        Row(
            kind="post_detected",
            pattern=r"(?P<agent>[^:{}\n]{1,80}): Detected (?P<goal>[\w.-]+) opportunity(?: (?:—|–|-|\\u2014) (?P<text>.*))?",
            columns={"agent": "agent", "goal": "goal", "text": "text"},
        ),
    ),
    samples=(
        (
            "Group Agent: intervention rejected by professionalism guardrail (goal: socratic_probe)",
            Expected(
                "guardrail_drop",
                {"agent": "Group Agent", "goal": "socratic_probe", "subject": "professionalism", "action": "drop"},
                (_FRAGMENT,),
            ),
        ),
        (
            "Agent Group Agent intervention rejected by professionalism guardrail. Type: summary",
            Expected("guardrail_drop", {"agent": "Group Agent", "goal": "summary"}, (_FRAGMENT,)),
        ),
        (
            "Group Agent: Detected socratic_probe opportunity — quick agreement",
            Expected("post_detected", {"agent": "Group Agent", "goal": "socratic_probe", "text": "quick agreement"}),
        ),
        (
            "Group Agent: intervention rejected by professionalism guardrail",
            Reject("guardrail_drop: it lacks 'goal'"),
        ),
        ("we discussed what the professionalism guardrail does", None),
    ),
)
