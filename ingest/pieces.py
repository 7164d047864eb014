"""Lines that a container runtime cut into pieces: CRI's P and F, and Docker's json-file pieces without a line feed.

A piece goes on in the next line of the same stream (stdout or stderr); lines of the other stream may stand between.
"""

import json
import re
from typing import NamedTuple

import orjson

# A Docker `log` that does not end with \n, but with anything else, be it an escaped quote; \\n is told apart later.
_OPEN_END = rb'(?:[^n"\n]|[^\\\n]n|\\\\n|\\")'
# That, as Docker writes it and with spaces; a CRI piece that is not the last, and a part of a Google Cloud entry. The search for
# markers finds these too, since the marker may stand in a later piece or across two of them. hyperscan reads the same pattern, and
# is twice as slow where a space may be there or not.
PARTIAL_PATTERN = rb"|".join(
    (
        rb'"totalSplits"|std(?:out|err) P(?::[^ \n]*)? ',
        _OPEN_END + rb'","stream":"std(?:out|err)"',
        _OPEN_END + rb'", "stream": "std(?:out|err)"',
    )
)
MAX_PIECES = 2_000
_CRI = re.compile(rb"(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([PF])(?::\S+)? (.*)\Z", re.DOTALL)


class Piece(NamedTuple):
    """`rest` is what identifies its envelope: the CRI time, or the Docker object without its `log`."""

    kind: str
    stream: str
    partial: bool
    content: str
    rest: str


def piece_of(line: bytes) -> Piece | None:
    """The piece that a line is; None where neither runtime wrote it."""
    if line.startswith((b'{"log":"', b'{"log": "')):
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            return None
        if not isinstance(value.get("log"), str) or value.get("stream") not in ("stdout", "stderr"):
            return None
        log = value.pop("log")
        return Piece("docker", value["stream"], not log.endswith("\n"), log, json.dumps(value))
    if line[:1].isdigit():
        found = _CRI.match(line)
        if found:
            content = found[4].rstrip(b"\r\n").decode("utf-8", "surrogateescape")
            return Piece("cri", found[2].decode(), found[3] == b"P", content, found[1].decode())
    return None


def joined(pieces: list[Piece]) -> bytes:
    """The line that the pieces would have been, in the envelope of the first one."""
    first = pieces[0]
    content = "".join(piece.content for piece in pieces)
    if first.kind == "docker":
        return json.dumps({"log": content, **json.loads(first.rest)}).encode()
    # A character may have been cut between two pieces; surrogateescape puts its bytes together again.
    return f"{first.rest} {first.stream} F {content}".encode("utf-8", "surrogateescape")
