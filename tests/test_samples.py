"""The sample folder: it is what the live systems write today, and its month holds what makes it worth looking at."""

import bz2
import gzip
import lzma
from pathlib import Path

import polars as pl
import pytest
import zstandard

import samples
from ingest import ingest
from queries import run
from queries.report import findings

SAMPLES = Path(__file__).resolve().parent.parent / "sample_logs"
OPENERS = {
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
    ".zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}


def contents(folder: Path) -> dict[str, bytes]:
    """What each file of a folder holds, decompressed: versions of a compressor may write other bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): OPENERS.get(path.suffix, bytes)(path.read_bytes()) for path in files}


def test_the_sample_folder_is_what_the_live_systems_write(tmp_path: Path) -> None:
    """Protects the samples from growing old: a check that was edited writes other logs, and they must be written anew."""
    samples.write(tmp_path)
    written, kept = contents(tmp_path), contents(SAMPLES)
    assert sorted(written) == sorted(kept)
    assert [] == [name for name in written if written[name] != kept[name]], "write them anew: python -m samples"


def test_another_seed_writes_another_month(tmp_path: Path) -> None:
    """Protects the seed from being ignored somewhere, which would make every month the same."""
    samples.write(tmp_path, seed=7)
    written, kept = contents(tmp_path), contents(SAMPLES)
    assert sorted(written) == sorted(kept)
    # The one lesson that is stuck before `teach` leaves nothing to chance.
    assert ["lessons/lesson-4.jsonl"] == [name for name in written if written[name] == kept[name]]


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Path:
    db = tmp_path_factory.mktemp("month") / "month.duckdb"
    assert [] == list(ingest([str(SAMPLES)], db).problems)
    return db


VERDICTS = {
    "socratic.shape.names_source": "strict",
    "socratic.shape.no_trailing_clause": "redundant",
    "socratic.shape.no_analogy": "quiet",
    "socratic.shape.no_digits": "candidate",
    "socratic.shape.no_finding_verbs": "candidate",
    "socratic.shape.no_participant_names": "candidate",
    "honesty.unverified_destructive": "retired",
    "reflection.unclassified": "no_evidence",
}


def test_the_month_holds_one_of_each_verdict(month: Path) -> None:
    """Protects the demo: a quiet, a strict, a redundant and a retired check, and several that never fire."""
    checks = findings(month).checks.filter(pl.col("check_id").is_in(list(VERDICTS)))
    assert VERDICTS == dict(zip(checks["check_id"], checks["verdict"], strict=True))


def test_the_month_lacks_one_day(month: Path) -> None:
    """Protects the gap: logs stop on the fifteenth, a day that the health page must show."""
    assert ["2026-11-15"] == [f"{row['first_day']}" for row in run(month, "gaps").to_dicts()]
    cover = run(month, "coverage").row(0, named=True)
    assert ("2026-11-02", "2026-11-29") == (f"{cover['first_record']:%Y-%m-%d}", f"{cover['last_record']:%Y-%m-%d}")


def test_the_month_holds_what_cannot_be_read(month: Path) -> None:
    """Protects the traces of real folders: three cut lines, forty undated records, a reason that is nobody's."""
    assert 3 == run(month, "rejects").height
    assert 40 == run(month, "undated")["records"].sum()
    assert [("socratic.shape", "tone too stiff", 2)] == [
        (row["family"], row["fragment"], row["count"]) for row in run(month, "unmapped").to_dicts()
    ]


def test_the_month_holds_every_system_and_outcome(month: Path) -> None:
    """Protects each page from being empty: every system, every outcome, runs with and without a conversation."""
    systems = "agent gates guardrail honesty lesson probe protocol reflection socratic turn".split()
    assert systems == sorted(set(run(month, "records", limit=100_000)["system"]))
    attempts = run(month, "attempts")
    outcomes = set(attempts.filter(pl.col("system") == "socratic")["outcome"])
    assert {"posted-writer", "posted-template", "silent"} == outcomes
    runs = run(month, "runs", limit=100_000)
    assert {True, False} == set(runs["inferred"])
    assert {True} == set(runs["consistent"])
