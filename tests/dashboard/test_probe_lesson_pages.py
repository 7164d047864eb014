"""The pages of probe answers and lessons, over stores that were filled from what the live code wrote."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from checks.lesson.records import answered, call, message, to_jsonl
from dashboard import lesson_charts, probe_charts
from ingest.run import ingest
from queries import run
from tests.dashboard.test_pages import HOSTILE, marked_up, opened, plain

POINTS = ("start", "after_item(4)", "end")
ANSWERS: dict[str, tuple[int | None, ...]] = {"P1": (2, 3, 5), "P2": (4, None, 4), "P3": (6, 5, None), "P4": (3, 3, 2)}
NODES = [
    {"id": "ends", "title": "Ends"},
    {"id": "means", "title": "Means", "requires": ["ends"]},
    {"id": "use", "title": "Use", "requires": ["ends"]},
    {"id": "own", "title": "A case of one's own", "requires": ["means", "use", "own", "gone"]},
]


@pytest.fixture(autouse=True)
def no_cache() -> Iterator[None]:
    """Cached frames would carry one test's store into the next."""
    st.cache_data.clear()
    yield
    st.cache_data.clear()


def answer(participant: str, at: int, value: int | None, probe: str = "position", point: str | None = None) -> str:
    row: dict[str, Any] = {"type": "probe_answer", "session": "s-1", "time": f"2026-06-01T1{at}:00:00Z", "probe": probe}
    row |= {"point": point or POINTS[at], "participant": participant, "answer": str(value or "3 or 4"), "raw": ""}
    return json.dumps(
        row
        | {
            "value": value,
            "attempts": 1 if value else 2,
            "lo": 1,
            "hi": 7,
            "refusal": None if value else "several_numbers",
        }
    )


def taught(
    name: str, tags: list[str | None], *, nodes: list[dict[str, Any]] = NODES, planned: bool = True
) -> list[str]:
    parts = [answered(call("probe_done", "d", {"strands": []}), {"ok": True})]
    parts += [answered(call("plan_init", "p", {"nodes": nodes}), {"ok": True})] if planned else []
    parts += [
        call("quiz", f"q{n}", {"question": "Why?"} | ({"nodeId": tag} if tag else {})) for n, tag in enumerate(tags)
    ]
    return [
        to_jsonl(message("assistant", part), session=name, time=f"2026-06-02T10:0{n}:00Z")
        for n, part in enumerate(parts)
    ]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    lines = [answer(who, at, value) + "\n" for who, values in ANSWERS.items() for at, value in enumerate(values)]
    lines += (
        taught("tagged", ["ends", "means", None]) + taught("frozen", [None, None]) + taught("stuck", [], planned=False)
    )
    (folder / "all.jsonl").write_text("".join(lines), encoding="utf-8")
    ingest([str(folder / "all.jsonl")], folder / "s.duckdb")
    return folder / "s.duckdb"


def captions(app: AppTest) -> str:
    return "\n".join(str(item.value) for item in (*app.caption, *app.info, *app.text))


def charts(app: AppTest) -> int:
    return len(app.get("vega_lite_chart"))


def test_the_probe_page_says_what_was_read(monkeypatch: pytest.MonkeyPatch, db: Path) -> None:
    """The figures of the heading and of the change are those of the answers, and every picture is there."""
    app = opened(monkeypatch, db, "probes")
    assert "10 of 12 answers to 1 probe were read as a number; 2 have an answer that was not read" in marked_up(app)
    # P1 from 2 to 5, P2 stays at 4, P4 from 3 to 2; P3 has no value at the end.
    assert (
        "start → end: 1 moved up, 1 down, 1 stayed; 1 of 4 participants cannot be compared, for want of a value."
        in plain(app)
    )
    assert 5 == charts(app)
    other = opened(monkeypatch, db, "probes", pair="start → after_item(4)")
    assert (
        "start → after_item(4): 1 moved up, 1 down, 1 stayed; 1 of 4 participants cannot be compared, for want of a value."
        in plain(other)
    )


def test_the_lesson_page_finds_the_frozen_map(monkeypatch: pytest.MonkeyPatch, db: Path) -> None:
    """Lessons stuck before teach and those whose questions never name a node are counted and drawn."""
    app = opened(monkeypatch, db, "lessons")
    said = marked_up(app)
    assert "2 of 3 lessons reached teach. 3 of 5 questions asked while teaching name no node of the plan" in said
    assert "1 lesson never named one" in said
    assert ["0", "1", "1", "0"] == [metric.value for metric in app.metric]
    assert 1 == charts(app)
    chosen = opened(monkeypatch, db, "lessons", lesson="tagged")
    assert "tagged: teach, visited 1 of 4 nodes" in plain(chosen)
    assert 2 == charts(chosen)


def test_a_lesson_without_a_tag_has_no_current_node(monkeypatch: pytest.MonkeyPatch, db: Path) -> None:
    """The plan is shown grey, and a sentence says why nothing is highlighted."""
    app = opened(monkeypatch, db, "lessons", lesson="frozen")
    assert "Nothing is current: no question has named a node yet." in captions(app)
    stuck = opened(monkeypatch, db, "lessons", lesson="stuck")
    assert "This lesson has no plan, and no question named a node." in captions(stuck)


@pytest.mark.parametrize(
    ("page", "conditions", "count"),
    [
        ("probe", {"system": "probe", "point": "end"}, 4),
        ("probe", {"system": "probe", "participant": "P2", "value": "4"}, 2),
        ("lesson", {"system": "lesson", "session": "tagged"}, 5),
    ],
)
def test_the_records_behind_a_mark(
    monkeypatch: pytest.MonkeyPatch, db: Path, page: str, conditions: dict[str, str], count: int
) -> None:
    """What a mark or a row of these pages stands for can be followed to exactly its records."""
    app = opened(monkeypatch, db, "records", **conditions)
    assert f"##### {count} records." in marked_up(app), page


def test_log_text_is_shown_as_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Names of probes, points, participants, lessons and nodes never reach Markdown."""
    lines = [
        answer(HOSTILE, at, value, HOSTILE, point) + "\n"
        for at, value, point in ((0, 3, HOSTILE), (1, 4, "end"), (2, None, "x"))
    ]
    lines += taught(
        HOSTILE, ["a", None], nodes=[{"id": "a", "title": HOSTILE}, {"id": HOSTILE, "title": "b", "requires": ["a"]}]
    )
    (tmp_path / "all.jsonl").write_text("".join(lines), encoding="utf-8")
    ingest([str(tmp_path / "all.jsonl")], tmp_path / "s.duckdb")
    for page, address in (("probes", {}), ("lessons", {}), ("lessons", {"lesson": HOSTILE})):
        app = opened(monkeypatch, tmp_path / "s.duckdb", page, **address)
        assert "alert(1)" not in marked_up(app), page
        assert charts(app) > 0, page


def placed(requires: dict[str, list[str]]) -> dict[str, int]:
    frame = pl.DataFrame({"node": list(requires), "requires": [json.dumps(needed) for needed in requires.values()]})
    return dict(lesson_charts.layers(frame).select("node", "layer").iter_rows())


@pytest.mark.parametrize(
    ("requires", "expected"),
    [
        ({"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"], "e": ["d", "a"]}, {"a": 0, "b": 1, "c": 1, "d": 2, "e": 3}),
        ({"a": ["gone"], "b": ["b", "a"]}, {"a": 0, "b": 1}),
        ({"a": ["c"], "b": ["a"], "c": ["b"]}, {"a": 0, "b": 1, "c": 2}),
        ({"late": ["early"], "early": []}, {"late": 1, "early": 0}),
        ({}, {}),
    ],
)
def test_nodes_stand_after_what_they_require(requires: dict[str, list[str]], expected: dict[str, int]) -> None:
    """Layers follow the longest way; a link to nothing, to itself or round in a circle does not break the picture."""
    assert expected == placed(requires)


def test_the_plan_keeps_its_states(db: Path) -> None:
    """The picture holds each node once, with the state that the store gives it, and an edge for each known requirement."""
    drawn = lesson_charts.plan(run(db, "lesson_plan", lesson="tagged")).to_dict()
    data = [list(rows) for rows in drawn["datasets"].values()]
    nodes = next(rows for rows in data if rows and "node" in rows[0] and len(rows) == 4)
    assert {"ends": "visited", "means": "current", "use": "upcoming", "own": "upcoming"} == {
        row["node"]: row["state"] for row in nodes
    }
    ways = next(rows for rows in data if rows and "way" in rows[0])
    assert ["Ends → Means", "Ends → Use", "Means → A case of one's own", "Use → A case of one's own"] == sorted(
        row["way"] for row in ways
    )


def test_moves_count_participants() -> None:
    """A line for each pair of values, as wide as there are participants; an unread answer is in none."""
    frame = pl.DataFrame({"from_value": [1, 1, 4, 2, None], "to_value": [3, 3, 2, 2, 5], "change": [2, 2, -2, 0, None]})
    assert [(1, 3, 2, "up"), (2, 2, 1, "same"), (4, 2, 1, "down")] == probe_charts.moves(frame).rows()
