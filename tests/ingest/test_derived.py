"""What is kept of runs and judged items is what the records say, however they came and went."""

import datetime as dt
import json
import random
import shutil
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

import ingest.run
import storefile
from ingest.derived import derive, mark
from ingest.purge import NothingToPurgeError, purge_before, purge_session
from storefile import opened
from tests.ingest.logs import dumps, read, rows

WORKED_OUT = (Path(__file__).parent / "worked_out.sql").read_text("utf-8")
DAY = dt.datetime(2026, 9, 1)
REASONS = ("no digits", "not a single question", "a reason that nobody knows", "reads as compound")
ASKED = (
    "SELECT * FROM runs",
    "SELECT * FROM evaluations",
    "SELECT * FROM check_totals",
    "SELECT * FROM check_totals_in(TIMESTAMP '2026-09-01 08:00', TIMESTAMP '2026-09-02 12:00:00.5', NULL::VARCHAR)",
    "SELECT * FROM check_totals_in(NULL::TIMESTAMP, NULL::TIMESTAMP, 'Ada')",
)
SESSIONS = tuple(f"s-{n}" for n in range(1, 8))
KEPT = (
    "SELECT * EXCLUDE (objection), (SELECT list((family, fragment, check_id) ORDER BY position) FROM all_objections o WHERE o.objection = j.objection) AS reasons"
    " FROM all_judged j",
    "SELECT * FROM all_runs",
)


def everything(connection: duckdb.DuckDBPyConnection, *asked: str) -> list[list[tuple[object, ...]]]:
    return [sorted(connection.execute(sql).fetchall(), key=repr) for sql in asked]


def hold(db: Path, beside: Path) -> None:
    """Compare what is kept with what is worked out anew by the definitions, and with what stands in worked_out.sql."""
    with opened(db) as connection:
        kept, numbers = everything(connection, *ASKED), everything(connection, *KEPT)
    shutil.copyfile(db, beside)
    with duckdb.connect(str(beside)) as connection:
        connection.execute((storefile.SCHEMA / "derive_all.sql").read_text("utf-8"))
        assert everything(connection, *KEPT) == numbers
        assert everything(connection, *ASKED) == kept
        connection.execute(WORKED_OUT)
        assert everything(connection, *ASKED) == kept


def records(dice: random.Random, count: int) -> list[str]:
    """Lines of several conversations among each other: runs that end, break off or start over, and the other systems."""
    lines = []
    for n in range(count):
        session = dice.choice([*SESSIONS, None])
        agent = dice.choice(["Ada", "Bo"])
        time = DAY + dt.timedelta(minutes=dice.randint(0, 4000), milliseconds=dice.choice([0, 500]))
        stage = {
            "stage": "shape",
            "reason": "; ".join(dice.sample(REASONS, dice.randint(0, 2))),
            "draft": f"draft {n}?",
        }
        message = dice.choice(
            [
                f"[SocraticStage] draft rejected {dumps({'attempt': dice.randint(1, 3), **stage})}",
                f"[SocraticStage] draft rejected {dumps({'attempt': 1, **stage})}",
                "[SocraticStage] writer call failed Error: 429",
                f"[SocraticStage] summary {dumps({'outcome': dice.choice(['posted-writer', 'silent']), 'attempts': dice.randint(1, 4)})}",
                f"[SocraticStage] template fallback failed checks ({dice.choice(REASONS)}) — staying silent",
                f"{agent} Agent: slots rejected (concept has digits)",
                f"{agent} Agent: intervention rejected by professionalism guardrail (goal: socratic_probe)",
                f"{agent} Agent: Detected socratic_probe opportunity — quick agreement",
                f"[honesty] session={session or 's-2'} passed (3 ok / 0 fail / 3 total)",
                f'[honesty] session={session or "s-2"} fired severity=high reason=failures_with_claim failCount=2 okCount=1 claim="it is done"',
                f"[in-turn-reflection] session={session or 's-3'} signature=http:http-401 count=2",
                f"[turn] session={session or 's-1'} done outcome=response durationMs=812 ok=2 fail=1",
                f"vector chunk latency {n}",
            ]
        )
        more = ({"conversationId": session} if session else {}) | ({"agent": agent} if dice.random() < 0.5 else {})
        stamp = {} if dice.random() < 0.1 else {"timestamp": f"{time.isoformat(timespec='milliseconds')}Z"}
        lines.append(dumps({"level": "info", "message": message, **stamp, **more}))
    return lines


class Story:
    """A store to which things happen."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.dice, self.db = folder, random.Random(seed), folder / "store.duckdb"
        self.logs = folder / "logs"
        self.logs.mkdir()
        self.grow()

    def grow(self) -> None:
        """A log grows, perhaps by a line that has no end yet."""
        text = "\n".join(records(self.dice, 25)) + self.dice.choice(["\n", "", "\n{"])
        with (self.logs / self.dice.choice(["a.log", "b.log"])).open("a", encoding="utf-8") as log:
            log.write(text)
        read(self.logs, self.db)

    def replace(self) -> None:
        """A document is written anew, shorter or longer than it was."""
        content = [json.loads(line) for line in records(self.dice, self.dice.randint(1, 8))]
        (self.logs / "events.json").write_text(json.dumps(content), "utf-8")
        read(self.logs, self.db)

    def copy(self) -> None:
        """Records stand in a second file as well, and count once."""
        lines = (self.logs / "a.log").read_text("utf-8").splitlines() if (self.logs / "a.log").exists() else []
        (self.logs / "copy.log").write_text("\n".join([*records(self.dice, 3), *lines[:20]]) + "\n", "utf-8")
        read(self.logs, self.db, dedupe=True)

    def forget_a_session(self) -> None:
        with suppress(NothingToPurgeError):
            purge_session(self.db, self.dice.choice(SESSIONS))

    def forget_the_past(self) -> None:
        with suppress(NothingToPurgeError):
            purge_before(self.db, DAY + dt.timedelta(minutes=self.dice.randint(0, 1000)))

    def know_less(self) -> None:
        """As after an ingest by an older catalog; the next maps the reasons again."""
        with opened(self.db, write=True) as connection:
            connection.execute("UPDATE fires SET check_id = NULL WHERE fragment = 'no digits'")
            mark(connection, "event_id IN (SELECT event_id FROM fires WHERE fragment = 'no digits')")

    def change_the_catalog(self) -> None:
        with opened(self.db, write=True) as connection:
            connection.execute('UPDATE checks SET "order" = 9 - "order" WHERE family = \'honesty\'')


HAPPENINGS = (
    "grow",
    "grow",
    "replace",
    "replace",
    "copy",
    "forget_a_session",
    "forget_the_past",
    "know_less",
    "change_the_catalog",
)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_is_what_would_be_worked_out(tmp_path: Path, seed: int) -> None:
    """Protects every number from a derived row that outlived its records, or never came to be."""
    story = Story(tmp_path, seed)
    for _ in range(6):
        getattr(story, story.dice.choice(HAPPENINGS))()
        hold(story.db, tmp_path / "beside.duckdb")


@pytest.mark.parametrize("seed", [100, 101])
def test_an_answer_is_right_before_anything_is_kept(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects whoever asks between an ingest's commit and its end, or after it was killed there; the next ingest mends it."""
    story = Story(tmp_path, seed)
    with monkeypatch.context() as patched:
        patched.setattr(ingest.run, "derive", lambda db: None)
        for happening in (story.grow, story.replace, story.grow):
            happening()
            hold(story.db, tmp_path / "beside.duckdb")
    assert rows(story.db, "SELECT 1 FROM stale LIMIT 1")
    derive(story.db)
    hold(story.db, tmp_path / "beside.duckdb")
    assert [] == rows(story.db, "SELECT 1 FROM stale LIMIT 1")


def test_nothing_is_kept_of_what_was_purged(tmp_path: Path) -> None:
    """Protects a person's right to be forgotten: no number, name or reason of the session stays in a derived table."""
    log, db = tmp_path / "a.log", tmp_path / "store.duckdb"
    draft = dumps({"attempt": 1, "stage": "shape", "reason": "only Mira's", "draft": "d?"})
    lines = [
        dumps({"level": "warn", "message": f"[SocraticStage] draft rejected {draft}", "conversationId": "mira-7"}),
        *records(random.Random(1), 20),
    ]
    log.write_text("\n".join(lines) + "\n", "utf-8")
    read(log, db)
    [(place,)] = rows(db, "SELECT place FROM places WHERE name = 'mira-7'")
    purge_session(db, "mira-7")
    left = f"SELECT name FROM places WHERE name = 'mira-7' UNION ALL SELECT 'judged' FROM judged WHERE place = {place}"
    assert [] == rows(
        db,
        f"{left} UNION ALL SELECT 'run' FROM stage_runs WHERE place = {place} UNION ALL SELECT fragment FROM objections WHERE contains(fragment, 'Mira')",
    )
    assert (b"mira-7" in db.read_bytes(), b"only Mira" in db.read_bytes()) == (False, False)


def test_numbers_that_are_given_again_are_linked_and_derived(tmp_path: Path) -> None:
    """Protects runs without a session in a document that is written anew: its records get the numbers of those that went."""
    db, log = tmp_path / "store.duckdb", tmp_path / "events.json"
    first = {
        "level": "warn",
        "message": '[SocraticStage] draft rejected {"attempt":1,"stage":"shape","reason":"no digits","draft":"d?"}',
    }
    last = {"level": "info", "message": '[SocraticStage] summary {"outcome":"posted-writer","attempts":2}'}
    for number, content in enumerate(([first, last], [last | {"timestamp": "2026-09-01T10:00:00Z"}, first])):
        log.write_text(json.dumps(content), "utf-8")
        read(log, db)
        assert (number, 2) == (number, rows(db, "SELECT count(*) FROM inferred_runs")[0][0])
        hold(db, tmp_path / "beside.duckdb")


def rejected(n: int) -> str:
    message = (
        f'[SocraticStage] draft rejected {{"attempt":1,"reason":"no digits; draft {n} goes on and on and on and on"}}'
    )
    return dumps({"level": "warn", "message": message, "conversationId": f"s-{n % 1000}"})


def test_as_many_lists_of_reasons_as_records_need_no_more_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects a store from logs whose reasons are all different: working them out must not need them all at once."""
    monkeypatch.setattr(storefile, "WRITER_SETTINGS", "SET memory_limit = '32MB';")
    log, db = tmp_path / "app.log", tmp_path / "store.duckdb"
    log.write_text("\n".join(map(rejected, range(15_000))) + "\n")
    summary = read(log, db)
    assert [] == [note for note in summary.notes if "memory" in note]
    assert [(15_000, 0)] == rows(
        db, "SELECT (SELECT count(DISTINCT objection) FROM judged), (SELECT count(*) FROM stale)"
    )


def test_what_cannot_be_worked_out_beforehand_is_told_and_right_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects an ingest from failing at its end on a machine with little memory, when everything is stored."""
    log, db = tmp_path / "app.log", tmp_path / "store.duckdb"
    log.write_text("\n".join(map(rejected, range(3_000))) + "\n")
    read(log, db)
    with opened(db, write=True) as connection:
        connection.execute("INSERT INTO stale SELECT place, -1 FROM places")
    monkeypatch.setattr(storefile, "WRITER_SETTINGS", "SET memory_limit = '1MB';")
    assert not derive(db)
    monkeypatch.undo()
    hold(db, tmp_path / "anew.duckdb")
    assert derive(db)
    hold(db, tmp_path / "anew.duckdb")
