"""What goes wrong around an ingest: the disk, the files, other programs. The store stays whole, and every event comes in once."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

from ingest import framing, ingest, reader, run, store
from ingest.compression import Decompressed
from storefile import StoreError, opened
from tests.ingest.logs import EVENTS, FIRES, WRITERS, counts, read, rows, text_of, winston_json

ROOT = Path(__file__).resolve().parents[2]
DRAFT = '[SocraticStage] draft rejected {"attempt":1,"reason":"no digits","draft":"%s"}'


def program(code: str, *arguments: object, **options: object) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=-1, stderr=-1, text=True, **options)  # type: ignore[call-overload, no-any-return]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "store.duckdb"


@pytest.mark.parametrize("limit", [300_000, 1_500_000])
def test_a_full_disk_is_told_in_a_sentence_and_the_next_run_completes_the_store(limit: int, tmp_path: Path, db: Path) -> None:  # fmt: skip
    """Protects the store when there is no room for it: no half of a batch is in it, and nothing is read twice afterwards."""
    drafts = 20_000
    log = tmp_path / "app.log"
    log.write_text("".join(winston_json(n % 60, "warn", DRAFT % os.urandom(60).hex()) + "\n" for n in range(drafts)))
    small = (
        "import resource, sys, gatecov\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        "sys.argv = ['gatecov', 'ingest', sys.argv[1], '--db', sys.argv[2]]\ngatecov.main()"
    )
    full = program(small, log, db)
    out, err = full.communicate()
    assert (1, "") == (full.returncode, out)
    assert f"gatecov: {db}: the store cannot be written (file too large); what was not committed is not in it" in err
    read(log, db)
    assert (drafts, drafts, 0) == counts(db)


class Surprise:
    """A source that does something to its file after the first piece."""

    def __init__(self, path: Path, act: Callable[[Path], None]) -> None:
        self.path, self.act, self.acted = path, act, False

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real = Decompressed.read

        def reading(source: Decompressed, size: int) -> bytes:
            data = real(source, min(size, 60_000))
            if data and not self.acted:
                self.acted = True
                self.act(self.path)
            return data

        monkeypatch.setattr(reader.Decompressed, "read", reading)


@pytest.mark.parametrize("compression", [b"", b"gz"])
def test_a_file_that_shrinks_or_vanishes_while_it_is_read_adds_each_event_once(
    compression: bytes, tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects counts from a rotation in the middle of reading: what was read stays, and what comes back is not added again."""
    log = tmp_path / "app.log"
    copies = 300
    whole = text_of(winston_json) * copies
    log.write_text(whole)
    with monkeypatch.context() as patch:
        Surprise(log, lambda path: os.truncate(path, 100_000)).install(patch)
        first = read(log, db)
    assert 0 < first.events < copies * EVENTS
    log.write_text(whole)
    read(log, db)
    assert (copies * EVENTS, copies * FIRES, 0) == counts(db)
    with monkeypatch.context() as patch:
        Surprise(log, Path.unlink).install(patch)
        log.write_text(whole + text_of(WRITERS["pino"]))
        read(log, db)
    assert (copies + 1) * EVENTS == counts(db)[0]


def test_a_file_that_vanishes_before_it_is_read_is_a_problem_and_the_rest_is_read(
    tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects the other files of a folder from one that was removed between the listing and the reading."""
    for name in ("a.log", "b.log", "c.log"):
        (tmp_path / name).write_text(text_of(WRITERS["pino"]).replace("s-1", f"s-{name}"), "utf-8")
    real = reader.FileReader.parts

    def parts(one: reader.FileReader) -> object:
        if one.path.endswith("b.log"):
            (tmp_path / "b.log").unlink()
        return real(one)

    monkeypatch.setattr(reader.FileReader, "parts", parts)
    summary = ingest([str(tmp_path / name) for name in ("a.log", "b.log", "c.log")], db)
    assert [(str(tmp_path / "b.log"), "no such file or directory")] == summary.problems
    assert 2 * EVENTS == summary.events


def test_what_cannot_be_opened_in_the_middle_of_a_folder_is_told_and_the_rest_is_read(tmp_path: Path, db: Path) -> None:  # fmt: skip
    """Protects a folder's good files from a link to nothing, a link that goes in circles, and a name too long to resolve."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.log").write_text(text_of(winston_json), "utf-8")
    (folder / "b.log").symlink_to(folder / "nothing")
    (folder / "c.log").symlink_to(folder / "c.log")
    (folder / "d.log").write_text(text_of(WRITERS["pino"]), "utf-8")
    summary = read(folder, db)
    problems = {Path(file).name: why for file, why in summary.problems}
    assert {"b.log": "no such file or directory", "c.log": "too many levels of symbolic links"} == problems
    assert 2 * EVENTS == summary.events


def test_a_device_that_fails_is_told_with_its_reason(db: Path) -> None:
    """Protects against silence about a file that can be opened and not be read."""
    [(file, why)] = read(Path("/proc/self/mem"), db).problems
    assert ("/proc/self/mem", True) == (file, "input/output error" in why)


def test_four_ingests_at_once_and_readers_that_ask_all_the_time_all_succeed(tmp_path: Path, db: Path) -> None:
    """Protects the rules of the one file: whoever meets another waits, nobody is turned away, and nothing is doubled."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, writer in list(WRITERS.items())[:12]:
        (folder / f"{name}.log").write_text(text_of(writer) * 20, "utf-8")
    small = "import ingest.store as s; s.BATCH_ROWS = 200\n"
    ingesting = (
        "import sys; from pathlib import Path; from ingest import ingest; ingest([sys.argv[2]], Path(sys.argv[1]))"
    )
    asking = (
        "import sys, storefile; from pathlib import Path; db = Path(sys.argv[1]); n = 0\n"
        "while not Path(sys.argv[2]).exists():\n"
        "    try: storefile.read(db, 'SELECT count(*) FROM events'); n += 1\n"
        "    except storefile.StoreError as e:\n"
        "        if 'no store here yet' not in str(e) and 'nothing in this store' not in str(e): raise\n"
        "print(n)"
    )
    done = tmp_path / "done"
    readers = [program(asking, db, done) for _ in range(5)]
    writers = [program(small + ingesting, db, folder) for _ in range(4)]
    assert [(0, "")] * 4 == [(one.wait(), one.communicate()[1]) for one in writers]
    done.touch()
    for one in readers:
        out, err = one.communicate()
        assert (0, "") == (one.returncode, err)
        assert int(out) > 0
    assert 12 * 20 * EVENTS == counts(db)[0]


def test_a_store_that_another_program_holds_is_told_with_its_name(tmp_path: Path, db: Path) -> None:
    """Protects whoever left a DuckDB shell open from guessing: the sentence names the program and its process."""
    (tmp_path / "app.log").write_text(text_of(winston_json), "utf-8")
    read(tmp_path / "app.log", db)
    holding = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    holder = program(holding, db, stdin=subprocess.PIPE)
    assert holder.stdout
    holder.stdout.readline()
    with pytest.raises(StoreError, match=f"held open by .*python.*, process {holder.pid}; close it there"):  # noqa: SIM117
        with opened(db, write=True, wait=0.3):
            pass
    holder.communicate("")
    assert 0 == read(tmp_path / "app.log", db).events


def test_a_kill_at_any_moment_leaves_a_store_that_any_client_opens(tmp_path: Path, db: Path) -> None:
    """Protects the store by kill -9 at moments spread over the whole of an ingest, the commits included."""
    log = tmp_path / "app.log"
    copies = 200
    log.write_text(text_of(winston_json) * copies, "utf-8")
    small = "import ingest.store as s, ingest.framing as f; s.BATCH_ROWS = 40; f.chunks.__defaults__ = (b'', 9000); f.HEAD = 4096\n"
    ingesting = (
        "import sys; from pathlib import Path; from ingest import ingest; ingest([sys.argv[2]], Path(sys.argv[1]))"
    )
    for n in range(5):
        victim = program(small + ingesting, db, log)
        deadline = time.monotonic() + 60
        target = n * copies * EVENTS // 6
        while victim.poll() is None and seen(db) < target and time.monotonic() < deadline:
            time.sleep(0.005)
        victim.send_signal(signal.SIGKILL)
        victim.communicate()
    read(log, db)
    assert (copies * EVENTS, copies * FIRES, 0) == counts(db)
    assert [(0,)] == rows(db, "SELECT count(*) FROM (SELECT file_id, byte_offset, part FROM events GROUP BY ALL HAVING count(*) > 1)")  # fmt: skip


def seen(db: Path) -> int:
    try:
        return counts(db)[0]
    except duckdb.Error:
        return -1


@pytest.mark.parametrize("stops_after", [0, 1, 2, 5, 99])
def test_a_batch_that_ends_within_a_block_is_stored_once_whenever_the_ingest_ends(
    stops_after: int, tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects whole groups of rows: what was stored of a block that is not read to its end gives way when it is read again."""
    monkeypatch.setattr(framing, "HEAD", 4_000)
    monkeypatch.setattr(framing, "BLOCK", 9_000)
    monkeypatch.setattr(store, "BATCH_ROWS", 64)
    monkeypatch.setattr(store, "GROUP_ROWS", 32)
    files = [tmp_path / f"{name}.log" for name in ("winston-json", "pino", "cri")]
    for file in files:
        file.write_text(text_of(WRITERS[file.stem]) * 30 + "[SocraticStage] draft rejected\n", "utf-8")
    stored: list[int] = []
    real = run.store_batch

    def store_batch(db: Path, batch: store.Batch, *rest: object) -> object:
        if len(stored) == stops_after:
            raise KeyboardInterrupt
        counts = real(db, batch, *rest)
        stored.append(counts.events)
        return counts

    with monkeypatch.context() as patch:
        patch.setattr(run, "store_batch", store_batch)
        with suppress(KeyboardInterrupt):
            ingest([str(file) for file in files], db)
    assert all(count % 32 == 0 for count in stored[: min(stops_after, 3)])
    read(tmp_path, db)
    assert (90 * EVENTS, 90 * FIRES, 3) == counts(db)
    assert [(90 * EVENTS,)] == rows(db, "SELECT count(DISTINCT (file_id, line)) FROM events")
    assert [(True,)] == rows(db, "SELECT bool_and(complete) FROM files")
    assert [(0,)] == rows(db, "SELECT count(*) FROM fires ANTI JOIN events USING (event_id)")


def test_two_ingests_that_end_a_batch_at_different_lines_do_not_take_the_others_rows_for_their_own(
    tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects every event from two ingests of one file, each of which stored some of the same block, before either went on."""
    monkeypatch.setattr(framing, "HEAD", 4_000)
    monkeypatch.setattr(framing, "BLOCK", 20_000)
    log = tmp_path / "app.log"
    log.write_text(text_of(winston_json) * 60, "utf-8")
    real = run.store_batch
    calls: list[int] = []

    def store_batch(db: Path, batch: store.Batch, *rest: object) -> object:
        calls.append(len(batch.parts))
        if len(calls) == 3:
            raise KeyboardInterrupt  # the second ingest, which stored one batch
        counts = real(db, batch, *rest)
        if len(calls) == 1:
            monkeypatch.setattr(store, "GROUP_ROWS", 48)
            with suppress(KeyboardInterrupt):
                ingest([str(log)], db)
        return counts

    monkeypatch.setattr(store, "BATCH_ROWS", 60)
    monkeypatch.setattr(store, "GROUP_ROWS", 32)
    monkeypatch.setattr(run, "store_batch", store_batch)
    ingest([str(log)], db)
    assert (60 * EVENTS, 60 * FIRES, 0) == counts(db)
    assert [(60 * EVENTS,)] == rows(db, "SELECT count(DISTINCT line) FROM events")


def test_a_device_that_was_asked_for_is_a_problem(db: Path) -> None:
    """Protects the disk from a device, which may have no end; it is told in one sentence, and nothing is copied."""
    summary = read(Path("/dev/null"), db)
    expected = [("/dev/null", "it is a device, not a log; give a file or a pipe, or - for standard input")]
    assert expected == summary.problems
    assert 0 == summary.files
