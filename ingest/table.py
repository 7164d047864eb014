"""A CSV file (RFC 4180) whose header names the keys of a known record -> its rows as records.

The file is never held whole: a row is given as soon as its last byte is read, with the line and the byte where it
starts; a quoted cell may hold commas, doubled quotes and line feeds. An unquoted cell that is empty or NA is null.
"""

import re
from collections.abc import Iterator

from ingest.decode import text_of
from ingest.parse import Element
from ingest.source import sources

LARGEST = 16 * 1024 * 1024
BOM = b"\xef\xbb\xbf"
# Possessive, so that a quote that never closes costs one pass.
_CELL = rb'(?:"(?:[^"]|"")*+"[ \t]*+|[^",\r\n][^,\r\n]*+|)'
_ROW = re.compile(rb"(?:%s)(?:,%s)*+\r?(?:\n|\Z)" % (_CELL, _CELL))
_CELLS = re.compile(rb"(%s)(?:,|\r?\n|\r?\Z)" % _CELL)


def is_table(head: bytes) -> bool:
    """Whether `head`, the start of a file, is a header that some source knows as the keys of its records."""
    found = _ROW.match(head.removeprefix(BOM))
    if found is None or b"," not in found.group():
        return False
    header = dict.fromkeys(_cells(found.group()))
    return any(source.by_keys({str(name): None for name in header}) for source in sources() if source.by_keys)


class Table:
    """Takes chunks of a CSV file, gives its rows."""

    def __init__(self) -> None:
        self._buffer = b""
        self._base = 0  # offset of the buffer in the file
        self._line = 0  # line feeds before the row that comes next
        self._header: list[str] = []

    def feed(self, data: bytes, *, last: bool = False) -> Iterator[Element]:
        """The rows that end within `data`; with `last`, also what is left over at the end."""
        if not self._base and not self._buffer and data.startswith(BOM):
            self._base, data = len(BOM), data[len(BOM) :]
        self._buffer += data
        position = 0
        while position < len(self._buffer):
            found = _ROW.match(self._buffer, position)
            end = found.end() if found else 0
            if not found and (last or len(self._buffer) - position > LARGEST):
                # A quote that is not doubled or never closes: the row is lost, the next line may be one again.
                end = self._buffer.find(b"\n", position) + 1 or len(self._buffer)
            if not end or (end == len(self._buffer) and not last and self._buffer[end - 1 :] != b"\n"):
                break
            yield from self._row(self._buffer[position:end], self._base + position, broken=not found)
            self._line += self._buffer.count(b"\n", position, end)
            position = end
        self._buffer, self._base = self._buffer[position:], self._base + position

    def _row(self, raw: bytes, offset: int, *, broken: bool) -> Iterator[Element]:
        cells = [] if broken else _cells(raw)
        if not self._header:
            self._header = [str(name).strip() for name in cells]
        elif broken:
            why = "a quoted cell of this CSV row does not end, or a quote in it is not doubled"
            yield Element(raw, offset, self._line, {}, why)
        elif len(cells) == len(self._header):
            yield Element(raw, offset, self._line, value={"@csv": dict(zip(self._header, cells, strict=True))})
        elif raw.strip():
            why = f"this CSV row has {len(cells)} cells, and its header {len(self._header)}"
            yield Element(raw, offset, self._line, {}, why)


def _cells(row: bytes) -> list[str | None]:
    cells: list[str | None] = []
    row = row.rstrip(b"\r\n")
    for found in _CELLS.finditer(row):
        cell = found[1]
        if cell.startswith(b'"'):
            cells.append(text_of(cell.rstrip()[1:-1]).replace('""', '"'))
        else:
            cells.append(None if cell in (b"", b"NA") else text_of(cell))
        if found.end() == len(row) and not found.group().endswith(b","):
            break
    return cells
