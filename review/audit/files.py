"""The files of an audit: what `gatecov audit build` writes and `gatecov audit score` reads.

    DIR/packet/packet.jsonl       for the form and for whoever reads JSON Lines
    DIR/packet/labels.csv         the same messages as a sheet to fill in
    DIR/packet/instructions.txt   rubric, passage, chat lines, how to hand in
    DIR/key.json                  the key, readable by its owner alone

The folder `packet` is what auditors get. Its files bear one fixed date, and hold nothing but the packet.
"""

import csv
import io
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.registry import catalog
from review.audit.errors import AuditError, AuditUsageError
from review.audit.inputs import excerpt, json_lines, read_chat, read_messages, read_text
from review.audit.labels import COLUMNS, read_labels
from review.audit.packet import KEY_FORMAT, PACKET_FORMAT, Calibration, Item, Key, Packet, build
from review.audit.result import AuditEvidence, AuditResult
from review.audit.rubric import SHEET_HELP
from review.audit.scoring import score
from review.audit.verdict import checks_without

FIXED_TIME = 946_684_800
"""2000-01-01T00:00:00Z, the date of every file of a packet."""


@dataclass(frozen=True, slots=True)
class Built:
    """What was built and where. Note `packet_sha256` and `key_sha256` before anyone labels: they prove the key later."""

    packet: Path
    key: Path
    messages: int
    packet_sha256: str
    key_sha256: str

    def sentence(self) -> str:
        return (
            f"{self.messages} messages are in {self.packet.parent}, which is for the auditors; {self.key} is not. "
            f"Note now, for later: packet {self.packet_sha256[:12]}, key {self.key_sha256[:12]}"
        )


def build_files(
    passage: Path,
    chat: Path,
    conditions: Sequence[str],
    known_good: Path,
    known_bad: Path,
    out: Path,
    seed: int | None = None,
) -> Built:
    """Build an audit from files into the folder `out`. `conditions` are `NAME=FILE`, two or more, the baseline first.

    Name a condition `without:CHECK_ID` (several with `+`), and the result becomes evidence for that check.
    Raises AuditUsageError for a condition that cannot be used, AuditError for files, and where `out` holds an audit.
    """
    files = _conditions(conditions)
    packet, key = build(
        read_text(passage),
        read_chat(chat),
        {name: read_messages(path) for name, path in files.items()},
        Calibration(read_messages(known_good), read_messages(known_bad)),
        seed,
    )
    paths = {out / "packet" / name: text for name, text in _packet_files(packet).items()}
    key_path = out / "key.json"
    for path in (key_path, *paths):
        if path.exists():
            raise AuditError(f"{path}: an audit is here already, and labels may depend on it; choose another folder")
    try:
        (out / "packet").mkdir(parents=True, exist_ok=True)
        with open(os.open(key_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(key.to_json())
        for path, text in paths.items():
            path.write_bytes(text.encode())
            os.utime(path, (FIXED_TIME, FIXED_TIME))
    except OSError as error:
        raise AuditError(f"{out}: the audit cannot be written ({error.strerror}); choose another folder") from error
    return Built(out / "packet" / "packet.jsonl", key_path, len(packet.items), packet.sha256, key.sha256)


def score_files(packet: Path, key: Path, labels: Sequence[Path]) -> AuditResult:
    """Score an audit from its files; the key's file is touched only when two auditors are complete."""
    loaded = load_packet(packet)
    return score(loaded, lambda: load_key(key), read_labels(labels, loaded))


def read_evidence(path: Path) -> tuple[AuditEvidence, ...]:
    """The evidence in a result that `score --format json` printed. Raises AuditError where there is none."""
    try:
        found = tuple(AuditEvidence.from_dict(each) for each in json.loads(read_text(path))["evidence"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise AuditError(
            f"{path}: this is no result of an audit; write one with: gatecov audit score --format json"
        ) from error
    if not all(isinstance(each.verdict, str) and isinstance(each.check_ids, tuple) for each in found):
        raise AuditError(
            f"{path}: its evidence names no verdict or no checks; write it anew with: gatecov audit score --format json"
        )
    return found


def load_packet(path: Path) -> Packet:
    """The packet in a `packet.jsonl`, or in a folder that holds one. Raises AuditError where it is none."""
    path = path / "packet.jsonl" if path.is_dir() else path
    lines = json_lines(path)
    _, head = next(lines)
    if not isinstance(head, dict) or head.get("format") != PACKET_FORMAT:
        raise AuditError(f"{path}:1: this is no packet of gatecov; name the packet.jsonl that was built")
    try:
        items = tuple(Item(_text(line, "item"), _text(line, "message")) for _, line in lines)
        packet = Packet(_text(head, "rubric"), _text(head, "passage"), tuple(map(str, head["chat"])), items)
    except (KeyError, TypeError) as error:
        raise AuditError(f"{path}: {error} is missing or no text; take the packet as it was built") from error
    if len(packet.messages) != len(items):
        raise AuditError(f"{path}: an item stands in it twice; take the packet as it was built")
    return packet


def load_key(path: Path) -> Key:
    """The key. Raises AuditError where it is none, or no longer what was written."""
    try:
        fields = json.loads(read_text(path))
        key = Key(
            fields["seed"],
            fields["packet_sha256"],
            tuple(fields["conditions"]),
            {
                item: {name: tuple(places) for name, places in where.items()}
                for item, where in fields["origins"].items()
            },
        )
        right_form = fields["format"] == KEY_FORMAT
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise AuditError(
            f"{path}: this is no key of gatecov; name the key.json that was built with the packet"
        ) from error
    if not right_form or key.sha256 != fields.get("key_sha256"):
        raise AuditError(f"{path}: the key was edited after it was built; take the file as it was written")
    return key


def _conditions(named: Sequence[str]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    known = {check.check_id for check in catalog()}
    for argument in named:
        name, equals, file = argument.partition("=")
        if not (name.strip() and equals and file.strip()):
            raise AuditUsageError(f"--condition {excerpt(argument)}: this names no file; write NAME=FILE")
        if name in files:
            raise AuditUsageError(f"--condition {excerpt(argument)}: the name is taken; give each condition its own")
        for check_id in checks_without(name):
            if check_id not in known:
                raise AuditUsageError(
                    f"--condition {excerpt(argument)}: {check_id!r} is no check; see the ids with: gatecov checks"
                )
        files[name.strip()] = Path(file.strip())
    if len(files) < 2:
        raise AuditUsageError(
            f"--condition: {len(files)} given, and an audit compares; give two or more, the baseline first"
        )
    return files


def _packet_files(packet: Packet) -> dict[str, str]:
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(["item", "message", *COLUMNS[1:]])
    writer.writerows([item.item, _harmless(item.message), *[""] * len(COLUMNS[1:])] for item in packet.items)
    chat = "\n".join(f"  {line}" for line in packet.chat) or "  (no lines)"
    instructions = f"{packet.rubric}\n\n{SHEET_HELP}\n\nTHE PASSAGE\n\n{packet.passage}\n\nTHE CHAT\n\n{chat}\n"
    return {"packet.jsonl": packet.to_jsonl(), "labels.csv": sheet.getvalue(), "instructions.txt": instructions}


def _harmless(cell: str) -> str:
    """A cell that a spreadsheet shows, and does not run."""
    return f"'{cell}" if re.match(r"[=+\-@]", cell) else cell


def _text(line: Any, field: str) -> str:
    value = line.get(field) if isinstance(line, dict) else None
    if not isinstance(value, str):
        raise KeyError(field)
    return value
