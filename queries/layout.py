"""Lays the report out as plain text or Markdown. Both show control and format characters of log text as codes."""

import shutil
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from queries.wording import visible

NARROWEST = 60


@dataclass(frozen=True, slots=True)
class Section:
    """A title, some sentences, and perhaps a table."""

    title: str
    sentences: Sequence[str]
    titles: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = field(default_factory=list)


def as_table(sections: Sequence[Section], width: int | None = None) -> str:
    """Plain text without colour, wrapped at `width` columns (those of the terminal; 140 when piped)."""
    columns = max(NARROWEST, width or shutil.get_terminal_size((140, 24)).columns)
    return "\n\n".join("\n".join(_section(section, columns)) for section in sections)


def _section(section: Section, width: int) -> list[str]:
    lines = [section.title, "=" * len(section.title)]
    for sentence in section.sentences:
        lines += textwrap.wrap(visible(sentence), width, subsequent_indent="  ") or [""]
    return lines + _grid([section.titles, *section.rows], width) if section.rows else lines


def _grid(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Columns side by side; the last one takes what is left and is wrapped, under the row where too little is left."""
    cells = [[visible(cell) for cell in row] for row in rows]
    widths = [max(wide(row[column]) for row in cells) for column in range(len(cells[0]))]
    left = width - sum(widths[:-1]) - 2 * (len(widths) - 1)
    if left < 20:
        return _stacked(cells, width)
    lines = []
    for number, row in enumerate(cells):
        start = "".join(_pad(cell, size) + "  " for cell, size in zip(row[:-1], widths[:-1], strict=True))
        wrapped = textwrap.wrap(row[-1], left) or [""]
        lines.append((start + wrapped[0]).rstrip())
        lines += [" " * wide(start) + more for more in wrapped[1:]]
        if number == 0:
            lines.append("  ".join("-" * size for size in [*widths[:-1], min(widths[-1], left)]))
    return lines


def _stacked(cells: Sequence[Sequence[str]], width: int) -> list[str]:
    lines = []
    for row in cells[1:]:
        lines.append(row[0])
        facts = "; ".join(f"{title} {cell}" for title, cell in zip(cells[0][1:], row[1:], strict=True) if cell)
        lines += textwrap.wrap(facts, width, initial_indent="  ", subsequent_indent="  ")
    return lines


def _pad(cell: str, size: int) -> str:
    return cell + " " * (size - wide(cell))


def wide(text: str) -> int:
    """Columns that a text takes in a terminal: two for a wide character, none for a combining one."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def as_markdown(sections: Sequence[Section]) -> str:
    """Markdown with a heading, a list and a table per section; log text cannot become markup in it."""
    return "\n\n".join("\n".join(_markdown(section)) for section in sections)


def _markdown(section: Section) -> list[str]:
    lines = [f"## {_literal(section.title)}", "", *(f"- {_literal(sentence)}" for sentence in section.sentences)]
    if section.rows:
        lines += [""] if section.sentences else []
        lines += [
            _line(section.titles),
            _line(["---"] * len(section.titles)),
            *(_line([_literal(c) for c in row]) for row in section.rows),
        ]
    return lines


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _literal(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#&!" else char for char in visible(text))
