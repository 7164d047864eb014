"""Paths as they were given -> the files to read, oldest of a rotation first."""

import glob
import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ingest.errors import IngestError

STDIN = "-"
_COMPRESSED = re.compile(r"\.(?:gz|gzip|bz2|xz|zst|zstd)$", re.IGNORECASE)
_NUMBER = re.compile(r"\.(\d{1,4})$")
_DATE = re.compile(r"[-._]?(\d{4})[-_.]?(\d\d)[-_.]?(\d\d)(?:[-_.T]?\d{2,6})?(?=\.|$)")


@dataclass(slots=True)
class Found:
    """The files to read, and those that will not be, with the reason. `named` are the files that a person named, not those that lay in a folder;
    `passed` is what lies in a folder and is no log: links to elsewhere, pipes and devices."""

    files: list[str] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    unread: list[tuple[str, str]] = field(default_factory=list)
    passed: list[tuple[str, str]] = field(default_factory=list)
    empty_folders: list[str] = field(default_factory=list)


def discover(paths: Sequence[str]) -> Found:
    """The files behind `paths`: files, folders (all below them), patterns and `-`.

    Symbolic links below a folder are followed only while they stay in it; pipes and devices there are not opened.
    Raises IngestError for a path that is not there and a pattern that matches nothing.
    """
    found = Found()
    seen: set[str] = set()
    for path in paths:
        before = len(found.files), len(found.unread), len(found.passed)
        for name in _expand(path):
            if name == STDIN:
                _add(name, name, found, seen)
            elif os.path.isdir(name):
                _folder(name, found, seen)
            else:
                found.named.add(name)
                _add(name, os.path.realpath(name), found, seen)
        if (len(found.files), len(found.unread), len(found.passed)) == before and os.path.isdir(path):
            found.empty_folders.append(path)
    found.files.sort(key=order)
    return found


def shown(path: str) -> str:
    """`path` as text that can be stored and printed: bytes of a file name that are no UTF-8 become codes such as \\xe9."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def stream_of(file: str) -> str:
    """The stream that a file is a part of: its path without rotation number, date and compression suffix."""
    folder, name = os.path.split(file)
    name = _COMPRESSED.sub("", name)
    bare = _NUMBER.sub("", name)
    bare = _DATE.sub("", bare) or bare
    return os.path.join(folder, _COMPRESSED.sub("", bare).strip("-_") or name)


def order(file: str) -> tuple[str, str, int, str]:
    """A key that puts the files of one stream together, the oldest first."""
    name = _COMPRESSED.sub("", os.path.basename(file))
    number = _NUMBER.search(name)
    date = _DATE.search(name)
    return stream_of(file), "".join(date.groups()) if date else "99999999", -int(number[1]) if number else 0, file


def _expand(path: str) -> list[str]:
    if path == STDIN:
        return [path]
    try:
        if os.path.lexists(path):
            return [path]
        matches = sorted(glob.glob(path, recursive=True)) if glob.has_magic(path) else []
    except ValueError:  # an embedded NUL
        matches = []
    if matches:
        return matches
    if glob.has_magic(path):
        raise IngestError(
            f"{path}: no file matches this pattern; check the folder, and quote the pattern for the shell"
        )
    raise IngestError(
        f"{path or repr(path)}: there is no such file or folder; give files, folders, patterns, or - for standard input"
    )


def _folder(folder: str, found: Found, seen: set[str]) -> None:
    root = os.path.realpath(folder)

    def unlistable(error: OSError) -> None:
        found.unread.append((str(error.filename), _reason(error)))

    for place, folders, names in os.walk(folder, onerror=unlistable):
        folders.sort()
        for name in sorted(folders):
            if os.path.islink(os.path.join(place, name)):
                found.passed.append((os.path.join(place, name), "a symbolic link to a folder is not followed"))
        for name in sorted(names):
            path = os.path.join(place, name)
            real = os.path.realpath(path)
            if os.path.islink(path) and not Path(real).is_relative_to(root):
                found.passed.append((path, "a symbolic link that leaves the folder is not followed"))
                continue
            try:
                regular = stat.S_ISREG(os.stat(path).st_mode)
            except OSError as error:
                found.unread.append((path, _reason(error)))
                continue
            if regular:
                _add(path, real, found, seen)
            else:
                found.passed.append((path, "it is a pipe, a socket or a device, and those are not opened"))


def _add(path: str, real: str, found: Found, seen: set[str]) -> None:
    if real not in seen:
        seen.add(real)
        found.files.append(path)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
