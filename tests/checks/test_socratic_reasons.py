"""The wordings by which other writers' logs name the Socratic checks: each belongs to exactly one check."""

import re

import pytest

from checks.registry import catalog, family_checks

SHAPE = {
    "not a single question": "single_question",
    "must end with exactly one question mark": "single_question",
    "over 40 words": "word_limit",
    "more than 40 words": "word_limit",
    "too long": "word_limit",
    "source not named": "names_source",
    "does not name the source": "names_source",
    "loaded word not quoted": "quotes_loaded_word",
    "loaded word not in double quotes": "quotes_loaded_word",
    "names a participant": "no_participant_names",
    "mentions a participant": "no_participant_names",
    "loaded word and concept both present": "word_or_concept",
    "gendered pronoun": "no_gendered_pronouns",
    "uses a gendered pronoun": "no_gendered_pronouns",
    "analogy": "no_analogy",
    "hypothetical marker": "no_analogy",
    "word credited to the source": "no_credit_to_source",
    "quoted word credited to source": "no_credit_to_source",
    "compound question": "not_compound",
    "second ask": "not_compound",
    "trailing clause": "no_trailing_clause",
    'trailing "given that" clause': "no_trailing_clause",
    "no digits": "no_digits",
    "contains digits": "no_digits",
    "contains numbers": "no_digits",
    "finding verb": "no_finding_verbs",
    "copied wording": "no_copied_wording",
    "copied from the passage": "no_copied_wording",
    "repeats a recent post": "no_repeat",
    "near-repeat of a recent post": "no_repeat",
}
SLOTS = {
    "no concept": "concept_present",
    "concept too long": "concept_length",
    "concept has digits": "concept_no_digits",
    "concept not in passage": "concept_in_passage",
    "concept not found in the passage": "concept_in_passage",
    "concept has a finding verb": "concept_no_finding_verb",
    "concept is an outcome": "concept_not_outcome",
    "unknown source": "source_known",
    "source does not match passage or resources": "source_known",
}
GUARDRAIL = {
    "rejected by professionalism guardrail": "professionalism",
    "Room Agent: intervention rejected by professionalism guardrail (goal: socratic_probe)": "professionalism",
    "Agent Room Agent intervention rejected by professionalism guardrail. Type: nudge": "professionalism",
}


def matches(wording: str, family: str) -> list[str]:
    """The checks of `family` whose reason or aliases match `wording`, by the last part of their ids."""
    return [
        check.check_id.rpartition(".")[2]
        for check in family_checks(family)
        if any(re.fullmatch(pattern, wording, re.IGNORECASE) for pattern in (re.escape(check.reason), *check.aliases))
    ]


@pytest.mark.parametrize(
    ("family", "wordings"), [("socratic.shape", SHAPE), ("socratic.slots", SLOTS), ("guardrail", GUARDRAIL)]
)
def test_wordings_belong_to_one_check(family: str, wordings: dict[str, str]) -> None:
    """Protects counts from a wording that no check, or more than one, would claim."""
    assert {wording: [check] for wording, check in wordings.items()} == {w: matches(w, family) for w in wordings}


def test_the_names_of_the_checks_are_wordings_too() -> None:
    """Protects logs of a writer that names its checks instead of giving reasons."""
    for family in ("socratic.shape", "socratic.slots"):
        names = [check.check_id.rpartition(".")[2] for check in family_checks(family)]
        assert {name: [name] for name in names} == {name: matches(name, family) for name in names}


def test_aliases_are_unambiguous_across_the_catalog() -> None:
    """Protects every family: no alias matches the reason of another check."""
    clashes = [
        (check.check_id, alias, other.check_id)
        for check in catalog()
        for alias in check.aliases
        for other in catalog()
        if other.family == check.family and other is not check and re.fullmatch(alias, other.reason, re.IGNORECASE)
    ]
    assert clashes == []
