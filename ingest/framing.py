"""How the records of a file are laid out, told from its content: lines, a JSON document over many lines, or a table."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from ingest.compression import Decompressed, Source
from ingest.errors import UnreadableError
from ingest.table import is_table

BLOCK = 8 * 1024 * 1024
LONGEST_LINE = 16 * 1024 * 1024
HEAD = 256 * 1024
BOM = b"\xef\xbb\xbf"
_NULS = re.compile(rb"\x00{16,}")
_OPEN_END = re.compile(rb"[{\[,:]\s*\Z")


@dataclass(slots=True)
class Chunk:
    """Consecutive bytes of a file.

    `kind` is `lines` (whole lines), `tail` (what follows the last line feed of the file) or `long` (a part of a line
    that is longer than LONGEST_LINE; its last part ends with the line feed).
    """

    kind: str
    data: bytes


def looks_binary(head: bytes) -> bool:
    """Whether `head`, the start of a file, is no text in UTF-8 (or UTF-16 with a mark)."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    # A file that was truncated while it was written to holds long runs of NULs.
    sample = _NULS.sub(b"", head[:65536])[:8192]
    if not sample:
        return False
    controls = sum(byte < 32 and byte not in (9, 10, 12, 13, 27, 8) for byte in sample)
    # What is no UTF-8; text in an older encoding has some of it, compressed or random bytes have it everywhere.
    invalid = sample.decode("utf-8", "replace").count("\ufffd") - sample.count(b"\xef\xbf\xbd")
    return controls / len(sample) > 0.1 or (controls + invalid) / len(sample) > 0.4


def framing_of(head: bytes) -> str:
    """`lines`, `document` or `csv`, from the first HEAD bytes."""
    if is_table(head):
        return "csv"
    text = head.removeprefix(BOM).lstrip(b" \t\r\n\x00")
    if text[:1] == b"[":
        inner = text[1:].lstrip()[:1]
        return "document" if inner in (b"{", b"[", b"]") or text[1:].strip() == b"" else "lines"
    if text[:1] != b"{":
        return "lines"
    first, feed, rest = text.partition(b"\n")
    if not feed:
        return "document" if len(head) >= HEAD else "lines"
    try:
        orjson.loads(first)
        return "lines"
    except orjson.JSONDecodeError:
        pass
    following = next((line for line in rest.split(b"\n") if line.strip()), b"")
    indented = following[:1] in (b" ", b"\t", b'"', b"}", b"]")
    return "document" if indented and _OPEN_END.search(first) else "lines"


def chunks(stream: Source, head: bytes = b"") -> Iterator[Chunk]:
    """The bytes of `stream` (after `head`, which was already read from it), cut behind line feeds.

    Bytes before damage are given before UnreadableError is raised.
    """
    rest = b""
    long_line = False
    error: UnreadableError | None = None
    data = head
    while True:
        if not data:
            try:
                # A block that ends with its line need not be copied.
                data = stream.read(stream.to_line_end(BLOCK) if isinstance(stream, Decompressed) else BLOCK)
            except UnreadableError as damage:
                error = damage
        if not data:
            break
        if long_line:
            feed = data.find(b"\n") + 1
            yield Chunk("long", data[:feed] if feed else data)
            long_line, data = not feed, data[feed:] if feed else b""
            continue
        feed = data.rfind(b"\n") + 1
        if feed:
            yield Chunk("lines", b"".join((rest, memoryview(data)[:feed])) if rest or feed < len(data) else data)
            rest = data[feed:]
        else:
            rest += data
            if len(rest) > LONGEST_LINE:
                yield Chunk("long", rest)
                rest, long_line = b"", True
        data = b""
    if rest:
        yield Chunk("tail", rest)
    if error:
        raise error


class Transcoded:
    """A UTF-16 stream as UTF-8, so that everything after it sees one encoding."""

    def __init__(self, stream: Source, head: bytes) -> None:
        name = "utf-16-le" if head.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
        self._decoder = codecs.getincrementaldecoder(name)("replace")
        self._stream = stream
        self._waiting = self._decoder.decode(head[2:]).encode("utf-8", "replace")
        self._ended = False

    def read(self, size: int) -> bytes:
        while len(self._waiting) < size and not self._ended:
            data = self._stream.read(max(2, size // 2))
            self._ended = not data
            self._waiting += self._decoder.decode(data, self._ended).encode("utf-8", "replace")
        given, self._waiting = self._waiting[:size], self._waiting[size:]
        return given
