"""The writer of drafts: what it is shown, and one that reads its drafts from a list.

The brief has no field for the passage: a writer cannot leak a finding that it was never shown.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from checks.socratic.contexts import ShapeContext

WITHHELD = "(none)"
CHAT_LINES = 8
POSTS = 5


@dataclass(frozen=True, slots=True)
class Rejection:
    """A draft that was rejected, and the generic reasons for it."""

    draft: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WriterBrief:
    """All that the writer is shown: the slots, the last 8 human lines, the last 5 posts, what was rejected so far.

    With a loaded word the concept is withheld, shown as `(none)`: paired with the group's word, a term of the reading
    invited presuppositions about it.
    """

    source_name: str
    concept: str
    loaded_word: str | None
    chat_lines: tuple[str, ...]
    recent_posts: tuple[str, ...]
    rejected: tuple[Rejection, ...] = ()


class Writer(Protocol):
    """Drafts one question. May raise anything: a failed call counts as an attempt."""

    def __call__(self, brief: WriterBrief) -> str: ...


def brief_for(context: ShapeContext, rejected: Iterable[Rejection] = ()) -> WriterBrief:
    """What the writer is shown of `context`; never the passage, and no participant by name."""
    return WriterBrief(
        source_name=context.source_label,
        concept=WITHHELD if context.loaded_word else (context.concept or WITHHELD),
        loaded_word=context.loaded_word,
        chat_lines=context.chat_lines[-CHAT_LINES:],
        recent_posts=context.recent_posts[-POSTS:],
        rejected=tuple(rejected),
    )


class ScriptedWriter:
    """Gives the drafts of a list one after another; an exception in the list is raised. Keeps the briefs it was shown.

    Raises LookupError when it is asked for more drafts than it has.
    """

    def __init__(self, drafts: Iterable[str | Exception]) -> None:
        self._drafts = iter(drafts)
        self.briefs: list[WriterBrief] = []

    def __call__(self, brief: WriterBrief) -> str:
        self.briefs.append(brief)
        draft = next(self._drafts, None)
        if draft is None:
            raise LookupError(f"the script of this writer holds no draft for call {len(self.briefs)}; add one")
        if isinstance(draft, Exception):
            raise draft
        return draft
