"""Log records in the two forms that a winston logger writes: one JSON object a line, or text."""

import json
import logging
from collections.abc import Callable, MutableMapping
from datetime import UTC, datetime, tzinfo
from typing import Any

LEVELS = {"WARNING": "warn", "CRITICAL": "error"}
"""Python's level names that are not winston's in small letters."""

Clock = Callable[[], datetime]


def compact_json(value: object) -> str:
    """`value` as JSON without spaces; what UTF-8 cannot carry (half a surrogate pair) is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), default=str)
    return text


def with_fields(log: logging.Logger, **fields: object) -> "logging.LoggerAdapter[logging.Logger]":
    """`log` with sibling fields (such as `conversationId`) on every record; only the JSON form writes them."""
    return _Fields(log, {"fields": fields})


class _Fields(logging.LoggerAdapter[logging.Logger]):
    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        extra = dict(kwargs.get("extra") or {})
        own = dict(self.extra or {}).get("fields")
        extra["fields"] = {**(own if isinstance(own, dict) else {}), **extra.get("fields", {})}
        return msg, {**kwargs, "extra": extra}


class _Winston(logging.Formatter):
    def __init__(self, clock: Clock | None = None, zone: tzinfo = UTC) -> None:
        super().__init__()
        self._clock = clock
        self._zone = zone

    def _time(self, record: logging.LogRecord) -> datetime:
        time = self._clock() if self._clock else datetime.fromtimestamp(record.created, UTC)
        return time.astimezone(self._zone)

    @staticmethod
    def _level(record: logging.LogRecord) -> str:
        return LEVELS.get(record.levelname, record.levelname.lower())


class WinstonText(_Winston):
    """`YYYY-MM-DD HH:mm:ss level: message`, in `zone`; `clock` gives the time instead of the record, aware."""

    def format(self, record: logging.LogRecord) -> str:
        return f"{self._time(record):%Y-%m-%d %H:%M:%S} {self._level(record)}: {record.getMessage()}"


class WinstonJson(_Winston):
    """`{"level", "message", "timestamp"}` with sibling fields behind; the time is ISO 8601 in UTC, in milliseconds."""

    def format(self, record: logging.LogRecord) -> str:
        time = self._time(record).astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds")
        line = {"level": self._level(record), "message": record.getMessage(), "timestamp": f"{time}Z"}
        return compact_json(line | getattr(record, "fields", {}))
