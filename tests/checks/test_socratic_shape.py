"""The shape checks, by the rules of the Socratic probe page (pipeline, step 4):

1. every failed check is reported, in the catalog's order
2. exactly one question mark, at the very end
3. at most 40 words
4. names the source by its full label, or by the surname of a label of two or three tokens
5. quotes the loaded word in double quotes, when one is set
6. names no participant, neither by pseudonym nor by its last word
7. loaded word and concept are not both present
8. no he, she, his, her, him outside quotes
9. no analogy or hypothetical markers
10. no quoted foreign word credited to the source; a modal is allowed
11. not a compound question; a leading framing clause is no second ask
12. no trailing given-that clause
13. no digits
14. no finding verbs after the slots are stripped
15. no 4-gram of the passage after removing slot terms; runs of function words are ignored
16. content-word overlap with a recent post at most 0.5, source-name words ignored
17. reasons are generic, and hold no text of the passage
18. the checks that the page keeps are kept
"""

import pytest

from checks.registry import family_checks
from checks.socratic import ShapeContext, check_shape

PASSAGE = "In the yards, neighbours mend tools in pairs before dusk."
CONTEXT = ShapeContext("Ada Okafor", "shared repair", None, ("Curious Otter",), PASSAGE, ("Is rest a kind of work?",))
LOADED = ShapeContext("Ada Okafor", "shared repair", "fair", ("Curious Otter",), PASSAGE)


def failed(draft: str, context: ShapeContext = CONTEXT) -> list[str]:
    """The last parts of the ids of all checks that object."""
    return [failure.check_id.rpartition(".")[2] for failure in check_shape(draft, context)]


def test_rule_1_every_failure_in_the_order_of_the_catalog() -> None:
    """Protects collect-all: a check that hides behind another would look as if it never fired."""
    draft = (
        "Imagine Otter found 3 of them: in the yards, neighbours mend tools, her way. Is rest a kind of work, and "
        'does "tea" help shared repair, given that you say "it"? Then ' + "really " * 30
    )
    context = ShapeContext("Ada Okafor", "shared repair", "fair", ("Curious Otter",), PASSAGE)
    everything = [check.check_id.rpartition(".")[2] for check in family_checks("socratic.shape")]
    found = failed(draft, context)
    assert found == [name for name in everything if name in found]
    assert set(everything) - set(found) == {"word_or_concept", "no_credit_to_source", "no_repeat"}


def test_rule_1_a_good_draft_has_no_failure() -> None:
    """Protects the writer from checks that no question could pass."""
    assert failed("How does Okafor treat shared repair?") == []
    assert failed('When we say "fair", would Okafor mean the same thing by it?', LOADED) == []


@pytest.mark.parametrize(
    ("rule", "draft", "expected"),
    [
        (2, "How does Okafor treat shared repair", ["single_question"]),
        (2, "How does Okafor treat ?shared repair?", ["single_question", "not_compound"]),
        (2, "How does Okafor treat shared repair?)", ["single_question"]),
        (4, "How does Ada treat shared repair?", ["names_source"]),
        (4, "How does ADA OKAFOR treat shared repair?", []),
        (4, "What is Okafor’s word for shared repair?", []),
        (6, "Would Okafor ask Curious Otter of shared repair?", ["no_participant_names"]),
        (6, "Would Okafor ask Otter’s view of shared repair?", ["no_participant_names"]),
        (6, "Would Okafor find the curious in shared repair?".replace("find", "see"), []),
        (8, "How does Okafor treat shared repair in her essay?", ["no_gendered_pronouns"]),
        (8, "How would Okafor treat “her” tools in shared repair?", []),
        (9, "What if shared repair is what Okafor means?", ["no_analogy"]),
        (9, "Does Okafor treat shared repair as if it were play?", ["no_analogy"]),
        (10, "Does Okafor call shared repair 'healthy'?", ["no_credit_to_source"]),
        (10, "Would Okafor call shared repair 'healthy'?", []),
        (11, "How does Okafor treat shared repair, and why?", ["not_compound"]),
        (11, "When we talk of shared repair, would Okafor agree?", []),
        (12, "Would Okafor agree, given that you share repair?", ["no_trailing_clause"]),
        (12, "Would Okafor agree in light of shared repair?", ["no_trailing_clause"]),
        (12, "Would Okafor agree since you like shared repair?", ["no_trailing_clause"]),
        (13, "How does Okafor treat shared repair by 2 people?", ["no_digits"]),
        (14, "Why has shared repair risen for Okafor?", ["no_finding_verbs"]),
        (15, "Does Okafor say neighbours mend tools in shared repair?", ["no_copied_wording"]),
        (15, "Does Okafor say neighbours mend tools of shared repair?", []),
        (16, "Is rest a kind of work for Okafor?", ["no_repeat"]),
    ],
)
def test_rules_each_alone(rule: int, draft: str, expected: list[str]) -> None:
    """Protects each rule by a draft that breaks no other."""
    assert failed(draft) == expected, f"rule {rule}"


def test_rule_3_word_limit_boundary() -> None:
    """Protects the bound of 40 words on both sides."""
    draft = "How would Okafor treat it {}?"
    assert failed(draft.format(" ".join(["so"] * 35))) == []
    assert failed(draft.format(" ".join(["so"] * 36))) == ["word_limit"]


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ('When we say "fair", would Okafor agree?', []),
        ("When we say “Fair,” would Okafor agree?", []),
        ("When we say 'fair', would Okafor agree?", ["quotes_loaded_word"]),
        ("When we say fair, would Okafor agree?", ["quotes_loaded_word"]),
        ('When we say "fair", would Okafor see shared repair?', ["word_or_concept"]),
    ],
)
def test_rules_5_and_7_with_a_loaded_word(draft: str, expected: list[str]) -> None:
    """Protects the group's word: marked as theirs, and never paired with the reading's term."""
    assert failed(draft, LOADED) == expected


@pytest.mark.parametrize(
    ("label", "name", "expected"),
    [
        ("Okafor", "Okafor", []),
        ("Ada Okafor", "Okafor", []),
        ("Ada B. Okafor", "Okafor", []),
        ("The Okafor Repair Papers", "Okafor", ["names_source"]),
        ("The Okafor Repair Papers", "the Papers", ["names_source"]),
        ("Ada Nkem B. Okafor", "Okafor", ["names_source"]),
        ("The Okafor Repair Papers", "the okafor repair papers", []),
        ("Okafor et al.", "Okafor", []),
        ("Okafor and Lee", "Lee", []),
        ("Okafor, Ada", "Okafor", []),
        ("Ada Okafor Jr.", "Okafor", []),
        ("Ana Núñez-Díaz", "Nunez‐Diaz", []),
    ],
)
def test_rule_4_full_label_or_surname(label: str, name: str, expected: list[str]) -> None:
    """Protects which forms name a source: the surname counts for a label of two or three tokens only."""
    assert failed(f"How does {name} treat it?", ShapeContext(label)) == expected


def test_rule_14_slots_are_stripped_first() -> None:
    """Protects a source, concept or loaded word that holds a finding verb from being read as one."""
    assert failed("How does Found treat it?", ShapeContext("Found")) == []
    assert failed("How does Okafor treat lost and found?", ShapeContext("Okafor", "lost and found")) == []
    assert failed('When we say "dropped", would Okafor agree?', ShapeContext("Okafor", None, "dropped")) == []


@pytest.mark.parametrize(
    ("posts", "expected"),
    [
        (("Does slow repair tire?",), []),
        (("Does slow repair tire today?",), ["no_repeat"]),
        (("Does slow tea tire today?", "Was repair weighed?"), []),
        (("Okafor, Okafor, Okafor?",), []),
    ],
)
def test_rule_16_overlap_above_one_half(posts: tuple[str, ...], expected: list[str]) -> None:
    """Protects the bound: two of four content words are allowed, three are not, and posts are not added up."""
    assert failed("How does Okafor weigh slow repair today?", ShapeContext("Okafor", recent_posts=posts)) == expected


def test_rule_17_reasons_hold_no_passage_text() -> None:
    """Protects what is handed back to the writer: a fixed sentence, whatever was rejected."""
    reasons = {check.reason for check in family_checks("socratic.shape")}
    for draft in ("neighbours mend tools in pairs", "in the yards, neighbours mend; 3?", ""):
        assert {failure.reason for failure in check_shape(draft, LOADED)} <= reasons
    assert all(";" not in reason and not set(reason.split()) & {"neighbours", "yards"} for reason in reasons)


def test_rule_18_kept_checks() -> None:
    """Protects the keep-list of the page."""
    expected = ["single_question", "word_or_concept", "no_gendered_pronouns", "no_credit_to_source"]
    assert expected == [check.check_id.rpartition(".")[2] for check in family_checks("socratic.shape") if check.kept]
