"""A JSON object that is printed over several lines, in a file whose records stand on one line each."""

import re

MAX_LINES = 500
_MEMBER = re.compile(rb'[ \t]+"(?:[^"\\\n]|\\.)*"\s*:')
_OPENINGS = (b"{", b"[", b"[{")


def object_around(data: bytes, start: int, *, last: bool) -> tuple[int, int] | None:
    """Where the object begins and ends in which the line at `start` is a member; None where it is no such line.

    The end is -1 where it is not in `data`, unless nothing follows `data` because it is the `last`.
    """
    if not _MEMBER.match(data, start):
        return None
    begin = start
    for _ in range(MAX_LINES):
        if begin == 0:
            return None
        end, begin = begin - 1, data.rfind(b"\n", 0, begin - 1) + 1
        if data[begin : begin + 1] not in (b" ", b"\t"):
            break
    if data[begin:end].rstrip() not in _OPENINGS:
        return None
    position = start
    for _ in range(MAX_LINES):
        if position >= len(data):
            return begin, len(data) if last else -1
        first = data[position : position + 1]
        stop = data.find(b"\n", position)
        stop = stop if stop >= 0 else len(data)
        if first not in (b" ", b"\t"):
            return begin, stop if first in (b"}", b"]") else position - 1
        position = stop + 1
    return None
