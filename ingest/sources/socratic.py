"""The Socratic probe's stage, `[SocraticStage]`: seven kinds of line, the summary always the last of a run.

A rejected draft needs its reasons and nothing else: loggers are known that print no more of it than that.
Source: the Socratic probe page, *Logs*.
"""

from ingest.source import Expected, Reject, Row, Source

_OPEN = r"\[SocraticStage\]:?\s*"

SOURCE = Source(
    system="socratic",
    markers=(b"[SocraticStage]",),
    opening=r"\[SocraticStage\]",
    rows=(
        Row(
            kind="draft_rejected",
            pattern=_OPEN + r"draft rejected\b",
            required=("reason",),
            columns={"attempt": "attempt", "text": "draft"},
            action="redraft",
            family="socratic.shape",
            reasons="reason",
        ),
        Row(
            kind="summary",
            pattern=_OPEN + r"summary\b",
            required=("outcome", "attempts"),
            columns={"outcome": "outcome", "attempts": "attempts"},
            among={"outcome": ("posted-writer", "posted-template", "silent")},
        ),
        Row(
            kind="writer_failed",
            pattern=_OPEN + r"writer call failed\b",
            columns={"text": ("error", "err", "reason")},
            rest="text",
        ),
        Row(kind="template_fallback", pattern=_OPEN + r"no draft passed\b"),
        Row(kind="template_used", pattern=_OPEN + r"template fallback used\b", action="template"),
        Row(
            kind="template_failed",
            pattern=_OPEN + r"template fallback failed checks\s*\((?P<reasons>.*)\)(?=\s*(?:[—–-]|\\u2014|staying|$))",
            required=("reasons",),
            action="silent",
            family="socratic.shape",
            reasons="reasons",
        ),
    ),
    samples=(
        (
            '[SocraticStage] draft rejected {"attempt":1,"stage":"shape","reason":"no digits; not a single question","draft":"How does Okafor read 3; of {these}?"}',
            Expected(
                "draft_rejected",
                {
                    "attempt": 1,
                    "action": "redraft",
                    "text": "How does Okafor read 3; of {these}?",
                    "extra": {"stage": "shape"},
                },
                ("no digits", "not a single question"),
            ),
        ),
        (
            '{"level":"warn","message":"[SocraticStage] draft rejected","attempt":2,"stage":"shape","reason":"over 40 words (51; too many)","draft":"d"}',
            Expected("draft_rejected", {"attempt": 2, "text": "d"}, ("over 40 words (51; too many)",)),
        ),
        ("[SocraticStage] writer call failed: Error: 429", Expected("writer_failed", {"text": "Error: 429"})),
        ("[SocraticStage] no draft passed — using template fallback", Expected("template_fallback")),
        ("[SocraticStage] template fallback used", Expected("template_used", {"action": "template"})),
        (
            "[SocraticStage] template fallback failed checks (over 40 words (51); no digits) — staying silent",
            Expected("template_failed", {"action": "silent"}, ("over 40 words (51)", "no digits")),
        ),
        (
            '[SocraticStage] summary {"outcome":"posted-writer","attempts":2}',
            Expected("summary", {"outcome": "posted-writer", "attempts": 2}),
        ),
        ("[SocraticStage] draft rejected", Reject("draft_rejected: its payload is missing (no 'reason')")),
        ('[SocraticStage] draft rejected {"attempt":1,"stage":"shape"}', Reject("draft_rejected: it lacks 'reason'")),
        ('[SocraticStage] summary {"outcome":"sil', Reject("summary: the JSON is cut off", unfinished=True)),
        (
            '[SocraticStage] summary {"outcome":"silent","attempts":"many"}',
            Reject("summary: 'attempts' is 'many', not a whole number"),
        ),
        (
            '[SocraticStage] summary {"outcome":"silent","attempts":0}',
            Reject("summary: 'attempts' is 0, but it begins at 1"),
        ),
        (
            '[SocraticStage] summary {"outcome":"exploded","attempts":2}',
            Reject("summary: 'outcome' is 'exploded', none of posted-writer, posted-template, silent"),
        ),
        (
            '[SocraticStage] draft rejected {"attempt":-1,"reason":"no digits"}',
            Reject("draft_rejected: 'attempt' is -1, but it begins at 1"),
        ),
        (
            "[SocraticStage] tea time",
            Reject("it begins like a line of this source, but is none of the kinds that it writes"),
        ),
        ("someone asked about [SocraticStage] draft rejected", None),
    ),
)
