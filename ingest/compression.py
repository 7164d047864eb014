"""Compressed or not, told from the content: a stream of decompressed bytes with bounded memory, all members of it."""

import bz2
import gzip
import lzma
import zlib
from io import BufferedIOBase
from typing import BinaryIO, Protocol, cast

import zstandard

from ingest.errors import UnreadableError

_MAGIC = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"))
_SKIPPABLE = tuple(bytes([n]) + b"\x2a\x4d\x18" for n in range(0x50, 0x60))
STEP = 1 << 20
LOOK_AHEAD = 64 * 1024
ZSTD_STEP = 2048  # one kilobyte of zstd can stand for 32 MiB, and a step's output is held whole


class Source(Protocol):
    def read(self, size: int, /) -> bytes: ...


def compression_of(head: bytes) -> str | None:
    """gzip, bzip2, xz or zstd; None for anything else."""
    if head.startswith(_SKIPPABLE):
        return "zstd"
    return next((name for magic, name in _MAGIC if head.startswith(magic)), None)


class Decompressed:
    """The decompressed bytes of a stream.

    `read(n)` gives up to n bytes, fewer only at the end. Damage raises UnreadableError, after all bytes before it were given.
    """

    def __init__(self, raw: Source, compression: str | None) -> None:
        self.compression = compression
        self._plain = raw if compression is None and isinstance(raw, BufferedIOBase) and raw.seekable() else None
        self._source = _opened(raw, compression)
        self._error: UnreadableError | None = None

    def to_line_end(self, size: int) -> int:
        """How many bytes to ask for to get `size` and the rest of the line; `size` itself where that is not known."""
        if self._plain is None:
            return size
        here = self._plain.tell()
        self._plain.seek(here + size)
        feed = self._plain.read(LOOK_AHEAD).find(b"\n")
        self._plain.seek(here)
        return size + feed + 1

    def read(self, size: int) -> bytes:
        parts: list[bytes] = []
        left = size
        while left > 0 and self._error is None:
            try:
                part = self._source.read(min(left, STEP) if self.compression else left)
            except EOFError:
                self._error = UnreadableError(f"its {self.compression} data is cut off")
            except (OSError, zlib.error, lzma.LZMAError, zstandard.ZstdError, ValueError) as error:
                what = f"its {self.compression} data is damaged" if self.compression else "it cannot be read"
                self._error = UnreadableError(f"{what} ({_first_line(error)})")
            else:
                if not part:
                    break
                parts.append(part)
                left -= len(part)
        if not parts and self._error:
            raise self._error
        return parts[0] if len(parts) == 1 else b"".join(parts)


def _opened(raw: Source, compression: str | None) -> Source:
    if compression == "gzip":
        return _One(gzip.GzipFile(fileobj=cast(BinaryIO, raw)))
    if compression == "bzip2":
        return _One(bz2.BZ2File(cast(BinaryIO, raw)))
    if compression == "xz":
        return _One(lzma.LZMAFile(cast(BinaryIO, raw)))
    if compression == "zstd":
        return _Zstd(raw)
    return raw


class _One:
    """Reads one underlying piece at a time, so that an error loses none of the bytes before it."""

    def __init__(self, file: gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile) -> None:
        self._file = file

    def read(self, size: int) -> bytes:
        return self._file.read1(size)


class _Zstd:
    """zstd frames one after the other; unlike the library's reader it notices a frame that is cut off."""

    def __init__(self, raw: Source) -> None:
        self._raw = raw
        self._frame = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()
        self._begun = False
        self._waiting = b""
        self._out = b""

    def read(self, size: int) -> bytes:
        while not self._out:
            data = self._waiting or self._raw.read(ZSTD_STEP)
            self._waiting = b""
            if not data:
                if self._begun:
                    raise EOFError
                return b""
            self._begun = True
            self._out = self._frame.decompress(data)
            if self._frame.eof:
                self._waiting = self._frame.unused_data
                self._frame = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()
                self._begun = False
        given, self._out = self._out[:size], self._out[size:]
        return given


def _first_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return (str(error) or type(error).__name__).splitlines()[0][:120]
