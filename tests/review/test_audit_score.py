"""From labels to a verdict: counts, tests, agreement, calibration and signs, on audits whose answer is known."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from review.audit import AuditEvidence, AuditResult, Label, as_dict, render, score
from review.audit.errors import AuditError, NotComplete
from review.audit.labels import Labels
from review.audit.result import IMPROVED, NO_DIFFERENCE, NOT_TRUSTED, REGRESSION, Rate
from tests.audits import BAD, GOOD, built, judge_by, labelled_by, questions

WITHOUT = "without:socratic.shape.no_digits"


def audit(
    base: list[str], other: list[str], *judges: Callable[[str], str], names: tuple[str, str] = ("with", WITHOUT)
) -> AuditResult:
    packet, key = built({names[0]: base, names[1]: other})
    labels = {f"A{n}": labelled_by(packet, f"A{n}", judge) for n, judge in enumerate(judges, start=1)}
    return score(packet, lambda: key, labels)


def rate_of(result: AuditResult, view: str, condition: str, measure: str) -> Rate:
    (rate,) = [c.rate for c in result.counts if (c.view, c.condition, c.measure) == (view, condition, measure)]
    return rate


def test_the_figures_of_the_page() -> None:
    """Protects the page's results: 23 of 41 not clean plainly, 3 and 1 of 80 guarded, is an improvement to every view."""
    plain, guarded = questions(41, "plain"), questions(80, "guarded")
    first, second = judge_by(plain[:23] + guarded[:3]), judge_by(plain[:23] + guarded[2:3])
    result = audit(plain, guarded, first, second, names=("plain", "guarded"))
    (found,) = result.evidence
    assert rate_of(result, "A1", "plain", "CLEAN") == Rate(18, 41)
    assert rate_of(result, "A1", "guarded", "CLEAN") == Rate(77, 80)
    assert rate_of(result, "A2", "guarded", "CLEAN") == Rate(79, 80)
    assert rate_of(result, "every auditor", "guarded", "not clean") == Rate(1, 80)
    assert rate_of(result, "any auditor", "guarded", "not clean") == Rate(3, 80)
    assert found.verdict == IMPROVED
    assert found.p == pytest.approx(stats.fisher_exact([[23, 18], [3, 77]])[1], rel=1e-9)
    # Wilson by hand for 3 of 80: centre (3 + 1.9207) / 83.8415, half-width 1.95996 / 83.8415 x sqrt(2.8875 + 0.9604).
    assert rate_of(result, "A1", "guarded", "not clean").interval == pytest.approx((0.01283, 0.10455), abs=0.0001)
    # 119 of 121 the same; pe = (26 x 24 + 95 x 97) / 121^2.
    (agreement,) = result.agreements
    assert (agreement.n, agreement.same_label) == (121, 119)
    assert agreement.kappa == pytest.approx((119 / 121 - 9839 / 14641) / (1 - 9839 / 14641))


@pytest.mark.parametrize(
    ("leaks_with", "leaks_without", "expected"),
    [
        (0, 5, NO_DIFFERENCE),  # p = 0.055
        (0, 6, REGRESSION),  # p = 0.026
        (6, 0, IMPROVED),
        (3, 3, NO_DIFFERENCE),
        (0, 0, NO_DIFFERENCE),
        (40, 40, NO_DIFFERENCE),
        (1, 4, NO_DIFFERENCE),
    ],
)
def test_the_verdict_turns_at_five_percent(leaks_with: int, leaks_without: int, expected: str) -> None:
    """Protects the verdict at the edge that was worked out by hand: of 40 against 40, six against none are needed."""
    base, other = questions(40, "with"), questions(40, "without")
    judge = judge_by(base[:leaks_with] + other[:leaks_without])
    (found,) = audit(base, other, judge, judge).evidence
    assert found.verdict == expected
    assert found.check_ids == ("socratic.shape.no_digits",)
    assert (found.baseline_not_clean, found.compared_not_clean) == (leaks_with, leaks_without)


def test_no_difference_says_what_could_have_been_shown() -> None:
    """Protects the reader from taking a small sample's silence for safety: the words, the rate and the price stand there."""
    base, other = questions(40, "with"), questions(40, "without")
    (none,) = audit(base, other, judge_by([]), judge_by([])).evidence
    assert none.sentence() == (
        f"{WITHOUT} against with: no difference that these numbers could show - not clean to any auditor: 0 of 40 "
        "against 0 of 40 (p = 1.000); only a rate of 19.0% or more would have been noticed as worse (4 times in 5); "
        "to tell 5.0% from 0.0% takes 157 messages per condition (4 times in 5)"
    )
    few = judge_by(base[:2] + other[:4])
    (some,) = audit(base, other, few, few).evidence
    assert some.messages_needed == 474  # 5 % against 10 %
    assert "if this difference is real, 474 messages per condition would show it" in some.because
    (tiny,) = audit(base[:2], other[:2], judge_by([]), judge_by([])).evidence
    assert tiny.noticeable_rate is None
    assert "with so few messages no rate at all would have been noticed as worse" in tiny.because


def test_one_careful_auditor_is_enough_for_a_regression_and_not_for_an_improvement() -> None:
    """Protects the uneven scales: a removal is stopped by what one saw, and praised only for what all saw."""
    base, other = questions(40, "with"), questions(40, "without")
    (worse,) = audit(base, other, judge_by(other[:8]), judge_by([])).evidence
    assert worse.verdict == REGRESSION
    assert "not clean to A1: 8 of 40 against 0 of 40" in worse.because
    (better,) = audit(base, other, judge_by(base[:8]), judge_by([])).evidence
    assert better.verdict == NO_DIFFERENCE


@pytest.mark.parametrize(
    ("flag", "in_base", "in_other", "expected"),
    [
        ("misattributes", 0, 12, REGRESSION),
        ("fabricates", 0, 12, REGRESSION),
        ("one_question", 40, 25, REGRESSION),
        ("one_question", 25, 40, NO_DIFFERENCE),
        ("quotes_word", 0, 40, NO_DIFFERENCE),
        # p = 0.026 alone, and 6 x 0.026 = 0.15 among six measures.
        ("misattributes", 0, 6, NO_DIFFERENCE),
    ],
)
def test_faults_other_than_leaks_count(flag: str, in_base: int, in_other: int, expected: str) -> None:
    """Protects against a removal that leaks nothing and harms all the same, and against a flag that is no fault."""
    base, other = questions(40, "with"), questions(40, "without")
    flagged = {*base[:in_base], *other[:in_other]}
    packet, key = built({"with": base, WITHOUT: other})
    labels = {
        name: labelled_by(packet, name, judge_by([]), lambda message: (flag,) if message in flagged else ())
        for name in ("Ann", "Bo")
    }
    assert [expected] == [found.verdict for found in score(packet, lambda: key, labels).evidence]


def test_leaks_that_turn_into_assertions_are_worse() -> None:
    """Protects the order of the labels: as many leaks, but stated outright, is a regression."""
    base, other = questions(40, "with"), questions(40, "without")
    leaks = dict.fromkeys((*base[:15], *BAD), "LEAK-PRESUPPOSE") | dict.fromkeys(other[:15], "LEAK-ASSERT")
    judge = lambda message: leaks.get(message, "CLEAN")  # noqa: E731 - the judge of this one test
    (found,) = audit(base, other, judge, judge).evidence
    assert found.verdict == REGRESSION
    assert found.because.startswith("LEAK-ASSERT to A1: 15 of 40 against 0 of 40")


def shut() -> NoReturn:
    raise AssertionError("the key was opened")


def test_the_key_stays_shut_until_two_are_complete() -> None:
    """Protects blindness to the end: who lacks what is said, and the key is not touched."""
    packet, _ = built({"with": ["a?"], WITHOUT: ["b?"]})
    ann = labelled_by(packet, "Ann", judge_by([]))
    bo = dict(list(labelled_by(packet, "Bo", judge_by([])).items())[2:])
    first, second, *_ = packet.messages
    expected = (
        f"Ann is complete; Bo lacks 2 of 12 ({first}, {second}): "
        "the key stays shut until 2 auditors have labelled all 12 messages"
    )
    with pytest.raises(NotComplete) as caught:
        score(packet, shut, {"Ann": ann, "Bo": bo})
    assert expected == str(caught.value)
    with pytest.raises(NotComplete, match="no message has a label yet: the key stays shut"):
        score(packet, shut, {})


def test_a_third_auditor_who_is_not_done_is_left_out_and_named() -> None:
    """Protects two complete auditors from waiting for a third, and the reader from not knowing of them."""
    packet, key = built({"with": ["a?"], WITHOUT: ["b?"]})
    labels: Labels = {name: labelled_by(packet, name, judge_by([])) for name in ("Ann", "Bo", "Cy")}
    labels["Cy"].popitem()
    result = score(packet, lambda: key, labels)
    assert (result.auditors, result.left_out) == (("Ann", "Bo"), {"Cy": 1})
    assert "left out: Cy, labels lacking: 1" in render(result)


def test_a_key_of_another_audit_is_noticed() -> None:
    """Protects against counting with the wrong key, or a packet that was edited after it was built."""
    packet, _ = built({"with": ["a?"], WITHOUT: ["b?"]})
    _, other = built({"with": ["a?"], WITHOUT: ["b?"]}, seed=8)
    labels = {name: labelled_by(packet, name, judge_by([])) for name in ("Ann", "Bo")}
    with pytest.raises(AuditError, match="the packet was edited, or the two are of different audits"):
        score(packet, lambda: other, labels)


@pytest.mark.parametrize(
    ("wrong_good", "wrong_bad", "trusted", "said"),
    [
        (0, 0, True, "has all 5 known-good and all 5 known-bad messages right"),
        (1, 0, True, "A1 finds fault with known-good messages, 1 of 5"),
        (2, 0, False, "A1 finds fault with known-good messages, 2 of 5"),
        (0, 2, False, "A1 misses known-bad messages, 2 of 5"),
        (1, 3, False, "and misses known-bad messages, 3 of 5"),
    ],
)
def test_calibration_comes_before_any_result(wrong_good: int, wrong_bad: int, trusted: bool, said: str) -> None:
    """Protects from an untuned auditor: what they got wrong stands first, and past a fifth nothing is concluded."""
    base, other = questions(40, "with"), questions(40, "without")
    bad = (*GOOD[:wrong_good], *BAD[wrong_bad:])
    strange = lambda message: "LEAK-ASSERT" if message in bad else "CLEAN"  # noqa: E731 - the judge of this one test
    result = audit(base, other, strange, judge_by([]))
    (found,) = result.evidence
    assert found.verdict == (NO_DIFFERENCE if trusted else NOT_TRUSTED)
    text = render(result)
    assert said in text
    assert text.index(said) < text.index("Verdict") < text.index("Counts")
    assert any(said in warning for warning in found.warnings) == bool(wrong_good or wrong_bad)


def test_a_fault_flag_on_a_known_good_message_counts_as_flagging_it() -> None:
    """Protects calibration from an auditor who calls everything clean and misattributed."""
    packet, key = built({"with": ["a?"], WITHOUT: ["b?"]})
    strict = labelled_by(packet, "Ann", judge_by([]), lambda _: ("misattributes",))
    result = score(packet, lambda: key, {"Ann": strict, "Bo": labelled_by(packet, "Bo", judge_by([]))})
    assert [(len(c.good_flagged), len(c.bad_missed)) for c in result.calibrations] == [(5, 0), (0, 0)]


def ann_with(change: Callable[[Label], Label]) -> list[str]:
    """The kinds of sign that an auditor shows whose labels were changed so; the other auditor is above suspicion."""
    base, other = questions(30, "with"), questions(30, "without")
    packet, key = built({"with": base, WITHOUT: other})
    ann = {item: change(label) for item, label in labelled_by(packet, "Ann", judge_by(base[:9])).items()}
    bo = labelled_by(packet, "Bo", judge_by(base[:9]))
    return [sign.kind for sign in score(packet, lambda: key, {"Ann": ann, "Bo": bo}).signs]


def test_signs_of_labelling_without_reading() -> None:
    """Protects from labels that nobody read for: each habit is noticed, and an honest auditor shows none."""
    assert ann_with(lambda label: label) == []
    assert ann_with(lambda label: replace(label, label="CLEAN")) == ["one label"]
    assert ann_with(lambda label: replace(label, note="Clean.")) == ["identical notes"]
    assert ann_with(lambda label: replace(label, note="clean" if label.clean else label.note)) == ["identical notes"]
    assert ann_with(lambda label: replace(label, note="")) == ["empty notes"]
    assert ann_with(lambda label: replace(label, note=label.note.replace("Ann", "Bo"))) == ["shared notes"]


def test_labels_that_one_word_explains() -> None:
    """Protects from labelling by keyword: the word is named where it decides, and not where it merely occurs."""
    with_word = [f"{m[:-1]}, given drift?" for m in questions(12, "given")]
    base, other = questions(30, "with") + with_word, questions(30, "without")
    # Who reads also finds the five known-bad, which lack the word: it tells 77 of 82, and is no sign.
    assert audit(base, other, judge_by(with_word), judge_by(base[:9])).signs == ()
    packet, key = built({"with": base, WITHOUT: other})
    ann = labelled_by(packet, "Ann", lambda message: "LEAK-ASSERT" if "given" in message else "CLEAN")
    bo = labelled_by(packet, "Bo", judge_by(base[:9]))
    result = score(packet, lambda: key, {"Ann": ann, "Bo": bo})
    assert [(sign.auditor, sign.sentence) for sign in result.signs] == [
        ("Ann", "the word 'given' tells what is labelled not clean, in 82 of 82 messages")
    ]


def test_known_bad_messages_worded_alike_are_nobodys_habit() -> None:
    """Protects honest auditors of clean conditions: all that is not clean is known-bad, and begins with the same word."""
    assert audit(questions(40, "with"), questions(40, "without"), judge_by([]), judge_by([])).signs == ()


@pytest.mark.parametrize(
    ("leaks_with", "leaks_without", "clean_with", "clean_without", "expected"),
    [
        (20, 0, 0, 20, 2),  # it decides: a sign for each of the two auditors
        (20, 10, 0, 200, 0),  # a third of the leaks lack it
        (5, 0, 5, 200, 0),  # half of its messages are clean
        (200, 0, 5, 10, 0),  # a third of the clean messages hold it
        (200, 10, 0, 10, 0),  # half of the messages without it leak
        (4, 0, 0, 40, 0),  # too few to be a habit
    ],
)
def test_a_keyword_decides_in_all_four_directions(
    leaks_with: int, leaks_without: int, clean_with: int, clean_without: int, expected: int
) -> None:
    """Protects honest auditors: a word that is merely common among leaks, or rare elsewhere, is no keyword."""
    # The known-bad messages hold the word `did` too, and the known-good ones lack it.
    leaks = [f"{m[:-1]} did?" for m in questions(leaks_with, "a")] + questions(leaks_without, "b")
    clean = [f"{m[:-1]} did?" for m in questions(clean_with, "c")] + questions(clean_without, "d")
    signs = audit(leaks, clean, judge_by(leaks), judge_by(leaks)).signs
    assert [sign.kind for sign in signs] == ["keyword"] * expected


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_neither_seed_nor_order_changes_a_result(seed: int, other_seed: int) -> None:
    """Protects the scores: however the packet was shuffled and the files were ordered, the same labels say the same."""
    chance = random.Random(seed)
    base, other = questions(12, "with"), questions(15, "without")
    leaks = chance.sample(base + other, 6)
    first, second = judge_by(leaks), judge_by(leaks[1:])

    def figures(conditions: dict[str, list[str]], seed: int, *, backwards: bool) -> object:
        packet, key = built(conditions, seed)
        labels = {"Ann": labelled_by(packet, "Ann", first), "Bo": labelled_by(packet, "Bo", second)}
        if backwards:
            labels = {name: dict(reversed(done.items())) for name, done in labels.items()}
        result = score(packet, lambda: key, labels)
        assert len(result.agreements[0].disagreements) == 1
        evidence = [replace(found, packet_sha256="", key_sha256="") for found in result.evidence]
        kappas = [(a.kappa, a.kappa_clean, a.same_label) for a in result.agreements]
        return result.counts, result.comparisons, evidence, kappas, result.signs

    shuffled = {"with": chance.sample(base, len(base)), WITHOUT: chance.sample(other, len(other))}
    expected = figures({"with": base, WITHOUT: other}, seed, backwards=False)
    assert expected == figures(shuffled, other_seed, backwards=True)


def test_a_message_written_often_counts_often() -> None:
    """Protects the draws: one label serves for every copy, in each condition as often as it was written."""
    base, other = ["Why does drift lower scores?"] * 3 + questions(5, "with"), ["Why does drift lower scores?"]
    judge = judge_by(["Why does drift lower scores?"])
    result = audit(base, other, judge, judge)
    assert rate_of(result, "any auditor", "with", "not clean") == Rate(3, 8)
    assert rate_of(result, "any auditor", WITHOUT, "not clean") == Rate(1, 1)
    assert result.agreements[0].n == 6


def test_disagreements_stand_beside_both_notes_without_their_condition() -> None:
    """Protects the talk between auditors: message, labels, flags and both notes, and nothing that tells the origin."""
    base, other = questions(3, "x"), questions(3, "y")
    result = audit(base, other, judge_by(base[:1]), judge_by([]))
    (found,) = result.agreements[0].disagreements
    assert found.message == base[0]
    assert [label.label for label in found.labels] == ["LEAK-PRESUPPOSE", "CLEAN"]
    lines = [" ".join(line.split()) for line in render(result).splitlines() if line.startswith(f"  {found.item}")]
    assert lines == [
        f"{found.item} the message {base[0]}",
        f"{found.item} A1 LEAK-PRESUPPOSE A1 read: {base[0]}",
        f"{found.item} A2 CLEAN A2 read: {base[0]}",
    ]


def test_three_conditions_are_compared_in_pairs() -> None:
    """Protects audits of several checks: every pair once, the one named first as the baseline."""
    names = ["with", "without:socratic.shape.no_digits", "without:socratic.shape.no_digits+socratic.shape.no_analogy"]
    packet, key = built({name: questions(4, f"k{n}") for n, name in enumerate(names)})
    labels = {name: labelled_by(packet, name, judge_by([])) for name in ("Ann", "Bo")}
    result = score(packet, lambda: key, labels)
    assert [(f.baseline, f.compared, f.check_ids) for f in result.evidence] == [
        (names[0], names[1], ("socratic.shape.no_digits",)),
        (names[0], names[2], ("socratic.shape.no_digits", "socratic.shape.no_analogy")),
        (names[1], names[2], ("socratic.shape.no_analogy",)),
    ]
    assert len(result.evidence_for("socratic.shape.no_analogy")) == 2


def test_evidence_survives_storing() -> None:
    """Protects what a decision cites: to a dict and back, also where a store has no null."""
    result = audit(questions(2, "x"), questions(2, "y"), judge_by([]), judge_by([]))
    (found,) = result.evidence
    stored = {name: value for name, value in found.to_dict().items() if value is not None}
    assert "noticeable_rate" not in stored
    assert AuditEvidence.from_dict(stored) == found
    assert as_dict(result)["evidence"][0]["verdict"] == NO_DIFFERENCE


def test_a_hostile_note_stays_text() -> None:
    """Protects whoever reads the result: no escape reaches a terminal, and no mark-up a page."""
    packet, key = built({"with": ["a?"], WITHOUT: ["<b>b</b> | `x`?"]})
    ann = labelled_by(packet, "Ann", judge_by(["<b>b</b> | `x`?"]))
    ann = {item: replace(label, note="\x1b[31m<script>|\nx") for item, label in ann.items()}
    result = score(packet, lambda: key, {"Ann": ann, "Bo": labelled_by(packet, "Bo", judge_by([]))})
    assert "\x1b" not in render(result)
    assert re.search(r"[<`\x1b]", render(result, "markdown")) is None
