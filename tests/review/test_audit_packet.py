"""The packet tells nothing about where its messages came from, and packet and key know each other."""

import json
import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.audit import Calibration, Key, Packet, build
from review.audit.errors import AuditError
from review.audit.inputs import unify
from review.audit.rubric import FLAGS, LABELS
from tests.audits import BAD, CHAT, GOOD, PASSAGE, built, questions

texts = st.text(min_size=1).filter(unify)
groups = st.lists(texts, min_size=1, max_size=6)


def without_calibration(texts_of: list[str]) -> list[str]:
    return [text for text in texts_of if unify(text) not in (*GOOD, *BAD)] or ["Would Ostrander say drift?"]


@given(groups, groups, st.integers(0, 2**64), st.randoms(use_true_random=False))
def test_the_packet_is_a_function_of_texts_and_seed_alone(a: list[str], b: list[str], seed: int, chance) -> None:  # type: ignore[no-untyped-def]
    """Protects blindness at its root: names, owners, order and repetitions of the texts change no byte of the packet."""
    a, b = without_calibration(a), without_calibration(b)
    expected = built({"plain": a, "guarded": b}, seed)[0].to_jsonl()
    mixed = a + b
    chance.shuffle(mixed)
    assert expected == built({"guarded": a, "plain": b}, seed)[0].to_jsonl()
    assert expected == built({"zeta": b, "alpha": a}, seed)[0].to_jsonl()
    assert expected == built({"plain": mixed, "guarded": mixed[:1]}, seed)[0].to_jsonl()
    assert expected == built({"plain": a * 3, "guarded": b, "third": list(reversed(mixed))}, seed)[0].to_jsonl()


@given(groups, groups)
def test_the_key_leads_every_message_back_to_its_place(a: list[str], b: list[str]) -> None:
    """Protects the counts: no message of a condition is lost, none is counted twice, and each leads to its own text."""
    conditions = {"plain": without_calibration(a), "guarded": without_calibration(b)}
    packet, key = built(conditions)
    for name, texts_of in {**conditions, "known-good": GOOD, "known-bad": BAD}.items():
        places = {place: packet.messages[item] for item, where in key.origins.items() for place in where.get(name, ())}
        assert places == {place: unify(text) for place, text in enumerate(texts_of, start=1)}


@pytest.mark.parametrize(
    "other",
    [
        "Would Ostrander's 'drift' be the group's?\n",
        "  Would Ostrander\u2019s \u2018drift\u2019 be  the group\u2019s?",
        "Would Ostrander's 'drift' be the group's?\r\n\r\n",
        "\ufeffWould Ostrander's\u00a0'drift' be\tthe group's?",
        "Would Ostrander's 'drift' be the group's?\u200b",
        "Would Ostrander's 'drift' be\u2028the \u202egroup's\u202c?",
    ],
)
def test_a_writer_is_not_known_by_its_white_space(other: str) -> None:
    """Protects against the commonest hints: line ends, quotation marks, invisible characters, kinds of space."""
    assert unify(other) == "Would Ostrander's 'drift' be the group's?"


@given(st.text())
def test_messages_are_alike_in_everything_but_words(text: str) -> None:
    """Protects the packet from what the eye does not see, and that making alike twice changes nothing more."""
    seen = unify(text)
    assert seen == unify(seen) == unify(unicodedata.normalize("NFD", text))
    assert unicodedata.is_normalized("NFC", seen)
    assert not re.search(r"\s\s|^\s|\s$|[^\S ]", seen)
    assert not [c for c in seen if unicodedata.category(c) in ("Cc", "Cf", "Cs")]


def test_a_text_of_two_conditions_is_read_once_and_counts_for_both() -> None:
    """Protects the rule for equal texts: a copy would betray itself, and might get another label."""
    shared = "How does Ostrander treat drift?"
    packet, key = built({"plain": [shared, "a?", shared + "\n"], "guarded": ["b?", f" {shared}"]})
    (item,) = [item for item, message in packet.messages.items() if message == shared]
    assert key.origins[item] == {"plain": (1, 3), "guarded": (2,)}
    assert len(packet.items) == 3 + len(GOOD) + len(BAD)


def test_a_packet_holds_only_what_an_auditor_may_see() -> None:
    """Protects the form of a packet: one head, then ids and messages, with the same fields in the same order."""
    packet, _ = built({"plain": questions(4, "x"), "without:socratic.shape.no_digits": questions(4, "y")})
    head, *lines = [json.loads(line) for line in packet.to_jsonl().splitlines()]
    assert list(head) == ["format", "rubric", "passage", "chat"]
    assert {tuple(line) for line in lines} == {("item", "message")}
    hints = ("plain", "without", "known", "seed", "condition", "calibration")
    assert [hint for hint in hints if hint in json.dumps([head["passage"], head["chat"], lines])] == []


def test_ids_are_drawn_and_survive_a_spreadsheet() -> None:
    """Protects ids from meaning anything: other seeds give other ids, and none reads as a word, a number or a date."""
    conditions = {"plain": questions(150, "x"), "guarded": questions(150, "y")}
    first, second = (set(built(conditions, seed)[0].messages) for seed in (1, 2))
    assert len(first) == len(second) == 300 + len(GOOD) + len(BAD)
    assert first & second == set()
    assert [item for item in first if not re.fullmatch(r"[b-df-hj-np-tv-xz]{6}", item)] == []


def test_a_condition_does_not_sit_together() -> None:
    """Protects the shuffle: over many seeds, each condition is as often in the first half as in the second."""
    conditions = {"plain": questions(20, "x"), "guarded": questions(20, "y")}
    first_half: Counter[str] = Counter()
    for seed in range(60):
        packet, key = built(conditions, seed)
        for item in packet.items[: len(packet.items) // 2]:
            first_half.update(list(key.origins[item.item]))
    # 60 x 20 draws at one half each: 600 expected, with a standard deviation below 17.4.
    assert [name for name in ("plain", "guarded") if abs(first_half[name] - 600) > 70] == []


def test_without_a_seed_no_two_packets_are_alike() -> None:
    """Protects the default: a seed that could be guessed would let a packet be rebuilt and compared."""
    conditions = {"plain": questions(3, "x"), "guarded": questions(3, "y")}
    (one, key_one), (two, key_two) = built(conditions, None), built(conditions, None)
    assert key_one.seed != key_two.seed
    assert one.to_jsonl() != two.to_jsonl()
    assert str(key_one.seed) not in one.to_jsonl()


def test_the_rubric_holds_every_lesson() -> None:
    """Protects the lessons of the page: calibrated wording, hand-reading, notes, independence, all labels and flags."""
    rubric = " ".join(built({"a": ["x?"], "b": ["y?"]})[0].rubric.split())
    expected = [
        *LABELS,
        *FLAGS,
        "What is no leak by itself: naming the concept",
        "asking whether its author would use a word",
        "Read every message yourself",
        "Do not search for words",
        "Write a note for every message",
        "Work alone",
    ]
    assert [lesson for lesson in expected if lesson not in rubric] == []


@pytest.mark.parametrize(
    ("conditions", "calibration", "expected"),
    [
        ({"plain": ["a?"]}, Calibration(GOOD, BAD), "1 condition: an audit compares; name two or more"),
        ({"plain": ["a?"], "guarded": []}, Calibration(GOOD, BAD), "guarded has no messages"),
        ({"plain": ["a?"], "guarded": ["b?"]}, Calibration([], BAD), "known-good has no messages"),
        ({"plain": ["a?"], "guarded": ["b?"]}, Calibration(GOOD, []), "known-bad has no messages"),
        ({"plain": ["a?"], "known-bad": ["b?"]}, Calibration(GOOD, BAD), "'known-bad' cannot name a condition"),
        ({"plain": ["a?"], " ": ["b?"]}, Calibration(GOOD, BAD), "' ' cannot name a condition"),
        ({"plain": ["a?", "\u200b\n"], "b": ["b?"]}, Calibration(GOOD, BAD), 'message 2 of plain: "" has no text'),
        ({"a": ["a?"], "b": ["b?"]}, Calibration(["c?"], [" c?"]), '"c?" is both known-good and known-bad'),
    ],
)
def test_what_cannot_be_audited(conditions: dict[str, list[str]], calibration: Calibration, expected: str) -> None:
    """Protects auditors' hours from a packet that could never give an answer."""
    with pytest.raises(AuditError, match=re.escape(expected)):
        build(PASSAGE, CHAT, conditions, calibration, 7)


def test_digests_tell_any_two_apart() -> None:
    """Protects the binding: another seed, text, order of conditions or origin gives another packet or key digest."""
    conditions = {"plain": ["a?", "c?"], "guarded": ["b?"]}
    packet, key = built(conditions)
    assert key.packet_sha256 == packet.sha256
    other = Packet(packet.rubric, packet.passage, packet.chat, packet.items[::-1])
    assert other.sha256 != packet.sha256
    swapped = Key(key.seed, key.packet_sha256, key.conditions[::-1], key.origins)
    moved = {item: {"guarded": (1,)} if "plain" in where else where for item, where in key.origins.items()}
    assert len({key.sha256, swapped.sha256, Key(key.seed, key.packet_sha256, key.conditions, moved).sha256}) == 3
