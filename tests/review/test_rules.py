"""Rules for pipelines: the grammar, each metric by hand on one small store, what is unknown, and the summaries."""

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from queries import Window
from queries.report import findings
from queries.thresholds import Thresholds
from queries.verdicts import VERDICTS
from review.decisions import Decision, Decisions, Snapshot
from review.metrics import METRICS, TABLE
from review.metrics import table as metric_table
from review.rules import (
    COMPARISONS,
    Rule,
    RuleError,
    check_rules,
    parse_rule,
    rules_from,
    summary_json,
    summary_markdown,
)
from tests.stores import Row, event, run, write_store

T = dt.datetime(2026, 6, 1, 9)
DIGITS, WORDS, KNOWN = "socratic.shape.no_digits", "socratic.shape.word_limit", "socratic.slots.source_known"
NOW = dt.datetime(2026, 6, 20)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """20 complete runs on two days with one between: 1 silent, 2 from the template, 17 by the writer at attempt 1 or 2."""
    later = T + dt.timedelta(days=2)
    hour = dt.timedelta(hours=1)
    events: list[Row] = []
    events += run(
        "silent", T, [[DIGITS], [DIGITS], [DIGITS, WORDS]], "silent", failed_calls=1, template_reasons=[WORDS]
    )
    for number in range(2):
        events += run(f"template{number}", T + hour, [[WORDS]] * 4, "posted-template")
    for number in range(12):
        events += run(f"first{number}", T + 2 * hour)
    for number in range(5):
        events += run(f"second{number}", later, [["not of this world"]])
    events += run("cut", later, [[DIGITS]], None)
    events.append(event("agent", "slots_rejected", later, "slots", [KNOWN], action="silent"))
    events += [event("honesty", "gate_passed", later, f"h{number}") for number in range(3)]
    events.append(event("honesty", "gate_fired", later, "h3", ["honesty.failures_with_claim"]))
    events += [event("guardrail", "post_detected", later, f"first{number}") for number in range(3)]
    events.append(event("guardrail", "guardrail_drop", later, "first4", ["guardrail.professionalism"], goal="x"))
    events.append(event("turn", "turn_done", None, "h0", outcome="response"))
    path = tmp_path_factory.mktemp("rules") / "s.duckdb"
    return write_store(path, events, rejects=[{"line": 1, "byte_offset": 0, "why": "cut off", "excerpt": "x"}] * 2)


# By hand. Records: the silent run has 1 failed call, 3 drafts, 3 lines after them; a template run 4 + 3; a first-draft
# run 1; a second-draft run 2; the cut one 1; then 1 slot, 4 honesty, 4 guardrail, 1 turn: 7+14+12+10+1+1+4+4+1 = 54.
# Writer calls of complete runs: 4 + 2*4 + 12*1 + 5*2 = 34. Reasons: 4 + 1 (template) + 8 + 5 + 1 (cut) + 1 + 1 + 1 = 22.
# First drafts: 20 less the silent run's, whose first call failed; rejected are 2 (template) + 5.
# Slot sets: 21 runs (also the cut one) and the rejected one.
# Live checks: 7 slots, 15 shape, 7 honesty, 6 gates, 6 reflection, 1 guardrail, 6 probe, 3 lesson = 51, of which 5 fired.
# Thin are those that were evaluated and did not fire: 6 slots, 13 shape, 6 honesty, 6 gates (one turn is logged).
BY_HAND = [
    ("silent_share", 1, 20),
    ("template_share", 2, 20),
    ("mean_attempts", 34, 20),
    ("failed_calls_share", 1, 34),
    ("first_draft_rejected_share", 7, 19),
    ("incomplete_share", 1, 21),
    ("inconsistent_share", 0, 20),
    ("slots_rejected_share", 1, 22),
    ("honesty_fired_share", 1, 4),
    ("guardrail_drop_share", 1, 4),
    ("rejected_share", 2, 56),
    ("undated_share", 1, 54),
    ("unmapped_share", 5, 22),
    ("records", 54, None),
    ("runs", 20, None),
    ("rejects", 2, None),
    ("unmapped", 5, None),
    ("days_without_logs", 1, None),
    ("never_fired(candidate)", 0, None),
    ("never_fired(thin)", 31, None),
    ("never_fired", 46, None),
    ("verdict(fires)", 5, None),
    ("prunable", 0, None),
    (f"fires({DIGITS})", 4, None),
    (f"rate({DIGITS})", 3, 33),
    ("decisions", 2, None),
    ("stale_decisions", 1, None),
]


def decided(action: str = "prune", **snapshot: object) -> Decision:
    shot = Snapshot(until=dt.datetime(2026, 6, 4), fires=0, **snapshot)  # type: ignore[arg-type]
    return Decision("socratic.shape.no_analogy", action, "Ada", "r", dt.date(2026, 6, 4), snapshot=shot)


DECISIONS = Decisions(
    Path("gatecov.toml"),
    {"socratic.shape.no_analogy": decided(), "socratic.shape.no_repeat": decided(source_sha256="of another day")},
)


@pytest.mark.parametrize(("metric", "numerator", "denominator"), BY_HAND, ids=[case[0] for case in BY_HAND])
def test_each_metric_is_what_a_hand_count_gives(
    store: Path, metric: str, numerator: int, denominator: int | None
) -> None:
    """Protects every figure that may fail a nightly job."""
    (result,) = check_rules(store, Window(), Thresholds(), [parse_rule(f"{metric} > 1")], DECISIONS, NOW)
    assert (numerator, denominator) == (result.measure.numerator, result.measure.denominator)


def test_what_the_report_judged_serves_the_rules(store: Path) -> None:
    """Protects the one evidence of report and rules: with the report's frame every metric comes to the same."""
    rules = [parse_rule(f"{metric} > 1") for metric, *_ in BY_HAND]
    judged = findings(store, Window(), Thresholds(), DECISIONS.actions).checks
    expected = check_rules(store, Window(), Thresholds(), rules, DECISIONS, NOW)
    assert expected == check_rules(store, Window(), Thresholds(), rules, DECISIONS, NOW, judged)


def test_every_metric_has_a_hand_count() -> None:
    """Protects from a metric that nobody ever checked."""
    assert set(METRICS) == {case[0].partition("(")[0] for case in BY_HAND}
    assert len(TABLE) == metric_table().height == len(METRICS)


def test_what_a_person_keeps_is_not_prunable(store: Path) -> None:
    """Protects a nightly `prunable > 0` from asking again for what was decided: keep-list and decisions both count."""
    # With one evaluation on one day enough, 25 of the 31 thin ones are candidates (the turn that the 6 gates judged has no
    # day); 6 slots and 4 shape checks of them are on the keep-list.
    enough = Thresholds(min_evaluations=1, min_sessions=1, min_days=1)
    kept = Decisions(Path("x"), {name: decided(action="keep") for name in DECISIONS.by_check})
    for decisions, expected in ((None, 15), (DECISIONS, 15), (kept, 13)):
        (result,) = check_rules(store, Window(), enough, [parse_rule("prunable > 0")], decisions, NOW)
        assert expected == result.measure.numerator


@pytest.mark.parametrize(
    ("rule", "state", "sentence"),
    [
        (
            "silent_share >= 0.05",
            "broken",
            "rule silent_share >= 0.05 broke: it is 0.05 (1 of 20: complete runs that ended in silence, "
            "out of complete runs; window: everything in the store)",
        ),
        (
            "silent_share > 5%",
            "held",
            "rule silent_share > 0.05 held: it is 0.05 (1 of 20: complete runs that ended in silence, "
            "out of complete runs; window: everything in the store)",
        ),
        (
            "rejects > 1",
            "broken",
            "rule rejects > 1 broke: it is 2 (2 records that could not be read; window: the whole store)",
        ),
        (
            "never_fired(candidate) > 0",
            "held",
            "rule never_fired(candidate) > 0 held: it is 0 (0 checks that never fired (candidate); "
            "window: everything in the store)",
        ),
        (
            "rate(gates.viability) > 0.1",
            "held",
            "rule rate(gates.viability) > 0.1 held: it is 0 (0 of 1: fires (gates.viability), out of evaluations; "
            "window: everything in the store)",
        ),
        (
            "rate(reflection.auth) > 0.1",
            "unknown",
            "rule rate(reflection.auth) > 0.1 is unknown, since the logs do not tell (window: everything in the store); "
            "this does not count as broken: end the rule with 'or unknown' where it should",
        ),
        (
            "rate(reflection.auth) > 0.1 or unknown",
            "broken",
            "rule rate(reflection.auth) > 0.1 or unknown broke: it is unknown, since the logs do not tell "
            "(window: everything in the store)",
        ),
    ],
)
def test_a_rule_says_what_came_of_it(store: Path, rule: str, state: str, sentence: str) -> None:
    """Protects the sentence in the job's log, and that an exact limit is compared exactly."""
    (result,) = check_rules(store, Window(), Thresholds(), [parse_rule(rule)], now=NOW)
    assert (state, sentence) == (result.state, result.sentence)


def test_nothing_to_divide_by_is_unknown_and_not_zero(store: Path) -> None:
    """Protects from a green job on a window in which nothing was logged."""
    window = Window.parse("2027-01-01", "2027-01-03")
    names = ("silent_share == 0", "mean_attempts < 1 or unknown", "days_without_logs > 1", "stale_decisions > 0")
    results = check_rules(store, window, Thresholds(), [parse_rule(name) for name in names], now=NOW)
    assert ["unknown", "broken", "broken", "unknown"] == [result.state for result in results]
    assert "there are no complete runs to divide by" in results[0].sentence
    assert "no decisions were read" in results[3].sentence
    assert 2 == results[2].measure.numerator


def test_days_at_the_edges_of_the_window_count(store: Path) -> None:
    """Protects from overlooking that the logs stopped before the window's end."""
    days = [
        check_rules(store, Window.parse(*bounds), Thresholds(), [parse_rule("days_without_logs > 0")], now=NOW)[0]
        for bounds in (("2026-06-01", "2026-06-04"), ("2026-05-30", "2026-06-10T12:00"), ("2026-06-03", None))
    ]
    assert [1, 10, 0] == [result.measure.numerator for result in days]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "rule '', character 1: the rule ends here; a rule starts with a metric"),
        ("0.05 < silent_share", "character 1: found '0.05'; a rule starts with a metric"),
        (
            "silent_shar > 1",
            "character 1: silent_shar is no metric; did you mean silent_share? there are silent_share,",
        ),
        ("silent_share", "character 13: the rule ends here; a comparison must stand here, one of >= <= == != > <"),
        ("silent_share => 1", "character 14: found '='; a comparison must stand here"),
        ("silent_share > x", "character 16: found 'x'; a number must stand here, such as 3, 0.05 or 5 %"),
        ("silent_share > -1", "character 16: found '-'; a number must stand here"),
        ("runs > 1 and rejects > 1", "character 10: found 'and'; the rule ends before this; write one rule for each"),
        ("runs > 1 or rejects > 1", "character 13: found 'rejects'; only 'unknown' may follow 'or'; write a second"),
        ("runs(thin) > 1", "character 5: found '('; runs takes no argument"),
        ("fires > 1", "character 7: found '>'; fires needs an argument; write fires(CHECK)"),
        ("verdict() > 1", "character 9: found ')'; a verdict must stand here; write verdict(VERDICT)"),
        (
            "verdict(thn) > 1",
            "character 9: thn is no verdict; did you mean thin? there are candidate, thin, no_evidence",
        ),
        ("verdict(thin > 1", "character 14: found '>'; a closing bracket must stand here"),
        ("__import__('os')", "character 1: __import__ is no metric; there are silent_share"),
        ("runs\x1b[2J > 1", "rule 'runs\\x1b[2J > 1', character 5: found '\\\\x1b'; a comparison must stand here"),
    ],
)
def test_bad_syntax_points_at_the_place_and_lists_what_exists(text: str, complaint: str) -> None:
    """Protects whoever mistypes a rule in a pipeline far from here; it is a usage error."""
    with pytest.raises(RuleError) as error:
        parse_rule(text)
    assert complaint in str(error.value)
    assert 2 == error.value.exit_code


def test_a_check_that_nobody_knows_is_a_usage_error(store: Path) -> None:
    """Protects from a rule that holds for ever because its check was renamed."""
    with pytest.raises(RuleError) as error:
        check_rules(store, Window(), Thresholds(), [parse_rule("fires(socratic.shape.no_digit) > 1")])
    assert (
        "rule 'fires(socratic.shape.no_digit) > 1', character 7: socratic.shape.no_digit is no check that anybody knows; "
        "did you mean socratic.shape.no_digits? there are gates.citation_grounding, "
    ) in str(error.value)


ARGUMENTS = {"": st.just(""), "VERDICT": st.sampled_from(VERDICTS), "CHECK": st.sampled_from([DIGITS, "guardrail.x"])}
RULES = st.sampled_from(TABLE).flatmap(
    lambda metric: st.builds(
        Rule,
        st.just(metric.name),
        st.sampled_from(list(COMPARISONS)),
        st.decimals(0, 10**9, allow_nan=False, places=4),
        ARGUMENTS[metric.argument] | st.just("") if metric.optional else ARGUMENTS[metric.argument],
        st.booleans(),
    )
)


@given(RULES, st.sampled_from(["{}", "  {}  ", "{}\n"]))
def test_a_rule_reads_back_as_itself(rule: Rule, spaced: str) -> None:
    """Protects the report's wording of a rule: it can be pasted back as it stands."""
    assert rule == parse_rule(spaced.format(rule))


@given(st.text(max_size=40))
def test_no_text_crashes_the_parser(text: str) -> None:
    """Protects the command line from a traceback: any text is a rule or a usage error."""
    try:
        outcome = parse_rule(text).metric
    except RuleError as error:
        outcome = str(error)
    assert outcome in METRICS or "character " in outcome


def test_spaces_and_percent_are_a_matter_of_taste() -> None:
    """Protects the ways in which people write the same rule."""
    expected = Rule("never_fired", ">", Decimal("0.05"), "candidate")
    assert [expected] * 3 == [
        parse_rule(text)
        for text in ("never_fired(candidate)>5%", " never_fired ( candidate ) > 5 %", "never_fired(candidate) > 0.05")
    ]


def test_the_configuration_holds_rules_too() -> None:
    """Protects [rules] of gatecov.toml, and says so where it is no list."""
    assert (parse_rule("runs < 1"),) == rules_from({"rules": {"fail_on": ["runs < 1"]}})
    assert () == rules_from({})
    for wrong in ({"fail_on": "runs < 1"}, {"fail_on": [1]}, "runs < 1"):
        with pytest.raises(RuleError, match="fail_on must be a list of rules"):
            rules_from({"rules": wrong})


def test_the_summaries_tell_each_rule_once(store: Path) -> None:
    """Protects a job's page: broken rules first in sentences, then every rule with its figures."""
    names = ("silent_share > 0.01", "runs < 1", "rate(reflection.auth) > 0.1")
    results = check_rules(store, Window(), Thresholds(), [parse_rule(name) for name in names], now=NOW)
    assert summary_markdown(results) == (
        "**1 of 3 rules broke**, 1 could not be told.\n\n"
        "- rule silent_share &#62; 0.01 broke: it is 0.05 (1 of 20: complete runs that ended in silence, "
        "out of complete runs; window: everything in the store)\n\n"
        "| rule | state | value | counted | window |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| silent_share &#62; 0.01 | broken | 0.05 | 1 of 20 | everything in the store |\n"
        "| runs &#60; 1 | held | 20 | 20 | everything in the store |\n"
        "| rate(reflection.auth) &#62; 0.1 | unknown | unknown | ? of ? | everything in the store |\n"
    )
    told = json.loads(summary_json(results))
    assert (1, 1) == (told["broken"], told["unknown"])
    assert {
        "rule": "silent_share > 0.01",
        "state": "broken",
        "value": 0.05,
        "numerator": 1,
        "denominator": 20,
        "window": "everything in the store",
        "sentence": results[0].sentence,
    } == told["rules"][0]
