"""Real store files from plain Python rows, for tests that start after ingest.

    python tests/stores.py demo.duckdb      writes four invented weeks, the same ones every time

A store is given as a list of `event(...)` dictionaries. `run(...)` gives the lines of one Socratic run. Reasons are
given as check ids, and stand in the log as that check's reason text; a pair of check id and text is another wording
of that check, and any other text an unmapped fragment.
"""

import datetime as dt
import json
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from checks.families import FAMILIES  # noqa: E402
from checks.registry import catalog, retired_checks  # noqa: E402
from ingest.derived import mark  # noqa: E402
from storefile import create, derive  # noqa: E402

Row = dict[str, Any]
Reason = str | tuple[str, str]
START = dt.datetime(2026, 6, 1, 9, 0)
FAMILY_OF_SYSTEM = {"socratic": "socratic.shape", "agent": "socratic.slots", "probe": "probe.scale"}
DESIGN_IDS = {
    "socratic.slots": "concept_present concept_length concept_no_digits concept_in_passage concept_no_finding_verb concept_not_outcome source_known",
    "socratic.shape": "single_question word_limit names_source quotes_loaded_word no_participant_names word_or_concept no_gendered_pronouns no_analogy no_credit_to_source not_compound no_trailing_clause no_digits no_finding_verbs no_copied_wording no_repeat",
    "honesty": "memory_claim_without_write fabricated_size_claim fabricated_reasoning_state fabricated_round_result artifact_claim_without_tools failures_with_claim unknown_results_with_claim",
    "gates": "empty_conclusion half_finished output_format citation_grounding plan_failure_false_claim viability",
    "reflection": "transient auth param method mechanical unclassified",
    "guardrail": "professionalism",
    "probe.scale": "no_number several_numbers fraction outside_scale other_scale qualified",
    "lesson": "unknown_node probe_done_while_open probe_done_twice",
}
GATE_CODES = {"empty_conclusion": "too_short_after_tools", "half_finished": "handed_off"}
KEPT = {f"socratic.slots.{name}" for name in DESIGN_IDS["socratic.slots"].split()} | {
    f"socratic.shape.{name}"
    for name in ("single_question", "no_credit_to_source", "no_gendered_pronouns", "word_or_concept")
}


def given_checks() -> list[Row]:
    """The design's ids as rows of the checks table, with invented reasons: what tests count on does not move."""
    rows = [
        {
            "check_id": f"{family}.{name}",
            "family": family,
            "mode": FAMILIES[family].mode,
            "title": name.replace("_", " ").capitalize(),
            "reason": name.replace("_", " ") if family.startswith("socratic") else name,
            "order": order,
            "kept_because": "kept by the page" if f"{family}.{name}" in KEPT else "",
            "source": f"checks/{family.replace('.', '/')}/{name}.py" if family != "guardrail" else None,
            "source_sha256": f"{order:064x}" if family != "guardrail" else None,
            "retired": False,
        }
        for family, names in DESIGN_IDS.items()
        for order, name in enumerate(names.split(), start=1)
    ]
    return [
        *rows,
        _retired("honesty.unverified_destructive", "honesty", "Unverified destructive", "unverified_destructive"),
    ]


def catalog_checks() -> list[Row]:
    """The live catalog as rows of the checks table."""
    names = ("check_id", "family", "title", "reason", "order", "kept_because", "source", "source_sha256")
    live = [
        {name: getattr(check, name) for name in names} | {"mode": FAMILIES[check.family].mode, "retired": False}
        for check in catalog()
    ]
    return live + [_retired(old.check_id, old.family, old.title, old.reason) for old in retired_checks()]


def _retired(check_id: str, family: str, title: str, reason: str) -> Row:
    row: Row = {"check_id": check_id, "family": family, "mode": FAMILIES[family].mode, "title": title, "reason": reason}
    return row | {"order": 0, "kept_because": "", "source": None, "source_sha256": None, "retired": True}


def event(
    system: str,
    kind: str,
    time: dt.datetime | None,
    session: str | None = None,
    reasons: Sequence[Reason] = (),
    **columns: Any,
) -> Row:
    """One event; `reasons` are check ids or unmapped fragments, `columns` any further columns of `events`.

    `family` names the reasons' family where the system does not, `inferred_run` the run of a line without a session.
    """
    return {"system": system, "kind": kind, "time": time, "session": session, "reasons": list(reasons), **columns}


def run(
    session: str | None,
    start: dt.datetime,
    rejected: Sequence[Sequence[Reason]] = (),
    outcome: str | None = "posted-writer",
    *,
    failed_calls: int = 0,
    template_reasons: Sequence[Reason] = (),
    draft: str = 'When we say "healthy", would Okafor mean the same thing by it?',
    **columns: Any,
) -> list[Row]:
    """The lines of one Socratic run, two seconds apart; without `outcome` the summary is missing."""
    lines: list[Row] = []

    def add(kind: str, **more: Any) -> None:
        time = start + dt.timedelta(seconds=2 * len(lines))
        lines.append(event("socratic", kind, time, session, **(columns | more)))

    for number in range(failed_calls):
        add("writer_failed", text=f"timeout of call {number + 1}")
    for number, reasons in enumerate(rejected, start=1 + failed_calls):
        add(
            "draft_rejected",
            reasons=reasons,
            attempt=number,
            text=draft,
            action="redraft",
            extra={"stage": "shape"},
            level="warn",
        )
    if outcome in ("posted-template", "silent"):
        add("template_fallback")
        if outcome == "silent":
            add("template_failed", reasons=template_reasons, action="silent")
        else:
            add("template_used", action="template")
    if outcome:
        attempts = failed_calls + len(rejected) + (outcome == "posted-writer")
        add("summary", outcome=outcome, attempts=attempts, level="info")
    return lines


def write_store(
    path: Path,
    events: Iterable[Row] = (),
    *,
    checks: Sequence[Row] | None = None,
    rejects: Sequence[Row] = (),
    quiet_days: Sequence[dt.date] = (),
    derived: bool = True,
) -> Path:
    """Write a whole store to `path`, replacing what is there, and return the path.

    The events stand in one file, `agent.log`, in the order given (an event's `file` names another). Coverage is worked
    out from their times; `quiet_days` are days of which only chatter is known. Without `derived` the store is as between
    an ingest's last commit and its end: what is derived must be worked out by whoever asks.
    """
    checks = given_checks() if checks is None else checks
    path.unlink(missing_ok=True)
    rows, fires, inferred = _number(list(events), {row["check_id"]: row for row in checks})
    with duckdb.connect(str(path)) as connection:
        create(connection)
        tables: dict[str, Sequence[Mapping[str, Any]]] = {
            "checks": checks,
            "events": rows,
            "fires": fires,
            "inferred_runs": inferred,
            "files": _files(rows, rejects),
            "coverage": _coverage(rows, quiet_days),
            "rejects": [{"file_id": 1, "part": 0, **row} for row in rejects],
        }
        for table, content in tables.items():
            if content:
                connection.register("frame", pl.DataFrame(content, infer_schema_length=None))
                connection.execute(f"INSERT INTO {table} BY NAME SELECT * FROM frame")
                connection.unregister("frame")
        mark(connection, "true")
        if derived:
            derive(connection)
    return path


def _number(events: list[Row], checks: Mapping[str, Row]) -> tuple[list[Row], list[Row], list[Row]]:
    files: dict[str, int] = {"agent.log": 1}
    rows, fires, inferred = [], [], []
    for number, given in enumerate(events, start=1):
        row = dict(given)
        reasons, family, run_name = row.pop("reasons", []), row.pop("family", None), row.pop("inferred_run", None)
        rule, extra, file = row.pop("rule", None), row.pop("extra", None), row.pop("file", "agent.log")
        family = family or FAMILY_OF_SYSTEM.get(row["system"], row["system"])
        for position, given_reason in enumerate(reasons):
            reason, fragment = given_reason if isinstance(given_reason, tuple) else (given_reason, None)
            known = checks.get(reason)
            fires.append(
                {
                    "event_id": number,
                    "position": position,
                    "family": known["family"] if known else family,
                    "rule": rule,
                    "fragment": fragment or (known["reason"] if known else reason),
                    "check_id": reason if known else None,
                }
            )
        if run_name:
            inferred.append({"event_id": number, "run": run_name})
        defaults: Row = {
            "event_id": number,
            "file_id": files.setdefault(file, len(files) + 1),
            "line": number,
            "part": 0,
        }
        defaults |= {
            "byte_offset": 200 * (number - 1),
            "stream": file,
            "envelope": "winston json",
            "form": "line",
            "duplicate_of": None,
        }
        defaults |= {"extra": None if extra is None else json.dumps(extra, ensure_ascii=False), "file": file}
        rows.append(defaults | row)
    return rows, fires, inferred


def _files(rows: list[Row], rejects: Sequence[Row]) -> list[Row]:
    names = {row["file_id"]: row.pop("file") for row in rows} or ({1: "agent.log"} if rejects else {})
    seen = dt.datetime(2026, 7, 1)
    files = []
    for file_id, name in sorted(names.items()):
        times = [row["time"] for row in rows if row["file_id"] == file_id and row["time"]]
        lines = max([row["line"] for row in rows if row["file_id"] == file_id], default=0) + 1000
        row: Row = {"file_id": file_id, "file": name, "stream": name, "framing": "lines", "head_digest": f"{file_id:x}"}
        row |= {
            "bytes": 200 * lines,
            "size": 200 * lines,
            "digest": f"{file_id:x}",
            "resume_at": 200 * lines,
            "resume_line": lines,
        }
        row |= {
            "resume_digest": f"{file_id:x}",
            "lines": lines,
            "complete": True,
            "first_seen": seen,
            "last_seen": seen,
        }
        files.append(row | {"first_time": min(times, default=None), "last_time": max(times, default=None)})
    return files


def _coverage(rows: list[Row], quiet_days: Sequence[dt.date]) -> list[Row]:
    counts: dict[tuple[int, dt.date], int] = {}
    for row in rows:
        if row["time"]:
            key = (row["file_id"], row["time"].date())
            counts[key] = counts.get(key, 0) + 1
    days = [
        {"file_id": f, "byte_offset": 0, "day": day, "relevant": n, "sampled": 40}
        for (f, day), n in sorted(counts.items())
    ]
    return days + [{"file_id": 1, "byte_offset": 0, "day": day, "relevant": 0, "sampled": 40} for day in quiet_days]


def four_weeks(seed: int = 7) -> tuple[list[Row], list[Row]]:
    """Events and rejects of four invented weeks: a strict, a redundant and a quiet check, several that never fire,
    a day without logs, runs without a session, unmapped reasons, undated records, a retired check."""
    rnd = random.Random(seed)
    rows: list[Row] = []
    agents = ("librarian", "moderator", "tutor")
    for day in range(28):
        for number in range(26):
            time = START + dt.timedelta(days=day, minutes=20 * number, seconds=rnd.randint(0, 600))
            agent, session = rnd.choice(agents), f"c{day:02d}{number:02d}"
            rows += _conversation(rnd, day, time, agent, session)
            rows += _turns(rnd, time, agent, session)
    rows += _oddities(rnd)
    rows = [row for row in rows if row["time"] is None or row["time"].date() != dt.date(2026, 6, 14)]
    rows.sort(key=lambda row: (row["time"] is None, row["time"] or START))
    rejects = [
        {"line": 700 + n, "byte_offset": 140000 + 200 * n, "why": why, "excerpt": excerpt}
        for n, (why, excerpt) in enumerate(
            [
                ("the payload is cut off", '[SocraticStage] draft rejected {"attempt":1,"stage":"sha'),
                ("the payload lacks the key 'outcome'", '[SocraticStage] summary {"attempts":2}'),
                ("the payload is missing", "[SocraticStage] summary"),
            ]
        )
    ]
    return rows, rejects


def _conversation(rnd: random.Random, day: int, time: dt.datetime, agent: str, session: str) -> list[Row]:
    rows = []
    shared: Row = {"agent": agent, "version": "1.4.0" if day < 15 else "1.5.0"}
    for n in range(rnd.choice([1, 1, 2])):
        start = time + dt.timedelta(minutes=4 * n)
        if rnd.random() < 0.06:
            reason = rnd.choices(["concept_in_passage", "concept_no_digits", "source_known"], [6, 2, 1])[0]
            rows.append(
                event(
                    "agent", "slots_rejected", start, session, [f"socratic.slots.{reason}"], action="silent", **shared
                )
            )
            continue
        outcome = rnd.choices(["posted-writer", "posted-template", "silent"], [95, 4, 1])[0]
        tries = rnd.choices([0, 1, 2, 3], [36, 40, 17, 7])[0] if outcome == "posted-writer" else 4
        rejected = [_reasons(rnd, day, first=n == 0) for n in range(tries)]
        template = ["socratic.shape.word_limit"] if outcome == "silent" else []
        ended = outcome if rnd.random() > 0.01 else None
        failed = 1 if tries < 3 and rnd.random() < 0.03 else 0
        draft = rnd.choice(
            [
                'When we say "fair", would Okafor mean the same thing by it?',
                "How does Lindqvist read the commons; and is that what we saw?",
                "Would Marchetti call this neighbourhood a healthy one?",
                "奥卡福会怎么说“公平”这个词？",
            ]
        )
        rows += run(
            session, start, rejected, ended, failed_calls=failed, template_reasons=template, draft=draft, **shared
        )
        if ended == "posted-writer" and rnd.random() < 0.08:
            rows.append(
                event("guardrail", "guardrail_drop", start + dt.timedelta(seconds=30), session, [("guardrail.professionalism", "rejected by professionalism guardrail")],
                      rule="professionalism", subject="professionalism", goal="socratic_probe", action="drop", **shared)
            )  # fmt: skip
        elif ended and ended != "silent":
            rows.append(
                event(
                    "guardrail",
                    "post_detected",
                    start + dt.timedelta(seconds=30),
                    session,
                    goal="socratic_probe",
                    **shared,
                )
            )
    return rows


def _reasons(rnd: random.Random, day: int, *, first: bool) -> list[str]:
    names = []
    if rnd.random() < (0.84 if first else 0.3):
        names.append("names_source")
    if rnd.random() < 0.12:
        names += ["not_compound", "no_trailing_clause"] if rnd.random() < 0.5 else ["not_compound"]
    for name, share in {
        "single_question": 0.1,
        "word_limit": 0.05,
        "quotes_loaded_word": 0.08,
        "no_credit_to_source": 0.04,
    }.items():
        if rnd.random() < share:
            names.append(name)
    if day < 5 and rnd.random() < 0.15:
        names.append("no_digits")
    reasons = [f"socratic.shape.{name}" for name in names or ["quotes_loaded_word"]]
    return [*reasons, "ends with an exclamation mark"] if rnd.random() < 0.01 else reasons


def _turns(rnd: random.Random, time: dt.datetime, agent: str, session: str) -> list[Row]:
    rows = []
    for n in range(3):
        at = time + dt.timedelta(seconds=70 * n + 5)
        ok, fail = rnd.randint(0, 4), rnd.choice([0, 0, 0, 1, 2])
        counts: Row = {"ok_count": ok, "fail_count": fail, "agent": agent}
        if rnd.random() < 0.05:
            reason = rnd.choices(
                ["failures_with_claim", "fabricated_size_claim", "memory_claim_without_write"], [7, 2, 2]
            )[0]
            rows.append(
                event("honesty", "gate_fired", at, session, [f"honesty.{reason}"], subject="honesty", severity="high",
                      text=rnd.choice(["deployed", "577 KB", "已记住", "=done"]), action="regenerate", **counts)
            )  # fmt: skip
        rows.append(event("honesty", "gate_passed", at + dt.timedelta(seconds=4), session, subject="honesty", **counts))
        if rnd.random() < 0.02:
            gate = rnd.choice(["empty_conclusion", "half_finished"])
            rows.append(
                event(
                    "gates",
                    "gate_fired",
                    at,
                    session,
                    [(f"gates.{gate}", GATE_CODES[gate])],
                    rule=gate,
                    subject=gate,
                    action="regenerate",
                    agent=agent,
                )
            )
        if rnd.random() < 0.03:
            rows.append(
                event(
                    "reflection",
                    "reminder",
                    at,
                    session,
                    [("reflection.auth", "http:http-401")],
                    rule="auth",
                    subject="http",
                    extra={"count": 2},
                    agent=agent,
                )
            )
        if rnd.random() < 0.01:
            rows.append(
                event("protocol", "plan_blocked", at, session, subject="writeFile", action="refuse", agent=agent)
            )
        outcome = "response" if rnd.random() > 0.02 else "error"
        rows.append(event("turn", "turn_done", at + dt.timedelta(seconds=6), session, outcome=outcome, **counts))
    return rows


def _oddities(rnd: random.Random) -> list[Row]:
    rows = []
    for n in range(40):
        start = START + dt.timedelta(days=n % 13, hours=11, minutes=n)
        rejected = [["socratic.shape.names_source"]] if n % 3 else []
        rows += run(None, start, rejected, inferred_run=f"worker.log #{n}", file="worker.log")
    rows += run("c-undated", START, [["socratic.shape.word_limit"]], file="worker.log")
    for row in rows[-2:]:
        row["time"] = None
    retired = event(
        "honesty", "gate_fired", START, "c0000", ["honesty.unverified_destructive"], subject="honesty", severity="high"
    )
    rows.append(retired | {"text": "removed", "ok_count": 1, "fail_count": 0, "action": "regenerate"})
    for n in range(120):
        at = START + dt.timedelta(days=n % 20, hours=8, minutes=n % 60)
        refusal = rnd.choices([None, "no_number", "several_numbers"], [20, 2, 1])[0]
        extra = {
            "point": "start" if n % 2 else "end",
            "participant": f"p{n % 7}",
            "value": None if refusal else 1 + n % 7,
        }
        reasons = [f"probe.scale.{refusal}"] if refusal else []
        text = "hard to say" if refusal else str(1 + n % 7)
        rows.append(event("probe", "answer", at, f"study{n % 10}", reasons, rule=refusal, subject="trust", text=text, attempts=1 + (n % 9 == 0), extra=extra))  # fmt: skip
    for n in range(24):
        at = START + dt.timedelta(days=n, hours=7)
        rows.append(event("lesson", "plan_init", at, f"lesson{n}"))
        rows.append(
            event(
                "lesson",
                "quiz_call",
                at + dt.timedelta(minutes=1),
                f"lesson{n}",
                subject=f"node{n % 4}" if n % 5 else None,
            )
        )
        rows.append(event("lesson", "probe_done", at + dt.timedelta(minutes=2), f"lesson{n}"))
    return rows


def write_demo(path: Path, *, live: bool = True) -> Path:
    """The four weeks as a store: with the live catalog, or with the given checks (also while the catalog is empty)."""
    events, rejects = four_weeks()
    checks = catalog_checks() if live else []
    known = {row["check_id"] for row in checks}
    checks += [row for row in given_checks() if row["check_id"] not in known]
    return write_store(path, events, checks=checks, rejects=rejects, quiet_days=[dt.date(2026, 5, 31)])


if __name__ == "__main__":
    print(write_demo(Path(sys.argv[1] if len(sys.argv) > 1 else "demo.duckdb")))
