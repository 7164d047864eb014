"""The shape of a language's table: how it makes claims, and how it takes them back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from checks.patterns import lazy

Kind = Literal["memory", "reasoning", "round", "artifact", "completion"]

OBJECT = "▪"
"""Stands in a judged text for what was inside code, quotation marks or an address: something, but nothing said."""


def any_of(*alternatives: str) -> re.Pattern[str]:
    """One pattern that matches where any of `alternatives` does, without regard to case."""
    return lazy("|".join(f"(?:{alternative})" for alternative in alternatives), re.IGNORECASE)


def each_of(*alternatives: str) -> tuple[re.Pattern[str], ...]:
    """A pattern for each of `alternatives`; a group named `claim` holds the words to report, else the whole match."""
    return tuple(lazy(alternative, re.IGNORECASE) for alternative in alternatives)


@dataclass(frozen=True, slots=True)
class Language:
    """One language's table. `claims` are looked for in a clause; the others are cues, each with its reach."""

    claims: Mapping[Kind, tuple[re.Pattern[str], ...]]

    harmless: re.Pattern[str]
    """Looks like a cue and is none (`no errors`); blanked before the others are looked for."""
    contrast: re.Pattern[str]
    """Ends the reach of a negation or hedge within its sentence (`but`)."""

    question: re.Pattern[str]
    """A sentence that asks, also without a question mark. Reach: the sentence."""
    conditional: re.Pattern[str]
    """Reach: the sentence."""
    quotation: re.Pattern[str]
    """Words of someone else (`you said`). Reach: the sentence."""
    hedge: re.Pattern[str]
    """Doubt, estimates, and talk about how things are in general. Reach: up to a contrast, both ways."""
    recall: re.Pattern[str]
    """Work of another turn, of which this turn's tools say nothing. Reach: up to a contrast, both ways."""
    negation: re.Pattern[str]
    """Not done, or not all of it. Reach: its own clause and those after it, up to a contrast."""
    future: re.Pattern[str]
    """Plans, wishes and orders. Reach: what follows in its own clause."""
    agenda: re.Pattern[str]
    """Opens a segment about what comes next. Reach: that segment."""
    order: re.Pattern[str]
    """Tells the reader to do something, or to see that it is so. Reach: its own clause."""
    other_actor: re.Pattern[str]
    """Someone else is the subject; stands right before the claim."""

    file_word: re.Pattern[str]
    """Says that a size is that of a file."""
    size_of_no_file: re.Pattern[str]
    """Says that a size is something else: memory, a limit, an estimate, a difference."""
    part_of_proof: re.Pattern[str]
    """Speaks of one node or lemma, not of the whole."""
    round_progress: re.Pattern[str]
    """Makes a round one of deep exploration."""
    upcoming_round: re.Pattern[str]
    """Speaks of a round that has yet to run. Reach: its own clause."""
    other_round: re.Pattern[str]
    """Makes it a round of something else."""
