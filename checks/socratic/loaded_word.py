"""The loaded word, a word that the group keeps repeating: the three rules by which it is silently dropped."""

from collections.abc import Sequence

from checks.socratic.quotes import QUESTION_MARKS, holds_quote_mark
from checks.socratic.words import count_words, find_phrase, words

MAX_WORDS = 3
RECENT_LINES = 15
MIN_USES = 2


def why_dropped(loaded_word: str, chat_lines: Sequence[str]) -> str | None:
    """Why `loaded_word` is dropped, or None: too long, holds a mark, or too rarely used in the newest human lines.

    `chat_lines` are the human lines, oldest first; only the last 15 count, and every use in a line counts.
    Source: the Socratic probe page, slot validation.
    """
    if count_words(loaded_word) > MAX_WORDS:
        return f"over {MAX_WORDS} words"
    if holds_quote_mark(loaded_word) or any(mark in loaded_word for mark in QUESTION_MARKS):
        return "contains a quote or question mark"
    phrase = words(loaded_word)
    if sum(len(find_phrase(words(line), phrase)) for line in chat_lines[-RECENT_LINES:]) < MIN_USES:
        return f"used fewer than twice in the last {RECENT_LINES} human chat lines"
    return None
