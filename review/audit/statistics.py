"""The statistics of an audit: Fisher's exact test, Cohen's kappa, Holm's adjustment, and what a sample could have shown.

Exact integers where the answer depends on ties, and the standard library alone.
"""

import math
from bisect import bisect_left
from collections.abc import Hashable, Sequence
from statistics import NormalDist

ALPHA = 0.05
POWER = 0.80


def fisher_exact(count_a: int, n_a: int, count_b: int, n_b: int) -> float:
    """The two-sided p-value for `count_a` of `n_a` against `count_b` of `n_b`.

    The sum of the probabilities of all tables with the same margins that are no likelier than this one; compared as
    whole numbers, so that ties count. 1.0 where one of the two is empty. Raises ValueError for an impossible count.
    """
    if not (0 <= count_a <= n_a and 0 <= count_b <= n_b):
        raise ValueError(f"impossible counts: {count_a} of {n_a} against {count_b} of {n_b}")
    total = count_a + count_b
    low, high = max(0, total - n_b), min(total, n_a)
    ways = [math.comb(n_a, low) * math.comb(n_b, total - low)]
    for k in range(low, high):
        ways.append(ways[-1] * (n_a - k) * (total - k) // ((k + 1) * (n_b - total + k + 1)))
    seen = ways[count_a - low]
    return sum(way for way in ways if way <= seen) / sum(ways)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given: they hold together, however many tests were made."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def cohen_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Agreement of two auditors beyond chance, from -1 to 1; None where both put everything under one same label.

    kappa = (po - pe) / (1 - pe), po the share of items on which they agree, pe the share expected if each had
    dealt out the same labels at random. Worked out in whole numbers until the last division.
    """
    n = len(pairs)
    agreed = sum(a == b for a, b in pairs)
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    by_chance = sum(first.count(label) * second.count(label) for label in set(first))
    return None if n * n == by_chance else (n * agreed - by_chance) / (n * n - by_chance)


def messages_needed(rate_a: float, rate_b: float, alpha: float = ALPHA, power: float = POWER) -> int | None:
    """Messages per condition that show these two rates apart, by the two-sided test; None where they are equal.

    n = (z(1-alpha/2) sqrt(2 p q) + z(power) sqrt(pa qa + pb qb))^2 / d^2, with p the mean of the rates and d their
    difference, then Fleiss, Tytun and Ury's correction n/4 (1 + sqrt(1 + 4/(n d)))^2, which brings it to what
    Fisher's exact test needs. Against a rate of 0 that asks for a fifth too many; there the number is the exact one.
    """
    difference = abs(rate_a - rate_b)
    if difference == 0:
        return None
    if 0 in (rate_a, rate_b):
        return _messages_against_none(difference, alpha, power)
    mean = (rate_a + rate_b) / 2
    normal = NormalDist()
    spread = normal.inv_cdf(1 - alpha / 2) * math.sqrt(2 * mean * (1 - mean))
    spread += normal.inv_cdf(power) * math.sqrt(rate_a * (1 - rate_a) + rate_b * (1 - rate_b))
    n = (spread / difference) ** 2
    corrected = n / 4 * (1 + math.sqrt(1 + 4 / (n * difference))) ** 2
    # Rounded first: a sum that is a hair above a whole number is that number.
    return math.ceil(round(corrected, 9))


def noticeable_rate(count_a: int, n_a: int, n_b: int, alpha: float = ALPHA, power: float = POWER) -> float | None:
    """The smallest rate of b that Fisher's test would have called higher than a's with this power; None if no rate.

    The rate of a is taken to be the one observed. Exact: the power is the sum over all outcomes of both samples in
    which the two-sided p-value is below `alpha` and b lies above a. In 40 against 40 messages with none in a, six
    of b are needed for p < 0.05, and six come up in 80 % of samples once the rate is about 19 %.
    """
    rate_a = count_a / n_a
    outcomes = [(x, weight) for x in range(n_a + 1) if (weight := _binomial(x, n_a, rate_a)) > 1e-12]
    least = _least_counts([x for x, _ in outcomes], n_a, n_b, alpha)

    def reached(rate_b: float) -> float:
        return sum(
            weight * _at_least(count, n_b, rate_b)
            for (_, weight), count in zip(outcomes, least, strict=True)
            if count is not None
        )

    if reached(1.0) < power:
        return None
    low, high = rate_a, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) >= power else (middle, high)
    return high


def _messages_against_none(rate: float, alpha: float, power: float) -> int:
    """The smallest sample of which this rate is noticed beside as large a sample with none."""

    def enough(n: int) -> bool:
        least = noticeable_rate(0, n, n, alpha, power)
        return least is not None and least <= rate

    high = 1
    while not enough(high):
        high *= 2
    return bisect_left(range(high), True, key=enough)


def _least_counts(counts_a: Sequence[int], n_a: int, n_b: int, alpha: float) -> list[int | None]:
    """For each count of a (rising), the least count of b that lies above it with p < alpha; it never falls."""
    least: list[int | None] = []
    count_b = 0
    for count_a in counts_a:
        while count_b <= n_b and (count_b * n_a <= count_a * n_b or fisher_exact(count_a, n_a, count_b, n_b) >= alpha):
            count_b += 1
        least.append(count_b if count_b <= n_b else None)
    return least


def _binomial(count: int, n: int, rate: float) -> float:
    if rate in (0.0, 1.0):
        return float(count == n * rate)
    log = math.lgamma(n + 1) - math.lgamma(count + 1) - math.lgamma(n - count + 1)
    return math.exp(log + count * math.log(rate) + (n - count) * math.log1p(-rate))


def _at_least(count: int, n: int, rate: float) -> float:
    if 2 * count > n:
        return math.fsum(_binomial(k, n, rate) for k in range(count, n + 1))
    return 1 - math.fsum(_binomial(k, n, rate) for k in range(count))
