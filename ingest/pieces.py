"""Lines that a container runtime cut into pieces: CRI's P and F, and Docker's json-file pieces without a line feed.

A piece goes on in the next line of the same stream (stdout or stderr); lines of the other stream may stand between.
"""

import json
import re
from typing import NamedTuple

import orjson

# A CRI piece that is not the last, a Docker `log` that does not end with \n (but with anything else, be it an escaped quote or
# an n after an escaped backslash), and a part of a Google Cloud entry. The search for markers finds these too, since the marker
# may stand in a later piece or across two of them. hyperscan reads the same pattern.
PARTIAL_PATTERN = (
    rb'"totalSplits"|std(?:out|err) P(?::[^ \n]*)? '
    rb'|(?:[^n"\n]|[^\\\n](?:\\\\)*n|\\")", ?"stream": ?"std(?:out|err)"'
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
