"""Reading as a whole, through `ingest` and a real store: known counts, whatever the envelope, however often."""

import bz2
import gzip
import io
import lzma
import os
import shutil
import threading
from pathlib import Path

import pytest
import zstandard

from ingest import IngestError, ingest
from tests.ingest.logs import (
    EVENTS,
    FIRES,
    REJECTED,
    UNDATED,
    WRITERS,
    counts,
    documents,
    dumps,
    lines_of,
    read,
    rows,
    text_of,
    winston_json,
)

COMPRESS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstandard.ZstdCompressor().compress}


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "store.duckdb"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The known events in every envelope and as every kind of document."""
    folder = tmp_path / "logs"
    (folder / "below").mkdir(parents=True)
    for name, writer in WRITERS.items():
        (folder / f"{name}.log").write_text(text_of(writer), "utf-8")
    for name, text in documents().items():
        (folder / "below" / f"{name}.json").write_text(text, "utf-8")
    return folder


def test_every_envelope_gives_the_known_counts_and_nothing_the_second_time(folder: Path, db: Path) -> None:
    """Protects the promise that counts depend on what was logged, not on who carried it, and that reading twice is safe."""
    files = len(WRITERS) + len(documents())
    first = read(folder, db)
    expected = (files, files * EVENTS, files * FIRES, files * REJECTED, len(UNDATED) * EVENTS)
    assert expected == (first.files, first.events, first.fires, first.rejected, first.undated)
    assert [] == first.problems
    per_file = rows(db, "SELECT file, count(*) FROM events JOIN files USING (file_id) GROUP BY file")
    assert {EVENTS} == {count for _, count in per_file}
    second = read(folder, db)
    assert (0, 0, 0, 0, 0, files) == (
        second.files,
        second.bytes,
        second.lines,
        second.events,
        second.fires,
        second.skipped_files,
    )
    assert (files * EVENTS, files * FIRES, 0) == counts(db)


@pytest.mark.parametrize("name", WRITERS)
def test_one_envelope_gives_the_known_values(name: str, tmp_path: Path, db: Path) -> None:
    """Protects the values of the events, not only their number, in each envelope."""
    (tmp_path / "app.log").write_text(text_of(WRITERS[name]), "utf-8")
    read(tmp_path / "app.log", db)
    [draft] = rows(db, "SELECT attempt, text, action, line, byte_offset FROM events WHERE kind = 'draft_rejected'")
    assert (1, 'What; {of} 3 — "this"?', "redraft", 1, 0) == draft
    assert [("no digits",), ("not a single question",)] == rows(
        db, "SELECT fragment FROM fires WHERE family = 'socratic.shape' ORDER BY position"
    )
    assert [('it is "done" → live', 1, 2, "high", "s-1")] == rows(
        db,
        "SELECT text, ok_count, fail_count, severity, session FROM events WHERE system = 'honesty' AND kind = 'gate_fired'",
    )
    assert [("posted-writer", 3)] == rows(db, "SELECT outcome, attempts FROM events WHERE kind = 'summary'")
    dated = "2026-09-01 10:00:00" if name not in UNDATED else None
    assert [(dated,)] == rows(db, "SELECT strftime(min(time), '%Y-%m-%d %H:%M:%S') FROM events")


@pytest.mark.parametrize("name", documents())
def test_a_document_gives_the_known_values(name: str, tmp_path: Path, db: Path) -> None:
    """Protects documents: each record's line and place in the file are those where it stands."""
    text = documents()[name]
    (tmp_path / "app.json").write_text(text, "utf-8")
    read(tmp_path / "app.json", db)
    [(line, offset)] = rows(db, "SELECT line, byte_offset FROM events WHERE kind = 'turn_done'")
    assert isinstance(offset, int)
    content = text.encode()
    assert line == content[:offset].count(b"\n") + 1
    assert (EVENTS, FIRES, 0) == counts(db)


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_compressed_copy_is_the_same_file(suffix: str, tmp_path: Path, db: Path) -> None:
    """Protects counts when a rotated log is compressed; the compression is told from the content, not from the name."""
    content = text_of(winston_json).encode()
    (tmp_path / "app.log").write_bytes(content)
    (tmp_path / "app.log.1").write_bytes(COMPRESS[suffix](content))
    first = read(tmp_path / "app.log.1", db)
    second = read(tmp_path / "app.log", db)
    assert (EVENTS, len(content)) == (first.events, first.bytes)
    assert (0, 0, 1) == (second.events, second.files, second.skipped_files)


@pytest.mark.parametrize("suffix", COMPRESS)
def test_all_members_of_a_compressed_file_are_read(suffix: str, tmp_path: Path, db: Path) -> None:
    """Protects logs that were appended to a compressed file as a second member."""
    lines = lines_of(winston_json)
    half = ("\n".join(lines[:5]) + "\n").encode(), ("\n".join(lines[5:]) + "\n").encode()
    (tmp_path / "app.log").write_bytes(COMPRESS[suffix](half[0]) + COMPRESS[suffix](half[1]))
    assert read(tmp_path / "app.log", db).events == EVENTS


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_cut_off_compressed_file_is_a_problem_and_loses_nothing_before_the_cut(
    suffix: str, tmp_path: Path, db: Path
) -> None:
    """Protects against silence about a half-copied archive, and against losing its readable half."""
    noise = "".join(f'{{"level":"debug","message":"{os.urandom(40).hex()}"}}\n' for _ in range(20_000))
    (tmp_path / "app.log").write_bytes(COMPRESS[suffix]((text_of(winston_json) + noise).encode())[:-2000])
    summary = read(tmp_path / "app.log", db)
    assert EVENTS == summary.events
    assert [str(tmp_path / "app.log")] == [file for file, _ in summary.problems]
    assert [(False,)] == rows(db, "SELECT complete FROM files")


def test_another_name_is_the_same_file(tmp_path: Path, db: Path) -> None:
    """Protects counts when a log is rotated by renaming, and when a copy lies beside it."""
    (tmp_path / "app.log").write_text(text_of(winston_json), "utf-8")
    shutil.copy(tmp_path / "app.log", tmp_path / "copy.log")
    both = read(tmp_path, db)
    assert (EVENTS, 1, 1) == (both.events, both.files, both.skipped_files)
    (tmp_path / "app.log").rename(tmp_path / "app.log.1")
    assert read(tmp_path / "app.log.1", db).events == 0


@pytest.mark.parametrize("cut", range(0, 2200, 97))
def test_a_grown_file_adds_only_what_is_new_wherever_it_was_cut(cut: int, tmp_path: Path, db: Path) -> None:
    """Protects the sum: read in two goes, cut at a line or within one, a file gives what it gives in one."""
    content = text_of(winston_json).encode()
    path = tmp_path / "app.log"
    path.write_bytes(content[:cut])
    first = read(path, db)
    path.write_bytes(content)
    second = read(path, db)
    assert (EVENTS, FIRES, 0) == counts(db)
    assert (EVENTS, FIRES, 0) == (
        first.events + second.events, first.fires + second.fires, first.rejected + second.rejected,
    )  # fmt: skip
    assert (len(content), len(lines_of(winston_json))) == (first.bytes + second.bytes, first.lines + second.lines)
    assert [(10,)] == rows(db, "SELECT sum(relevant) FROM coverage")


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_grown_file_is_known_when_it_is_compressed(suffix: str, tmp_path: Path, db: Path) -> None:
    """Protects the usual night: a log is read, grows, is rotated and compressed, and is read again."""
    content = text_of(winston_json).encode()
    (tmp_path / "app.log").write_bytes(content[:900])
    read(tmp_path / "app.log", db)
    (tmp_path / "app.log").unlink()
    (tmp_path / f"app.log.1.{suffix}").write_bytes(COMPRESS[suffix](content))
    read(tmp_path, db)
    assert (EVENTS, FIRES, 0) == counts(db)
    assert [(1,)] == rows(db, "SELECT count(*) FROM files")


def test_a_file_that_starts_anew_under_its_name_is_another_file(tmp_path: Path, db: Path) -> None:
    """Protects a log that was truncated in place: what was read of the old one stays, the new one is added."""
    path = tmp_path / "app.log"
    path.write_text(text_of(winston_json), "utf-8")
    read(path, db)
    path.write_text(text_of(WRITERS["pino"]), "utf-8")
    assert read(path, db).events == EVENTS
    assert counts(db)[0] == 2 * EVENTS


def test_a_document_that_changed_is_read_anew_as_a_whole(tmp_path: Path, db: Path) -> None:
    """Protects an export that is written again with more records: none counts twice, and the replacement is told."""
    path = tmp_path / "app.json"
    lines = lines_of(winston_json)
    path.write_text("[" + ",\n".join(lines[:4]) + "]", "utf-8")
    read(path, db)
    path.write_text("[" + ",\n".join(lines) + "]", "utf-8")
    summary = read(path, db)
    assert (EVENTS, FIRES, 0) == counts(db)
    assert EVENTS - 4 == summary.events
    assert any("read anew" in note for note in summary.notes)


def test_folders_patterns_and_standard_input_are_read(tmp_path: Path, db: Path) -> None:
    """Protects the ways to name logs: a folder with folders, a pattern, `-`; each file is read once."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "one.log").write_text(text_of(winston_json), "utf-8")
    (tmp_path / "a" / "b" / "two.log").write_text(text_of(WRITERS["pino"]), "utf-8")
    stdin = io.BytesIO(gzip.compress(text_of(WRITERS["cri"]).encode()))
    summary = ingest([str(tmp_path / "a"), str(tmp_path / "a" / "*.log"), "-"], db, stdin=stdin)
    assert (3, 3 * EVENTS) == (summary.files, summary.events)
    again = ingest(["-"], db, stdin=io.BytesIO(text_of(WRITERS["cri"]).encode()))
    assert (0, 1) == (again.events, again.skipped_files)


def test_a_named_pipe_that_was_asked_for_is_read(tmp_path: Path, db: Path) -> None:
    """Protects process substitution: a pipe given by name is read, while one found in a folder is not opened."""
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text(text_of(winston_json), "utf-8"))
    writer.start()
    assert EVENTS == read(tmp_path / "pipe", db).events
    writer.join()
    summary = read(tmp_path, db)
    assert [] == summary.problems
    assert f"{tmp_path / 'pipe'}: it is a pipe, a socket or a device, and those are not opened" in summary.notes


def test_what_is_not_there_is_an_error_in_one_sentence(tmp_path: Path, db: Path) -> None:
    """Protects a misspelt path from looking like an empty log."""
    with pytest.raises(IngestError, match=r"there is no such file or folder; give files"):
        read(tmp_path / "missing.log", db)
    with pytest.raises(IngestError, match=r"no file matches this pattern"):
        read(tmp_path / "*.nothing", db)
    with pytest.raises(IngestError, match=r"'Mars/Olympus' is not a time zone") as wrong:
        read(tmp_path, db, tz="Mars/Olympus")
    assert 2 == wrong.value.exit_code
    assert not db.exists()


def test_what_cannot_be_read_is_a_problem_and_the_rest_is_read(tmp_path: Path, db: Path) -> None:
    """Protects a folder's good files from a bad one, and the bad one from being passed over in silence."""
    folder = tmp_path / "logs"
    (folder / "empty").mkdir(parents=True)
    (folder / "good.log").write_text(text_of(winston_json), "utf-8")
    (folder / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    (folder / "empty.log").write_bytes(b"")
    (tmp_path / "outside.log").write_text("x\n")
    (folder / "link.log").symlink_to(tmp_path / "outside.log")
    (folder / "dangling.log").symlink_to(folder / "nothing")
    (folder / "loop").symlink_to(folder)
    summary = ingest([str(folder), str(folder / "empty")], db)
    assert {
        "dangling.log": "no such file or directory",
        "empty": "the folder holds no files; name the one that holds the logs",
    } == {Path(file).name: why for file, why in summary.problems}
    assert [
        f"{folder / 'image.png'}: it is a binary file, not a log; give text, or text compressed as gz, bz2, xz or zst",
        f"{folder / 'loop'}: a symbolic link to a folder is not followed",
        f"{folder / 'link.log'}: a symbolic link that leaves the folder is not followed",
    ] == summary.notes[:3]
    assert (2, EVENTS) == (summary.files, summary.events)


def test_a_binary_file_is_a_problem_only_where_someone_named_it(
    tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects whoever names the wrong file, and the folder that holds a picture; paths stay as they were given."""
    monkeypatch.chdir(tmp_path)
    Path("logs").mkdir()
    Path("logs/noise.bin").write_bytes(bytes(range(256)) * 64)
    named, found = ingest(["logs/noise.bin"], db), ingest(["logs"], db)
    assert (
        [("logs/noise.bin", "it is a binary file, not a log; give text, or text compressed as gz, bz2, xz or zst")],
        [],
    ) == (named.problems, found.problems)
    assert [
        "logs/noise.bin: it is a binary file, not a log; give text, or text compressed as gz, bz2, xz or zst"
    ] == found.notes


def test_local_times_are_read_in_the_zone_that_was_given_and_say_so(tmp_path: Path, db: Path) -> None:
    """Protects times without an offset: they are placed by --tz, and each says that its zone was assumed."""
    (tmp_path / "app.log").write_text("2026-07-01 12:00:00 warn: [SocraticStage] writer call failed x\n")
    read(tmp_path / "app.log", db, tz="Europe/Berlin")
    assert [("2026-07-01 10:00:00", "winston text (assumed Europe/Berlin)")] == rows(
        db, "SELECT strftime(time, '%Y-%m-%d %H:%M:%S'), time_source FROM events"
    )


def test_rejects_undated_and_unmapped_are_stored_and_counted(tmp_path: Path, db: Path) -> None:
    """Protects the three counts of what is not as it should be: they are in the summary, and the rows in the store."""
    (tmp_path / "app.log").write_text(
        '[SocraticStage] draft rejected {"attempt":1,"reason":"a rule that nobody knows"}\n'
        '{"level":"warn","message":"[SocraticStage] summ\n'
        '{"level":"warn","message":"[SocraticStage] summary {\\"outcome\\":\\"silent\\"}"}\n'
    )
    summary = read(tmp_path / "app.log", db)
    assert (1, 1, 2, 1, 1) == (summary.events, summary.fires, summary.rejected, summary.undated, summary.unmapped)
    assert [
        (2, "the JSON is cut off", '{"level":"warn","message":"[SocraticStage] summ'),
        (
            3,
            "summary: it lacks 'attempts'",
            '{"level":"warn","message":"[SocraticStage] summary {\\"outcome\\":\\"silent\\"}"}',
        ),
    ] == rows(db, "SELECT line, why, excerpt FROM rejects ORDER BY line")


def test_more_than_five_envelopes_are_a_reject(tmp_path: Path, db: Path) -> None:
    """Protects against a line that nests without end: five envelopes are taken off, a sixth is refused by name."""
    line = "[SocraticStage] writer call failed x"
    nested = []
    for _ in range(7):
        nested.append(line)
        line = dumps({"line": line, "timestamp": "2026-09-01T10:00:00Z"})
    (tmp_path / "app.log").write_text("\n".join(nested) + "\n")
    summary = read(tmp_path / "app.log", db)
    assert (6, 1) == (summary.events, summary.rejected)
    assert [("it is wrapped in more than 5 envelopes",)] == rows(db, "SELECT why FROM rejects")


def test_coverage_knows_days_that_hold_only_chatter(tmp_path: Path, db: Path) -> None:
    """Protects a quiet day from being taken for a day without logs."""
    line = '{{"level":"debug","message":"chatter","timestamp":"2026-09-{:02d}T10:00:00Z"}}\n'
    (tmp_path / "app.log").write_text("".join(line.format(day) * 100 for day in (1, 2, 4)))
    read(tmp_path / "app.log", db)
    assert [("2026-09-01",), ("2026-09-02",), ("2026-09-04",)] == rows(
        db, "SELECT DISTINCT strftime(day, '%Y-%m-%d') FROM coverage ORDER BY 1"
    )


def test_the_store_explains_itself(tmp_path: Path, db: Path) -> None:
    """Protects whoever opens the store in a plain DuckDB: every table has a comment that gives its grain."""
    (tmp_path / "app.log").write_text(text_of(winston_json), "utf-8")
    read(tmp_path / "app.log", db)
    tables = rows(db, "SELECT table_name, comment FROM duckdb_tables()")
    assert [] == [name for name, comment in tables if not str(comment).startswith("Grain: ")]
