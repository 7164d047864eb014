"""Answers to probes as records: one per answer, written as JSONL or CSV.

Every record begins with `"type":"probe_answer"`, by which a reader knows it. Keys, in order: type, session, time,
probe, point, participant, answer, raw, value, attempts, lo, hi, refusal, refusals, readings. JSONL writes NA as null
and refusals as a list; CSV (a header row, LF) writes NA as an empty cell and joins refusals with "; ". Both hold the
answers as they were given: a record is a log, made to be read back, and no export for a spreadsheet.
"""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass

TYPE = "probe_answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeAnswer:
    """One participant's answer to one probe at one point.

    `answer` is the final answer, None for NA, and `raw` the reply it came in, reasoning included. `value` is the
    number read, None where none was; `refusal` then says why, where there was an answer and a scale (`lo`, `hi`).
    `attempts` counts the calls. `readings` counts how often an answer was put to the refusals (a re-ask makes it two)
    and `refusals` holds the reason of each that refused, in order, also where the re-ask was then read.
    """

    probe: str
    point: str
    participant: str
    answer: str | None
    raw: str
    value: int | None
    attempts: int
    lo: int | None = None
    hi: int | None = None
    refusal: str | None = None
    refusals: tuple[str, ...] = ()
    readings: int = 0
    session: str | None = None
    time: str | None = None

    def record(self) -> dict[str, object]:
        """The record under its keys, in their order."""
        return {"type": TYPE} | {name: getattr(self, name) for name in FIELDS[1:]}


FIELDS = (
    "type",
    "session",
    "time",
    "probe",
    "point",
    "participant",
    "answer",
    "raw",
    "value",
    "attempts",
    "lo",
    "hi",
    "refusal",
    "refusals",
    "readings",
)
"""The keys of a record and the columns of the CSV."""


def to_jsonl(answers: Iterable[ProbeAnswer]) -> str:
    """One compact JSON object per answer and line, in ASCII, so that no answer can break a line or an encoding."""
    return "".join(json.dumps(answer.record(), separators=(",", ":")) + "\n" for answer in answers)


def to_csv(answers: Iterable[ProbeAnswer]) -> str:
    """A header row and one row per answer, RFC 4180 with LF, every text quoted."""
    text = io.StringIO()
    # Quoted throughout: with LF as the line end, the csv module leaves a lone carriage return bare.
    table = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    table.writerow(FIELDS)
    for answer in answers:
        table.writerow(["" if value is None else value for value in _cells(answer)])
    # A lone surrogate has no UTF-8, so the file could not be written.
    return text.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")


def _cells(answer: ProbeAnswer) -> list[object]:
    return list((answer.record() | {"refusals": "; ".join(answer.refusals) or None}).values())
