"""Judging a slot set (the first failure counts) and a draft (every failure counts) by the checks that are registered."""

from dataclasses import replace

from checks.arguments import text
from checks.registry import family_checks
from checks.socratic.contexts import Failure, ShapeContext, SlotContext, SlotResult, Slots
from checks.socratic.loaded_word import why_dropped
from checks.socratic.source_label import trim_label


def check_shape(draft: str, context: ShapeContext) -> list[Failure]:
    """Every check of `socratic.shape` that objects to `draft`, in the catalog's order; empty when it may be posted.

    Raises TypeError where `draft` is no string.
    """
    text(draft, "draft")
    checks = family_checks("socratic.shape")
    return [Failure(c.check_id, c.reason) for c in checks if c.function is not None and c.function(draft, context)]


def validate_slots(slots: Slots, context: SlotContext) -> SlotResult:
    """The slots with the source label trimmed and an unfit loaded word dropped, or the first check that objects.

    An unfit loaded word is no failure: the slots go on without it, and `dropped_loaded_word` says why.
    """
    loaded_word = (slots.loaded_word or "").strip() or None
    dropped = why_dropped(loaded_word, context.chat_lines) if loaded_word else None
    trimmed = replace(
        slots,
        source_label=trim_label(slots.source_label or ""),
        concept=(slots.concept or "").strip(),
        loaded_word=None if dropped else loaded_word,
    )
    for c in family_checks("socratic.slots"):
        if c.function is not None and c.function(trimmed, context):
            return SlotResult(None, Failure(c.check_id, c.reason), dropped)
    return SlotResult(trimmed, None, dropped)
