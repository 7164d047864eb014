"""What the Socratic checks judge a slot set or a draft against, and what they answer."""

from dataclasses import dataclass
from functools import cached_property

from checks.arguments import several
from checks.socratic.source_label import name_forms
from checks.socratic.words import Words, words


@dataclass(frozen=True)
class ShapeContext:
    """What a draft is judged against.

    `source_label` is the trimmed name of the source; `concept` and `loaded_word` are the validated slots;
    `participants` are pseudonyms; `passage` is the retrieved text; `recent_posts` are the agent's own, oldest first.
    `chat_lines` are the lines of the people in the chat, oldest first: the writer is shown some, no check reads them.
    One string where several are kept is one of them; what is neither raises TypeError.
    """

    source_label: str
    concept: str | None = None
    loaded_word: str | None = None
    participants: tuple[str, ...] = ()
    passage: str = ""
    recent_posts: tuple[str, ...] = ()
    chat_lines: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # A list is as good as a tuple to a caller, but a context is also the key under which its drafts are masked.
        for name in ("participants", "recent_posts", "chat_lines"):
            object.__setattr__(self, name, several(getattr(self, name), name, str))

    @cached_property
    def source_names(self) -> tuple[Words, ...]:
        """The forms in which a draft may name the source, the longest first."""
        return name_forms(self.source_label)

    @cached_property
    def slot_terms(self) -> tuple[Words, ...]:
        """The words that the slots themselves put into a draft: source, concept, loaded word."""
        terms = (*self.source_names, words(self.concept or ""), words(self.loaded_word or ""))
        return tuple(term for term in terms if term)


@dataclass(frozen=True, slots=True)
class Slots:
    """What the decision call filled in: the source, the reading's term, and the group's word if there is one."""

    source_label: str
    concept: str
    loaded_word: str | None = None


@dataclass(frozen=True, slots=True)
class Resource:
    """A reading of the conversation; only one with a file can be searched for passages."""

    title: str
    authors: tuple[str, ...] = ()
    citation: str = ""
    file_name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "authors", several(self.authors, "authors", str))


@dataclass(frozen=True, slots=True)
class SlotContext:
    """What slots are judged against: the retrieved passage, the resources, the human chat lines, oldest first."""

    passage: str
    resources: tuple[Resource, ...] = ()
    chat_lines: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "resources", several(self.resources, "resources", Resource))
        object.__setattr__(self, "chat_lines", several(self.chat_lines, "chat_lines", str))


@dataclass(frozen=True, slots=True)
class Failure:
    """A check that objected, with the generic reason that may be handed to the writer."""

    check_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class SlotResult:
    """The trimmed slots, or the first failure; and why the loaded word was dropped, if it was."""

    slots: Slots | None
    failure: Failure | None
    dropped_loaded_word: str | None = None


@dataclass(frozen=True, slots=True)
class StageResult:
    """How a run ended: `posted-writer`, `posted-template` or `silent`, the message, and the writer calls used."""

    outcome: str
    message: str | None
    attempts: int
