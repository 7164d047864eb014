"""Reading an answer as a whole number on a scale, strictly: a wrong value is worse than none.

Normalise, set aside (both in `checks.probe.answer`), then the refusals in order, then the value. The order: first
whether there is a number at all; then what makes one number look like two (a fraction, another scale), so that the
count of numbers says only what it means; then the range; and last the words that qualify, which are thus only ever
asked about an answer that would otherwise be read.
"""

from collections.abc import Callable
from dataclasses import dataclass

from checks.arguments import text as a_text
from checks.probe.answer import Answer
from checks.probe.errors import ScaleError
from checks.probe.scale.fraction import fraction
from checks.probe.scale.no_number import no_number
from checks.probe.scale.other_scale import other_scale
from checks.probe.scale.outside_scale import outside_scale
from checks.probe.scale.qualified import qualified
from checks.probe.scale.several_numbers import several_numbers

REFUSALS: tuple[Callable[[Answer], bool], ...] = (
    no_number,
    fraction,
    other_scale,
    several_numbers,
    outside_scale,
    qualified,
)
"""The refusals in the order in which they are asked."""

MOST_DIGITS = 15
"""Longest end of a scale, in digits: past it, many readers of JSON no longer hold whole numbers exactly."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the whole number `value`, or else the id of the check that refused."""

    value: int | None
    refusal: str | None


def read_scale_answer(text: str, lo: int, hi: int) -> Reading:
    """Read `text`, an answer to a question that asks for a whole number from `lo` to `hi`.

    Either `value` is a number from `lo` to `hi`, or `refusal` is a check id such as `probe.scale.qualified`.
    Raises ScaleError where the ends are no scale, TypeError where `text` is no string. Source: the probe page, *Details*.
    """
    check_scale(lo, hi)
    answer = Answer(a_text(text, "text"), lo, hi)
    for refuses in REFUSALS:
        if refuses(answer):
            return Reading(None, f"probe.scale.{refuses.__name__}")
    (value,) = answer.values
    return Reading(value, None)


def check_scale(lo: int, hi: int) -> None:
    """Raise ScaleError unless `lo` and `hi` are whole numbers with `lo < hi`."""
    for end in (lo, hi):
        if not isinstance(end, int) or isinstance(end, bool):
            raise ScaleError(f"scale: {end!r} is not a whole number; give the two ends as integers, for example (1, 7)")
        if abs(end) >= 10**MOST_DIGITS:
            raise ScaleError(f"scale: an end has more than {MOST_DIGITS} digits; choose ends nearer to zero")
    if lo >= hi:
        raise ScaleError(f"scale: {lo} is not below {hi}; give the lower end first, for example (1, 7)")
