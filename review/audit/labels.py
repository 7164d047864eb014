"""What auditors hand in: one label per item, from a sheet (CSV) or line by line (JSON Lines, as the form saves them)."""

import csv
import difflib
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from review.audit.errors import AuditError
from review.audit.inputs import excerpt, json_lines, read_text, unify
from review.audit.packet import Packet
from review.audit.rubric import CLEAN, FAULTS, FLAGS, LABELS
from review.filelock import locked, replace_text
from review.filelock import read_text as read_file

EVERY = "every auditor"
ANY = "any auditor"
COLUMNS = ("item", "label", "flags", "note", "auditor")


@dataclass(frozen=True, slots=True)
class Label:
    """One auditor's judgement of one item; `flags` in the rubric's order."""

    item: str
    label: str
    flags: tuple[str, ...]
    note: str
    auditor: str

    @property
    def clean(self) -> bool:
        return self.label == CLEAN

    @property
    def finds_fault(self) -> bool:
        """Whether the auditor has anything against the message: a leak, or a flag that is a fault in itself."""
        return not self.clean or any(flag in FAULTS for flag in self.flags)


Measure = Callable[[Label], bool]


def not_clean(label: Label) -> bool:
    return not label.clean


def labelled(name: str) -> Measure:
    """The measure that holds where the label is `name`."""
    return lambda label: label.label == name


def flagged(name: str) -> Measure:
    """The measure that holds where the flag `name` is set."""
    return lambda label: name in label.flags


Labels = dict[str, dict[str, Label]]
"""Auditor to item id to label, auditors in order of their names."""


def make_label(fields: Mapping[str, Any], place: str, packet: Packet) -> Label:
    """A label from the fields of a row or an object. Raises AuditError, naming `place`, where one cannot be used."""
    item = _field(fields, "item", place)
    auditor = _field(fields, "auditor", place)
    if item not in packet.messages:
        raise AuditError(f"{place}: item {excerpt(item)} is not in this packet; is it the sheet of another audit?")
    if not auditor:
        raise AuditError(f"{place}: the auditor is missing; write the same name or sign in every row")
    if auditor.casefold() in (EVERY, ANY):
        raise AuditError(f"{place}: {excerpt(auditor)} is what the result calls several auditors; take another name")
    label = _one_of(re.sub(r"[\s_-]+", "-", _field(fields, "label", place)).upper(), LABELS, "label", place)
    flags = {_one_of(flag, FLAGS, "flag", place) for flag in _flags(fields.get("flags"), place)}
    return Label(item, label, tuple(flag for flag in FLAGS if flag in flags), _field(fields, "note", place), auditor)


def read_labels(paths: Sequence[Path], packet: Packet) -> Labels:
    """All labels of these files, by auditor. A row without a label is one not yet done, and is left out.

    In a sheet an item stands once for an auditor. JSON Lines is a history, in which the newest line counts.
    Raises AuditError at the first row that cannot be used, and where two files hold the same auditor's same item.
    """
    labels: Labels = {}
    names: dict[str, str] = {}
    for path in paths:
        of_file: Labels = {}
        for place, fields in _rows(path):
            if not str(fields.get("label") or "").strip():
                continue
            label = make_label(fields, place, packet)
            # Ann and ann are one person: two of them would open the key alone.
            auditor = names.setdefault(label.auditor.casefold(), label.auditor)
            done = of_file.setdefault(auditor, {})
            if label.item in done and not _is_history(path):
                raise AuditError(f"{place}: {auditor} has labelled item {label.item} before; keep one of the two rows")
            done[label.item] = replace(label, auditor=auditor)
        for auditor, done in of_file.items():
            if twice := sorted(done.keys() & labels.get(auditor, {}).keys()):
                raise AuditError(
                    f"{path}: {auditor} has labelled item {twice[0]} in another file too; hand in one file per auditor"
                )
            labels.setdefault(auditor, {}).update(done)
    return dict(sorted(labels.items()))


def missing(labels: Labels, packet: Packet) -> dict[str, list[str]]:
    """Auditor to the items without a label, in the packet's order; an empty list is a complete auditor."""
    return {auditor: [item for item in packet.messages if item not in done] for auditor, done in labels.items()}


def save_label(path: Path, label: Label, packet: Packet) -> None:
    """Add one label to a file of JSON Lines, whole or not at all; people who save at once wait for each other.

    An earlier label of the same auditor and item stays in the file as history. Raises AuditError where the label
    cannot be used, and UserError where the file cannot be written.
    """
    checked = make_label(asdict(label) | {"flags": list(label.flags)}, str(path), packet)
    line = json.dumps(asdict(checked), ensure_ascii=False) + "\n"
    with locked(path):
        before = read_file(path)
        end = "\n" if before and not before.endswith("\n") else ""
        replace_text(path, before + end + line)


def _is_history(path: Path) -> bool:
    return path.suffix.lower() in (".jsonl", ".ndjson")


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The place (`file:line`) and the fields of each row."""
    if not _is_history(path):
        yield from _sheet_rows(path)
        return
    for number, value in json_lines(path):
        if not isinstance(value, dict):
            raise AuditError(f"{path}:{number}: {excerpt(str(value))} is no object; write the fields {_list(COLUMNS)}")
        yield f"{path}:{number}", value


def _sheet_rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    text = read_text(path)
    head = text.split("\n", 1)[0]
    # Spreadsheets of many countries save "CSV" with semicolons or tabs; the head, which is known, tells which.
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = [name.strip().casefold() for name in next(reader)]
        if lacking := [name for name in COLUMNS if name not in columns]:
            raise AuditError(f"{path}:1: column {_list(lacking)} is missing; the sheet needs {_list(COLUMNS)}")
        for cells in reader:
            place = f"{path}:{reader.line_num}"
            if len(cells) > len(columns):
                raise AuditError(
                    f"{place}: {len(cells)} cells under {len(columns)} columns; put quotation marks around a note "
                    f"that holds {delimiter!r}"
                )
            yield place, dict(zip(columns, cells, strict=False))
    except csv.Error as error:
        raise AuditError(
            f"{path}:{reader.line_num}: it cannot be read as CSV ({error}); save the sheet anew"
        ) from error


def _field(fields: Mapping[str, Any], name: str, place: str) -> str:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise AuditError(f"{place}: {name} is {excerpt(json.dumps(value))}, which is no text; write it as text")
    return unify(value or "")


def _flags(value: Any, place: str) -> list[str]:
    """The flags of a cell (names with spaces, commas or semicolons between them) or of a JSON list."""
    named = value if isinstance(value, list) else [value or ""]
    if not all(isinstance(flag, str) for flag in named):
        raise AuditError(f"{place}: flags is {excerpt(json.dumps(value))}; write the names of the flags that are true")
    return [flag for cell in named for flag in re.split(r"[\s,;|]+", cell.strip().casefold()) if flag]


def _one_of(value: str, allowed: Sequence[str], what: str, place: str) -> str:
    if value in allowed:
        return value
    near = difflib.get_close_matches(value, allowed, n=1)
    help_ = f"did you mean {near[0]}?" if near else f"use {_list(allowed)}"
    raise AuditError(f"{place}: {excerpt(value)} is no {what} of the rubric; {help_}")


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)
