"""The audit's statistics against hand-worked examples, against scipy, and against brute force."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from review.audit.statistics import cohen_kappa, fisher_exact, holm, messages_needed, noticeable_rate


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, int, int, int]:
    n_a, n_b = draw(st.integers(1, 90)), draw(st.integers(1, 90))
    return draw(st.integers(0, n_a)), n_a, draw(st.integers(0, n_b)), n_b


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        # Eight cups, four with the milk first, three of them told: (1 + 16 + 16 + 1) of 70 deals are no likelier.
        ((3, 4, 1, 4), Fraction(34, 70)),
        ((4, 4, 0, 4), Fraction(2, 70)),
        # Margins 2 and 2 of 4: the deals have 1, 4 and 1 ways.
        ((2, 2, 0, 2), Fraction(2, 6)),
        ((1, 2, 1, 2), Fraction(1)),
        ((0, 40, 0, 40), Fraction(1)),
        # None in 40 against five in 40: twice C(40, 5) of C(80, 5).
        ((0, 40, 5, 40), Fraction(2 * math.comb(40, 5), math.comb(80, 5))),
        ((0, 3, 0, 0), Fraction(1)),
    ],
)
def test_fisher_by_hand(table: tuple[int, int, int, int], expected: Fraction) -> None:
    """Protects the p-value against tables small enough to be counted out."""
    assert float(expected) == pytest.approx(fisher_exact(*table), rel=1e-12)


def test_fisher_on_the_figures_of_the_page() -> None:
    """Protects the page's own comparison: 23 of 41 not clean without the pipeline, 3 and 1 of 80 with it."""
    assert fisher_exact(23, 41, 3, 80) == pytest.approx(stats.fisher_exact([[23, 18], [3, 77]])[1], rel=1e-9)
    assert fisher_exact(23, 41, 1, 80) == pytest.approx(stats.fisher_exact([[23, 18], [1, 79]])[1], rel=1e-9)
    assert fisher_exact(23, 41, 3, 80) < 1e-9
    # The two auditors' 77 and 79 of 80 are no different from each other.
    assert fisher_exact(3, 80, 1, 80) == pytest.approx(0.62, abs=0.01)


@given(tables())
def test_fisher_is_what_scipy_says(table: tuple[int, int, int, int]) -> None:
    """Protects Fisher's test on any table, with a second opinion."""
    a, n_a, b, n_b = table
    expected = stats.fisher_exact([[a, n_a - a], [b, n_b - b]])[1]
    assert expected == pytest.approx(fisher_exact(a, n_a, b, n_b), rel=1e-7)


@given(tables())
def test_fisher_does_not_care_which_side_is_which(table: tuple[int, int, int, int]) -> None:
    """Protects symmetry: neither naming the conditions the other way round nor counting the rest changes p."""
    a, n_a, b, n_b = table
    p = fisher_exact(a, n_a, b, n_b)
    assert p == fisher_exact(b, n_b, a, n_a)
    assert p == fisher_exact(n_a - a, n_a, n_b - b, n_b)


def test_fisher_refuses_an_impossible_count() -> None:
    """Protects against a swapped argument that would look like a result."""
    with pytest.raises(ValueError, match="impossible counts: 5 of 4 against 0 of 4"):
        fisher_exact(5, 4, 0, 4)


def test_holm_by_hand() -> None:
    """Protects the adjustment: 4 x 0.01, then 3 x 0.03 = 0.09, then 2 x 0.04 and 0.05 raised to what came before."""
    assert [0.04, 0.09, 0.09, 0.09] == pytest.approx(holm([0.01, 0.04, 0.03, 0.05]))
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_only_raises_and_keeps_the_order(p_values: list[float]) -> None:
    """Protects the adjustment's sense: never below p, never above 1, and no two tests change places."""
    adjusted = holm(p_values)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    assert sorted(adjusted) == [a for _, a in sorted(zip(p_values, adjusted, strict=True))]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: po = 0.7, pe = 0.5, kappa = 0.4.
        ([("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15, 0.4),
        ([("a", "a"), ("b", "b"), ("c", "c")], 1.0),
        ([("a", "b"), ("b", "a")], -1.0),
        # One auditor calls everything a: agreement is what chance gives.
        ([("a", "a"), ("a", "b")], 0.0),
        ([("a", "a"), ("a", "a")], None),
        ([], None),
    ],
)
def test_kappa_by_hand(pairs: list[tuple[str, str]], expected: float | None) -> None:
    """Protects Cohen's kappa, and that agreement which chance alone explains is not given a figure."""
    kappa = cohen_kappa(pairs)
    assert (kappa is None) == (expected is None)
    assert expected == pytest.approx(kappa)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), max_size=60), st.randoms())
def test_kappa_stays_in_bounds_in_any_order(pairs: list[tuple[str, str]], chance: object) -> None:
    """Protects kappa's bounds, its symmetry, and that the order of the items is nothing to it."""
    kappa = cohen_kappa(pairs)
    assert kappa is None or -1 <= kappa <= 1
    assert kappa == cohen_kappa([(b, a) for a, b in sorted(pairs)])
    assert kappa != 1 or all(a == b for a, b in pairs)


@pytest.mark.parametrize(
    ("rates", "expected"),
    # The first two stand in the tables of Fleiss's book on rates and proportions.
    [
        ((0.05, 0.10), 474),
        ((0.50, 0.60), 408),
        ((0.10, 0.05), 474),
        ((0.2, 0.2), None),
        ((0.0, 0.0), None),
        ((0, 0.05), 157),
    ],
)
def test_messages_needed(rates: tuple[float, float], expected: int | None) -> None:
    """Protects the number of messages that people are told to collect."""
    assert expected == messages_needed(*rates)


@pytest.mark.parametrize("rates", [(0.1, 0.3), (0.0, 0.1), (0.05, 0.2), (0.5, 0.8)])
def test_messages_needed_are_enough_and_not_many_more(rates: tuple[float, float]) -> None:
    """Protects the formula with the exact power: at its number Fisher's test finds the difference 4 in 5 times."""
    n = messages_needed(*rates)
    assert n is not None
    of_a, of_b = (stats.binom.pmf(range(n + 1), n, rate) for rate in rates)
    power = sum(of_a[a] * of_b[b] for a in range(n + 1) for b in range(n + 1) if fisher_exact(a, n, b, n) < 0.05)
    assert 0.79 <= power <= 0.84


def test_nothing_against_nothing_by_hand() -> None:
    """Protects what two zeros can show: of 40, six are needed for p < 0.05, and 19.05 % gives six in 4 of 5 samples."""
    assert fisher_exact(0, 40, 5, 40) > 0.05 > fisher_exact(0, 40, 6, 40)
    rate = noticeable_rate(0, 40, 40)
    assert rate == pytest.approx(0.1905, abs=0.0001)
    assert stats.binom.sf(5, 40, rate) == pytest.approx(0.80, abs=1e-9)


def test_with_too_few_messages_no_rate_is_noticeable() -> None:
    """Protects against a figure where even 3 of 3 against 0 of 3 (p = 0.1) would have shown nothing."""
    assert fisher_exact(0, 3, 3, 3) == pytest.approx(0.1)
    assert noticeable_rate(0, 3, 3) is None
    assert noticeable_rate(30, 30, 30) is None


@settings(max_examples=25)
@given(st.integers(1, 25), st.integers(4, 25), st.data())
def test_noticeable_rate_has_the_power_that_it_claims(n_a: int, n_b: int, data: st.DataObject) -> None:
    """Protects the smallest noticeable rate with the full sum over both samples, by scipy's probabilities."""
    count_a = data.draw(st.integers(0, n_a))
    rate = noticeable_rate(count_a, n_a, n_b)
    if rate is None:
        return
    power = sum(
        stats.binom.pmf(a, n_a, count_a / n_a) * stats.binom.pmf(b, n_b, rate)
        for a in range(n_a + 1)
        for b in range(n_b + 1)
        if b * n_a > a * n_b and stats.fisher_exact([[a, n_a - a], [b, n_b - b]])[1] < 0.05
    )
    assert power == pytest.approx(0.80, abs=1e-6)


@given(st.integers(8, 60))
def test_more_messages_notice_smaller_rates(n: int) -> None:
    """Protects the sense of the figure: twice the messages never notice less."""
    few, many = noticeable_rate(0, n, n), noticeable_rate(0, 2 * n, 2 * n)
    assert few is not None
    assert many is not None
    assert many <= few
