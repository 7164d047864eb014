"""Following logs as they grow, with the real program and real rotations: no line twice, none lost."""

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import duckdb
import pytest

from ingest import IngestError, follow
from tests.ingest.logs import counts, read, rows, winston_json

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 90.0


def turn(n: int) -> str:
    return winston_json(n % 60, "info", f"[turn] session=s-{n} done outcome=x") + "\n"


def turns(*numbers: int) -> str:
    return "".join(turn(n) for n in numbers)


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def sessions(db: Path) -> list[int]:
    """The turns in the store, each as often as it is there; none while it is written to or not there yet."""
    try:
        found = rows(db, "SELECT session FROM events WHERE kind = 'turn_done'")
    except duckdb.Error:
        return []
    return sorted(int(str(session)[2:]) for (session,) in found)


def assert_turns(db: Path, *numbers: int) -> None:
    assert sorted(numbers) == sessions(db)


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, f"never came true: {what}"
        time.sleep(0.05)


class Following:
    """A follower that runs."""

    def __init__(self, db: Path, *paths: Path, options: tuple[str, ...] = ()) -> None:
        self.db = db
        command = [sys.executable, str(ROOT / "gatecov.py"), "ingest", *map(str, paths), "--follow", "--json", *options]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "GATECOV_DB": str(db)}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=db.parent, env=environment, stdout=pipe, stderr=pipe, text=True)

    def waits_for(self, *numbers: int) -> None:
        def there() -> bool:
            assert self.process.poll() is None, self.process.communicate()
            found = sessions(self.db)
            assert len(found) <= len(numbers), found
            return found == sorted(numbers)

        until(there, f"turns {numbers}")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> dict[str, float]:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=DEADLINE)
        assert (0, "") == (self.process.returncode, err)
        figures: dict[str, float] = json.loads(out)
        return figures


class Steps(threading.Event):
    """Stops a follower in this process after the steps; each is taken between two looks, the first one before the first."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        super().__init__()
        self.steps = list(steps)

    def wait(self, timeout: float | None = None) -> bool:
        del timeout
        if not self.steps:
            return True
        self.steps.pop(0)()
        return False


def nothing() -> None:
    """A step in which nothing is done: the follower looks again."""


@contextmanager
def following(db: Path, *paths: Path, options: tuple[str, ...] = ()) -> Iterator[Following]:
    follower = Following(db, *paths, options=options)
    try:
        yield follower
    finally:
        if follower.process.poll() is None:
            follower.process.kill()
            follower.process.communicate()


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "store.duckdb"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_is_appended_is_read_and_a_signal_drains_commits_and_prints_the_figures(
    number: signal.Signals, logs: Path, db: Path
) -> None:
    """Protects the end of a follower: what was written before the signal is stored, and it ends with 0 and one object."""
    log = logs / "app.log"
    log.write_text(turns(1))
    with following(db, log) as follower:
        follower.waits_for(1)
        append(log, turns(2, 3))
        follower.waits_for(1, 2, 3)
        append(log, turns(4))
        figures = follower.stop(number)
    assert [1, 2, 3, 4] == sessions(db)
    assert (1, 4, 4, 0) == tuple(figures[name] for name in ("files", "lines", "events", "rejected"))
    again = read(log, db)
    assert (0, 0, 1) == (again.events, again.bytes, again.skipped_files)


def test_an_incomplete_last_line_waits_for_its_line_feed(logs: Path, db: Path) -> None:
    """Protects a line that is written in two goes from being refused, or read twice."""
    log = logs / "app.log"
    log.write_text(turns(1) + turn(2)[:30])
    with following(db, log) as follower:
        follower.waits_for(1)
        append(logs / "other.log", turns(9))  # only to know that the follower has looked again
        append(log, turn(2)[30:-1])
        append(log, "\n" + turn(3))
        follower.waits_for(1, 2, 3)
        append(log, turn(4)[:-1])
        figures = follower.stop()
    assert 0 == figures["rejected"]
    assert [1, 2, 3] == sessions(db)
    read(log, db)
    assert [1, 2, 3, 4] == sessions(db)


def test_rotation_by_renaming_loses_nothing_and_doubles_nothing(logs: Path, db: Path) -> None:
    """Protects the usual rotation, with a writer that goes on writing to the renamed file for a while."""
    log = logs / "app.log"
    with log.open("a") as writer:
        writer.write(turns(1))
        writer.flush()
        with following(db, log) as follower:
            follower.waits_for(1)
            log.rename(logs / "app.log.1")
            writer.write(turns(2))
            writer.flush()
            follower.waits_for(1, 2)
            log.write_text(turns(3))
            writer.write(turns(4))
            writer.flush()
            follower.waits_for(1, 2, 3, 4)
            log.rename(logs / "app.log.2")
            log.write_text(turns(5, 6))
            follower.waits_for(1, 2, 3, 4, 5, 6)
            follower.stop()
    read(logs, db)
    assert [1, 2, 3, 4, 5, 6] == sessions(db)


@pytest.mark.parametrize("whole_folder", [True, False])
def test_rotation_by_copy_and_truncation_loses_nothing_that_was_copied(
    whole_folder: bool, logs: Path, db: Path
) -> None:
    """Protects copytruncate: lines that were only in the copy are read from there, also when only the log was named."""
    log = logs / "app.log"
    log.write_text(turns(1, 2))
    with following(db, logs if whole_folder else log) as follower:
        follower.waits_for(1, 2)
        append(log, turns(3))
        shutil.copy(log, logs / "app.log.1")
        os.truncate(log, 0)
        append(log, turns(4))
        follower.waits_for(1, 2, 3, 4)
        shutil.copy(log, logs / "app.log.2")
        os.truncate(log, 0)
        append(log, turns(*range(5, 15)))  # longer than before
        follower.waits_for(*range(1, 15))
        follower.stop()
    read(logs, db)
    assert list(range(1, 15)) == sessions(db)


@pytest.mark.parametrize("whole_folder", [True, False])
def test_the_rotated_file_may_be_compressed(whole_folder: bool, logs: Path, db: Path) -> None:
    """Protects the night: rename, new file, compression, removal; an archive that is still being written is no problem."""
    log = logs / "app.log"
    log.write_text(turns(1, 2))
    with following(db, logs if whole_folder else log) as follower:
        follower.waits_for(1, 2)
        append(log, turns(3))
        log.rename(logs / "app.log.1")
        log.write_text(turns(4))
        packed = gzip.compress((logs / "app.log.1").read_bytes())
        (logs / "app.log.1.gz").write_bytes(packed[:-20])
        follower.waits_for(1, 2, 3, 4)
        (logs / "app.log.1.gz").write_bytes(packed)
        (logs / "app.log.1").unlink()
        append(log, turns(5))
        follower.waits_for(1, 2, 3, 4, 5)
        follower.stop()
    read(logs, db)
    assert [1, 2, 3, 4, 5] == sessions(db)


def test_new_files_in_a_folder_are_read_also_documents(logs: Path, db: Path) -> None:
    """Protects files that appear later: a log, an export as one JSON array, a folder with another log."""
    with following(db, logs) as follower:
        (logs / "a.log").write_text(turns(1))
        follower.waits_for(1)
        (logs / "b.json").write_text("[" + ",".join(turn(n) for n in (2, 3)) + "]")
        (logs / "more").mkdir()
        (logs / "more" / "c.log").write_text(turns(4))
        follower.waits_for(1, 2, 3, 4)
        follower.stop()


def test_it_resumes_where_it_stopped_also_after_a_rotation_meanwhile(logs: Path, db: Path) -> None:
    """Protects the time between two followers: what was logged in it is read, from the rotated file too."""
    log = logs / "app.log"
    log.write_text(turns(1, 2))
    with following(db, log) as follower:
        follower.waits_for(1, 2)
        follower.stop()
    append(log, turns(3))
    (logs / "app.log.1.gz").write_bytes(gzip.compress(log.read_bytes()))
    log.write_text(turns(4))
    (logs / "app.log.2").write_text(turns(77))  # older than all that was followed, and nobody asked for it
    os.utime(logs / "app.log.2", (1_700_000_000, 1_700_000_000))
    with following(db, log) as follower:
        follower.waits_for(1, 2, 3, 4)
        append(log, turns(5))
        follower.waits_for(1, 2, 3, 4, 5)
        follower.stop()


def test_a_follower_that_is_killed_is_completed_by_the_next(logs: Path, db: Path) -> None:
    """Protects against loss and doubling by kill -9 in the middle of following."""
    log = logs / "app.log"
    log.write_text(turns(0))
    for n in range(1, 4):
        with following(db, log) as follower:
            append(log, turns(n))
            follower.waits_for(*range(n + 1), *range(51, 50 + n))
            append(log, turns(n + 50))
            follower.process.kill()
            follower.process.communicate()
        read(log, db)
        assert [*range(n + 1), *range(51, 51 + n)] == sessions(db)


def test_an_ingest_at_the_same_time_does_not_double_what_is_followed(logs: Path, db: Path) -> None:
    """Protects a cron job beside a follower: whoever is first stores a line, and the other finds it there."""
    log = logs / "app.log"
    log.write_text(turns(0))
    with following(db, log) as follower:
        follower.waits_for(0)
        for n in range(1, 6):
            append(log, turns(n))
            read(log, db)
        follower.waits_for(*range(6))
        figures = follower.stop()
    assert list(range(6)) == sessions(db)
    assert figures["events"] <= 6


@pytest.mark.parametrize("count", [1, 2_600])
def test_a_store_that_is_held_is_waited_for(logs: Path, db: Path, count: int) -> None:
    """Protects a follower from a DuckDB shell that someone left open: it says so, loses nothing, and goes on when it is closed."""
    log = logs / "app.log"
    log.write_text(turns(1))
    patience = "import storefile, sys; storefile.WAIT_SECONDS = 0.2; storefile.opened.__wrapped__.__kwdefaults__['wait'] = 0.2\n"
    patience += "import ingest.store; ingest.store.BATCH_ROWS = ingest.store.GROUP_ROWS = 1_000\n"
    program = patience + (
        "import threading; from pathlib import Path; from ingest import follow, stopped_by_signals\n"
        "with stopped_by_signals() as stop:\n"
        "    follow([sys.argv[1]], Path(sys.argv[2]), stop, tell=lambda s: print(s, flush=True))\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(log), str(db)], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        until(lambda: sessions(db) == [1], "the first turn")
        until(lambda: held(db) is not None, "a moment in which nobody writes")
        append(log, turns(*range(2, 2 + count)))
        assert process.stdout is not None
        said = process.stdout.readline()
        assert "the store is held open by" in said
        assert "what is read waits for it" in said
        HELD.pop().close()
        until(lambda: sessions(db) == list(range(1, 2 + count)), "all turns")
        process.send_signal(signal.SIGTERM)
        assert 0 == process.wait(DEADLINE)
    finally:
        process.kill()
        process.communicate()


HELD: list[duckdb.DuckDBPyConnection] = []


def held(db: Path) -> duckdb.DuckDBPyConnection | None:
    try:
        HELD.append(duckdb.connect(str(db)))
    except duckdb.Error:
        return None
    return HELD[-1]


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("truncated", [False, True])
def test_a_log_that_was_rotated_more_than_once_between_two_looks_is_read_as_a_whole(
    truncated: bool, stopped: bool, logs: Path, db: Path
) -> None:
    """Protects what was begun and rotated away before the follower looked again, or was started again; but what was there
    before it followed, and nobody asked for, is left alone."""
    log = logs / "app.log"
    (logs / "app.log.7").write_text(turns(77))
    os.utime(logs / "app.log.7", (1_700_000_000, 1_700_000_000))
    log.write_text(turns(1))

    def rotate() -> None:
        append(log, turns(2))
        for n in (1, 2):
            for number in (2, 1):
                if (logs / f"app.log.{number}").exists():
                    (logs / f"app.log.{number}").rename(logs / f"app.log.{number + 1}")
            shutil.copy(log, logs / "app.log.1") if truncated else log.rename(logs / "app.log.1")
            log.write_text(turns(2 * n + 1, 2 * n + 2))

    if stopped:
        follow([str(log)], db, Steps(nothing))
        rotate()
        follow([str(log)], db, Steps(nothing, nothing))
    else:
        follow([str(log)], db, Steps(nothing, nothing, rotate, nothing))
    assert [1, 2, 3, 4, 5, 6] == sessions(db)


@pytest.mark.parametrize("count", [1, 2, 40])
def test_a_log_that_began_anew_and_is_as_long_as_before_is_noticed(count: int, logs: Path, db: Path) -> None:
    """Protects copytruncate when as much was written since as there was before: the size alone says that nothing happened."""
    log = logs / "app.log"
    log.write_text(turns(*range(100, 100 + count)))

    def rotate() -> None:
        shutil.copy(log, logs / "app.log.1")
        os.truncate(log, 0)
        append(log, turns(*range(200, 200 + count)))

    expected = [*range(100, 100 + count), *range(200, 200 + count)]
    steps = Steps(nothing, nothing, rotate, nothing, lambda: assert_turns(db, *expected))
    follow([str(log)], db, steps)
    assert expected == sessions(db)


@pytest.mark.parametrize("more", [(), (7, 8)])
@pytest.mark.parametrize("chatter", [0, 60])
@pytest.mark.parametrize("cut", [0, 9])
def test_a_copy_that_is_seen_half_written_counts_with_its_original(
    cut: int, chatter: int, more: tuple[int, ...], logs: Path, db: Path
) -> None:
    """Protects copytruncate by a slow copy that is looked at between two lines, or within one, before or after the first
    event, and that ends with the original or with lines that only it has."""
    log, copy = logs / "app.log", logs / "app.log.1"
    start = "".join(winston_json(n, "info", f"chatter {n}") + "\n" for n in range(chatter)) or turns(0, 1, 2)
    known = [] if chatter else [0, 1, 2]
    log.write_text(start + turns(3, 4, 5, 6))
    half = len(start) + cut

    def rotate() -> None:
        append(log, turns(*more))
        append(copy, (start + turns(3, 4, 5, 6, *more))[half:])
        os.truncate(log, 0)

    steps = Steps(
        nothing,
        lambda: copy.write_text((start + turns(3))[:half]),
        nothing,
        lambda: assert_turns(db, *known, 3, 4, 5, 6),
        rotate,
        nothing,
        lambda: append(log, turns(9)),
        nothing,
    )
    follow([str(logs)], db, steps)
    expected = [*known, 3, 4, 5, 6, *more, 9]
    assert expected == sessions(db)
    read(logs, db)
    assert expected == sessions(db)


def test_a_copy_that_grows_by_bits_counts_with_its_original(logs: Path, db: Path) -> None:
    """Protects a copy that was too short to be told at first: it is told as soon as an event stands in it."""
    log, copy = logs / "app.log", logs / "app.log.1"
    text = winston_json(0, "info", "chatter") + "\n" + turns(1, 2, 3)
    log.write_text(text)
    cuts = [len(text) * n // 12 for n in range(13)]
    steps = [
        step
        for a, b in pairwise(cuts)
        for step in (lambda a=a, b=b: append(copy, text[a:b]), lambda: assert_turns(db, 1, 2, 3))
    ]
    follow([str(logs)], db, Steps(nothing, *steps, nothing))
    assert [1, 2, 3] == sessions(db)


def test_a_last_line_that_an_ingest_read_without_its_line_feed_is_not_read_twice(logs: Path, db: Path) -> None:
    """Protects a follower that goes on where an ingest ended, in the middle of a line or at one without a line feed."""
    log = logs / "app.log"
    log.write_text(turns(1, 2)[:-1])
    read(log, db)
    steps = Steps(nothing, lambda: append(log, "\n" + turn(3)[:9]), nothing, lambda: append(log, turn(3)[9:]), nothing)
    follow([str(log)], db, steps)
    assert [1, 2, 3] == sessions(db)
    assert (3, 0, 0) == counts(db)


def test_a_rotated_log_is_looked_for_again_when_an_ingest_was_faster(
    logs: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects what is written to a log long after it was renamed: a conflict makes the follower let go of it."""
    monkeypatch.setattr(sys.modules["ingest.follow"], "LINGER_SECONDS", 0.2)
    log, old = logs / "app.log", logs / "app.log.1"
    log.write_text(turns(1))

    def rotate() -> None:
        log.rename(old)
        log.write_text(turns(2))

    def later() -> None:
        time.sleep(0.3)
        append(old, turns(3))

    def meanwhile() -> None:
        append(old, turns(4))
        read(old, db)
        append(old, turns(5))

    follow([str(log)], db, Steps(nothing, nothing, rotate, later, meanwhile, nothing))
    assert [1, 2, 3, 4, 5] == sessions(db)


def test_a_pipe_or_a_link_beside_a_followed_log_is_not_opened(tmp_path: Path, logs: Path, db: Path) -> None:
    """Protects a follower from waiting for ever on a pipe that nobody writes to, and from what lies elsewhere."""
    log = logs / "app.log"
    log.write_text(turns(1))
    os.mkfifo(logs / "app.log.1")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(turns(1, 7))
    (logs / "app.log.2").symlink_to(elsewhere)
    with following(db, log) as follower:
        follower.waits_for(1)
        append(log, turns(2))
        follower.waits_for(1, 2)
        log.rename(logs / "app.log.3")
        os.mkfifo(log)
        append(logs / "app.log.3", turns(3))
        follower.waits_for(1, 2, 3)
        follower.stop()


def test_a_pipe_or_a_device_is_refused(logs: Path, db: Path) -> None:
    """Protects a follower that is given what cannot be followed from waiting for it; it says so, and what to do."""
    os.mkfifo(logs / "pipe")
    (logs / "link").symlink_to(logs / "pipe")
    for path in (logs / "pipe", logs / "link", Path("/dev/null")):
        with pytest.raises(IngestError) as refused:
            follow([str(path)], db, Steps())
        why = "a pipe or a device can be read but once and not be followed; leave out --follow"
        assert f"{path}: {why}" == str(refused.value)
    assert not db.exists()


def test_counts_stay_right_after_many_rotations(logs: Path, db: Path) -> None:
    """Protects the sum over a whole day of rotations, each at another moment of the follower's round."""
    log = logs / "app.log"
    log.write_text("")
    with following(db, logs) as follower:
        for n in range(60):
            append(log, turns(n))
            if n % 6 == 5:
                log.rename(logs / f"app.log.{n}")
                log.write_text("")
            time.sleep(0.07)
        follower.waits_for(*range(60))
        figures = follower.stop()
    assert 60 == figures["events"]
    assert (60, 0, 0) == counts(db)
