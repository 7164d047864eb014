"""Slot validation, by the rules of the Socratic probe page (pipeline, step 2):

1. the rules are tried in their order and the first that objects is the one reported
2. the concept must be present
3. at most 6 words
4. free of digits
5. in the passage, whatever its case
6. without a finding verb, coined or not
7. sharing no participle or comparative with a sentence that reports a quantity
8. a term that the passage coins in quotation marks is exempt from 7 and from the outcome-only words
9. the source label is trimmed: years and full citations are cut
10. the source stands in the passage, or in a resource's title, authors or citation
11. a loaded word of over 3 words is dropped
12. one with a quote or question mark is dropped
13. one that the group used fewer than twice in the last 15 human lines is dropped
14. a dropped loaded word is no error
15. slot reasons are generic
"""

import pytest

from checks.registry import family_checks
from checks.socratic import Resource, SlotContext, SlotResult, Slots, validate_slots

PASSAGE = "Okafor (2021) describes shared repair. Longer shifts cut trust by 12 points; trust fell there."


def validated(
    concept: str = "shared repair",
    source: str = "Okafor",
    loaded: str | None = None,
    passage: str = PASSAGE,
    resources: tuple[Resource, ...] = (),
    chat: tuple[str, ...] = (),
) -> SlotResult:
    """The result for slots that are good but for what is given."""
    return validate_slots(Slots(source, concept, loaded), SlotContext(passage, resources, chat))


def failed(result: SlotResult) -> str | None:
    """The last part of the id of the check that objected."""
    return result.failure.check_id.rpartition(".")[2] if result.failure else None


def test_rule_1_the_first_objection_is_reported() -> None:
    """Protects the order of the rules: only what was reached counts as evaluated."""
    expected = (
        "concept_present concept_length concept_no_digits concept_in_passage "
        "concept_no_finding_verb concept_not_outcome source_known"
    ).split()
    assert expected == [check.check_id.rpartition(".")[2] for check in family_checks("socratic.slots")]
    everything_wrong = "there trust fell 2 points with longer shifts"
    assert failed(validated(everything_wrong, "Nobody")) == "concept_length"
    assert failed(validated("trust fell 2 points", "Nobody")) == "concept_no_digits"
    assert failed(validated("wages fell", "Nobody")) == "concept_in_passage"
    assert failed(validated("trust fell", "Nobody")) == "concept_no_finding_verb"
    assert failed(validated("longer shifts", "Nobody")) == "concept_not_outcome"
    assert failed(validated("shared repair", "Nobody")) == "source_known"


@pytest.mark.parametrize("concept", ["", "  ", "—", "\u200b"])
def test_rule_2_concept_present(concept: str) -> None:
    """Protects the template, which is built around the concept."""
    assert failed(validated(concept)) == "concept_present"


def test_rule_3_concept_length_boundary() -> None:
    """Protects the bound of 6 words on both sides."""
    six, seven = "one of the ways of care", "this one of the ways of care"
    assert failed(validated(six, passage=f"Okafor: {seven}.")) is None
    assert failed(validated(seven, passage=f"Okafor: {seven}.")) == "concept_length"


@pytest.mark.parametrize("concept", ["12 points", "١٢ points", "½ day", "web２"])
def test_rule_4_concept_without_digits(concept: str) -> None:
    """Protects the writer from figures of any script."""
    assert failed(validated(concept, passage=f"Okafor on {concept}.")) == "concept_no_digits"


def test_rule_5_concept_in_passage_in_any_case() -> None:
    """Protects against made-up terms without rejecting a capital letter."""
    assert failed(validated("SHARED Repair")) is None
    assert failed(validated("silent repair")) == "concept_in_passage"


def test_rule_6_finding_verb_even_where_coined() -> None:
    """Protects the first test from the exemption that belongs to the second."""
    assert failed(validated("rising trust", passage="Okafor calls it “rising trust”.")) == "concept_no_finding_verb"
    assert failed(validated("what led to rest", passage="Okafor on what led to rest.")) == "concept_no_finding_verb"


@pytest.mark.parametrize(
    ("passage", "expected"),
    [
        ("Okafor: longer shifts cut trust by 12 points.", "concept_not_outcome"),
        ("Okafor: longer shifts cut trust by a third, or ten percent.", "concept_not_outcome"),
        ("Okafor: longer shifts. Trust was at 12 points.", None),
        ("Okafor (2021) writes of longer shifts.", None),
        ("Okafor writes of longer shifts [3].", None),
    ],
)
def test_rule_7_outcomeish_word_beside_a_quantity(passage: str, expected: str | None) -> None:
    """Protects a finding that hides in a comparative; a citation's year is no quantity."""
    assert failed(validated("longer shifts", passage=passage)) == expected


@pytest.mark.parametrize("marks", ['""', "“”", "«»", "‘’", "''", "„“"])
@pytest.mark.parametrize("concept", ["longer shifts", "shift outcomes"])
def test_rule_8_coined_terms_are_exempt(marks: str, concept: str) -> None:
    """Protects the reading's own terms, in quotation marks of any shape, from both outcome tests."""
    plain = f"Okafor: {concept} cut trust by 12 points."
    coined = f"Okafor: {marks[0]}{concept}{marks[1]} cut trust by 12 points."
    assert failed(validated(concept, passage=plain)) == "concept_not_outcome"
    assert failed(validated(concept, passage=coined)) is None


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Okafor", "Okafor"),
        ("  Okafor (2021) ", "Okafor"),
        ("Okafor, 2021", "Okafor"),
        ("Okafor 2021b", "Okafor"),
        ("Okafor (n.d.)", "Okafor"),
        ("Okafor, 2021, p. 4", "Okafor"),
        ("Okafor et al. (2021)", "Okafor et al."),
        ("Okafor, A. (2021). On shared repair. Journal of Care, 12(3), 4-9.", "Okafor"),
        ("Okafor, A., & Lee, M. (2021). On shared repair.", "Okafor & Lee"),
        ("Okafor, A., Lee, M., and Park, S. 2020. On repair", "Okafor, Lee and Park"),
        ("Okafor, A. On shared repair. Journal of Care", "Okafor"),
        ("Okafor. On shared repair. Journal of Care", "Okafor"),
        ("Okafor, “On shared repair”, Journal of Care", "Okafor"),
        ("“On shared repair”", "On shared repair"),
        ("Dr. Ada Okafor", "Dr. Ada Okafor"),
        ("The 2019 Repair Report", "The Repair Report"),
        ("World Repair Forum (WRF)", "World Repair Forum"),
        ("Okafor https://example.org/x", "Okafor"),
        ("2021", ""),
        ("", ""),
    ],
)
def test_rule_9_source_label_is_trimmed(label: str, expected: str) -> None:
    """Protects drafts from a label with a year or a citation in it, which no question could carry."""
    resource = Resource(f"x {expected} x", citation="Okafor Lee Park On shared repair")
    result = validated(source=label, resources=(resource,))
    assert (result.slots.source_label if result.slots else "") == expected


@pytest.mark.parametrize(
    ("source", "resource", "expected"),
    [
        ("Okafor", Resource("x"), None),
        ("Lee", Resource("x"), "source_known"),
        ("Lee", Resource("On Lee"), None),
        ("Min Lee", Resource("x", ("Lee, Min",)), None),
        ("Lee", Resource("x", (), "Lee, M. (2020). Tea."), None),
        ("Lee", Resource("Fleet", ("Leeson",), "leeward"), "source_known"),
    ],
)
def test_rule_10_source_is_known(source: str, resource: Resource, expected: str | None) -> None:
    """Protects the room from sources that it does not have."""
    assert failed(validated(source=source, resources=(resource,))) == expected


@pytest.mark.parametrize(
    ("loaded", "chat", "reason"),
    [
        ("what a fair share", ("what a fair share",) * 2, "over 3 words"),
        ("a fair share", ("a fair share",) * 2, None),
        ('"fair"', ("fair",) * 2, "contains a quote or question mark"),
        ("“fair”", ("fair",) * 2, "contains a quote or question mark"),
        ("'fair'", ("fair",) * 2, "contains a quote or question mark"),
        ("fair?", ("fair",) * 2, "contains a quote or question mark"),
        ("公平？", ("公平",) * 2, "contains a quote or question mark"),
        ("what's fair", ("what’s fair",) * 2, None),
        ("fair", ("fair", "unfair"), "used fewer than twice in the last 15 human chat lines"),
        ("fair", ("so FAIR, fair’s fair",), None),
        ("fair", ("fair", "fair", *["tea"] * 13), None),
        ("fair", ("fair", "fair", *["tea"] * 14), "used fewer than twice in the last 15 human chat lines"),
    ],
)
def test_rules_11_to_14_loaded_word(loaded: str, chat: tuple[str, ...], reason: str | None) -> None:
    """Protects the three rules that drop a loaded word, on both sides, and that dropping it is no failure."""
    result = validated(loaded=loaded, chat=chat)
    assert (result.failure, result.dropped_loaded_word) == (None, reason)
    assert result.slots == Slots("Okafor", "shared repair", None if reason else loaded)


def test_rule_14_no_loaded_word_is_not_a_dropped_one() -> None:
    """Protects the difference between nothing to drop and something dropped."""
    assert [validated(loaded=word).dropped_loaded_word for word in (None, "", "  ")] == [None, None, None]


def test_rule_15_reasons_are_generic() -> None:
    """Protects the log and the passage: a reason never repeats what it was about."""
    for check in family_checks("socratic.slots"):
        assert not {"shared", "repair", "okafor"} & set(check.reason.lower().split())
        assert check.kept
