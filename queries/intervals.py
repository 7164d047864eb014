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
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(fires, evaluated, middle) > 1 - CONFIDENCE else (low, middle)
    return high


def _at_most(fires: int, evaluated: int, rate: float) -> float:
    """The probability of at most `fires` in `evaluated` at this rate, summed in logarithms so that nothing underflows."""
    terms = [
        math.lgamma(evaluated + 1)
        - math.lgamma(k + 1)
        - math.lgamma(evaluated - k + 1)
        + k * math.log(rate)
        + (evaluated - k) * math.log1p(-rate)
        for k in range(max(0, _first_that_counts(fires, evaluated, rate)), fires + 1)
    ]
    largest = max(terms)
    return math.exp(largest) * math.fsum(math.exp(term - largest) for term in terms)


def _first_that_counts(fires: int, evaluated: int, rate: float) -> int:
    """Terms further below than forty standard deviations add nothing that a float can hold."""
    return min(fires, evaluated) - int(40 * math.sqrt(evaluated * rate * (1 - rate))) - 40


def _check(fires: int, evaluated: int) -> None:
    if evaluated <= 0 or not 0 <= fires <= evaluated:
        raise ValueError(
            f"{fires} fires in {evaluated} evaluations: a rate needs 0 <= fires <= evaluations, and at least one"
        )
