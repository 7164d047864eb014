"""The command line as a person meets it: whole output, streams and exit codes, in a process of its own."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import duckdb
import pytest

from ingest import IngestSettings
from places import TABLES
from queries.thresholds import Thresholds
from tests.ingest.logs import winston_json
from tests.stores import START, event, write_store

SUMMARY = '2026-11-01 10:00:00 info: [SocraticStage] summary {"outcome":"silent","attempts":4}\n'
CUT = '2026-11-01 10:00:00 info: [SocraticStage] summary {"outcome":\n'


def gatecov(*arguments: object, folder: Path, stdin: str = "", config: str = "") -> subprocess.CompletedProcess[str]:
    """`gatecov` with `arguments`, run in `folder`, without what the caller's environment says of stores."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GATECOV_")}
    environment |= {"GATECOV_CONFIG": config} if config else {}
    command = [sys.executable, "-m", "gatecov", *map(str, arguments)]
    return subprocess.run(
        command, cwd=folder, input=stdin, capture_output=True, text=True, env=environment, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one log, an empty folder, a binary file, and a file that is no store."""
    (tmp_path / "agent.log").write_text(SUMMARY, encoding="utf-8")
    (tmp_path / "cut.log").write_text(CUT, encoding="utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)) * 64)
    (tmp_path / "noise.duckdb").write_bytes(bytes(range(256)) * 64)
    return tmp_path


BAD_INPUT: Sequence[tuple[Sequence[str], int, str]] = (
    (
        ("ingest", "nowhere"),
        1,
        "nowhere: there is no such file or folder; give files, folders, patterns, or - for standard input",
    ),
    (("ingest", "empty"), 1, "empty: the folder holds no files; name the one that holds the logs"),
    (
        ("ingest", "noise.bin"),
        1,
        "noise.bin: it is a binary file, not a log; give text, or text compressed as gz, bz2, xz or zst",
    ),
    (
        ("ingest", ""),
        1,
        "'': there is no such file or folder; give files, folders, patterns, or - for standard input",
    ),
    (("report", "--db", ""), 2, "--db '': this names no file; give one, or leave --db out for gatecov.duckdb"),
    (
        ("ingest", "agent.log", "--db", "noise.duckdb"),
        1,
        "noise.duckdb: this is not a DuckDB file; name another with --db, or move it away and ingest again",
    ),
    (
        ("ingest", "agent.log", "--db", "empty"),
        1,
        "empty: this is a folder, not a store; name a file, for example empty/gatecov.duckdb",
    ),
    (
        ("ingest", "agent.log", "--db", "missing/a.duckdb"),
        1,
        "missing/a.duckdb: the folder missing does not exist; create it first",
    ),
    (
        ("ingest", "agent.log", "--tz", "Mars/Base"),
        2,
        "'Mars/Base' is not a time zone; give one like UTC, Europe/Berlin or America/New_York",
    ),
    (
        ("report", "--db", "none.duckdb"),
        1,
        "none.duckdb: there is no store here yet; fill one with: gatecov ingest PATH --db none.duckdb",
    ),
    (
        ("report", "--db", "noise.duckdb"),
        1,
        "noise.duckdb: this is not a DuckDB file; name another with --db, or move it away and ingest again",
    ),
    (
        ("report", "--since", "yesterday"),
        2,
        "--since yesterday: this is no date or timestamp; write 2026-06-01 or 2026-06-01T09:30:00Z",
    ),
    (
        ("report", "--since", ""),
        2,
        "--since '': this is no date or timestamp; write 2026-06-01 or 2026-06-01T09:30:00Z",
    ),
    (
        ("export", "out", "--db", "none.duckdb"),
        1,
        "none.duckdb: there is no store here yet; fill one with: gatecov ingest PATH --db none.duckdb",
    ),
)


@pytest.mark.parametrize(("arguments", "code", "sentence"), BAD_INPUT, ids=[" ".join(case[0]) for case in BAD_INPUT])
def test_bad_input_gets_one_sentence(folder: Path, arguments: Sequence[str], code: int, sentence: str) -> None:
    """Protects people from tracebacks and scripts from the wrong exit code: one sentence, the right status."""
    done = gatecov(*arguments, folder=folder)
    assert (done.returncode, done.stderr) == (code, f"gatecov: {sentence}\n")


@pytest.mark.parametrize("command", [("ingest", "agent.log"), ("report",), ("export", "csv"), ("plan",)])
def test_configuration_that_is_named_must_be_there(folder: Path, command: Sequence[str]) -> None:
    """Protects a job from the usual thresholds where it meant its own: a name with a typing error is no empty file."""
    gatecov("ingest", "agent.log", folder=folder)
    done = gatecov(*command, folder=folder, config="./gatecow.toml")
    expected = "gatecov: ./gatecow.toml: there is no such file, though GATECOV_CONFIG names it\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", expected)


BAD_CONFIG = (
    (b"[treshold]\nmin_days = 1\n", "nothing reads the table [treshold]; did you mean thresholds?"),
    (b"[foo]\n", "nothing reads the table [foo]; there are decisions, ingest, rules, thresholds"),
    (b"min_days = 1\n", "nothing reads the table [min_days]; there are decisions, ingest, rules, thresholds"),
    (b"[thresholds]\nmin_day = 1\n", "[thresholds] has no key min_day; did you mean min_days?"),
    (b"[ingest]\nsession_field = []\n", "[ingest] has no key session_field; did you mean session_fields?"),
    (b"[rules]\nfail = []\n", "[rules] has no key fail; did you mean fail_on?"),
    (b"ingest = 3\n", "ingest is 3, not a table; write [ingest] and a line for each key"),
    (b"# caf\xe9\n", "byte 5 is not UTF-8; save the file as UTF-8"),
    (None, "it is a folder, not a file; mend that, or name another file with GATECOV_CONFIG"),
)


@pytest.mark.parametrize("command", [("ingest", "agent.log"), ("report",), ("export", "csv"), ("plan",)])
def test_configuration_that_sets_nothing_is_refused(folder: Path, command: Sequence[str]) -> None:
    """Protects from the usual thresholds where others were meant: a table or key with a typing error is named."""
    gatecov("ingest", "agent.log", folder=folder)
    told = {}
    for content, _ in BAD_CONFIG:
        config = folder / "gatecov.toml"
        if content is None:
            config.unlink()
            config.mkdir()
        else:
            config.write_bytes(content)
        done = gatecov(*command, folder=folder)
        told[content] = (done.returncode, done.stdout, done.stderr)
    assert {content: (1, "", f"gatecov: gatecov.toml: {why}\n") for content, why in BAD_CONFIG} == told


def test_names_of_the_configuration_are_those_that_are_read() -> None:
    """Protects the one list of tables and keys: every setting of every reader is in it, and nothing else."""
    expected = {
        "decisions": (),
        "ingest": tuple(field.name for field in fields(IngestSettings)),
        "rules": ("fail_on",),
        "thresholds": tuple(field.name for field in fields(Thresholds)),
    }
    assert expected == TABLES


DECIDED = (
    '[decisions."socratic.shape.no_digit"]\naction = "keep"\nowner = "Ada"\nreason = "it helps"\ndate = 2026-11-30\n'
)


@pytest.mark.parametrize("command", [("report",), ("export", "csv"), ("plan",), ("plan", "--format", "csv")])
def test_decision_about_no_check_is_told(folder: Path, command: Sequence[str]) -> None:
    """Protects a decision from doing nothing in silence: whoever reads it names the check that does not exist."""
    gatecov("ingest", "agent.log", folder=folder)
    (folder / "gatecov.toml").write_text(DECIDED, encoding="utf-8")
    done = gatecov(*command, folder=folder)
    expected = (
        'gatecov: gatecov.toml: [decisions."socratic.shape.no_digit"] is about a check that nobody knows; near names are '
        "socratic.shape.no_digits, socratic.shape.word_limit, socratic.shape.no_repeat\n"
    )
    assert (0, expected) == (done.returncode, done.stderr)


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    """A folder with a store in which two agents are named, and one record that names none."""
    named = [
        event("agent", "slots_rejected", START, "s", ["socratic.slots.source_known"], agent=name) for name in AGENTS
    ]
    write_store(tmp_path / "gatecov.duckdb", [*named, event("turn", "turn_done", None, "t")])
    return tmp_path


AGENTS = ("Lantern", "Harbor")
OF_AN_AGENT = [("report",), ("export", "csv"), ("plan",), ("whatif", "socratic.slots.source_known")]


@pytest.mark.parametrize("command", OF_AN_AGENT)
@pytest.mark.parametrize(
    ("asked", "there"), [("harbour", "Harbor, Lantern"), ("lanten", "Lantern, Harbor"), ("", "Harbor, Lantern")]
)
def test_agent_that_nobody_names_is_refused(agents: Path, command: Sequence[str], asked: str, there: str) -> None:
    """Protects from a report full of zeros about a name with a typing error: those that there are, the nearest first."""
    done = gatecov(*command, "--agent", asked, folder=agents)
    expected = f"gatecov: --agent {asked or repr('')}: the logs name no such agent; there are {there}\n"
    assert (2, "", expected) == (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("command", OF_AN_AGENT)
def test_agent_outside_the_window_is_no_error(agents: Path, command: Sequence[str]) -> None:
    """Protects a nightly job on a quiet day: an agent that the store knows may have no record in the window."""
    done = gatecov(*command, "--agent", "Harbor", "--since", "2030-01-01", folder=agents)
    assert (0, "") == (done.returncode, done.stderr)


def test_agent_of_a_store_that_names_none(folder: Path) -> None:
    """Protects the sentence where there is nothing to choose among."""
    gatecov("ingest", "agent.log", folder=folder)
    done = gatecov("report", "--agent", "Harbor", folder=folder)
    assert "gatecov: --agent Harbor: the logs name no such agent; they name no agent at all\n" == done.stderr


def test_plan_and_whatif_count_one_agent(agents: Path) -> None:
    """Protects who plans for one agent: the window says so, the other's records do not count, and what names none is told."""
    plan = gatecov("plan", "--agent", "Harbor", folder=agents).stdout
    told = [line for line in plan.splitlines() if "without an agent" in line]
    assert "Window: agent Harbor." in plan
    assert ["- Know of these logs: 1 record without an agent count for no agent, and so not here"] == told
    removed = json.loads(
        gatecov("whatif", "socratic.slots.source_known", "--agent", "Harbor", "--format", "json", folder=agents).stdout
    )
    assert ("Harbor", 1) == (removed["window"]["agent"], removed["other_stops"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("report", "--format", "xml"), "'--format': 'xml' is not one of 'table', 'markdown', 'json'."),
        (("ingest", ".", "--redact", "all"), "'--redact': 'all' is not one of 'none', 'names', 'text'."),
        (("audit", "score", ".", "--format", "xml"), "'--format': 'xml' is not one of 'table', 'markdown', 'json'."),
    ],
)
def test_wrong_choice_is_told_in_our_words(folder: Path, arguments: Sequence[str], sentence: str) -> None:
    """Protects from the words of the validator behind an option: the value, and what it may be."""
    done = gatecov(*arguments, folder=folder)
    assert (2, "", f"Error: Invalid value for {sentence}") == (
        done.returncode,
        done.stdout,
        done.stderr.splitlines()[-1],
    )


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("nope/x.json", "nope/x.json: the folder nope does not exist; make it first, or name another"),
        ("empty", "empty: this is a folder; name a file, for example empty/summary.json"),
    ],
)
def test_summary_that_has_no_place_is_told_before_the_report(folder: Path, place: str, sentence: str) -> None:
    """Protects a job whose summary cannot be written: one sentence that helps, and no report that looks like success."""
    gatecov("ingest", "agent.log", folder=folder)
    done = gatecov("report", "--summary", place, folder=folder)
    assert (1, "", f"gatecov: {sentence}\n") == (done.returncode, done.stdout, done.stderr)


def test_one_is_told_in_the_singular(folder: Path) -> None:
    """Protects the plainest sentence of all: one file is a file, and none are files."""
    expected = (
        f"read 1 file ({len(SUMMARY)} bytes, 1 line): 1 event, 0 fires, 0 rejected, 0 undated, 0 unmapped; "
        "0 files held nothing new\n"
    )
    assert expected == gatecov("ingest", "agent.log", folder=folder).stdout
    assert "1 record could not be read (--strict)" in gatecov("ingest", "cut.log", "--strict", folder=folder).stderr


def test_decisions_in_a_file_of_their_own_are_held_to_their_table(folder: Path) -> None:
    """Protects a decision in the file that the configuration names: under a mistyped table it would do nothing in silence."""
    gatecov("ingest", "agent.log", folder=folder)
    (folder / "gatecov.toml").write_text('decisions = "made.toml"\n', encoding="utf-8")
    (folder / "made.toml").write_text(DECIDED.replace("[decisions.", "[decision."), encoding="utf-8")
    expected = (
        'gatecov: made.toml: nothing reads the table [decision]; write each decision as a table [decisions."CHECK"]\n'
    )
    assert expected == gatecov("report", folder=folder).stderr


def test_commands_are_listed_as_a_person_meets_them(folder: Path) -> None:
    """Protects a newcomer: the list begins with what reads logs, and ends with what destroys."""
    listed = gatecov("--help", folder=folder).stdout.partition("Commands:\n")[2]
    expected = "ingest report export plan whatif replay trace checks dashboard demo audit verify purge".split()
    assert expected == [line.split()[0] for line in listed.splitlines()]


def test_unreadable_file_in_a_folder_is_named(folder: Path) -> None:
    """Protects ops from a file that silently counts as read: a broken archive is a problem, and the rest is read."""
    (folder / "logs").mkdir()
    (folder / "logs" / "a.log").write_text(SUMMARY, encoding="utf-8")
    (folder / "logs" / "b.log.gz").write_bytes(b"\x1f\x8b\x08\x00" + b"broken" * 20)
    done = gatecov("ingest", "logs", "--json", folder=folder)
    assert done.returncode == 1
    assert "b.log.gz" in done.stderr
    assert json.loads(done.stdout)["events"] == 1


def test_file_name_of_any_bytes_is_read(folder: Path) -> None:
    """Protects a folder from one odd name in it: a name that is no UTF-8 is stored with codes, and its file is read once."""
    (folder / "logs").mkdir()
    with open(os.fsencode(folder / "logs") + b"/caf\xe9.log", "w", encoding="utf-8") as file:
        file.write(SUMMARY)
    first, second = (json.loads(gatecov("ingest", "logs", "--json", folder=folder).stdout) for _ in range(2))
    assert (first["events"], second["events"], second["skipped_files"]) == (1, 0, 1)
    gatecov("export", "csv", folder=folder)
    assert "logs/caf\\xe9.log," in (folder / "csv" / "files.csv").read_text(encoding="utf-8")


def test_ingest_prints_its_figures_as_json(folder: Path) -> None:
    """Protects pipelines: the object has exactly the agreed keys, and a second call adds nothing."""
    first = json.loads(gatecov("ingest", "agent.log", "cut.log", "--json", folder=folder).stdout)
    second = json.loads(gatecov("ingest", "agent.log", "cut.log", "--json", folder=folder).stdout)
    names = "files bytes lines events fires rejected undated unmapped skipped_files seconds".split()
    assert list(first) == list(second) == names
    assert [first[name] for name in names[:-1]] == [2, len(SUMMARY) + len(CUT), 2, 1, 0, 1, 0, 0, 0]
    assert [second[name] for name in names[:-1]] == [0, 0, 0, 0, 0, 0, 0, 0, 2]


def test_strict_ingest_exits_with_3_after_rejects(folder: Path) -> None:
    """Protects a nightly job that must notice a record which could not be read."""
    assert gatecov("ingest", "cut.log", folder=folder).returncode == 0
    assert gatecov("ingest", "-", "--strict", folder=folder, stdin=CUT.replace("10:00", "11:00")).returncode == 3


def test_report_and_export_agree(folder: Path) -> None:
    """Protects whoever opens the CSV later: the same verdicts as in the report, and every file of the contract."""
    gatecov("ingest", "agent.log", folder=folder)
    report = json.loads(gatecov("report", "--format", "json", folder=folder).stdout)
    exported = gatecov("export", "csv", folder=folder)
    names = "checks reasons attempts gates guardrails rejects unmapped files".split()
    assert sorted(exported.stdout.split()) == sorted(f"csv/{name}.csv" for name in names)
    with (folder / "csv" / "checks.csv").open(encoding="utf-8", newline="") as file:
        verdicts = {row["check_id"]: row["verdict"] for row in csv.DictReader(file)}
    assert {check["check_id"]: check["verdict"] for check in report["checks"]} == verdicts


def test_broken_rule_exits_with_4_and_says_which(folder: Path) -> None:
    """Protects a pipeline's page: the rule that broke, with its figures, and nothing else, fails the job."""
    gatecov("ingest", "agent.log", folder=folder)
    done = gatecov("report", "--fail-on", "silent_share > 0.05", "--summary", "job.json", folder=folder)
    assert done.returncode == 4
    assert "silent_share > 0.05 broke: it is 1" in done.stderr
    assert json.loads((folder / "job.json").read_text(encoding="utf-8"))["broken"] == 1
    assert gatecov("report", "--fail-on", "silent_share > 1", folder=folder).returncode == 0
    assert gatecov("report", "--fail-on", "silent_shore > 1", folder=folder).returncode == 2


def test_catalog_lists_source_line_and_digest(folder: Path, root: Path) -> None:
    """Protects the link from evidence to code: every check that runs here names a file, a line in it and its digest."""
    checks = json.loads(gatecov("checks", "--format", "json", folder=folder).stdout)
    keys = "check_id family title reason order stops_chain kept kept_because source line source_sha256".split()
    assert all(list(check) == keys for check in checks)
    assert len(checks) >= 29
    for check in checks:
        if check["source"]:
            line = (root / check["source"]).read_text(encoding="utf-8").splitlines()[check["line"] - 1]
            assert line.startswith("@check(")


def test_store_explains_itself_to_any_client(folder: Path) -> None:
    """Protects people with nothing but DuckDB: every table, view and column of the store carries a comment."""
    gatecov("ingest", "agent.log", folder=folder)
    with duckdb.connect(str(folder / "gatecov.duckdb"), read_only=True) as store:
        silent = store.execute(
            "SELECT table_name, NULL FROM duckdb_tables() WHERE comment IS NULL AND NOT internal UNION ALL "
            "SELECT view_name, NULL FROM duckdb_views() WHERE comment IS NULL AND NOT internal UNION ALL "
            "SELECT table_name, column_name FROM duckdb_columns() WHERE comment IS NULL AND NOT internal"
        ).fetchall()
    assert silent == []


def test_demo_replaces_no_store_but_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects a store that lies where the demo would put its own."""
    monkeypatch.setenv("DEMO_SERVE", "0")
    (folder / "mine.log").write_text(
        winston_json(1, "info", "[turn] session=s-1 done outcome=response") + "\n", "utf-8"
    )
    assert 0 == gatecov("ingest", "mine.log", "--db", "gatecov.duckdb", folder=folder).returncode
    done = gatecov("demo", "--dir", ".", folder=folder)
    assert 1 == done.returncode
    assert "this store holds other logs than the demo's" in done.stderr
    with duckdb.connect(str(folder / "gatecov.duckdb"), read_only=True) as connection:
        assert [("s-1",)] == connection.execute("SELECT session FROM events").fetchall()


def test_demo_shows_the_report_and_writes_the_csv(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects a newcomer's first minute: report on stdout, CSV on disk, and no server where none is wanted."""
    monkeypatch.setenv("DEMO_SERVE", "0")
    done = gatecov("demo", folder=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("What these logs cover\n=====================\n")
    assert (folder / "gatecov-demo" / "csv" / "checks.csv").is_file()
