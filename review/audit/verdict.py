"""From comparisons to evidence: one verdict for each pair of conditions, and the sentence that explains it."""

from collections.abc import Sequence
from itertools import combinations

from review.audit.care import Calibration, Sign
from review.audit.labels import ANY
from review.audit.packet import Key, Packet
from review.audit.result import (
    IMPROVED,
    NO_DIFFERENCE,
    NOT_TRUSTED,
    REGRESSION,
    Agreement,
    AuditEvidence,
    Comparison,
)
from review.audit.rubric import FABRICATES, LEAK_ASSERT, MISATTRIBUTES, ONE_QUESTION
from review.audit.statistics import ALPHA, messages_needed, noticeable_rate

NOT_CLEAN = "not clean"
WITHOUT = "without:"
REFERENCE_POINTS = 0.05
"""Where two rates are equal, the difference whose price in messages is told."""
# The sign of a change for the worse; a measure that is not here is described, not judged.
WORSE = {NOT_CLEAN: 1, LEAK_ASSERT: 1, MISATTRIBUTES: 1, FABRICATES: 1, ONE_QUESTION: -1}


def checks_without(condition: str) -> tuple[str, ...]:
    """The checks that a condition went without: `without:socratic.shape.no_digits+...`; none for any other name."""
    if not condition.startswith(WITHOUT):
        return ()
    return tuple(name.strip() for name in condition.removeprefix(WITHOUT).split("+"))


def weigh(
    packet: Packet,
    key: Key,
    auditors: tuple[str, ...],
    calibrations: Sequence[Calibration],
    signs: Sequence[Sign],
    comparisons: Sequence[Comparison],
    agreements: Sequence[Agreement],
) -> tuple[AuditEvidence, ...]:
    """The evidence for each pair of conditions, the one that was named first as the baseline."""
    warnings = tuple(warning(found) for found in calibrations if not found.faultless)
    warnings += tuple(f"{sign.auditor}: {sign.sentence}" for sign in signs)
    kappas = [agreement.kappa for agreement in agreements if agreement.kappa is not None]
    evidence = []
    for baseline, compared in combinations(key.conditions, 2):
        tests = [test for test in comparisons if (test.baseline, test.compared) == (baseline, compared)]
        main = next(test for test in tests if test.measure == NOT_CLEAN and test.view == ANY)
        a, b = main.baseline_rate, main.compared_rate
        noticeable = noticeable_rate(a.count, a.n, b.n)
        needed = messages_needed(a.rate, b.rate if a.rate != b.rate else min(1.0, a.rate + REFERENCE_POINTS))
        verdict, because = _verdict(main, tests, calibrations, noticeable, needed)
        evidence.append(
            AuditEvidence(
                tuple(name for name in checks_without(compared) if name not in checks_without(baseline)),
                baseline,
                compared,
                a.n,
                b.n,
                a.count,
                b.count,
                main.p,
                verdict,
                because,
                noticeable,
                needed,
                auditors,
                min(kappas, default=None),
                warnings,
                packet.sha256,
                key.sha256,
            )
        )
    return tuple(evidence)


def warning(found: Calibration) -> str:
    """What went wrong in an auditor's calibration, in one sentence."""
    told = [
        f"{what} {len(items)} of {n} ({', '.join(items)})"
        for what, items, n in (
            ("finds fault with known-good messages,", found.good_flagged, found.good),
            ("misses known-bad messages,", found.bad_missed, found.bad),
        )
        if items
    ]
    return f"{found.auditor} " + " and ".join(told)


def _verdict(
    main: Comparison,
    tests: Sequence[Comparison],
    calibrations: Sequence[Calibration],
    noticeable: float | None,
    needed: int | None,
) -> tuple[str, str]:
    if wrong := [found for found in calibrations if not found.trusted]:
        return NOT_TRUSTED, "; ".join(map(warning, wrong)) + ": settle the rubric and label again before comparing"
    worse = [test for test in tests if test.p_holm < ALPHA and _change(test) > 0]
    better = [test for test in tests if test.measure == NOT_CLEAN and test.p < ALPHA and _change(test) < 0]
    views = sum(test.measure == NOT_CLEAN for test in tests)
    if worse:
        return REGRESSION, "; ".join(map(_told, worse))
    if len(better) == views:
        return IMPROVED, "; ".join(map(_told, better))
    return NO_DIFFERENCE, _told(main) + "; " + "; ".join(_could_have_shown(main, noticeable, needed))


def _change(test: Comparison) -> float:
    return WORSE.get(test.measure, 0) * (test.compared_rate.rate - test.baseline_rate.rate)


def _told(test: Comparison) -> str:
    a, b = test.baseline_rate, test.compared_rate
    return f"{test.measure} to {test.view}: {b.count} of {b.n} against {a.count} of {a.n} (p = {p_text(test.p_holm)})"


def _could_have_shown(main: Comparison, noticeable: float | None, needed: int | None) -> list[str]:
    a, b = main.baseline_rate, main.compared_rate
    told = []
    if noticeable is None:
        told.append("with so few messages no rate at all would have been noticed as worse")
    else:
        told.append(f"only a rate of {noticeable:.1%} or more would have been noticed as worse (4 times in 5)")
    if needed is not None and a.rate != b.rate:
        told.append(f"if this difference is real, {needed} messages per condition would show it (4 times in 5)")
    elif needed is not None:
        reference = min(1.0, a.rate + REFERENCE_POINTS)
        told.append(f"to tell {reference:.1%} from {a.rate:.1%} takes {needed} messages per condition (4 times in 5)")
    return told


def p_text(p: float) -> str:
    """A p-value as people read it: three decimals, or `below 0.001`."""
    return "below 0.001" if p < 0.001 else f"{p:.3f}"
