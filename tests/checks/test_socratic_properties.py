"""Properties of the Socratic checks that hold for any text of any script."""

import itertools
import json
import logging
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from checks.registry import family_checks
from checks.socratic import Resource, ShapeContext, SlotContext, Slots, check_shape, run_stage, validate_slots
from checks.socratic.quotes import outside_quotes, quotations
from checks.socratic.source_label import trim_label
from checks.socratic.words import count_words, scan, words
from checks.socratic.writer import ScriptedWriter

PIECES = st.sampled_from(
    ["Okafor", "Okafor’s", "would", "does", "fair", '"fair"', "“", "”", "'", "and", "given that", "he", "?", "？", ";", ",", ".",
     " — ", "3", "½", "没有", "健康", "الراحة", "ไทย", "\u200b", "\ue000", "\ud83d", "\n", "é", "when", "what", "shared repair"]
)  # fmt: skip
ANY = st.one_of(st.text(), st.lists(PIECES).map(" ".join), st.lists(PIECES).map("".join))
CONTEXTS = st.builds(
    ShapeContext,
    source_label=ANY,
    concept=st.none() | ANY,
    loaded_word=st.none() | ANY,
    participants=st.lists(ANY, max_size=3).map(tuple),
    passage=ANY,
    recent_posts=st.lists(ANY, max_size=3).map(tuple),
)
ORDER = [check.check_id for check in family_checks("socratic.shape")]


def objects(name: str, draft: str, context: ShapeContext) -> bool:
    """Whether the named shape check is among the failures."""
    return f"socratic.shape.{name}" in {failure.check_id for failure in check_shape(draft, context)}


@given(ANY, CONTEXTS)
def test_any_draft_is_judged_in_order_and_the_same_each_time(draft: str, context: ShapeContext) -> None:
    """Protects the stage from a draft that makes a check raise, and replay from one that answers differently."""
    found = [failure.check_id for failure in check_shape(draft, context)]
    assert found == [check_id for check_id in ORDER if check_id in set(found)]
    assert found == [failure.check_id for failure in check_shape(draft, context)]


@given(st.builds(Slots, ANY, ANY, st.none() | ANY), ANY, st.lists(ANY, max_size=3), ANY)
def test_any_slots_are_judged(slots: Slots, passage: str, lines: list[str], title: str) -> None:
    """Protects the agent from slots that make a rule raise; the result is slots or a failure, never both."""
    result = validate_slots(slots, SlotContext(passage, (Resource(title, (title,)),), tuple(lines)))
    assert (result.slots is None) == (result.failure is not None)
    if result.slots:
        assert result.dropped_loaded_word is None or result.slots.loaded_word is None
        assert trim_label(result.slots.source_label) == result.slots.source_label


@given(st.integers(0, 120))
def test_word_limit_is_exactly_forty(count: int) -> None:
    """Protects the bound wherever a draft falls."""
    assert objects("word_limit", " ".join(["so"] * count) + "?", ShapeContext("Okafor")) == (count > 40)


@given(st.text(alphabet="ab ,.“”\"'?？؟"))
def test_single_question_counts_marks(draft: str) -> None:
    """Protects the first rule for every arrangement of marks."""
    marks = sum(draft.count(mark) for mark in "?？؟")
    ends = draft.rstrip()[-1:] in ("?", "？", "؟") and bool(draft.rstrip())
    assert objects("single_question", draft, ShapeContext("Okafor")) == (not (marks == 1 and ends))


@given(ANY)
def test_digits_are_those_of_unicode(draft: str) -> None:
    """Protects against a digit of a script that nobody thought of."""
    expected = any(unicodedata.category(char) in ("Nd", "Nl", "No") for char in draft)
    assert objects("no_digits", draft, ShapeContext("Okafor")) == expected


@given(st.lists(st.sampled_from(["found", "fell", "led to", "rest", "Okafor"]), min_size=1, max_size=6).map(" ".join))
def test_a_slot_term_never_counts_against_the_draft(term: str) -> None:
    """Protects validated slots: what they bring into a draft is taken out before the wording is judged."""
    context = ShapeContext("Lee", term, passage=f"{term} {term}")
    assert not objects("no_finding_verbs", f"How does Lee treat {term}?", context)
    assert not objects("no_copied_wording", f"How does Lee treat {term}?", context)


@given(ANY)
def test_case_and_apostrophes_do_not_matter(text: str) -> None:
    """Protects every comparison: the folded words of a text are its words."""
    assert words(text) == words(" ".join(words(text)))
    assert words(text.replace("’", "'")) == words(text)
    assert all(token and not token.isspace() for token in scan(text))
    assert count_words(text) <= len(words(text))


@given(ANY)
def test_quotations_and_the_rest_make_up_the_text(text: str) -> None:
    """Protects the pronoun rule: nothing is lost between what is quoted and what is not."""
    found = quotations(text)
    assert len(text) == len(outside_quotes(text, "")) + sum(quotation.end - quotation.start for quotation in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))


@given(st.lists(ANY | st.just(TimeoutError("x")), max_size=4), CONTEXTS)
def test_the_log_of_any_run_adds_up(drafts: list[str | Exception], context: ShapeContext) -> None:
    """Protects the counts: rejected and failed calls and the accepted draft are the attempts of the summary."""
    log, lines = logging.Logger("run"), []  # type: ignore[var-annotated]
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    log.addHandler(handler)
    slots = Slots(context.source_label, context.concept or "rest", context.loaded_word)
    result = run_stage(ScriptedWriter(drafts), slots, context, log)
    judged = sum("draft rejected" in line[:40] or "writer call failed" in line[:40] for line in lines)
    assert json.loads(lines[-1].removeprefix("[SocraticStage] summary ")) == {
        "outcome": result.outcome,
        "attempts": result.attempts,
    }
    assert result.attempts == judged + (result.outcome == "posted-writer")
    assert (result.message is None) == (result.outcome == "silent")
    assert all("\n" not in line for line in lines if "template" not in line)
