"""Changing one table of a TOML text and no other byte of it.

A TOML library that edits a whole document moves comments from one table to its neighbour. So the text is cut at its
headers, one block is edited by the library, and everything around it is put back as it stood.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tomlkit

Path = tuple[str, ...]
"""A table by its keys: ("decisions", "socratic.shape.no_digits")."""
Values = Mapping[str, object]
Same = Callable[[str, object, object], bool]


class NotATableError(ValueError):
    """The text holds these keys, but not as a table with a header of its own."""


def put_table(text: str, path: Path, values: Values, same: Same) -> str:
    """`text` with the table at `path` holding `values`; None takes a key out, keys that are not named stay.

    A value that is `same(key, old, new)` as before keeps its spelling. A new table goes after the last one that
    shares the first key of `path`, else to the end. Raises NotATableError.
    """
    found = _block(text, path)
    if found:
        start, end = found
        return text[:start] + _like(text, _edited(text[start:end], path, values, same)) + text[end:]
    if _holds(text, path):
        raise NotATableError
    _, end = _last_block(text, path[0]) or (0, len(text))
    before, after = text[:end], text[end:]
    gap = "" if not before else "\n" if before.endswith("\n") else "\n\n"
    rest = "\n" if after and after[0] not in "\r\n" else ""
    return before + _like(text, gap + _edited(_header(path), path, values, same) + rest) + after


def drop_table(text: str, path: Path) -> str:
    """`text` without the table at `path`, and without the blank lines that followed it. Raises NotATableError."""
    found = _block(text, path)
    if not found:
        raise NotATableError
    start, end = found
    return text[:start] + re.sub(r"\A(?:[ \t]*\r?\n)+", "", text[end:])


def _header(path: Path) -> str:
    return "[" + ".".join(tomlkit.key(part).as_string() for part in path) + "]\n"


def _edited(block: str, path: Path, values: Values, same: Same) -> str:
    document = tomlkit.parse(block if block.endswith("\n") else block + "\n")
    table: Any = document
    for part in path:
        table = table[part]
    for name, value in values.items():
        if value is None:
            if name in table:
                table.remove(name)
        elif name not in table or not same(name, table[name].unwrap(), value):
            table[name] = value
    return document.as_string()


def _like(text: str, block: str) -> str:
    """`block` with the line ends of `text`."""
    first = text.find("\n")
    return re.sub(r"\r?\n", "\r\n", block) if first > 0 and text[first - 1] == "\r" else block


def _headers(text: str) -> Iterator[tuple[int, Path]]:
    """Where lines stand that look like headers, and the keys that they name."""
    for match in re.finditer(r"^[ \t]*\[.*$", text, re.MULTILINE):
        try:
            tables: Any = tomllib.loads(match[0].strip())
        except ValueError:
            continue
        keys: list[str] = []
        while isinstance(tables, dict) and len(tables) == 1:
            keys += tables
            tables = tables[keys[-1]]
        yield match.start(), tuple(keys)


def _is_header(text: str, at: int) -> bool:
    """A line within a multi-line string or array can look like a header; the text before it is then no TOML."""
    try:
        tomllib.loads(text[:at])
    except ValueError:
        return False
    return True


def _block(text: str, path: Path) -> tuple[int, int] | None:
    for start, keys in _headers(text):
        if keys == path and _is_header(text, start):
            return start, _end(text, start)
    return None


def _last_block(text: str, first: str) -> tuple[int, int] | None:
    for start, keys in reversed(list(_headers(text))):
        if keys[:1] == (first,) and _is_header(text, start):
            return start, _end(text, start)
    return None


def _end(text: str, start: int) -> int:
    """Where the block that starts at `start` ends: behind its last value, before what leads on to the next header."""
    following = (at for at, _ in _headers(text) if at > start and _is_header(text, at))
    end = next(following, len(text))
    whole = tomllib.loads(text[start:end])
    # Only at line feeds: str.splitlines() would also cut a string at U+2028.
    lines = re.findall(r"[^\n]*\n|[^\n]+$", text[start:end])
    while len(lines) > 1 and re.fullmatch(r"[ \t]*(#.*)?", lines[-1].rstrip("\r\n")):
        try:
            if tomllib.loads("".join(lines[:-1])) != whole:
                break
        except ValueError:
            break
        lines.pop()
    return start + len("".join(lines))


def _holds(text: str, path: Path) -> bool:
    tables: Any = tomllib.loads(text)
    for part in path:
        if not isinstance(tables, dict) or part not in tables:
            return False
        tables = tables[part]
    return True
