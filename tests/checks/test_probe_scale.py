"""Reading an answer as a number on a scale: the rules of the probe page (*Details*, third paragraph), numbered.

 1. The reading is strict: one whole number from lo to hi, or no value and the reason why.
 2. Set aside: markup.
 3. Set aside: a restatement of the scale, with or without a description of its ends.
 4. Set aside: a denominator equal to hi.
 5. Set aside: digits joined to letters.
 6. Set aside: numbers of four or more digits, only on a scale whose ends lie between -999 and 999.
 7. Not read: no number.
 8. Not read: two different numbers.
 9. Not read: a fraction of a point, also one written as one character.
10. Not read: a number outside the scale.
11. Not read: another scale.
12. Not read: numbers in words.
13. Arabic-Indic and Persian digits are read as digits.
14. Not read: an answer that negates or compares, by each of the page's words.
15. Those words may stand in the scale's own restatement and in the description of its ends.
16. Not read: a number followed by "+".
17. Not read: an answer that reports someone else's number.
18. The ends are two whole numbers, lo below hi.

Each row of tests/cases/probe.scale.*.jsonl says which of them it is about in its `why`.
"""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from checks.probe import Reading, ScaleError, read_scale_answer
from checks.probe.reading import REFUSALS
from checks.registry import family_checks

CASES = sorted((Path(__file__).parent.parent / "cases").glob("probe.scale.*.jsonl"))
ROWS = [(path.stem, json.loads(line)) for path in CASES for line in path.read_text("utf-8").splitlines()]
QUALIFYING = (
    "minus|negative|not|never|no|except|at least|at most|more than|less than|fewer than|higher|lower|above|below|over|"
    "under|between"
).split("|")

scales = st.tuples(st.integers(-1200, 1200), st.integers(1, 1200)).map(lambda pair: (pair[0], pair[0] + pair[1]))
loose = st.text(st.characters(exclude_categories=["Nd", "Nl", "No"]), max_size=30)


def value(text: str, lo: int = 1, hi: int = 7) -> int | None:
    return read_scale_answer(text, lo, hi).value


def refusal(text: str, lo: int = 1, hi: int = 7) -> str | None:
    found = read_scale_answer(text, lo, hi).refusal
    return found and found.removeprefix("probe.scale.")


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[f"{name}:{row['why']}:{row['text'][:20]}" for name, row in ROWS])
def test_every_case_of_the_tables_is_read_as_it_says(name: str, row: dict[str, object]) -> None:
    """A whole table of answers, each with the value or the one reason that the page asks for."""
    reading = read_scale_answer(str(row["text"]), **row["context"])
    expected = row["expected"]
    if isinstance(expected, int):
        assert Reading(expected, None) == reading
    else:
        assert Reading(None, f"probe.scale.{expected}") == reading


def test_each_table_holds_both_kinds_for_its_check() -> None:
    """A table that expects nothing of its own check would protect nothing."""
    for path in CASES:
        expected = {row["expected"] for name, row in ROWS if name == path.stem}
        reason = path.stem.rpartition(".")[2]
        assert any(isinstance(value, int) for value in expected), path.name
        assert reason == "value" or reason in expected, path.name
    assert len(ROWS) >= 120


def test_the_refusals_are_asked_in_the_catalog_order() -> None:
    """The order that statistics on a first-match family rely on is the order that runs."""
    ours = family_checks("probe.scale")
    assert [f"probe.scale.{refuses.__name__}" for refuses in REFUSALS] == [check.check_id for check in ours]
    assert [check.check_id.rpartition(".")[2] for check in ours] == [check.reason for check in ours]


@pytest.mark.parametrize("check", family_checks("probe.scale"), ids=lambda check: check.check_id)
def test_each_check_holds_on_its_own_examples(check: object) -> None:
    """The examples that the dashboard shows beside a check's source are true."""
    for example_ in check.fires_on:  # type: ignore[attr-defined]
        assert check.function(*example_), example_  # type: ignore[attr-defined]
    for example_ in check.silent_on:  # type: ignore[attr-defined]
        assert not check.function(*example_), example_  # type: ignore[attr-defined]


def test_rule_1_one_whole_number_is_read() -> None:
    """A plain answer has its value and no refusal."""
    assert [1, 4, 7] == [value(text) for text in ("1", "4", "I say 7.")]


def test_rule_2_markup_is_set_aside() -> None:
    """Bold, emphasis, code and tags around a number do not hide it, and never glue two numbers together."""
    assert [4] * 5 == [value(text) for text in ("**4**", "_4_", "`4`", "<b>4</b>", "__4__/7")]
    assert [None] * 3 == [value(text, 0, 100) for text in ("4*5", "4<i>5</i>", "4**5**")]


def test_rule_3_a_restated_scale_is_set_aside() -> None:
    """The scale's own ends are not the answer, with or without their descriptions."""
    texts = ("1-7: 4", "on a scale of 1 to 7: 4", "from 1 (strongly against) to 7 (strongly in favor): 4")
    assert [4] * 3 == [value(text) for text in texts]
    assert "no_number" == refusal("1-7")


def test_rule_3_only_the_scales_own_ends_are_a_restatement() -> None:
    """Another range of numbers stays a range of numbers."""
    assert ["several_numbers"] * 3 == [refusal(text) for text in ("1-6: 4", "2 to 7: 4", "7 to 1: 4")]


def test_rule_4_a_denominator_equal_to_hi_is_set_aside() -> None:
    """5/7 and 6 out of 7 say where on the scale, as the number alone would."""
    assert [5, 6] == [value("5/7"), value("6 out of 7")]


def test_rule_5_digits_joined_to_letters_are_set_aside() -> None:
    """Ids, cell names and decades are no answer, and do not spoil one."""
    assert [4] * 3 == [value(text) for text in ("P3 is right: 4", "V241: 4", "back in the 2024s, 4")]


def test_rule_6_years_are_set_aside_on_small_scales_only() -> None:
    """Four digits are a year on a scale within -999 and 999, and a number on any wider one."""
    assert [4, 4] == [value("In 2024: 4"), value("In 2024: 4", -999, 999)]
    assert ["several_numbers"] * 2 == [refusal("In 2024: 4", 0, 1000), refusal("In 2024: 4", -1000, 999)]
    assert 2024 == value("2024", 1900, 2100)


def test_rule_7_no_number_is_not_read() -> None:
    """Words without a number have no value."""
    assert "no_number" == refusal("I am in favor.")


def test_rule_8_two_different_numbers_are_not_read() -> None:
    """Which of two numbers is meant is not guessed; the same one twice is one."""
    assert "several_numbers" == refusal("3 or 4")
    assert 3 == value("3. Yes, 3.")


def test_rule_9_a_fraction_of_a_point_is_not_read() -> None:
    """No rounding: neither of 4.5 nor of the half sign."""
    assert ["fraction"] * 3 == [refusal(text) for text in ("4.5", "4½", "٤٫٥")]
    assert 4 == value("4.0")


def test_rule_9_every_one_character_fraction_is_known() -> None:
    """All of Unicode's vulgar fractions, not only the common ones."""
    signs = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅟↉"
    assert ["fraction"] * len(signs) == [refusal(f"4{sign}") for sign in signs]


def test_rule_10_a_number_outside_the_scale_is_not_read() -> None:
    """Nothing is moved to the nearest end."""
    assert ["outside_scale"] * 3 == [refusal(text) for text in ("-2", "0", "8")]
    assert [-2, 2] == [value("-2", -3, 3), value("+2", -3, 3)]


def test_rule_11_another_scale_is_not_read() -> None:
    """6 of 10 is not 6 of 7."""
    assert ["other_scale"] * 3 == [refusal(text) for text in ("6/10", "6 out of 10", "60%")]


def test_rule_12_numbers_in_words_are_not_read() -> None:
    """Words are no digits, neither alone nor beside a digit that they contradict."""
    assert ["no_number", "several_numbers"] == [refusal("seven"), refusal("3 or four")]


def test_rule_13_arabic_indic_and_persian_digits_are_read() -> None:
    """All twenty of them, each as its own value; other scripts' digits are not read."""
    assert list(range(10)) * 2 == [value(digit, 0, 9) for digit in "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹"]
    assert ["no_number"] * 3 == [refusal(digit) for digit in "४４๔"]


@pytest.mark.parametrize("word", QUALIFYING)
def test_rule_14_each_qualifying_word_refuses(word: str) -> None:
    """Every word of the page's list, in any case, before or after the number."""
    assert ["qualified"] * 3 == [refusal(text) for text in (f"{word} 4", f"{word.upper()} 4", f"4, {word}")]


@pytest.mark.parametrize("word", QUALIFYING)
def test_rule_15_the_description_of_the_ends_may_hold_them(word: str) -> None:
    """The question's own wording, repeated, is no qualification of the answer."""
    assert 4 == value(f"From 1 ({word} x) to 7 (x {word}): 4")
    assert "qualified" == refusal(f"From 1 (x) to 7 (x): {word} 4")


def test_rule_16_a_number_followed_by_plus_is_not_read() -> None:
    """2+ names a lower bound; +2 names two."""
    assert ["qualified"] * 3 == [refusal(text) for text in ("2+", "2 +", "(2)+")]
    assert 2 == value("+2")


@pytest.mark.parametrize("who", ["others", "they", "everyone", "someone", "P3", "v241", "P_3"])
def test_rule_17_a_report_of_others_is_not_read(who: str) -> None:
    """Someone else's number need not be the answer."""
    assert "qualified" == refusal(f"{who} said 4")


@pytest.mark.parametrize(
    ("lo", "hi", "named"),
    [(7, 1, "7 is not below 1"), (1, 1, "not below"), (True, 7, "True"), (1, 7.0, "7.0"), (0, 10**15, "digits")],
)
def test_rule_18_the_ends_are_two_whole_numbers(lo: object, hi: object, named: str) -> None:
    """A scale that is none is refused by name, not read by accident."""
    with pytest.raises(ScaleError, match=named):
        read_scale_answer("4", lo, hi)  # type: ignore[arg-type]


@given(scales, st.data())
def test_no_answer_with_two_different_numbers_in_range_is_ever_read(
    scale: tuple[int, int], data: st.DataObject
) -> None:
    """Whatever stands around and between them, two different whole numbers of the scale never give a value.

    Left out is what the page itself sets aside: the upper end as a denominator, both ends as a restated scale.
    """
    lo, hi = scale
    numbers = st.integers(lo, hi)
    first, second = data.draw(numbers), data.draw(numbers)
    before, between, after = data.draw(loose), data.draw(loose), data.draw(loose)
    if first == second or hi in (first, second):
        return
    assert read_scale_answer(f"{before} {first} {between} {second} {after}", lo, hi).value is None


@given(scales, st.data(), st.sampled_from([" or ", ", ", " and ", "; ", " - ", "\n", " maybe ", " → ", "|", " vs. "]))
def test_two_numbers_are_not_read_whatever_joins_them(scale: tuple[int, int], data: st.DataObject, joint: str) -> None:
    """The upper end included, in every joint that is neither a denominator's nor a restated scale's."""
    lo, hi = scale
    first, second = data.draw(st.integers(lo, hi)), data.draw(st.integers(lo, hi))
    if first == second or (first, second) == (lo, hi):
        return
    assert read_scale_answer(f"{first}{joint}{second}", lo, hi).value is None


@given(st.text(), scales)
@example("&#x110000;", (1, 7))
@example("\ud800 4", (1, 7))
@example("<" * 50 + "4", (1, 7))
def test_any_text_gives_a_number_of_the_scale_or_a_known_refusal(text: str, scale: tuple[int, int]) -> None:
    """Never an exception, never a value off the scale, never both or neither of value and refusal."""
    lo, hi = scale
    reading = read_scale_answer(text, lo, hi)
    assert (reading.value is None) != (reading.refusal is None)
    assert reading.value is None or lo <= reading.value <= hi
    assert reading.refusal is None or reading.refusal in {check.check_id for check in family_checks("probe.scale")}


@given(
    st.lists(
        st.sampled_from("0 1 4 5 7 10 2024 - − + / . , % ½ ٤ ( ) * _ < > = to or not out of P3 said scale".split()),
        max_size=12,
    ),
    st.sampled_from(["", " "]),
    st.sampled_from([(1, 7), (-3, 3), (0, 100), (0, 5000)]),
)
def test_pieces_of_answers_in_any_order_are_read_alike_twice(
    pieces: list[str], joint: str, scale: tuple[int, int]
) -> None:
    """Texts near the rules: the value stays on the scale, and stands in the text as digits."""
    lo, hi = scale
    text = joint.join(pieces)
    reading = read_scale_answer(text, lo, hi)
    assert reading == read_scale_answer(text, lo, hi)
    if reading.value is not None:
        digits = text.replace("٤", "4").replace(",", "")
        assert lo <= reading.value <= hi
        assert str(abs(reading.value)) in digits


@given(scales, st.data())
def test_a_bare_number_of_the_scale_is_always_read(scale: tuple[int, int], data: st.DataObject) -> None:
    """Strict is not deaf: the answer that the re-ask asks for has its value on every scale."""
    lo, hi = scale
    number = data.draw(st.integers(lo, hi).filter(lambda n: abs(n) < 1000 or lo < -999 or hi > 999))
    wording = data.draw(st.sampled_from(["{}", "**{}**", "{}.", "My answer: {}", "{}/{hi}" if hi > 0 else "{}"]))
    assert Reading(number, None) == read_scale_answer(wording.format(number, hi=hi), lo, hi)


@pytest.mark.parametrize(
    "piece", ["1 (", "1 = ", "1 to ", "<a b='", "4*", "between 1 (", "_4", "4 and ", "4,", "n't ", "- "]
)
def test_a_hostile_answer_comes_to_an_end(piece: str) -> None:
    """Twenty thousand beginnings of what the patterns look for: no pattern may go back over all of them for each."""
    assert read_scale_answer(piece * 20_000, 1, 7).value in (None, 1, 4)
