"""How numbers, times and log text are written for people, and for spreadsheets."""

import datetime as dt
import math
import re
import unicodedata

FORMULA = tuple("=+-@\t\r\n＝＋－＠")
JOINERS = "\u200c\u200d"
"""Format characters that are spelling: Persian words and family emoji fall apart without them."""
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def amount(number: float) -> str:
    """A count with thousands marked."""
    return f"{number:,}"


def plural(number: int, noun: str) -> str:
    """A count with its noun: 1 day, 2 days."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def percent(rate: float | None) -> str:
    """A rate between 0 and 1 with as many digits as it needs to be told from zero; "unknown" for None."""
    if rate is None:
        return "unknown"
    share = rate * 100
    if share in (0, 100):
        return f"{share:.0f} %"
    if share < 9.95:
        return f"{share:#.2g} %"
    return f"{share:.0f} %" if share <= 99 else f"{math.floor(share * 100) / 100:.2f} %"


def day(moment: dt.datetime | dt.date | None) -> str:
    """The date; "unknown" for None."""
    return "unknown" if moment is None else f"{moment:%Y-%m-%d}"


def timestamp(moment: dt.datetime | None) -> str:
    """ISO 8601 with Z, at millisecond or microsecond resolution only where there are any; empty for None."""
    if moment is None:
        return ""
    fraction = (
        ""
        if not moment.microsecond
        else f".{moment.microsecond:06d}"
        if moment.microsecond % 1000
        else f".{moment.microsecond // 1000:03d}"
    )
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"


def visible(text: str) -> str:
    """Log text for a terminal: control and format characters (escapes, bidirectional marks) as \\x1b and the like.

    They are shown rather than removed, so that a hostile text is seen for what it is. Text of any language stays.
    """
    return "".join(_escape(char) if _hides(char) else char for char in text)


def _hides(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and char not in JOINERS


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def harmless(text: str) -> str:
    """A cell that a spreadsheet does not run: one that starts with = + - @ (or their full-width forms), a tab, a line break or
    an apostrophe gets an apostrophe before it, unless it is a number. A reader takes one leading apostrophe away."""
    starts = text.startswith((*FORMULA, "'"))
    return f"'{text}" if starts and not NUMBER.fullmatch(text) else text


def as_logged(cell: str) -> str:
    """The text that `harmless` made this cell of."""
    return cell.removeprefix("'")
