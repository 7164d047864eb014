"""Exact tests for few events, in plain arithmetic: no statistics library is needed to run them.

Each answers whether a difference may be chance. Probabilities are worked out from the likeliest table outwards, so that
large counts cost no more than a few thousand steps.
"""

import math

ALPHA = 0.05
"""What may be called by mistake, shared between all comparisons that were made (Bonferroni)."""
TIES = 1 + 1e-7
"""Tables that differ by less than this in probability are equally likely; floating point tells them apart by accident."""


def fisher(count_a: int, n_a: int, count_b: int, n_b: int) -> float:
    """The two-sided p-value of `count_a` of `n_a` against `count_b` of `n_b`: Fisher's exact test, conditional on the sum.

    The sum of the probabilities of all tables with these margins that are no likelier than this one; 1.0 where one
    side is empty. Source: R. A. Fisher, Statistical Methods for Research Workers, section 21.02.
    """
    if not (0 <= count_a <= n_a and 0 <= count_b <= n_b):
        raise ValueError(f"{count_a} of {n_a} against {count_b} of {n_b}: a count lies between 0 and its total")
    total = count_a + count_b
    low, high = max(0, total - n_b), min(total, n_a)
    likeliest = min(high, max(low, (total + 1) * (n_a + 1) // (n_a + n_b + 2)))
    seen = math.exp(_log_ways(count_a, n_a, total, n_b) - _log_ways(likeliest, n_a, total, n_b))
    least = min(seen, 1.0) * 1e-12
    all_tables, as_unlikely = 1.0, 1.0 if seen * TIES >= 1 else 0.0
    for step, last in ((1, high), (-1, low)):
        weight, k = 1.0, likeliest
        while k != last and weight > least:
            if step > 0:
                weight *= (n_a - k) * (total - k) / ((k + 1) * (n_b - total + k + 1))
            else:
                weight *= k * (n_b - total + k) / ((n_a - k + 1) * (total - k + 1))
            k += step
            all_tables += weight
            as_unlikely += weight if weight <= seen * TIES else 0.0
    return min(1.0, as_unlikely / all_tables)


def _log_ways(k: int, n_a: int, total: int, n_b: int) -> float:
    """The logarithm of C(n_a, k) C(n_b, total - k)."""
    parts = (k, n_a - k, total - k, n_b - total + k)
    return math.lgamma(n_a + 1) + math.lgamma(n_b + 1) - sum(math.lgamma(part + 1) for part in parts)


def all_inside(draws: int, inside: int, total: int) -> float:
    """The probability that `draws` of `total` items, drawn at random without putting back, all lie among `inside` of them."""
    if not 0 <= inside <= total or not 0 <= draws <= total:
        raise ValueError(f"{draws} draws, {inside} of {total}: both lie between 0 and the total")
    if draws > inside:
        return 0.0
    parts = (inside + 1, total - draws + 1), (inside - draws + 1, total + 1)
    return min(1.0, math.exp(sum(map(math.lgamma, parts[0])) - sum(map(math.lgamma, parts[1]))))
