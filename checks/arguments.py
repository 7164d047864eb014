"""Arguments of the public functions and contexts: a text is a text, and one value may stand where several are kept.

A string is a sequence of its letters too, so that `participants="Maria"` would name five people without a word.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")


def text(value: object, name: str) -> str:
    """`value`, where it is a string; raises TypeError, naming the argument `name`, where it is not."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: {_shown(value)} is not a text; give a string, '' where there is none")
    return value


def several(value: object, name: str, kind: type[T]) -> tuple[T, ...]:
    """`value`, one `kind` or an iterable of them, as a tuple; one is its only member.

    Raises TypeError, naming the argument `name`, where it is neither.
    """
    if isinstance(value, kind):
        return (value,)
    what = "texts" if kind is str else f"values of {kind.__name__}"
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise TypeError(f"{name}: {_shown(value)} is no list of {what}; give a list, () where there are none")
    members = tuple(value)
    for member in members:
        if not isinstance(member, kind):
            raise TypeError(f"{name}: {_shown(member)} is in a list of {what}; leave it out or give it as one of them")
    return members


def _shown(value: object) -> str:
    """The kind of `value` and how it begins, since a text may be long."""
    return "None" if value is None else f"{repr(value)[:60]} ({type(value).__name__})"
