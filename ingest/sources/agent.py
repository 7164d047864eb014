"""The warnings of the agent around the Socratic stage; each begins with the agent's name.

Source: the Socratic probe page, *Logs*. The wording of the prefetch failure is the writer's own, so it is told by
the words prefetch and fail.
"""

from ingest.source import Expected, Row, Source

_AGENT = r"(?:Agent )?(?P<agent>[^\s:{\[\"][^:{}\n\"]{0,79}?)(?::| -) "

SOURCE = Source(
    system="agent",
    markers=(
        b"slots rejected",
        b"chosen without retrieved passages",
        b"chosen without passages",
        b"prefetch",
        b"Prefetch",
    ),
    rows=(
        Row(
            kind="slots_rejected",
            pattern=_AGENT + r"slots rejected(?:\s*:?\s*\((?P<reason>.*)\))?",
            required=("reason",),
            columns={"agent": "agent"},
            action="silent",
            family="socratic.slots",
            reasons="reason",
        ),
        Row(
            kind="chosen_without_passages",
            pattern=_AGENT + r"socratic_probe chosen without (?:retrieved )?passages\b",
            columns={"agent": "agent"},
            action="silent",
        ),
        Row(
            kind="prefetch_failed",
            pattern=_AGENT + r"(?P<text>(?=[^\n]*\b[Pp]refetch)(?=[^\n]*(?:[Ff]ail|[Ee]rror|[Tt]imed out))[^\n]*)",
            columns={"agent": "agent", "text": "text"},
        ),
    ),
    samples=(
        (
            "Group Agent: slots rejected (concept has digits)",
            Expected("slots_rejected", {"agent": "Group Agent", "action": "silent"}, ("concept has digits",)),
        ),
        (
            "groupAgent: socratic_probe chosen without retrieved passages; ignoring",
            Expected("chosen_without_passages", {"agent": "groupAgent"}),
        ),
        (
            "groupAgent: background prefetch failed: ECONNREFUSED",
            Expected("prefetch_failed", {"agent": "groupAgent", "text": "background prefetch failed: ECONNREFUSED"}),
        ),
        ("the slots rejected by the group were these", None),
    ),
)
