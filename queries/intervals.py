"""Intervals and bounds for rates, in plain arithmetic: no statistics library is needed to run them.

Every function takes counts and returns rates between 0 and 1; none is defined without evaluations, and says so.
"""

import math

CONFIDENCE = 0.95
Z95 = 1.959963984540054
"""The 97.5 % point of the normal distribution: a two-sided 95 % interval leaves 2.5 % on either side."""


def wilson_interval(fires: int, evaluated: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a rate. Source: E. B. Wilson, JASA 22 (1927), 209-212."""
    _check(fires, evaluated)
    share, spread = fires / evaluated, Z95 * Z95 / evaluated
    centre = (share + spread / 2) / (1 + spread)
    half = Z95 * math.sqrt(share * (1 - share) / evaluated + spread / (4 * evaluated)) / (1 + spread)
    # At the ends the formula gives exactly 0 and 1; floating point does not always.
    return (0.0 if fires == 0 else max(0.0, centre - half), 1.0 if fires == evaluated else min(1.0, centre + half))


def upper_bound(fires: int, evaluated: int) -> float:
    """The exact one-sided 95 % upper bound of a rate (Clopper-Pearson); for zero fires 1 - 0.05^(1/n), about 3/n."""
    _check(fires, evaluated)
    if fires == evaluated:
        return 1.0
    if fires == 0:
        return -math.expm1(math.log(1 - CONFIDENCE) / evaluated)
    low, high = fires / evaluated, 1.0
    # The probability of so few fires falls as the rate grows, so halving the bracket finds where it is 5 %.
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(fires, evaluated, middle) > 1 - CONFIDENCE else (low, middle)
    return high


def _at_most(fires: int, evaluated: int, rate: float) -> float:
    """The probability of at most `fires` in `evaluated` at this rate: the incomplete beta function I(1-rate; n-k, k+1)."""
    a, b = evaluated - fires, fires + 1
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log1p(-rate) + b * math.log(rate)
    # Each of the two forms of the fraction converges fast on its own side of the mean.
    if 1 - rate < (a + 1) / (a + b + 2):
        return math.exp(logarithm) * _fraction(a, b, 1 - rate) / a
    return 1 - math.exp(logarithm) * _fraction(b, a, rate) / b


def _fraction(a: int, b: int, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method (DLMF 8.17.22)."""
    tiny = 1e-300
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or tiny)
    value = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = value
        for step in (even, odd):
            d = 1 / (1 + step * d or tiny)
            c = 1 + step / c or tiny
            value *= c * d
        if abs(value - before) <= 1e-15 * abs(value):
            break
    return value


def _check(fires: int, evaluated: int) -> None:
    if evaluated <= 0 or not 0 <= fires <= evaluated:
        raise ValueError(
            f"{fires} fires in {evaluated} evaluations: a rate needs 0 <= fires <= evaluations, and at least one"
        )
