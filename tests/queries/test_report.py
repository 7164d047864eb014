"""The report in its three formats, on full, small, empty and hostile stores."""

import json
from pathlib import Path

import pytest

from queries import Window
from queries.layout import Section, as_markdown, as_table, wide
from queries.report import report
from queries.thresholds import Thresholds
from queries.wording import percent, visible
from tests.stores import START, event, four_weeks, run, write_store


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    events, rejects = four_weeks()
    return write_store(tmp_path_factory.mktemp("demo") / "demo.duckdb", events, rejects=rejects)


def test_the_order_of_the_report(demo: Path) -> None:
    """Coverage comes first, then what may be pruned, what needs work, what cannot be said, and the rest."""
    lines = report(demo, format="markdown").splitlines()
    expected = [
        "What these logs cover",
        "Prune candidates: never fired, though evaluated enough",
        "Strict, redundant and quiet checks",
        "What cannot be said, and why",
        "Checks that fire",
        "Retired checks that older logs name",
    ]
    assert expected == [line.removeprefix("## ") for line in lines if line.startswith("## ")]


def test_coverage_is_told(demo: Path) -> None:
    """Lines, records, times, gaps, rejects, undated and unmapped stand at the top."""
    top = report(demo, width=200).split("\n\n")[0]
    assert "7,603 relevant records, from 2026-06-01T09:00:00Z to 2026-06-28T17:27:15Z." in top
    assert "Logs exist for 27 of 28 days; none on 2026-06-14." in top
    assert "Socratic runs: 912, 3 without a summary, 40 put together without a session (inferred)." in top
    assert "Records: 3 could not be read (rejects), 2 have no time (undated)." in top
    assert "Reasons: 8 belong to no known check (unmapped)." in top


def test_kept_candidates_come_last_and_say_so(demo: Path) -> None:
    """A kept check keeps its verdict, stands behind those that may go, and says why it stays."""
    rows = [
        line
        for line in report(demo, width=200).split("\n\n")[1].splitlines()
        if line.startswith(("socratic", "honesty", "gates"))
    ]
    kept = ["kept: kept by the page" in line for line in rows]
    assert 6 == sum(kept)
    assert sorted(kept) == kept


def test_no_zero_without_its_evidence(demo: Path) -> None:
    """Each check without a fire stands beside evaluations, sessions, days, bounds and the newest record, or is called unknown."""
    checks = {row["check_id"]: row for row in json.loads(report(demo, format="json"))["checks"]}
    text = report(demo, width=220)
    for check_id, row in checks.items():
        if row["fires"] == 0 and row["evaluated"] is not None:
            line = next(line for line in text.splitlines() if line.startswith(check_id + " "))
            for part in (
                f"{row['evaluated']:,} {row['evaluated_basis']}",
                f"{row['sessions']:,}",
                percent(row["upper_bound"]),
                "2026-06-2",
            ):
                assert part in line
    assert (
        "reflection: 5 checks with zero fires and no known evaluation in the window (everything in the store)" in text
    )


def test_json_holds_every_figure(demo: Path) -> None:
    """The JSON report is one object with window, thresholds, coverage, gaps, runs and one object per check."""
    content = json.loads(report(demo, Window.parse("2026-06-05", agent="tutor"), format="json"))
    assert {"since": "2026-06-05T00:00:00Z", "until": None, "agent": "tutor"} == content["window"]
    assert 300 == content["thresholds"]["min_evaluations"]
    assert [{"first_day": "2026-06-14", "last_day": "2026-06-14", "days": 1}] == content["gaps"]
    assert 52 == len(content["checks"])
    assert {"verdict", "recommendation", "explanation", "upper_bound", "evaluated_basis"} <= set(content["checks"][0])


def test_what_a_window_leaves_out_is_told(demo: Path) -> None:
    """Records without a time, or without an agent, are named where they do not count."""
    text = report(demo, Window.parse("2026-06-05", agent="tutor"), width=200)
    assert "2 left out because they have no time" in text
    assert "left out because they name no agent" in text


def test_empty_store(tmp_path: Path) -> None:
    """A store without logs says how to fill it, and claims nothing of any check."""
    text = report(write_store(tmp_path / "s.duckdb"), width=140)
    assert "The store holds no logs yet; fill it with: gatecov ingest PATH." in text
    assert "None: no check has zero fires in at least 300 evaluations, 20 sessions and 14 days." in text
    assert "socratic.shape: 15 checks with zero fires and no known evaluation in the window" in text


@pytest.mark.parametrize(
    ("window", "told"),
    [
        (Window(), "Records: 1 told twice and counted once."),
        (Window.parse("2030-01-01"), "Records: 1 told twice in the whole store and counted once."),
    ],
)
def test_what_was_told_twice_is_counted_in_the_store(tmp_path: Path, window: Window, told: str) -> None:
    """A figure that knows no window says so: none of these records need lie in it."""
    rows = [event("honesty", "gate_passed", START, "a"), event("honesty", "gate_passed", START, "a", duplicate_of=1)]
    assert told in report(write_store(tmp_path / "s.duckdb", rows), window, width=140)


def test_only_rejects(tmp_path: Path) -> None:
    """A store in which nothing could be read says so."""
    rejects = [{"line": 1, "byte_offset": 0, "why": "cut off", "excerpt": "x"}]
    text = report(write_store(tmp_path / "s.duckdb", rejects=rejects), width=140)
    assert "but no relevant record lies in the window." in text
    assert "Records: 1 could not be read (rejects)." in text


def test_one_record(tmp_path: Path) -> None:
    """One record is one record, in the singular, and no verdict is drawn from it."""
    db = write_store(tmp_path / "s.duckdb", [event("honesty", "gate_passed", START, "a")])
    text = report(db, width=200)
    assert "1 relevant record, from 2026-06-01T09:00:00Z to 2026-06-01T09:00:00Z." in text
    assert "Every record could be read and has a time." in text
    assert "collect more logs first: 299 more evaluations, 19 more sessions, 13 more days" in text


def test_a_window_without_records(tmp_path: Path) -> None:
    """A window beside the logs says how much lies outside it."""
    text = report(write_store(tmp_path / "s.duckdb", run("a", START)), Window.parse("2027-01-01"), width=140)
    assert "no relevant record lies in the window, 1 outside it." in text


def test_thresholds_decide(demo: Path) -> None:
    """What counts as enough is what the thresholds say."""
    text = report(demo, thresholds=Thresholds(min_evaluations=5000), width=200)
    assert "None: no check has zero fires in at least 5,000 evaluations, 20 sessions and 14 days." in text


def test_decisions_are_told_beside_the_advice(demo: Path) -> None:
    """A person's decision stands beside the recommendation and leaves the verdict as it is."""
    rows = json.loads(report(demo, format="json", decisions={"gates.viability": "watch"}))["checks"]
    row = next(row for row in rows if row["check_id"] == "gates.viability")
    assert ("candidate", "watch") == (row["verdict"], row["decision"])
    assert row["recommendation"].endswith("(decided: watch)")


@pytest.mark.parametrize("width", [60, 80, 140, 200])
def test_no_line_is_wider_than_the_terminal(demo: Path, width: int) -> None:
    """The plain report keeps to its width, and holds no escape sequence."""
    text = report(demo, width=width)
    assert [] == [line for line in text.splitlines() if wide(line) > width]
    assert "\x1b" not in text


def test_hostile_names_are_shown_and_do_nothing(tmp_path: Path) -> None:
    """An agent or check named with terminal escapes, bidirectional marks or markup cannot act on whoever reads the report."""
    hostile = "x\x1b[2J\u202eevil<b>|"
    db = write_store(tmp_path / "s.duckdb", run("a", START, agent=hostile))
    plain, marked = (report(db, Window(agent=hostile), format=style, width=200) for style in ("table", "markdown"))
    assert "agent x\\x1b[2J\\u202eevil<b>|" in plain
    assert "agent x\\\\x1b\\[2J\\\\u202eevil\\<b\\>\\|" in marked
    assert {"\x1b", "\u202e"} & set(plain + marked) == set()


def test_visible_leaves_text_alone() -> None:
    """Text of any language stays as it is; only what acts without being seen is spelt out."""
    assert "奥卡福 – é “x” 🙂" == visible("奥卡福 – é “x” 🙂")
    assert "a\\x00\\x0a\\x7f\\u2028\\u200b\\ufeff" == visible("a\0\n\x7f\u2028\u200b\ufeff")


PERCENTS = {
    0.0: "0 %",
    0.00001: "0.0010 %",
    0.0016: "0.16 %",
    0.0999: "10 %",
    0.5: "50 %",
    0.9996: "99.96 %",
    0.9999999: "99.99 %",
    1.0: "100 %",
    None: "unknown",
}


@pytest.mark.parametrize("rate", PERCENTS)
def test_percent(rate: float | None) -> None:
    """A rate is never rounded to zero or to all."""
    assert PERCENTS[rate] == percent(rate)


def test_layouts() -> None:
    """Wide characters line up, and an empty table is left out."""
    parts = [Section("T", ["A."], ["name", "n"], [["奥卡福", "1"], ["b", "2"]]), Section("U", ["B."])]
    assert "T\n=\nA.\nname    n\n------  -\n奥卡福  1\nb       2\n\nU\n=\nB." == as_table(parts, 80)
    assert "## T\n\n- A.\n\n| name | n |\n| --- | --- |\n| 奥卡福 | 1 |\n| b | 2 |\n\n## U\n\n- B." == as_markdown(
        parts
    )
