"""Bytes to text and JSON, whatever they hold: nothing here raises anything but UndecodableError."""

import binascii
import json
import re
import zlib
from base64 import b64decode
from typing import Any

import orjson

from ingest.errors import CutOffError, UndecodableError

MAX_DEPTH_OF_JSON = 200
MOST_OBJECTS = 50
MAX_UNPACKED = 16 * 1024 * 1024
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])|\x9b[0-?]*[ -/]*[@-~]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_OBJECT = re.compile(r'(?<=\s)\{\s*["}]')
_DECODER = json.JSONDecoder(strict=False)


def text_of(raw: bytes) -> str:
    """The text of `raw`; bytes that are no UTF-8 become U+FFFD, so that the loss is seen."""
    return raw.decode("utf-8", "replace")


def without_ansi(text: str) -> str:
    """`text` without terminal escapes (colours, links, titles)."""
    return _ANSI.sub("", text) if "\x1b" in text or "\x9b" in text else text


def storable(text: str) -> str:
    """`text` as the store can hold it: lone surrogates become U+FFFD, NUL becomes the visible U+2400."""
    if "\x00" in text:
        text = text.replace("\x00", "\u2400")
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def compact(value: object) -> str:
    """`value` as compact JSON that every JSON reader takes (no NaN, no lone surrogate)."""
    try:
        return orjson.dumps(value).decode()
    except (orjson.JSONEncodeError, RecursionError):
        return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"), default=str)


def json_values(text: str | bytes) -> list[Any]:
    """The JSON values that stand one after the other in `text`, usually one.

    The last of a repeated key wins. Raises UndecodableError for anything else than JSON, and for a cut-off value.
    """
    try:
        return [orjson.loads(text)]
    except orjson.JSONDecodeError:
        pass
    if isinstance(text, bytes):
        text = text_of(text)
    values = []
    position = _space(text, 0)
    while position < len(text):
        value, position = one_value(text, position)
        values.append(value)
        position = _space(text, position)
    if not values:
        raise UndecodableError("there is nothing to decode")
    return values


def one_value(text: str, position: int = 0) -> tuple[Any, int]:
    """The JSON value at `position` and where it ends; accepts NaN, lone surrogates and raw control characters."""
    try:
        return _DECODER.raw_decode(text, position)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        if cut:
            raise CutOffError("the JSON is cut off") from error
        raise UndecodableError(f"not valid JSON ({error.msg} at character {error.pos + 1})") from error
    except (RecursionError, ValueError) as error:  # ValueError: an integer of thousands of digits
        raise UndecodableError(f"JSON that cannot be decoded ({type(error).__name__})") from error


def without_metadata(text: str) -> tuple[str, dict[str, Any]]:
    """`text` without the JSON objects at its end, where loggers print what goes with a message, and what they hold."""
    metadata: dict[str, Any] = {}
    rest = text.rstrip()
    while rest.endswith("}"):
        # The last places first: an object within an object is not the end of the text by itself.
        for place in reversed([found.start() for found in _OBJECT.finditer(rest)][-MOST_OBJECTS:]):
            try:
                value, end = one_value(rest, place)
            except UndecodableError:
                continue
            if end == len(rest) and isinstance(value, dict):
                metadata = {**value, **metadata}
                rest = rest[:place].rstrip()
                break
        else:
            break
    return (rest, metadata) if metadata or rest != text.rstrip() else (text, metadata)


def gunzipped(text: str) -> str:
    """The text that `text` stands for, which is gzip in base64.

    Raises UndecodableError where it is damaged, or unpacks to more than MAX_UNPACKED bytes.
    """
    unpacking = zlib.decompressobj(31)
    try:
        unpacked = unpacking.decompress(b64decode(text, validate=True), MAX_UNPACKED)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise UndecodableError("its gzip data in base64 is damaged") from error
    if unpacking.unconsumed_tail:
        raise UndecodableError(f"its gzip data in base64 unpacks to more than {MAX_UNPACKED // 2**20} MiB")
    if not unpacking.eof:
        raise UndecodableError("its gzip data in base64 is cut off")
    return text_of(unpacked)


def _space(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\r\n\x00\ufeff":
        position += 1
    return position


def _plain(value: object, depth: int = 0) -> object:
    if depth > MAX_DEPTH_OF_JSON:
        return "…"
    if isinstance(value, dict):
        return {storable(str(key)): _plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner, depth + 1) for inner in value]
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, float) and not (value == value and abs(value) != float("inf")):
        return str(value)
    return value
