"""Invented audits for tests: conditions of numbered questions, and auditors who label as they are told."""

from collections.abc import Callable, Mapping, Sequence

from review.audit import CLEAN, Calibration, Key, Label, Packet, build

PASSAGE = "Ostrander reports that drift sessions lowered vell scores in the second term."
CHAT = ("Ivy: is drift a healthy thing?", "Noor: depends what healthy means")
GOOD = tuple(f"How does Ostrander treat drift in part {letter}?" for letter in "abcde")
BAD = tuple(f"Why did drift sessions lower the scores of group {letter}?" for letter in "abcde")
# Two-letter words that stand for nothing, so that no word of a message is a habit of its condition.
WORDS = [a + b for a in "bdfgklmn" for b in "aeiou"]


def questions(count: int, kind: str) -> list[str]:
    """So many different questions; `kind` is their last word, by which a test knows them again."""
    return [f"Would Ostrander say {WORDS[n % 40]} of {WORDS[n // 40]} {n % 7} {kind}{n}?" for n in range(count)]


def built(conditions: Mapping[str, Sequence[str]], seed: int | None = 7) -> tuple[Packet, Key]:
    return build(PASSAGE, CHAT, conditions, Calibration(GOOD, BAD), seed)


def conditions_of(packet: Packet, key: Key, item: str) -> set[str]:
    return set(key.origins[item])


def labelled_by(
    packet: Packet, auditor: str, judge: Callable[[str], str], flags: Callable[[str], tuple[str, ...]] = lambda _: ()
) -> dict[str, Label]:
    """What an auditor hands in who gives each message the label and flags that these two functions say."""
    return {
        item: Label(item, judge(message), flags(message), f"{auditor} read: {message}", auditor)
        for item, message in packet.messages.items()
    }


def judge_by(wrong: Sequence[str], label: str = "LEAK-PRESUPPOSE") -> Callable[[str], str]:
    """A judge for whom these messages and the known-bad ones leak."""
    return lambda message: label if message in wrong or message in BAD else CLEAN
