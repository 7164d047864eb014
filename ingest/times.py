"""The times that logs carry, as microseconds since 1970 in UTC.

A time is *absolute* when it has an offset or is an epoch number, and *local* otherwise; a local one is read in the
zone that the caller gives, and whoever shows it says so. A number that lies before the year 2000 counts from
somewhere else (the start of a program, say) and is no time of day at all.
"""

import datetime as dt
import re
from contextlib import suppress
from typing import NamedTuple
from zoneinfo import ZoneInfo

from ingest.errors import ZoneError

YEAR_2000_US = 946_684_800_000_000
YEAR_2286_US = 10_000_000_000_000_000
_EPOCH = dt.datetime(1970, 1, 1)
_EPOCH_UTC = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\Z", re.ASCII)
_CLOCK = re.compile(
    r"(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,:](\d+))?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d|[+-]\d\d)?\Z",
    re.ASCII | re.IGNORECASE,
)
_MONTHS = {name: n for n, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_NAMED_MONTH = re.compile(
    r"(\d{1,2})[/ -]([A-Za-z]{3})[/ -](\d{4})[: T](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?\Z",
    re.ASCII,
)


class Time(NamedTuple):
    """`us`: microseconds since 1970, UTC when `absolute`, else as the clock on the wall showed it."""

    us: int
    absolute: bool


def zone(name: str) -> ZoneInfo:
    """The time zone called `name`; raises ZoneError for an unknown one."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError):  # ZoneInfoNotFoundError is a KeyError, and a folder's name an OSError
        pass
    except KeyError:
        pass
    raise ZoneError(f"{name!r} is not a time zone; give one like UTC, Europe/Berlin or America/New_York")


def to_utc(time: Time, tz: ZoneInfo) -> int:
    """Microseconds since 1970 in UTC of a time that may be local to `tz`."""
    if time.absolute:
        return time.us
    try:
        local = (_EPOCH + dt.timedelta(microseconds=time.us)).replace(tzinfo=tz)
        return (local - _EPOCH_UTC) // _MICROSECOND
    except OverflowError:
        return time.us


def read_time(value: object) -> Time | None:
    """The time that `value` (a number, or text of any usual form) stands for; None where it is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _epoch(value)
    if isinstance(value, str):
        return _text(value.strip())
    return None


def _epoch(value: int | float) -> Time | None:
    """Seconds, milliseconds, microseconds or nanoseconds, told apart by magnitude (right from 2001 to 2286)."""
    if not abs(value) < 1e19:  # also refuses NaN
        return None
    if value < 1e11:
        us = value * 1_000_000
    elif value < 1e14:
        us = value * 1_000
    elif value < 1e17:
        us = value
    else:
        us = value // 1_000
    us = round(us)
    return Time(us, True) if YEAR_2000_US <= us < YEAR_2286_US else None


def _text(text: str) -> Time | None:
    if len(text) > 64:
        return None
    if len(text) > 18 and text[4] == "-" and text[7] == "-":
        # The usual case, and the fastest; what it refuses is tried again below.
        with suppress(ValueError, OverflowError):
            clock = dt.datetime.fromisoformat(text)
            absolute = clock.tzinfo is not None
            past = clock - (_EPOCH_UTC if absolute else _EPOCH)
            us = (past.days * 86_400 + past.seconds) * 1_000_000 + past.microseconds
            return Time(us, absolute) if us >= YEAR_2000_US else None
    if _NUMBER.match(text):
        return _epoch(int(text) if text.lstrip("+-").isdigit() else float(text))
    found = _CLOCK.match(text)
    if found:
        year, month, day, hour, minute, second, fraction, offset = found.groups()
    else:
        found = _NAMED_MONTH.match(text)
        if not found or found[2].lower() not in _MONTHS:
            return None
        day, name, year, hour, minute, second, fraction, offset = found.groups()
        month = str(_MONTHS[name.lower()])
    try:
        # A leap second is read as the last second of its minute: no calendar here knows it.
        clock = dt.datetime(int(year), int(month), int(day), int(hour), int(minute), min(int(second or 0), 59))
    except ValueError:
        return None
    us = (clock - _EPOCH) // _MICROSECOND + int(((fraction or "") + "000000")[:6])
    if us < YEAR_2000_US:
        return None
    return Time(us - _offset_us(offset), True) if offset else Time(us, False)


def _offset_us(offset: str) -> int:
    if offset[0] not in "+-":
        return 0
    digits = offset[1:].replace(":", "")
    minutes = int(digits[:2]) * 60 + int(digits[2:] or 0)
    return (-1 if offset[0] == "-" else 1) * minutes * 60_000_000
