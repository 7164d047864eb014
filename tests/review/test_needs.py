"""What each shape check declares that it reads beside the draft: without that, a logged draft is not judged again."""

import dataclasses
from typing import Any

import pytest

from checks.registry import catalog, family_checks
from checks.socratic import ShapeContext
from review.rejudge import NAMES, needs

SHAPE = "socratic.shape."
CLEAN = "How would Okafor see slow repair?"
DIGITS = "How would Okafor see 3 repairs?"
TWICE = "How would Okafor see repair? Would you?"


class Watched(ShapeContext):
    """A context that notes which of its fields are read."""

    def __getattribute__(self, name: str) -> Any:
        if name in NAMES:
            object.__getattribute__(self, "__dict__").setdefault("_read", set()).add(name)
        return super().__getattribute__(name)


FULL: dict[str, Any] = {
    "source_label": "Okafor",
    "concept": "slow repair",
    "loaded_word": "fair",
    "participants": ("Curious Otter",),
    "passage": "In Okafor's town neighbours mend tools in pairs and say little of it.",
    "recent_posts": ("How does Okafor treat slow repair?",),
}


@pytest.mark.parametrize("check", family_checks("socratic.shape"), ids=lambda check: check.check_id)
def test_a_check_reads_what_it_says_that_it_needs(check: Any) -> None:
    """Protects the replay: a check that reads a field without declaring it would be run on a guess; one that declares too much would be left out."""
    texts = [CLEAN, DIGITS, TWICE, "", *(example[0] for example in (*check.fires_on, *check.silent_on))]
    read: set[str] = set()
    for number, text in enumerate(texts):
        # A passage of its own for each text: what a cache holds is not read again.
        context = Watched(**FULL | {"passage": f"{FULL['passage']} {check.check_id} {number}"})
        context.__dict__["_read"] = set()
        check.function(text, context)
        read |= context.__dict__["_read"] & set(NAMES)
    assert set(check.needs) <= read
    assert set() == {name for name in set(NAMES) - set(check.needs) if _matters(check, texts, name)}


OTHERS: dict[str, Any] = {
    "source_label": "repairs",
    "concept": "see",
    "loaded_word": "repair",
    "participants": ("Okafor",),
    "passage": " ".join((CLEAN, DIGITS, TWICE)),
    "recent_posts": (CLEAN, DIGITS, TWICE),
}


def _matters(check: Any, texts: list[str], name: str) -> bool:
    """Whether another value of a field that is not declared changes what the check says of any text."""
    one = ShapeContext(**FULL)
    other = dataclasses.replace(one, **{name: OTHERS[name]})
    return any(bool(check.function(text, one)) != bool(check.function(text, other)) for text in texts)


def test_needs_are_fields_of_the_context() -> None:
    """Protects the words for what is lacking: every declared field is one of the context, and has a name in words."""
    declared = {name for check in catalog() for name in check.needs}
    assert declared <= set(NAMES) <= {field.name for field in dataclasses.fields(ShapeContext)}
    assert {"single_question", "word_limit", "no_digits"} == {
        check.check_id.removeprefix(SHAPE) for check in family_checks("socratic.shape") if not needs(check)
    }
