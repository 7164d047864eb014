"""From labels to a result: the key is opened last, and only once two auditors have labelled every message.

How several auditors become one answer. Results stand for each auditor, for `every auditor` (all say so) and for `any
auditor` (at least one does). What decides is *not clean*, tested at 5 %:

- *regression* if the compared condition is worse in any of these views, or if LEAK-ASSERT, misattributes, fabricates
  or asking more than one question is worse there after Holm's adjustment;
- *improved* only if it is better in all of them, and nothing is worse;
- else *no difference that these numbers could show*, with what they could have shown.

The scales are uneven on purpose, for the audit guards a removal. *Not trusted* stands instead of all three where an
auditor is not calibrated.
"""

from collections.abc import Callable, Mapping
from itertools import combinations

from review.audit.care import calibration, signs
from review.audit.errors import AuditError, NotComplete
from review.audit.labels import ANY, EVERY, Labels, Measure, flagged, labelled, missing, not_clean
from review.audit.packet import Key, Packet
from review.audit.result import (
    Agreement,
    AuditResult,
    Comparison,
    Count,
    Disagreement,
    Rate,
)
from review.audit.rubric import CLEAN, FLAGS, LABELS
from review.audit.statistics import cohen_kappa, fisher_exact, holm
from review.audit.verdict import NOT_CLEAN, weigh

AUDITORS_NEEDED = 2
View = Callable[[Measure, str], bool]

MEASURES: dict[str, Measure] = {
    NOT_CLEAN: not_clean,
    **{name: labelled(name) for name in LABELS},
    **{name: flagged(name) for name in FLAGS},
}
# CLEAN is counted, but not tested: its test is that of `not clean`.
OTHER_TESTS = [name for name in MEASURES if name not in (NOT_CLEAN, CLEAN)]


def score(packet: Packet, open_key: Callable[[], Key], labels: Labels) -> AuditResult:
    """The result of an audit.

    `open_key` is called only when at least two auditors are complete; NotComplete, which says who lacks what, is
    raised before. Raises AuditError where the key is not this packet's.
    """
    lacking = missing(labels, packet)
    complete: Labels = {auditor: labels[auditor] for auditor, items in lacking.items() if not items}
    if len(complete) < AUDITORS_NEEDED:
        raise NotComplete(_who_lacks_what(lacking, len(packet.items)))

    key = open_key()
    if key.packet_sha256 != packet.sha256 or key.origins.keys() != packet.messages.keys():
        raise AuditError(
            f"key {key.sha256[:12]} belongs to packet {key.packet_sha256[:12]}, and this one is {packet.sha256[:12]}: "
            "the packet was edited, or the two are of different audits; take the files as they were built"
        )
    calibrations = tuple(calibration(done, auditor, key) for auditor, done in complete.items())
    found_signs = signs(complete, packet, key)
    counts = _counts(key, complete)
    comparisons = _comparisons(key, counts)
    agreements = tuple(_agreement(packet, key, complete, pair) for pair in combinations(complete, 2))
    evidence = weigh(packet, key, tuple(complete), calibrations, found_signs, comparisons, agreements)
    return AuditResult(
        packet.sha256,
        key.sha256,
        key.conditions,
        tuple(complete),
        {auditor: len(items) for auditor, items in lacking.items() if items},
        calibrations,
        found_signs,
        counts,
        comparisons,
        agreements,
        evidence,
    )


def _who_lacks_what(lacking: Mapping[str, list[str]], total: int) -> str:
    told = []
    for auditor, items in lacking.items():
        some = ", ".join(items[:5]) + (", ..." if len(items) > 5 else "")
        told.append(f"{auditor} lacks {len(items)} of {total} ({some})" if items else f"{auditor} is complete")
    who = "; ".join(told) or "no message has a label yet"
    return f"{who}: the key stays shut until {AUDITORS_NEEDED} auditors have labelled all {total} messages"


def _views(labels: Labels) -> dict[str, View]:
    def of(auditor: str) -> View:
        return lambda measure, item: measure(labels[auditor][item])

    return {
        **{auditor: of(auditor) for auditor in labels},
        EVERY: lambda measure, item: all(measure(done[item]) for done in labels.values()),
        ANY: lambda measure, item: any(measure(done[item]) for done in labels.values()),
    }


def _counts(key: Key, labels: Labels) -> tuple[Count, ...]:
    """A message that a condition wrote several times counts as often: its label is the text's, the draws are its own."""
    counts = []
    for view, holds in _views(labels).items():
        for condition in key.conditions:
            times = {item: n for item in key.origins if (n := key.times(item, condition))}
            for name, measure in MEASURES.items():
                count = sum(n for item, n in times.items() if holds(measure, item))
                counts.append(Count(view, condition, name, Rate(count, sum(times.values()))))
    return tuple(counts)


def _comparisons(key: Key, counts: tuple[Count, ...]) -> tuple[Comparison, ...]:
    rates = {(count.view, count.condition, count.measure): count.rate for count in counts}
    comparisons = []
    for baseline, compared in combinations(key.conditions, 2):
        for view in dict.fromkeys(count.view for count in counts):

            def test(measure: str, view: str = view, a: str = baseline, b: str = compared) -> float:
                rate_a, rate_b = rates[view, a, measure], rates[view, b, measure]
                return fisher_exact(rate_a.count, rate_a.n, rate_b.count, rate_b.n)

            p = {measure: test(measure) for measure in (NOT_CLEAN, *OTHER_TESTS)}
            adjusted = dict(zip(OTHER_TESTS, holm([p[name] for name in OTHER_TESTS]), strict=True))
            comparisons += [
                Comparison(
                    baseline,
                    compared,
                    view,
                    measure,
                    rates[view, baseline, measure],
                    rates[view, compared, measure],
                    value,
                    adjusted.get(measure, value),
                )
                for measure, value in p.items()
            ]
    return tuple(comparisons)


def _agreement(packet: Packet, key: Key, labels: Labels, pair: tuple[str, str]) -> Agreement:
    """Over the items of the conditions alone: calibration items are easy, and would make the agreement look better."""
    first, second = labels[pair[0]], labels[pair[1]]
    items = [item for item in packet.messages if any(key.times(item, name) for name in key.conditions)]
    return Agreement(
        pair,
        len(items),
        sum(first[item].label == second[item].label for item in items),
        cohen_kappa([(first[item].label, second[item].label) for item in items]),
        cohen_kappa([(first[item].clean, second[item].clean) for item in items]),
        tuple(
            Disagreement(item, packet.messages[item], (first[item], second[item]))
            for item in items
            if (first[item].label, first[item].flags) != (second[item].label, second[item].flags)
        ),
    )
