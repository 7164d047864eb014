"""The CSV files: their columns, their format, and that nobody finds half of one."""

import csv
import io
import re
from pathlib import Path

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from queries import Window
from queries.export import TABLES, ExportError, csv_text, export, tables
from queries.wording import as_logged, harmless
from tests.stores import START, event, four_weeks, run, write_store

CONTRACT = {
    "checks": "check_id, family, title, verdict, recommendation, decision, fires, evaluated, evaluated_basis, rate, rate_low, rate_high, first_drafts, first_draft_fires, sole_fires, template_fires, sessions, days, first_fired, last_fired, last_evaluated, source, source_sha256",
    "reasons": "check_id, fragment, count, first_seen, last_seen",
    "attempts": "system, attempts, outcome, runs",
    "gates": "gate, reason, severity, fires, ok_count, fail_count, first_seen, last_seen",
    "guardrails": "guardrail, agent, goal, drops, first_seen, last_seen",
    "rejects": "file, line, byte_offset, why, excerpt",
    "unmapped": "family, fragment, count, first_seen, last_seen",
    "files": "file, bytes, lines, events, rejected, first_time, last_time, complete",
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    events, rejects = four_weeks()
    return write_store(tmp_path_factory.mktemp("demo") / "demo.duckdb", events, rejects=rejects)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("window", [Window(), Window.parse("2030-01-01", agent="nobody")], ids=["full", "empty"])
def test_files_and_columns(demo: Path, tmp_path: Path, window: Window) -> None:
    """Every file of the contract is written with exactly its columns, also where there is nothing to say."""
    written = export(demo, tmp_path / "new" / "csv", window)
    assert [tmp_path / "new" / "csv" / f"{name}.csv" for name in CONTRACT] == written
    assert list(CONTRACT.values()) == [
        ", ".join(path.read_text(encoding="utf-8").splitlines()[0].split(",")) for path in written
    ]
    assert sorted(path.name for path in written) == sorted(path.name for path in (tmp_path / "new" / "csv").iterdir())


def test_every_column_says_what_it_means() -> None:
    """The declaration that the README's table is made of leaves no column unexplained."""
    assert [] == [f"{table.name}.{name}" for table in TABLES for name, meaning in table.columns.items() if not meaning]


def test_format(demo: Path, tmp_path: Path) -> None:
    """UTF-8 without a mark, line feeds only, times as ISO 8601 Z, numbers bare, nothing for unknown."""
    export(demo, tmp_path)
    raw = (tmp_path / "checks.csv").read_bytes()
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in raw
    row = next(row for row in rows_of(tmp_path / "checks.csv") if row["check_id"] == "socratic.shape.no_digits")
    assert re.fullmatch(r"2026-06-05T\d\d:\d\d:\d\dZ", row["last_fired"])
    assert ("quiet", "27", "derived", "") == (row["verdict"], row["fires"], row["evaluated_basis"], row["decision"])
    assert 0.0145 == pytest.approx(float(row["rate"]), abs=1e-4)
    unknown = next(row for row in rows_of(tmp_path / "checks.csv") if row["check_id"] == "reflection.auth")
    assert ("", "unknown", "", "") == (
        unknown["evaluated"],
        unknown["evaluated_basis"],
        unknown["rate"],
        unknown["sessions"],
    )


def test_the_same_store_gives_the_same_bytes(demo: Path, tmp_path: Path) -> None:
    """Two exports of one store do not differ in a byte."""
    first, second = (export(demo, tmp_path / name) for name in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+2", "'=1+2"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-2+3", "'-2+3"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("＝1", "'＝1"),
        ("-5", "-5"),
        ("+1.5e3", "+1.5e3"),
        ("'=1", "''=1"),
        ("deployed", "deployed"),
        ("a=1", "a=1"),
        ("", ""),
    ],
)
def test_formulas(text: str, cell: str) -> None:
    """A text that a spreadsheet would run gets an apostrophe, a number stays a number."""
    assert cell == harmless(text)


@given(st.text())
def test_texts_come_back(text: str) -> None:
    """Whoever knows the rule reads back exactly what was logged, whatever it was; and no cell starts a formula."""
    surrogates = re.compile(r"[\ud800-\udfff]")
    frame = pl.DataFrame({"text": [surrogates.sub("", text)], "n": [-1]})
    header, row = csv.reader(io.StringIO(csv_text(frame), newline=""))
    assert (["text", "n"], "-1") == (header, row[1])
    assert frame["text"].item() == as_logged(row[0])
    assert not row[0].startswith(("=", "@", "\t", "\r"))


def test_hostile_log_text_round_trips(tmp_path: Path) -> None:
    """Formulas, quotes, line breaks and other scripts in a reason reach the reader as they were logged."""
    odd = '=HYPERLINK("x"),\n"公平" \x1b[31m'
    db = write_store(tmp_path / "s.duckdb", run("a", START, [[odd]]))
    export(db, tmp_path / "csv")
    assert odd == as_logged(rows_of(tmp_path / "csv" / "unmapped.csv")[0]["fragment"])


def test_duckdb_reads_what_was_written(demo: Path, tmp_path: Path) -> None:
    """Another program finds the same rows and types in the files."""
    export(demo, tmp_path)
    with duckdb.connect() as connection:
        found = connection.execute(
            f"SELECT sum(fires)::BIGINT, max(last_fired) FROM read_csv('{tmp_path / 'checks.csv'}')"
        ).fetchone()
    checks = tables(demo)["checks"]
    assert (checks["fires"].sum(), checks["last_fired"].dt.replace_time_zone("UTC").max()) == found


def test_unmapped_reasons_have_no_check(demo: Path) -> None:
    """An unmapped reason stands among the reasons with an empty check, and once more in its own file."""
    found = tables(demo)
    assert [8] == found["reasons"].filter(pl.col("check_id").is_null())["count"].to_list()
    assert [8] == found["unmapped"]["count"].to_list()


def test_posts_that_got_through_are_no_drops(tmp_path: Path) -> None:
    """A goal whose posts were never dropped has no row among the drops."""
    db = write_store(tmp_path / "s.duckdb", [event("guardrail", "post_detected", START, "a", goal="g", agent="tutor")])
    assert 0 == tables(db)["guardrails"].height


def test_a_folder_that_is_a_file(demo: Path, tmp_path: Path) -> None:
    """A place that cannot be written is one sentence that names it."""
    taken = tmp_path / "taken"
    taken.write_text("mine")
    with pytest.raises(ExportError, match="taken: the folder cannot be made"):
        export(demo, taken)
    assert "mine" == taken.read_text()


def test_a_file_that_cannot_be_replaced_stays_and_nothing_is_left_over(demo: Path, tmp_path: Path) -> None:
    """Where a file cannot be put in place, no half-written one stays behind."""
    (tmp_path / "checks.csv" / "inside").mkdir(parents=True)
    with pytest.raises(ExportError, match=r"checks\.csv: it cannot be written"):
        export(demo, tmp_path)
    assert ["checks.csv"] == [path.name for path in tmp_path.iterdir()]
