"""Log text made harmless for where it is shown: it is hostile until proven otherwise, and never proven."""

import re

from queries.wording import visible


def one_line(text: object, limit: int = 0) -> str:
    """`text` on one line for a terminal: what would move the cursor, colour, reverse or hide becomes visible.

    Longer than `limit` characters (0: no limit) is cut, and says how much is missing.
    """
    shown = visible(str(text))
    if not limit or len(shown) <= limit:
        return shown
    return f"{shown[:limit].rstrip()}... ({len(shown) - limit} more characters)"


def markdown(text: object, limit: int = 0) -> str:
    """`text` for a line or table cell of Markdown, shown as it is: no mark-up, no HTML, no link, no cell border in it."""
    special = r"[&<>`|\\*\[\]#~$@]|(?<![a-z0-9])_|_(?![a-z0-9])|:(?=//)|(?<=www)\."
    return re.sub(special, lambda found: f"&#{ord(found[0])};", one_line(text, limit), flags=re.IGNORECASE)


def code(text: object, limit: int = 0) -> str:
    """`text` as code in Markdown. A span of backticks would do, but no escape of a pipe in one holds in a table."""
    return f"<code>{markdown(text, limit)}</code>"
