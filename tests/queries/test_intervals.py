"""The bounds against another implementation, against arithmetic done by hand, and in their properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from queries.intervals import upper_bound, wilson_interval

COUNTS = st.integers(1, 20_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(COUNTS)
def test_wilson_agrees_with_scipy(counts: tuple[int, int]) -> None:
    """Wilson's interval is the one that scipy computes."""
    fires, evaluated = counts
    expected = binomtest(fires, evaluated).proportion_ci(method="wilson")
    assert pytest.approx((expected.low, expected.high), abs=1e-9) == wilson_interval(fires, evaluated)


@given(COUNTS)
def test_upper_bound_agrees_with_scipy(counts: tuple[int, int]) -> None:
    """The one-sided bound is the exact one that scipy computes."""
    fires, evaluated = counts
    expected = binomtest(fires, evaluated, alternative="less").proportion_ci(0.95, method="exact").high
    assert pytest.approx(expected, rel=1e-6) == upper_bound(fires, evaluated)


@pytest.mark.parametrize(
    ("evaluated", "expected"), [(1, 0.95), (2, 0.7763932), (300, 0.0099361), (3_000_000, 9.98577e-7)]
)
def test_no_fires(evaluated: int, expected: float) -> None:
    """For zero fires the bound is 1 - 0.05^(1/n), about 3/n."""
    assert pytest.approx(expected, rel=1e-5) == upper_bound(0, evaluated)


@given(COUNTS, st.integers(1, 5))
def test_bounds_shrink_with_evidence(counts: tuple[int, int], times: int) -> None:
    """More evaluations without a fire lower the bound, and the same share over more of them narrows the interval."""
    fires, evaluated = counts
    assert upper_bound(0, evaluated + times) < upper_bound(0, evaluated)
    low, high = wilson_interval(fires, evaluated)
    more_low, more_high = wilson_interval(fires * (times + 1), evaluated * (times + 1))
    assert more_high - more_low < high - low


@given(COUNTS)
def test_bounds_hold_the_rate(counts: tuple[int, int]) -> None:
    """The rate lies within its interval and below its bound, and all are shares."""
    fires, evaluated = counts
    low, high = wilson_interval(fires, evaluated)
    assert 0 <= low <= fires / evaluated <= high <= 1
    assert fires / evaluated < upper_bound(fires, evaluated) <= 1 or fires == evaluated


@pytest.mark.parametrize("counts", [(0, 0), (2, 1), (-1, 5)])
def test_impossible_counts(counts: tuple[int, int]) -> None:
    """A rate of nothing, or of more than everything, is refused rather than guessed."""
    with pytest.raises(ValueError, match="a rate needs 0 <= fires <= evaluations"):
        wilson_interval(*counts)
    with pytest.raises(ValueError, match="a rate needs 0 <= fires <= evaluations"):
        upper_bound(*counts)
