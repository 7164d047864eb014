"""What belongs together: runs without a session, and one fire in two places."""

import random
from pathlib import Path

import pytest

from ingest.link import Fired, StageLine, infer_runs, pair_fires
from tests.ingest.logs import read, rows

SECOND = 1_000_000


def line(
    number: int, kind: str, attempt: int | None = None, attempts: int | None = None, outcome: str | None = None
) -> StageLine:
    return StageLine(number, kind, attempt, attempts, outcome, number * SECOND)


def told(lines: list[StageLine]) -> list[list[int]]:
    """The runs as lists of event ids."""
    runs: dict[str, list[int]] = {}
    for event, run in infer_runs(lines, "s"):
        runs.setdefault(run, []).append(event)
    return sorted(runs.values())


def drafts(start: int, count: int, outcome: str = "posted-writer") -> list[StageLine]:
    """One whole run that posts after `count` rejected drafts, or falls back to the template after four."""
    lines = [line(0, "draft_rejected", n + 1) for n in range(count)]
    if outcome != "posted-writer":
        lines += [
            line(0, "template_fallback"),
            line(0, "template_used" if outcome == "posted-template" else "template_failed"),
        ]
    lines.append(line(0, "summary", attempts=count + (outcome == "posted-writer"), outcome=outcome))
    return [one._replace(event_id=start + n) for n, one in enumerate(lines)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (drafts(1, 2) + drafts(10, 0) + drafts(20, 1), [[1, 2, 3], [10], [20, 21]]),
        (drafts(1, 4, "silent") + drafts(10, 4, "posted-template"), [[1, 2, 3, 4, 5, 6, 7], [10, 11, 12, 13, 14, 15, 16]]),
        (
            [line(1, "draft_rejected", 1), line(2, "draft_rejected", 1), line(3, "draft_rejected", 2), line(4, "summary", None, 3, "posted-writer"), line(5, "summary", None, 2, "posted-writer")],
            [[1, 3, 4], [2, 5]],
        ),
        (
            [line(1, "draft_rejected", 1), line(2, "summary", None, 1, "posted-writer"), line(3, "draft_rejected", 1), line(4, "summary", None, 2, "posted-writer")],
            [[1], [2], [3, 4]],
        ),
        ([line(1, "draft_rejected", 3), line(2, "summary", None, 2, "posted-writer")], [[1], [2]]),
        ([line(1, "writer_failed"), line(2, "draft_rejected", 2), line(3, "summary", None, 3, "posted-writer")], [[1, 2, 3]]),
        ([line(1, "draft_rejected", 1), line(700, "draft_rejected", 2)], [[1], [700]]),
        ([line(1, "template_used"), line(2, "summary", None, 4, "posted-template")], [[1], [2]]),
    ],
    ids=["one-after-the-other", "templates", "interleaved", "broken-off", "unfitting", "failed-call", "stale", "without-a-fallback"],
)  # fmt: skip
def test_lines_without_a_session_are_put_into_runs(lines: list[StageLine], expected: list[list[int]]) -> None:
    """Protects the pairing by order and attempt number, and that a line which fits nothing stands alone."""
    assert expected == told(lines)


@pytest.mark.parametrize("seed", range(20))
def test_interleaved_runs_are_as_many_and_as_long_as_they_were(seed: int) -> None:
    """Protects the histogram of attempts when several conversations share a stream: every run is complete."""
    random_ = random.Random(seed)
    runs = [drafts(n * 100, random_.choice([0, 1, 2, 3])) for n in range(12)]
    expected = sorted(len(run) for run in runs)
    waiting, mixed = list(runs), []
    active: list[list[StageLine]] = []
    while waiting or active:
        while waiting and len(active) < 3:
            active.append(list(waiting.pop(0)))
        chosen = random_.choice(active)
        mixed.append(chosen.pop(0)._replace(event_id=len(mixed), time=len(mixed) * SECOND))
        active = [run for run in active if run]
    assert expected == sorted(len(run) for run in told(mixed))


def fired(event: int, console: bool, seconds: float | None, claim: str = "done") -> Fired:
    return Fired(event, ("s-1", "honesty", claim), console, None if seconds is None else int(seconds * SECOND))


@pytest.mark.parametrize(
    ("fires", "expected"),
    [
        ([fired(1, False, 0), fired(2, True, 1)], [(2, 1)]),
        ([fired(1, False, 0), fired(2, True, 6)], []),
        ([fired(1, False, 0), fired(2, True, 1), fired(3, True, 2)], [(2, 1)]),
        ([fired(1, False, 0), fired(2, False, 10), fired(3, True, 9), fired(4, True, 1)], [(4, 1), (3, 2)]),
        ([fired(1, False, 0), fired(2, True, 0, "other")], []),
        ([fired(1, False, 0), fired(2, False, 100), fired(3, True, None), fired(4, True, None)], [(3, 1), (4, 2)]),
        ([fired(1, False, 0), fired(2, False, 1)], []),
    ],
    ids=["pair", "too-far", "one-to-one", "nearest", "other-claim", "undated", "two-audits"],
)
def test_a_fire_that_was_logged_twice_is_paired_once(fires: list[Fired], expected: list[tuple[int, int]]) -> None:
    """Protects the count of fires: an audit event and its console line are one, two fires stay two."""
    assert expected == pair_fires(fires)


AUDIT = '{"id":"1","timestamp":%d,"type":"self_domain_write","data":{"toolName":"honesty_gate_fired","sessionId":"s-1","severity":"high","reason":"failures_with_claim","failCount":2,"okCount":1,"matchedClaim":"deployed"}}\n'
CONSOLE = '2026-09-01T10:00:0%d.000Z [honesty] session=s-1 fired severity=high reason=failures_with_claim failCount=2 okCount=1 claim="deployed"\n'


def test_the_pairing_is_stored_and_told_also_when_the_files_are_read_one_after_the_other(tmp_path: Path) -> None:
    """Protects the pairing across files and ingests, and that it is reported."""
    db = tmp_path / "store.duckdb"
    (tmp_path / "audit.ndjson").write_text(AUDIT % 1_788_256_800_000 + AUDIT % 1_788_256_900_000)
    (tmp_path / "console.log").write_text(CONSOLE % 2)
    assert [] == read(tmp_path / "audit.ndjson", db).notes
    summary = read(tmp_path / "console.log", db)
    assert ["fires that stood both in an audit file and on the console, and count once: 1"] == summary.notes
    assert [("console", "name", "2026-09-01 10:00:00")] == rows(
        db,
        "SELECT e.form, o.form, strftime(o.time, '%Y-%m-%d %H:%M:%S') FROM events e JOIN events o ON o.event_id = e.duplicate_of",
    )


def test_runs_go_on_from_one_rotated_file_to_the_next(tmp_path: Path) -> None:
    """Protects a run that a rotation tore: both files are one stream, and the older one comes first."""
    db = tmp_path / "store.duckdb"
    (tmp_path / "app.log.1").write_text(
        '2026-09-01 10:00:00 warn: [SocraticStage] draft rejected {"attempt":1,"reason":"no digits"}\n'
    )
    (tmp_path / "app.log").write_text(
        '2026-09-01 10:00:09 info: [SocraticStage] summary {"outcome":"posted-writer","attempts":2}\n'
    )
    read(tmp_path / "app.log.1", db)
    read(tmp_path, db)
    assert [(1, 2)] == rows(db, "SELECT count(DISTINCT run), count(*) FROM inferred_runs")
