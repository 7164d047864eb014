"""The loop closed: fresh conversations run through the live systems, their logs read, and every count found equal.

`worlds.py` and `turnworlds.py` run the systems and keep a tally without looking at a log; here the logs are written in
several forms, ingested, and compared with it.
"""

import csv
import datetime as dt
import random
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from checks.logs import compact_json
from checks.probe import to_csv, to_jsonl
from checks.registry import catalog
from ingest import ingest
from queries import run
from queries.export import export
from samples.folder import iso, pino
from tests.tally import FIGURES, Tally
from tests.turnworlds import LessonWorld, TurnWorld, probed
from tests.worlds import FORMS, Form, Line, SocraticWorld

CONVERSATIONS = 70
TURNS = 70


def read_back(logs: Path, *, undated: int = 0, unmapped: int = 0) -> Path:
    """Ingest the folder into a store beside it; every record must be read, and its reason mapped."""
    db = logs.parent / f"{logs.name}.duckdb"
    summary = ingest([str(logs)], db)
    assert [] == list(summary.problems)
    figures = summary.figures()
    assert {"rejected": 0, "undated": undated, "unmapped": unmapped} == {
        name: figures[name] for name in ("rejected", "undated", "unmapped")
    }
    return db


def check_balance(tally: Tally, db: Path, figures: list[str] = FIGURES) -> None:
    """Every figure of every check, every run, and every row of the exported files is what the tally says."""
    totals = {row["check_id"]: row for row in run(db, "check_totals").filter(~pl.col("retired")).to_dicts()}
    expected = {c.check_id: {name: tally.expected(c)[name] for name in figures} for c in catalog()}
    assert expected == {c.check_id: {name: totals[c.check_id][name] for name in figures} for c in catalog()}

    runs = run(db, "runs", limit=100_000).to_dicts()
    assert +tally.runs == Counter((row["complete"], row["rejected_drafts"], row["failed_calls"]) for row in runs)
    assert {True} >= {row["consistent"] for row in runs if row["complete"]}

    events = run(db, "records", limit=1_000_000).filter(~pl.col("system").is_in(["lesson"]))
    assert +tally.events == Counter(zip(events["system"], events["kind"], strict=True))
    refusals = run(db, "refusals").to_dicts()
    assert tally.refusals == Counter({(row["kind"], row["tool"]): row["refusals"] for row in refusals})
    reminders = run(db, "reminders").to_dicts()
    assert tally.reminders == Counter({row["signature"]: row["reminders"] for row in reminders})

    check_exported(tally, db)


def check_exported(tally: Tally, db: Path) -> None:
    folder = db.with_suffix(".csv")
    export(db, folder)

    def rows(name: str) -> list[dict[str, str]]:
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    attempts = {(row["system"], int(row["attempts"]), row["outcome"]): int(row["runs"]) for row in rows("attempts")}
    assert tally.attempts == Counter(attempts)
    gates = {(row["gate"], row["reason"], row["severity"]): row for row in rows("gates")}
    assert tally.gates == Counter({key: int(row["fires"]) for key, row in gates.items()})
    for gate, reason, severity in tally.gates:
        row, key = gates[gate, reason, severity], (gate, reason, severity)
        counted = [str(tally.gate_results[(*key, result)]) for result in ("ok", "fail")] if severity else ["", ""]
        assert counted == [row["ok_count"], row["fail_count"]]
    drops = {(row["agent"], row["goal"]): int(row["drops"]) for row in rows("guardrails")}
    assert tally.drops == Counter(drops)
    checks = {row["check_id"]: row for row in rows("checks")}
    for check in catalog():
        figures = tally.expected(check)
        assert (str(figures["fires"]), str(figures["sole_fires"])) == (
            checks[check.check_id]["fires"],
            checks[check.check_id]["sole_fires"],
        )


def save(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))


def wrapped(form: Form, lines: list[Line]) -> list[str]:
    return [form.wrap(when, line) for when, line in lines]


@pytest.mark.parametrize("name", FORMS)
def test_the_socratic_stage_balances(tmp_path: Path, name: str) -> None:
    """Protects every count of the stage, the agent and the guardrail: what is read is what was done, in each form."""
    form, tally = FORMS[name], Tally()
    world = SocraticWorld(random.Random(f"socratic {name}"), name, form.identified, form.make, tally)
    world.converse(CONVERSATIONS)
    save(tmp_path / "logs" / f"{name}.log", wrapped(form, world.lines))
    outcomes = {outcome for _, _, outcome in tally.attempts}
    assert {"posted-writer", "posted-template", "silent"} == outcomes
    check_balance(tally, read_back(tmp_path / "logs"))


def test_every_check_had_its_turn() -> None:
    """Protects the loop from balancing because nothing happened: the scripts make each check of the catalog fire."""
    tally = Tally()
    for name, form in FORMS.items():
        SocraticWorld(random.Random(f"socratic {name}"), name, form.identified, form.make, tally).converse(
            CONVERSATIONS
        )
    for name in CONSOLES:
        TurnWorld(random.Random(f"turns {name}"), tally).converse(TURNS)
    probed(random.Random("probes"), 40, tally)
    LessonWorld(random.Random("lessons"), tally).converse(40)
    fired = {check_id for one in tally.fired for check_id in one.check_ids}
    assert {check.check_id for check in catalog()} == fired


def test_conversations_at_once_balance_without_ids(tmp_path: Path) -> None:
    """Protects the pairing of lines that name no conversation: interleaved runs give the counts of what was done."""
    tally = Tally()
    world = SocraticWorld(random.Random("at once"), "busy", False, FORMS["winston-text"].make, tally, dies=0, fails=0)
    world.converse(60, every=dt.timedelta(seconds=20))
    save(tmp_path / "logs" / "busy.log", [line for _, line in world.lines])
    check_balance(tally, read_back(tmp_path / "logs"))


CONSOLES = {
    "pino": pino,
    "winston-text": lambda when, text: f"{when:%Y-%m-%d %H:%M:%S} info: {text}",
    "winston-json": lambda when, text: compact_json({"level": "info", "message": text, "timestamp": iso(when)}),
}


@pytest.mark.parametrize("name", CONSOLES)
def test_turns_balance(tmp_path: Path, name: str) -> None:
    """Protects passes, fires, reminders and refusals: what stands on the console and in the audit trail counts once."""
    tally = Tally()
    world = TurnWorld(random.Random(f"turns {name}"), tally)
    world.converse(TURNS)
    save(tmp_path / "logs" / "console.log", [CONSOLES[name](when, text) for when, text in world.console])
    save(tmp_path / "logs" / "audit.ndjson", [line for _, line in world.audit])
    check_balance(tally, read_back(tmp_path / "logs"))


def test_probe_answers_balance(tmp_path: Path) -> None:
    """Protects values, refusals and attempts of answers, as JSONL and as CSV."""
    tally = Tally()
    discussions = probed(random.Random("probes"), 40, tally)
    lines = to_jsonl(answer for answers in discussions[::2] for answer in answers).split("\n")[:-1]
    save(tmp_path / "logs" / "answers.jsonl", lines)
    for number, answers in enumerate(discussions[1::2]):
        (tmp_path / "logs" / f"answers-{number}.csv").write_text(to_csv(answers), encoding="utf-8", newline="")
    check_balance(tally, read_back(tmp_path / "logs"))


def test_lessons_balance(tmp_path: Path) -> None:
    """Protects the refusals of the lesson tools and the calls that they were among."""
    tally = Tally()
    world = LessonWorld(random.Random("lessons"), tally)
    world.converse(60)
    save(tmp_path / "logs" / "lessons.jsonl", world.lines)
    db = read_back(tmp_path / "logs", unmapped=world.plain_errors)
    check_balance(tally, db)


def test_everything_in_one_store_balances(tmp_path: Path) -> None:
    """Protects one source's counts from another's: all systems, in all forms, in one folder and one store."""
    tally = Tally()
    for name, form in FORMS.items():
        world = SocraticWorld(random.Random(f"all {name}"), name, form.identified, form.make, tally)
        world.converse(25)
        save(tmp_path / "logs" / name / "agent.log", wrapped(form, world.lines))
    turns = TurnWorld(random.Random("all turns"), tally)
    turns.converse(25)
    save(tmp_path / "logs" / "turns" / "console.log", [pino(when, text) for when, text in turns.console])
    save(tmp_path / "logs" / "turns" / "audit.ndjson", [line for _, line in turns.audit])
    answers = probed(random.Random("all probes"), 10, tally)
    save(tmp_path / "logs" / "answers.jsonl", to_jsonl(one for some in answers for one in some).split("\n")[:-1])
    check_balance(tally, read_back(tmp_path / "logs"))
