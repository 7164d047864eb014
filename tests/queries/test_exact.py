"""The exact tests for few events, against scipy and against the whole sum."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom

from queries.exact import all_inside, fisher

# Worked out by hand: C(8,k) C(8,8-k) / C(16,8) for the tea-tasting table of eight cups against eight, and smaller ones.
BY_HAND = {
    (1, 1, 0, 1): 1.0,
    (2, 2, 0, 2): 2 / 6,
    (3, 3, 0, 3): 2 / 20,
    (4, 4, 0, 4): 2 / 70,
    (0, 5, 0, 9): 1.0,
    (3, 4, 1, 4): 2 * 17 / 70,
    (2, 0 + 2, 3, 3): 1.0,
}


@pytest.mark.parametrize("table", BY_HAND)
def test_by_hand(table: tuple[int, int, int, int]) -> None:
    """Small tables give the fraction that one can work out on paper."""
    assert BY_HAND[table] == pytest.approx(fisher(*table), rel=1e-12)


@given(st.integers(1, 60), st.integers(1, 400), st.data())
def test_as_scipy(n_a: int, n_b: int, data: st.DataObject) -> None:
    """The p-value is the one of the statistics library."""
    a, b = data.draw(st.integers(0, n_a)), data.draw(st.integers(0, n_b))
    assert fisher_exact([[a, n_a - a], [b, n_b - b]])[1] == pytest.approx(fisher(a, n_a, b, n_b), rel=1e-9, abs=1e-300)


@given(st.integers(0, 40), st.integers(1, 40), st.integers(0, 40), st.integers(1, 40))
def test_the_two_sides_are_alike(a: int, n_a: int, b: int, n_b: int) -> None:
    """It does not matter which side is named first, and a p-value is a probability."""
    a, b = min(a, n_a), min(b, n_b)
    assert fisher(a, n_a, b, n_b) == pytest.approx(fisher(b, n_b, a, n_a), rel=1e-9)
    assert 0 <= fisher(a, n_a, b, n_b) <= 1


def test_large_tables() -> None:
    """Hundreds of thousands of events take no special care, and lose no digits."""
    expected = fisher_exact([[10, 99_990], [300, 99_700]])[1]
    assert expected == pytest.approx(fisher(10, 100_000, 300, 100_000), rel=1e-8)


@given(st.integers(0, 30), st.integers(0, 60), st.integers(1, 60))
def test_all_inside(draws: int, inside: int, outside: int) -> None:
    """The probability is the product that one writes down card by card, and scipy's."""
    total = inside + outside
    draws = min(draws, total)
    by_hand = math.prod((Fraction(inside - k, total - k) for k in range(draws)), start=Fraction(1))
    by_hand = by_hand if draws <= inside else Fraction(0)
    assert float(by_hand) == pytest.approx(all_inside(draws, inside, total), rel=1e-9)
    assert hypergeom.pmf(draws, total, inside, draws) == pytest.approx(all_inside(draws, inside, total), rel=1e-7)


@pytest.mark.parametrize("table", [(2, 1, 0, 1), (-1, 3, 0, 1), (0, 1, 3, 2)])
def test_impossible_counts(table: tuple[int, int, int, int]) -> None:
    """A count outside its total is a mistake of the caller's, and says so."""
    with pytest.raises(ValueError, match="a count lies between 0 and its total"):
        fisher(*table)
    with pytest.raises(ValueError, match="both lie between 0 and the total"):
        all_inside(3, 2, 2)
