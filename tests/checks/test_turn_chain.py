"""The hash chain of a turn's audit events: rules 9 and 10 of test_turn.py."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.turn import (
    Session,
    verify_chain,
)
from tests.turns import calls, ran


def test_rule_9_the_hash_worked_out_by_hand() -> None:
    """Protects the formula, against one that is written out here from the text of the file."""
    turn = ran(calls("fails", "fails"), "I've deployed it — 部署完成。", "It was refused.")
    previous = "0" * 64
    for line, event in zip(turn.audit.splitlines(), turn.events, strict=True):
        data = line[line.index('"data":') + 7 : line.index(',"prevHash"')]
        content = previous + event["id"] + str(event["timestamp"]) + event["type"] + data
        assert previous == event["prevHash"]
        assert hashlib.sha256(content.encode()).hexdigest() == event["hash"]
        assert json.dumps(event["data"], ensure_ascii=False, separators=(",", ":")) == data
        previous = event["hash"]


def test_rule_9_each_turn_starts_a_chain() -> None:
    """Protects the 64 zeros at the start of each turn."""
    lines = [ran(calls("fails", "fails"), "It was refused.").audit for _ in range(3)]
    report = verify_chain("".join(lines).splitlines())
    assert (report.status, report.events, report.chains) == ("intact", 3, 3)


AUDIT = ran(calls("fails", "fails"), "I've deployed it.", "Next, I'll write the tests.", "Refused.").audit.splitlines()
OTHER = ran(calls("fails", "fails"), "Done.", "Refused.", session=Session("s-2")).audit.splitlines()


def test_rule_10_intact() -> None:
    """Protects whole files: as text, as bytes, as one array, as an array over lines, and with turns interleaved."""
    assert len(AUDIT) == 3
    for lines in (
        AUDIT,
        [line.encode() for line in AUDIT],
        [f"[{','.join(AUDIT)}]"],
        ["[", *[f"{line}," for line in AUDIT[:-1]], AUDIT[-1], "]"],
        [AUDIT[0], OTHER[0], AUDIT[1], AUDIT[2], OTHER[1]],
        ["\ufeff" + AUDIT[0], "", *AUDIT[1:]],
    ):
        report = verify_chain(lines)
        assert (report.status, report.events >= 3, report.line, report.why) == ("intact", True, None, "")


@pytest.mark.parametrize("number", range(3))
def test_rule_10_an_altered_event_is_found(number: int) -> None:
    """Protects each field under the hash, in each line, with the line told."""
    for old, new in (
        ('"id":"e', '"id":"f'),
        ('"timestamp":17', '"timestamp":16'),
        ('"s-1"', '"s-9"'),
        ("self_", "Self_"),
    ):
        lines = list(AUDIT)
        lines[number] = lines[number].replace(old, new, 1)
        report = verify_chain(lines)
        assert (report.status, report.line) == ("broken", number + 1)
        assert report.why == "the event was altered: its hash does not fit its content"


def test_rule_10_missing_moved_doubled() -> None:
    """Protects the sequence: what is taken out, moved or repeated breaks it there; a cut tail cannot be seen."""
    assert (verify_chain([AUDIT[0], AUDIT[2]]).status, verify_chain([AUDIT[0], AUDIT[2]]).line) == ("broken", 2)
    assert verify_chain([AUDIT[1], AUDIT[0]]).line == 1
    assert verify_chain([AUDIT[0], AUDIT[1], AUDIT[1]]).line == 3
    assert verify_chain(AUDIT[:2]).status == "intact"
    assert verify_chain([AUDIT[0].replace('"type":"self_domain_write",', "")]).why == "the event lacks 'type'"


def test_rule_10_the_text_as_it_stands() -> None:
    """Protects texts that another writer would spell otherwise: floats, escapes, spaces, equal keys."""
    for data in ('{"x":1.0}', '{"x":1e2}', r'{"x":"\u00e9\ud83d"}', '{ "x" : 1 }', '{"x":1,"x":2}', '{"x":"é\\/"}'):
        own = hashlib.sha256(("0" * 64 + "i" + "5" + "t" + data).encode()).hexdigest()
        line = f'{{"data": {data} , "id":"i","timestamp":5,"type":"t","prevHash":"{"0" * 64}","hash":"{own}"}}'
        assert (data, "intact") == (data, verify_chain([line]).status)


def test_rule_10_bytes_that_are_no_utf_8() -> None:
    """Protects the hash over bytes: what is no UTF-8 is hashed as the bytes that it is, and a change in it is found."""
    data = b'{"x":"\xff\xfe"}'
    own = hashlib.sha256(b"0" * 64 + b"i5t" + data).hexdigest().encode()
    line = b'{"id":"i","timestamp":5,"type":"t","data":%b,"prevHash":"%b","hash":"%b"}' % (data, b"0" * 64, own)
    assert verify_chain([line]).status == "intact"
    assert verify_chain([line.replace(b"\xfe", b"\xfd")]).status == "broken"


@pytest.mark.parametrize("lines", [[], [""], ["hello"], ['{"id":1}'], ["[1,2]"], ['{"hash":"x"}'], ["{"], ["[" * 5000]])
def test_rule_10_not_a_chain(lines: list[str]) -> None:
    """Protects other files from being called broken."""
    assert verify_chain(lines).status == "not a chain"


@given(st.lists(st.one_of(st.text(), st.binary(), st.sampled_from(AUDIT)), max_size=6))
def test_rule_10_never_raises(lines: list[str | bytes]) -> None:
    """Protects `verify` from whatever a file holds."""
    report = verify_chain(lines)
    assert (report.line is None) == (report.status != "broken")


@given(st.integers(0, len("\n".join(AUDIT)) - 1), st.characters(codec="utf-8", exclude_characters="\n"))
def test_rule_10_no_single_change_goes_unseen(place: int, char: str) -> None:
    """Protects every character of a chained file: a changed one is found, or left no event of that line to judge."""
    text = "\n".join(AUDIT)
    if text[place] in ("\n", char):
        return
    changed = verify_chain((text[:place] + char + text[place + 1 :]).split("\n"))
    whole = verify_chain(AUDIT)
    same_event = char.isspace() or text[place].isspace() or char.lower() == text[place].lower()
    assert same_event or changed != whole
