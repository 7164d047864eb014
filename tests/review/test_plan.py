"""The pruning plan: what can be removed today, what stands in the way of the rest, and that both forms tell it safely."""

import csv
import dataclasses
import datetime as dt
import hashlib
import io
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from checks.registry import Check
from queries import Window
from queries.thresholds import Thresholds
from queries.verdicts import evidence, judge
from review.audit.result import IMPROVED, NO_DIFFERENCE, NOT_TRUSTED, REGRESSION, AuditEvidence
from review.decisions import Decision, Decisions, snapshot
from review.mentions import mentions
from review.plan import Entry, Plan, make_plan
from review.planpage import COLUMNS, plan_csv, plan_markdown
from storefile import opened
from tests.stores import Row, event, given_checks, run, write_store

T = dt.datetime(2026, 6, 1, 9)
NOW = dt.datetime(2026, 6, 20)
SHAPE = "socratic.shape."
READY, OPEN, KEPT, FIRES = SHAPE + "no_digits", SHAPE + "no_analogy", SHAPE + "single_question", SHAPE + "word_limit"
IDS = (READY, OPEN, KEPT, FIRES)


@dataclasses.dataclass(frozen=True)
class Checkout:
    """A folder with sources and tests, and the checks that are registered from it."""

    root: Path
    checks: tuple[Check, ...]


def source(check_id: str) -> bytes:
    return f"# {check_id}\n".encode()


def sha256(check_id: str) -> str:
    return hashlib.sha256(source(check_id)).hexdigest()


def rows() -> list[Row]:
    """The four checks as the store's table has them."""
    names = {row["check_id"]: row for row in given_checks()}
    return [names[check_id] | {"source_sha256": sha256(check_id)} for check_id in IDS]


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of three weeks in which nothing fired."""
    return write_store(tmp_path_factory.mktemp("weeks") / "s.duckdb", three_weeks(), checks=rows())


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    checks = []
    for row in rows():
        path = tmp_path / row["source"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source(row["check_id"]))
        checks.append(
            Check(
                **{
                    name: row[name]
                    for name in ("check_id", "family", "title", "reason", "order", "kept_because", "source")
                },
                stops_chain=False,
                aliases=(),
                doc="",
                line=7,
                source_text=path.read_text(),
                source_sha256=row["source_sha256"],
                runs_elsewhere="",
                function=None,
                fires_on=(),
                silent_on=(),
            )
        )
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_shape.py").write_text(
        'x = 1\ncheck("socratic.shape.no_digits")\nassert reason == "no digits"\n"casino digits", "no digits2"\n'
    )
    (tests / f"{READY}.jsonl").write_text('{"text": "a", "expected": "no_digits_at_all"}\n')
    (tests / "picture.png").write_bytes(b"\x89PNG no digits \xff")
    return Checkout(tmp_path, tuple(checks))


def three_weeks(extra: Sequence[Row] = (), fires: bool = False) -> list[Row]:
    """400 runs in 40 sessions on 20 days, each posted at the first draft; word_limit stops 60 of them once."""
    rows = []
    for number in range(400):
        rejected = [[FIRES]] if fires and number % 7 == 0 else []
        start = T + dt.timedelta(days=number % 20, minutes=number)
        rows += run(f"c{number // 10}", start, rejected)
    return [*rows, *extra]


def judged(db: Path, check_id: str) -> dict[str, Any]:
    with opened(db) as connection:
        frame = judge(evidence(connection, Window(), Thresholds()))
    return frame.filter(pl.col("check_id") == check_id).row(0, named=True)


def decide(db: Path, check_id: str, action: str = "prune", **more: Any) -> Decision:
    decided = Decision(check_id, action, "Ada", "never fired", dt.date(2026, 6, 20), "no difference in 80 messages")
    return dataclasses.replace(decided, snapshot=snapshot(judged(db, check_id), None, None), **more)


def plan_for(checkout: Checkout, db: Path, decided: Sequence[Decision] = (), **more: Any) -> Plan:
    decisions = Decisions(Path("gatecov.toml"), {decision.check_id: decision for decision in decided})
    window, now = more.pop("window", Window()), more.pop("now", NOW)
    return make_plan(db, window, Thresholds(), decisions, now=now, root=checkout.root, checks=checkout.checks, **more)


def entry(plan: Plan, check_id: str) -> Entry:
    return next(found for found in plan.entries if found.check_id == check_id)


def test_the_plan_says_first_what_can_be_removed_today(checkout: Checkout) -> None:
    """Protects the whole of the plan by one worked example: ready, waiting, kept, and not listed, as it is printed."""
    db = write_store(checkout.root / "s.duckdb", three_weeks(fires=True), checks=rows())
    plan = plan_for(checkout, db, [decide(db, READY)], whatif=lambda ids: f"{len(ids)} draft more would pass")
    # By hand: 400 accepted drafts and the 58 that word_limit rejected (0, 7, ... 399) were judged; 1 - 0.05^(1/458) =
    # 0.65 %, 1 - 0.05^(1/40) = 7.2 %.
    assert plan_markdown(plan).split("\n### `socratic.shape.no_analogy`")[0] == (
        "# Pruning plan\n\n"
        "**1 check can be removed today: `socratic.shape.no_digits`.** 1 check must wait; what stands in the way is said "
        "with each. 1 check is kept.\n\n"
        "Evidence: 458 records from 2026-06-01 to 2026-06-20, logs of 20 days. Window: everything in the store. "
        "A bound is the exact one-sided 95 % upper bound of the rate at which the check fires.\n\n"
        "## Can be removed today\n\n"
        "| check | verdict | fires | evaluations | sessions | days | bound | bound per session | in the way |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n"
        "| `socratic.shape.no_digits` | candidate | 0 | 458 | 40 | 20 | 0.65 % | 7.2 % | nothing |\n\n"
        "### `socratic.shape.no_digits`: No digits\n\n"
        f"- Evidence (candidate): {judged(db, READY)['explanation']}\n"
        "- Last evaluated 2026-06-20T15:39:02Z; newest record of the family 2026-06-20T15:39:02Z.\n"
        "- Without it: 1 draft more would pass\n"
        f"- Source: `checks/socratic/shape/no_digits.py:7` (sha256 {sha256(READY)[:12]}).\n"
        "- Tests that mention it: `tests/socratic.shape.no_digits.jsonl:1`, `tests/test_shape.py:2`, "
        "`tests/test_shape.py:3`.\n"
        "- Decision: prune, by Ada on 2026-06-20: never fired\n"
        "- Audit: as Ada wrote: no difference in 80 messages\n"
        "- Know: its evaluations are worked out from other records, not logged\n\n"
        "## Not yet\n\n"
        "| check | verdict | fires | evaluations | sessions | days | bound | bound per session | in the way |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n"
        "| `socratic.shape.no_analogy` | candidate | 0 | 458 | 40 | 20 | 0.65 % | 7.2 % | 2 points |\n"
    )
    assert [(READY, True, False), (OPEN, False, False), (KEPT, False, True)] == [
        (found.check_id, found.removable, found.kept) for found in plan.entries
    ]
    assert entry(plan, OPEN).in_the_way == (
        "nobody decided yet; write down who answers for pruning it, and why",
        "no blind audit on a fresh reading without it",
    )
    assert entry(plan, KEPT).in_the_way[0] == "kept: kept by the page"


def audit(verdict: str, *check_ids: str) -> AuditEvidence:
    compared = "without:" + "+".join(check_ids)
    found: dict[str, Any] = {"check_ids": check_ids, "baseline": "all", "compared": compared, "verdict": verdict}
    counts = {"baseline_n": 40, "compared_n": 40, "baseline_not_clean": 1, "compared_not_clean": 9, "p": 0.01}
    found |= counts | {"because": "9 of 40 against 1 of 40", "noticeable_rate": 0.2, "messages_needed": None}
    found |= {"auditors": ("a1", "a2"), "kappa": 0.8, "warnings": (), "packet_sha256": "aa", "key_sha256": "bb"}
    return AuditEvidence(**found)


@pytest.mark.parametrize(
    ("verdicts", "in_the_way"),
    [
        ([], ["no blind audit on a fresh reading without it"]),
        ([NO_DIFFERENCE], []),
        ([IMPROVED], []),
        ([NOT_TRUSTED], ["the blind audit cannot be trusted: 9 of 40 against 1 of 40"]),
        ([NOT_TRUSTED, NO_DIFFERENCE], []),
        (
            [NO_DIFFERENCE, REGRESSION],
            ["the blind audit shows a regression: "],
        ),
    ],
)
def test_the_audit_decides_with_the_zero(
    checkout: Checkout, weeks: Path, verdicts: list[str], in_the_way: list[str]
) -> None:
    """Protects the page's rule: never fired *and* no regression in a blind audit; one regression is enough to stop."""
    heard = [audit(verdict, READY) for verdict in verdicts]
    found = entry(plan_for(checkout, weeks, [decide(weeks, READY, audit=None)], audits=heard), READY)
    told = [point + audit(REGRESSION, READY).sentence() if point.endswith(": ") else point for point in in_the_way]
    assert (tuple(told), len(verdicts)) == (found.in_the_way, len(found.audit))


TEMPLATE = run("t", T, [[FIRES]] * 4, "silent", template_reasons=[READY])
OBSTACLES: list[tuple[str, list[Row], dict[str, Any], dict[str, Any], str]] = [
    ("watch", [], {"action": "watch"}, {}, "watched: Ada decided so on 2026-06-20: never fired"),
    ("keep", [], {"action": "keep"}, {}, "kept: Ada decided so on 2026-06-20: never fired"),
    (
        "old",
        [],
        {},
        {"now": dt.datetime(2026, 12, 1)},
        "the decision is stale: its window ended 2026-06-20, 163 days ago (more than 90)",
    ),
    ("template", TEMPLATE, {}, {}, "it stopped 1 template, which would have been posted without it"),
    (
        "unmapped",
        run("u", T, [["ends with an exclamation mark"]]),
        {},
        {},
        "1 reason of socratic.shape belong to no known check, and may be this one's; map them",
    ),
    (
        "fired before",
        run("b", T - dt.timedelta(days=30), [[READY]]),
        {},
        {"window": Window.parse("2026-06-01")},
        "it fired 1 time before this window, last on 2026-05-02; explain why it stopped",
    ),
    ("thin", [], {}, {"window": Window.parse("2026-06-01", "2026-06-08")}, "not enough data (thin): No fire in 140 drafts"),
    ("fires", run("f", T, [[READY]]), {}, {}, "it fires (fires): 1 fire in 402 drafts"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "extra", "change", "asked", "point"), OBSTACLES, ids=[case[0] for case in OBSTACLES])
def test_what_stands_in_the_way_is_said(
    checkout: Checkout, case: str, extra: list[Row], change: dict[str, Any], asked: dict[str, Any], point: str
) -> None:
    """Protects from removing a check that still has something against it, each kind for itself."""
    weeks = write_store(checkout.root / "s.duckdb", three_weeks(extra), checks=rows())
    found = entry(plan_for(checkout, weeks, [decide(weeks, READY, **change)], **asked), READY)
    assert [True, 1] == [found.in_the_way[0].startswith(point), len(found.in_the_way)], found.in_the_way


def test_a_changed_source_stands_in_the_way(checkout: Checkout) -> None:
    """Protects from pruning new code on the evidence of old: changed since ingest, on the disk, or gone."""
    older = [row | {"source_sha256": "0" * 64} for row in rows()]
    db = write_store(checkout.root / "s.duckdb", three_weeks(), checks=older)
    decided = [decide(db, READY)]
    live = sha256(READY)[:12]
    old = f"its source changed since the logs were ingested (000000000000 then, {live} today), so the evidence may be of other code"
    assert (old,) == entry(plan_for(checkout, db, decided), READY).in_the_way
    file = checkout.root / "checks/socratic/shape/no_digits.py"
    file.write_text("# edited\n")
    assert "on the disk is not what runs here" in entry(plan_for(checkout, db, decided), READY).in_the_way[1]
    file.unlink()
    assert "is not there any more" in entry(plan_for(checkout, db, decided), READY).in_the_way[1]


def test_gaps_rejects_and_inferred_sessions_are_known_and_do_not_stop(checkout: Checkout) -> None:
    """Protects the reader from evidence that looks whole and is not, without making one lost line a veto."""
    events = [row for row in three_weeks() if row["time"].date() not in (dt.date(2026, 6, 5), dt.date(2026, 6, 6))]
    events += run(None, T, inferred_run="agent.log @9")
    reject = {"line": 3, "byte_offset": 0, "why": "cut off", "excerpt": "x"}
    db = write_store(checkout.root / "s.duckdb", events, checks=rows(), rejects=[reject])
    plan = plan_for(checkout, db, [decide(db, READY)])
    assert (
        "gap: no logs at all 2026-06-05 to 2026-06-06",
        "1 record could not be read; what they told is not counted",
    ) == plan.cautions
    assert [
        True,
        ("its evaluations are worked out from other records, not logged", "of its 41 sessions, 1 inferred"),
    ] == [
        entry(plan, READY).removable,
        entry(plan, READY).cautions,
    ]


def test_hostile_text_neither_breaks_the_page_nor_the_sheet(checkout: Checkout, weeks: Path) -> None:
    """Protects the pull request and the spreadsheet from what a person or a log put into a reason."""
    hostile = "=1+1|`x` <img src=x> @team [a](http://evil)\x1b[2J\nnext"
    stranger = Decision("no.such|check", "prune", "Ada", hostile, dt.date(2026, 6, 20))
    decided = [
        decide(weeks, READY, reason=hostile, owner="=Ada", audit=hostile),
        stranger,
    ]
    plan = plan_for(checkout, weeks, decided, whatif=lambda ids: hostile)
    page = plan_markdown(plan)
    assert not [mark for mark in ("<img", "`x`", "@team", "http://", "\x1b", "[a]", "\nnext") if mark in page]
    assert "- no.such&#124;check: Ada decided to prune it, but neither catalog nor logs know it" in page
    (row,) = [row for row in csv.DictReader(io.StringIO(plan_csv(plan))) if row["check_id"] == READY]
    assert ["'=Ada", f"'{hostile}", f"as =Ada wrote: {hostile}"] == [row["owner"], row["reason"], row["audit"]]


def test_the_sheet_says_what_the_page_says(checkout: Checkout, weeks: Path) -> None:
    """Protects who reads the CSV: one row a check in the page's order, the columns as documented, empty for unknown."""
    text = plan_csv(plan_for(checkout, weeks, [decide(weeks, READY)], now=NOW))
    told = list(csv.DictReader(io.StringIO(text)))
    assert list(COLUMNS) == list(told[0])
    # By hand: 1 - 0.05^(1/400) = 0.0074614, 1 - 0.05^(1/40) = 0.0721575.
    assert ["yes", "candidate", "0", "400", "derived", "40", "20", "0.00746136", "0.0721575"] == list(told[0].values())[
        1:10
    ]
    assert [READY, OPEN, FIRES, KEPT] == [row["check_id"] for row in told]
    assert "tests/socratic.shape.no_digits.jsonl:1 tests/test_shape.py:2 tests/test_shape.py:3" == told[0]["tests"]
    assert "" == told[1]["owner"]
    assert "\r" not in text


def test_shuffled_input_gives_the_same_plan(checkout: Checkout) -> None:
    """Protects the pull request from changing without a reason: order of records, checks and decisions is nothing."""
    extra = [*run("t", T, [[FIRES]] * 2), event("guardrail", "post_detected", T, "c1", goal="x")]
    events, checks = three_weeks(extra), rows()
    db = write_store(checkout.root / "s.duckdb", events, checks=checks)
    decided = [decide(db, READY), decide(db, OPEN, "watch")]
    first = plan_for(checkout, db, decided)
    rnd = random.Random(7)
    for seed in range(2):
        rnd.shuffle(events)
        rnd.shuffle(checks)
        other = write_store(checkout.root / f"{seed}.duckdb", events, checks=checks)
        shuffled = dataclasses.replace(checkout, checks=tuple(rnd.sample(checkout.checks, len(checkout.checks))))
        again = plan_for(shuffled, other, decided[::-1])
        assert [plan_markdown(first), plan_csv(first)] == [plan_markdown(again), plan_csv(again)]


def test_what_they_save_together_is_asked_for_together(checkout: Checkout, weeks: Path) -> None:
    """Protects from adding up what-ifs: two checks that stop the same drafts save less than their sum."""
    plan = plan_for(checkout, weeks, [decide(weeks, READY), decide(weeks, OPEN)], whatif=lambda ids: "+".join(ids))
    assert f"{OPEN}+{READY}" == plan.together
    assert "2 checks can be removed today" in plan_markdown(plan)


def test_mentions_are_whole_words_in_text_files(checkout: Checkout) -> None:
    """Protects the list of tests from names that merely begin alike, and from binary files."""
    places = mentions(checkout.root, checkout.checks)
    assert ("tests/socratic.shape.no_digits.jsonl:1", "tests/test_shape.py:2", "tests/test_shape.py:3") == places[READY]
    assert () == places[OPEN]
    assert dict.fromkeys(IDS, ()) == mentions(checkout.root / "nowhere", checkout.checks)
