"""Reading what an audit is made of: messages and chat lines as JSON Lines, the passage as text."""

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from review.audit.errors import AuditError

TYPOGRAPHY = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2010": "-", "\u2011": "-", "\u2026": "..."}
)
SPEAKER_FIELDS = ("name", "speaker", "author", "pseudonym")


def unify(text: str) -> str:
    """`text` as an auditor sees it: NFC, no invisible characters, single spaces, straight quotation marks.

    Two systems that write the same words differ in these and in nothing that is judged, so that keeping them would
    tell the auditor which system it was. What is left is wording, and wording cannot be hidden.
    """
    spaced = re.sub(r"\s+", " ", text.translate(TYPOGRAPHY))
    seen = "".join(c for c in spaced if unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", seen)).strip()


def read_text(path: Path) -> str:
    """The file as text. Raises AuditError where it cannot be read, is not UTF-8, or is empty."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise AuditError(f"{path}: it cannot be read ({error.strerror}); check the name and its permissions") from error
    except UnicodeDecodeError as error:
        raise AuditError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    if not text.strip():
        raise AuditError(f"{path}: the file is empty; an audit needs what should stand in it")
    return text


def json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Line number (from 1) and value of each line that is not blank. Raises AuditError at the first that is no JSON."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise AuditError(
                    f"{path}:{number}: {excerpt(line)} is not JSON ({error}); write one JSON object per line"
                ) from error


def read_messages(path: Path) -> list[str]:
    """The `text` of each line (or the line itself, where it is a JSON string); other fields (times, ids, scores) are left behind, since they could betray the origin."""
    return [_text_of(value, path, number) for number, value in json_lines(path)]


def read_chat(path: Path) -> list[str]:
    """The chat lines as `name: text`, or the text alone where a line names nobody."""
    lines = []
    for number, value in json_lines(path):
        text = _text_of(value, path, number)
        names = [value[field] for field in SPEAKER_FIELDS if isinstance(value, dict) and value.get(field)]
        lines.append(f"{names[0]}: {text}" if names else text)
    return lines


def _text_of(value: Any, path: Path, number: int) -> str:
    text = value.get("text") if isinstance(value, dict) else value
    if not isinstance(text, str) or not unify(text):
        raise AuditError(
            f"{path}:{number}: {excerpt(json.dumps(value, ensure_ascii=False))} has no text; "
            'write each message as {"text": "..."}'
        )
    return text


def excerpt(value: str, limit: int = 60) -> str:
    """`value` in one short quoted line, for an error message."""
    shown = unify(value)
    return json.dumps(shown if len(shown) <= limit else shown[: limit - 1] + "…", ensure_ascii=False)
