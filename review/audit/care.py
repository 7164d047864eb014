"""Whether the auditors can be relied on: calibration, and signs of labelling without reading.

A sign is a reason to look, not a proof; each says what was counted. What fails is the calibration alone.
Source: the Socratic probe page, lessons of the blind audit.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from review.audit.inputs import unify
from review.audit.labels import Label, Labels, Measure, flagged, labelled, not_clean
from review.audit.packet import KNOWN_BAD, KNOWN_GOOD, Key, Packet
from review.audit.rubric import FAULTS, LEAK_ASSERT, LEAK_PRESUPPOSE

MOST_WRONG = 0.2
"""An auditor who gets more than this share of the known-good, or of the known-bad, wrong is not calibrated."""
ENOUGH = 5
"""Fewer items than this show no habit."""
SAME_NOTES = 0.25
PREDICTS = 0.95
TARGETS: dict[str, Measure] = {
    "not clean": not_clean,
    **{name: labelled(name) for name in (LEAK_ASSERT, LEAK_PRESUPPOSE)},
    **{name: flagged(name) for name in FAULTS},
}
"""What a keyword may predict. A question mark or a quoted word may tell the other two flags; that is no habit."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How one auditor did on the items whose label is known: item ids, and of how many."""

    auditor: str
    good_flagged: tuple[str, ...]
    good: int
    bad_missed: tuple[str, ...]
    bad: int

    @property
    def faultless(self) -> bool:
        return not (self.good_flagged or self.bad_missed)

    @property
    def trusted(self) -> bool:
        return len(self.good_flagged) <= MOST_WRONG * self.good and len(self.bad_missed) <= MOST_WRONG * self.bad


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign that an auditor (or a pair) may not have read: what was counted, in one sentence."""

    auditor: str
    kind: str
    sentence: str


def calibration(done: Mapping[str, Label], auditor: str, key: Key) -> Calibration:
    """Known-good items in which this auditor finds fault (a leak, or a flag that is a fault), and known-bad without."""
    good = [item for item in key.origins if key.times(item, KNOWN_GOOD)]
    bad = [item for item in key.origins if key.times(item, KNOWN_BAD)]
    return Calibration(
        auditor,
        tuple(item for item in good if done[item].finds_fault),
        len(good),
        tuple(item for item in bad if not done[item].finds_fault),
        len(bad),
    )


def signs(labels: Labels, packet: Packet, key: Key) -> tuple[Sign, ...]:
    """All signs, by auditor."""
    found: list[Sign] = []
    for auditor, done in labels.items():
        found += [
            Sign(auditor, kind, sentence)
            for kind, look in (
                ("one label", _one_label),
                ("empty notes", _empty_notes),
                ("identical notes", _identical_notes),
            )
            if (sentence := look(done))
        ]
        found += [Sign(auditor, "keyword", sentence) for sentence in _keywords(done, packet, key)]
    for (name_a, a), (name_b, b) in combinations(labels.items(), 2):
        if sentence := _copied(a, b):
            found.append(Sign(f"{name_a} and {name_b}", "shared notes", sentence))
    return tuple(found)


def _one_label(done: Mapping[str, Label]) -> str | None:
    used = {label.label for label in done.values()}
    if len(done) < ENOUGH or len(used) > 1:
        return None
    return f"all {len(done)} messages are labelled {used.pop()}"


def _empty_notes(done: Mapping[str, Label]) -> str | None:
    empty = sum(not label.note for label in done.values())
    return f"{empty} of {len(done)} notes are empty" if empty else None


def _identical_notes(done: Mapping[str, Label]) -> str | None:
    notes = Counter(_folded(label.note) for label in done.values() if label.note)
    # The count first, then the text, so that equal counts do not depend on the order of the labels.
    note, count = max(notes.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
    if count < max(ENOUGH, SAME_NOTES * len(done)):
        return None
    return f'{count} of {len(done)} notes are the same ("{note}")'


def _copied(a: Mapping[str, Label], b: Mapping[str, Label]) -> str | None:
    both = [item for item in a if item in b and a[item].note and b[item].note]
    same = sum(_folded(a[item].note) == _folded(b[item].note) for item in both)
    if same < max(ENOUGH, SAME_NOTES * len(both)):
        return None
    return f"{same} of {len(both)} messages have the same note from both; two auditors who worked alone differ in words"


def _keywords(done: Mapping[str, Label], packet: Packet, key: Key) -> list[str]:
    """A word whose presence (nearly) is the label: at least 95 % right in all four directions, with enough on each side.

    All four, since a word that stands in every message "predicts" whatever label most messages have. It must explain
    all items, the calibration among them, and those of the conditions by themselves: an honest auditor also finds the
    known-bad messages that lack the word, and known-bad messages that are worded alike are nobody's habit.
    """
    holders: dict[str, set[str]] = defaultdict(set)
    for item, label in done.items():
        for word in set(re.findall(r"\w+", packet.messages[item].casefold())):
            holders[word].add(label.item)
    everything = set(done)
    of_conditions = {item for item in done if any(key.times(item, name) for name in key.conditions)}
    sentences: dict[frozenset[str], str] = {}
    for what, holds in TARGETS.items():
        having = frozenset(item for item, label in done.items() if holds(label))
        for group, how in ((having, "tells"), (frozenset(everything - having), "is missing from")):
            if group in sentences:
                continue
            fit, word = max(
                (min(_fit(group, items, everything), _fit(group, items, of_conditions)), word)
                for word, items in holders.items()
            )
            if fit >= PREDICTS:
                right = len(done) - len(group ^ holders[word])
                sentences[group] = (
                    f"the word {word!r} {how} what is labelled {what}, in {right} of {len(done)} messages"
                )
    return list(sentences.values())


def _fit(group: frozenset[str], holders: set[str], items: set[str]) -> float:
    """The worst of four shares among `items`: members that hold the word, holders that are members, and both reversed.

    0 where members or the rest are too few to show a habit.
    """
    members, holding = group & items, holders & items
    rest, without = items - members, items - holding
    if min(len(members), len(rest)) < ENOUGH or not holding or not without:
        return 0.0
    both, neither = len(members & holding), len(rest & without)
    return min(both / len(members), both / len(holding), neither / len(rest), neither / len(without))


def _folded(note: str) -> str:
    return unify(note).casefold().strip(" .,;:!?-")
