"""Purging: what is removed is in no byte of the file and in no count, and does not come back."""

import datetime as dt
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

import gatecov
from ingest.purge import NothingToPurgeError, purge_before, purge_session
from queries.report import report
from storefile import StoreError, opened
from tests.ingest.logs import counts, dumps, read, rows

D = dt.datetime(2026, 9, 3)


def line(day: int, session: str | None, draft: str, second: int = 0) -> str:
    message = f'[SocraticStage] draft rejected {{"attempt":1,"reason":"no digits","draft":"{draft}"}}'
    told = {"level": "warn", "message": message, "timestamp": f"2026-09-{day:02d}T10:00:{second:02d}.000Z"}
    return dumps(told | ({"session": session} if session else {}))


LINES = [
    line(1, "chat-old", "XRAYOLD first day"),
    '{"message":"[SocraticStage] draft rejected {\\"draft\\":\\"XRAYREJECTOLD',
    line(2, "chat-both", "XRAYBOTH second day"),
    line(3, "chat-both", "KEEPBOTH third day"),
    '{"session":"chat-new","message":"[SocraticStage] draft rejected {\\"draft\\":\\"KEEPREJECT',
    line(4, "chat-new", "KEEPNEW fourth day"),
    '{"message":"[SocraticStage] writer call failed KEEPUNDATED in chat-new"}',
]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "app.log"
    path.write_text("\n".join(LINES) + "\n", "utf-8")
    return path


@pytest.fixture
def db(log: Path, tmp_path: Path) -> Path:
    read(log, tmp_path / "store.duckdb")
    return tmp_path / "store.duckdb"


def there(db: Path, *words: str) -> list[str]:
    content = db.read_bytes()
    return [word for word in words if word.encode() in content]


OLD = ("XRAYOLD", "XRAYREJECTOLD", "XRAYBOTH", "chat-old")
KEPT = ("KEEPBOTH", "KEEPREJECT", "KEEPNEW", "KEEPUNDATED")


def test_before_a_time_no_byte_stays(db: Path) -> None:
    """Protects the promise: drafts, rejects and session names of before are nowhere in the file, the rest is."""
    assert [*OLD, *KEPT] == there(db, *OLD, *KEPT)
    removed = purge_before(db, D)
    assert (2, 2, 1, 0) == (removed.events, removed.fires, removed.rejects, removed.undated)
    assert list(KEPT) == there(db, *OLD, *KEPT)
    assert (3, 2, 1) == counts(db)


def test_a_session_goes_with_the_rejects_that_name_it(db: Path) -> None:
    """Protects one person's wish to be forgotten; another conversation that names the session is told of."""
    removed = purge_session(db, "chat-new")
    assert (1, 1, 1, 1) == (removed.events, removed.fires, removed.rejects, removed.mentions)
    assert ["XRAYOLD", "KEEPBOTH"] == there(db, "XRAYOLD", "KEEPBOTH", "KEEPNEW", "KEEPREJECT")
    assert "1 record of other sessions that name this one stay" in removed.sentence()


def test_a_purged_file_is_not_read_again(db: Path, log: Path) -> None:
    """Protects against the next nightly ingest: the file stays known, though nothing of it may be left."""
    purge_before(db, dt.datetime(2027, 1, 1))
    again = read(log, db)
    assert (0, 1) == (again.events, again.skipped_files)
    assert (0, 0, 0) == counts(db)


@pytest.mark.parametrize(("form", "left_out"), [("grown", 1), ("another form", 2), ("document", 2)])
def test_what_was_purged_does_not_come_back(tmp_path: Path, form: str, left_out: int) -> None:
    """Protects against a file that grew, an export in another form, and a document that is read anew as a whole."""
    log, db = tmp_path / "app.log", tmp_path / "store.duckdb"
    drafts = [line(1, "chat-old", "XRAYOLD"), line(2, "chat-gone", "XRAYGONE"), line(4, "chat-new", "KEEPNEW")]
    document = form == "document"
    log.write_text("[\n" + ",\n".join(drafts[:2]) + "]\n" if document else "\n".join(drafts[:2]), "utf-8")
    read(log, db)
    purge_before(db, dt.datetime(2026, 9, 2))
    purge_session(db, "chat-gone")
    if form == "another form":
        log = tmp_path / "export.log"
        drafts = [dumps({"log": f"{draft}\n", "stream": "stdout", "time": "2026-09-09T10:00:00Z"}) for draft in drafts]
    log.write_text("[\n" + ",\n".join(drafts) + "]\n" if document else "\n".join(drafts) + "\n", "utf-8")
    summary = read(log, db)
    assert (1, ["KEEPNEW"]) == (summary.events, there(db, "XRAYOLD", "XRAYGONE", "KEEPNEW"))
    assert [f"left out, because the store was purged of such records: {left_out}"] == [
        n for n in summary.notes if n.startswith("left out")
    ]
    assert [(dt.date(2026, 9, 4), 1)] == rows(
        db, "SELECT day, sum(relevant)::INTEGER FROM coverage GROUP BY 1 HAVING sum(relevant) > 0"
    )


def test_coverage_counts_what_is_left(db: Path) -> None:
    """Protects gaps and days: those of before are gone, and a session's records are no longer counted on theirs."""
    purge_before(db, D)
    purge_session(db, "chat-both")
    told = "SELECT day, sum(relevant)::INTEGER FROM coverage GROUP BY 1 ORDER BY 1"
    assert [(dt.date(2026, 9, 3), 0), (dt.date(2026, 9, 4), 1)] == rows(db, told)


def test_the_report_says_what_was_purged(db: Path) -> None:
    """Protects the reader of a count from taking a purged store for the whole."""
    purge_before(db, D)
    purge_session(db, "chat-new")
    text = report(db, width=400)
    assert "Purged: records before 2026-09-03T00:00:00Z were purged (2 records and 1 reject removed" in text
    assert "and 1 session purged (1 record and 1 reject removed" in text
    assert [] == there(db, "chat-old")


def test_the_surviving_half_of_a_pair_counts(tmp_path: Path) -> None:
    """Protects a fire that was told twice: when the record that counted goes, the one that repeated it counts itself."""
    db = tmp_path / "store.duckdb"
    (tmp_path / "a.log").write_text(line(1, "chat", "one") + "\n" + line(4, "chat", "two") + "\n", "utf-8")
    read(tmp_path / "a.log", db)
    with opened(db, write=True) as connection:
        connection.execute("UPDATE events SET duplicate_of = (SELECT min(event_id) FROM events) WHERE text = 'two'")
    purge_before(db, D)
    assert [("two", None)] == rows(db, "SELECT text, duplicate_of FROM events")


def test_the_new_file_is_the_store_as_it_was(db: Path) -> None:
    """Protects rights, comments, views and keys: only rows differ, and nothing is left beside it."""
    db.chmod(0o640)
    schema = "SELECT table_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal ORDER BY ALL"
    before, beside = rows(db, schema), sorted(os.listdir(db.parent))
    purge_before(db, D)
    assert (before, beside, 0o640) == (rows(db, schema), sorted(os.listdir(db.parent)), db.stat().st_mode & 0o777)
    with duckdb.connect(str(db)) as connection, pytest.raises(duckdb.ConstraintException):
        connection.execute("INSERT INTO files SELECT * FROM files")


def test_nothing_to_purge_changes_nothing(db: Path) -> None:
    """Protects from a mistyped session: it is told, and not a byte of the store moves."""
    before = db.read_bytes()
    with pytest.raises(NothingToPurgeError, match="session nobody: nothing is known here"):
        purge_session(db, "nobody")
    with pytest.raises(NothingToPurgeError, match="before 2020-01-01T00:00:00Z: nothing was logged then"):
        purge_before(db, dt.datetime(2020, 1, 1))
    assert before == db.read_bytes()


def test_a_store_in_use_is_waited_for_and_named(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects whoever has the store open: the purge does not take the file from under them."""
    hold = f"import duckdb, sys, time; c = duckdb.connect({str(db)!r}, read_only=True); print(1, flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", hold], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        monkeypatch.setattr("storefile.rewrite.__kwdefaults__", {"wait": 0.2})
        with pytest.raises(StoreError, match=rf"held open by .*process {holder.pid}"):
            purge_before(db, D)
        holder.kill()
    assert (5, 4, 2) == counts(db)


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2])
def test_killed_at_any_moment_it_is_done_or_not(db: Path, delay: float) -> None:
    """Protects from kill -9: the store is as before or as afterwards, and the next purge goes through."""
    program = f"from ingest.purge import *; import datetime; print(1, flush=True); purge_before(__import__('pathlib').Path({str(db)!r}), datetime.datetime(2026, 9, 3))"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as one:
        assert one.stdout
        one.stdout.readline()
        time.sleep(delay)
        one.send_signal(signal.SIGKILL)
    assert counts(db) in ((5, 4, 2), (3, 2, 1))
    if counts(db) == (5, 4, 2):
        purge_before(db, D)
    assert ((3, 2, 1), list(KEPT)) == (counts(db), there(db, *OLD, *KEPT))


COMMANDS = {
    "neither": ([], 2, "purge: give either --before D or --session S"),
    "both": (["--before", "2026-09-03", "--session", "s"], 2, "purge: give either --before D or --session S"),
    "no date": (["--before", "soon"], 2, "--before soon: this is no date or timestamp"),
    "an offset": (["--before", "2026-09-03T02:00:00+02:00"], 0, "before 2026-09-03T00:00:00Z: removed 2 records with 2 reasons, and 1 reject;"),
    "unknown": (["--session", "nobody"], 1, "session nobody: nothing is known here; the store is as it was"),
    "a session": (["--session", "chat-old"], 0, "session chat-old: removed 1 record with 1 reason, and 0 rejects;"),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_says_what_it_did(db: Path, name: str) -> None:
    """Protects the command line: exit code and sentence for each way to call it."""
    arguments, code, says = COMMANDS[name]
    root = Path(gatecov.__file__).parent
    done = subprocess.run(
        [sys.executable, "-m", "gatecov", "purge", *arguments, "--db", str(db)],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert (code, True) == (done.returncode, says in done.stdout + done.stderr)


def test_there_is_no_store_to_purge(tmp_path: Path) -> None:
    """Protects from making a store where there was none."""
    with pytest.raises(StoreError, match="there is no store here yet"):
        purge_before(tmp_path / "none.duckdb", D)
    assert [] == os.listdir(tmp_path)
