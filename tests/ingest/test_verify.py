"""Hash chains of audit files: verified when they are read, across growth and rotation, and told on the command line."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

import gatecov
from ingest.verify import stored_chains, verify_paths
from queries.report import report
from tests.ingest.logs import dumps, read, rows
from tests.turns import calls, ran

TURN = ran(calls("fails", "fails"), "I've deployed it.", "Next, I'll write the tests.", "Refused.").audit.splitlines()
CHATTER = dumps({"level": "debug", "message": "vector chunk latency 12"})


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def found(db: Path) -> list[tuple[object, ...]]:
    return rows(
        db,
        "SELECT regexp_extract(f.file, '[^/]+$'), status, c.events, chains, line FROM chains c JOIN files f USING (file_id) ORDER BY 1",
    )


FILES: dict[str, tuple[list[str], list[tuple[object, ...]]]] = {
    "whole": (TURN, [("audit.log", "intact", 3, 1, None)]),
    "two turns": (TURN * 2, [("audit.log", "intact", 6, 2, None)]),
    "among chatter": ([CHATTER, *TURN[:1], CHATTER, CHATTER, *TURN[1:]], [("audit.log", "intact", 3, 1, None)]),
    "altered": ([TURN[0], CHATTER, TURN[1].replace("tool", "t00l"), TURN[2]], [("audit.log", "broken", 1, 1, 3)]),
    "one taken out": ([TURN[0], TURN[2]], [("audit.log", "broken", 1, 1, 2)]),
    "its head cut off": (TURN[1:], [("audit.log", "broken", 0, 0, 1)]),
    "its tail cut off": (TURN[:2], [("audit.log", "intact", 2, 1, None)]),
    "without hashes": ([TURN[0].partition(',"prevHash"')[0] + "}"], [("audit.log", "not a chain", 0, 0, None)]),
    "no audit file": ([CHATTER], []),
}


@pytest.mark.parametrize("name", FILES)
def test_a_chain_is_verified_when_its_file_is_read(tmp_path: Path, name: str) -> None:
    """Protects the audit trail: whole, broken at a line, or no chain, as it stands in the file."""
    lines, expected = FILES[name]
    summary = read(write(tmp_path / "audit.log", lines), tmp_path / "store.duckdb")
    assert expected == found(tmp_path / "store.duckdb")
    broken = [note for note in summary.notes if "hash chain" in note]
    assert (len([row for row in expected if row[1] == "broken"])) == len(broken)


def test_a_compressed_file_and_one_from_a_pipe(tmp_path: Path) -> None:
    """Protects what can be read but once, and what is packed."""
    (tmp_path / "audit.log.gz").write_bytes(gzip.compress("\n".join(TURN).encode()))
    read(tmp_path / "audit.log.gz", tmp_path / "a.duckdb")
    with open(write(tmp_path / "piped", TURN), "rb") as stdin:
        read(Path("-"), tmp_path / "b.duckdb", stdin=stdin)
    assert [("audit.log.gz", "intact", 3, 1, None)] == found(tmp_path / "a.duckdb")
    assert [("-", "intact", 3, 1, None)] == found(tmp_path / "b.duckdb")


@pytest.mark.parametrize(("more", "status"), [(TURN[2:], "intact"), (TURN[1:2], "broken")])
def test_a_file_that_grew_continues_its_last_chain(tmp_path: Path, more: list[str], status: str) -> None:
    """Protects a turn that was going on when the file was read first, and finds an event that is told again."""
    log, db = write(tmp_path / "audit.log", TURN[:2]), tmp_path / "store.duckdb"
    read(log, db)
    with log.open("a") as out:
        out.write("".join(f"{line}\n" for line in more))
    read(log, db)
    assert [status] == [row[1] for row in found(db)]


def test_a_chain_goes_on_in_the_next_file_of_its_stream(tmp_path: Path) -> None:
    """Protects rotation in the middle of a turn, in one ingest and in several, whichever file came first."""
    old, new = write(tmp_path / "audit.log.1", TURN[:2]), write(tmp_path / "audit.log", TURN[2:])
    other = write(tmp_path / "other.log", TURN[2:])
    whole = [("audit.log", "intact", 1, 0, None), ("audit.log.1", "intact", 2, 1, None)]
    for name, order in (("at once", [[new, old]]), ("old first", [[old], [new]]), ("new first", [[new], [old]])):
        for paths in order:
            read(paths, tmp_path / f"{name}.duckdb")
        assert (name, whole) == (name, found(tmp_path / f"{name}.duckdb"))
    # A file of another stream does not follow on it.
    assert ["intact", "broken"] == [one.report.status for one in verify_paths([str(old), str(other)])[0]]


def test_the_report_says_which_chain_is_broken(tmp_path: Path) -> None:
    """Protects the reader: how many are whole, and where the others are not."""
    write(tmp_path / "a.log", TURN)
    write(tmp_path / "b.log", [TURN[0], TURN[2]])
    read([tmp_path / "a.log", tmp_path / "b.log"], tmp_path / "store.duckdb")
    text = report(tmp_path / "store.duckdb", width=1000)
    assert "Hash chains: 1 of 2 audit files intact; " in text
    assert "b.log is broken at line 2: the event before it is missing" in text
    assert ["intact", "broken"] == [one.report.status for one in stored_chains(tmp_path / "store.duckdb")]


def verify(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gatecov", "verify", *map(str, arguments)]
    return subprocess.run(command, cwd=Path(gatecov.__file__).parent, capture_output=True, text=True, check=False)


def test_the_command_verifies_files_as_they_are_now(tmp_path: Path) -> None:
    """Protects `gatecov verify PATH`: a sentence per file, 1 where a chain is broken, and no store is needed."""
    good, bad = write(tmp_path / "good.log", TURN), write(tmp_path / "bad.log", TURN[1:])
    done = verify(good)
    intact = f"{good}: intact, 3 events in 1 chain that begins here; a tail that was cut off cannot be detected\n"
    assert (0, intact, "") == (done.returncode, done.stdout, done.stderr)
    done = verify(tmp_path)
    assert (1, 2) == (done.returncode, len(done.stdout.splitlines()))
    assert f"{bad}: broken at line 1: the event before it is missing" in done.stdout
    done = verify(tmp_path / "nowhere")
    assert (1, "") == (done.returncode, done.stdout)
    assert "there is no such file or folder" in done.stderr


def test_the_command_prints_what_the_ingests_found(tmp_path: Path) -> None:
    """Protects `gatecov verify` without a path: the store's own record, and a sentence where there is none."""
    db = tmp_path / "store.duckdb"
    read(write(tmp_path / "chat.log", [CHATTER]), db)
    done = verify("--db", db)
    assert (0, "", True) == (done.returncode, done.stdout, "no audit file with a hash chain is known" in done.stderr)
    read(write(tmp_path / "audit.log", [TURN[0], TURN[2]]), db)
    done = verify("--db", db)
    assert (1, True) == (done.returncode, "audit.log: broken at line 2" in done.stdout)
