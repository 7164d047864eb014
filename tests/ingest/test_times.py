"""Times in all the forms that logs carry."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.times import Time, read_time, to_utc, zone

MOMENT = 1_788_256_800_123_000  # 2026-09-01T10:00:00.123Z


@pytest.mark.parametrize(
    ("value", "us", "absolute"),
    [
        ("2026-09-01T10:00:00.123Z", MOMENT, True),
        ("2026-09-01T12:00:00.123+02:00", MOMENT, True),
        ("2026-09-01T12:00:00.123+0200", MOMENT, True),
        ("2026-09-01 10:00:00.123 UTC", MOMENT, True),
        ("2026-09-01T10:00:00.123456789Z", MOMENT + 456, True),
        ("2026-09-01 10:00:00,123", MOMENT, False),
        ("2026-09-01 10:00:00.123", MOMENT, False),
        ("2026/09/01 10:00:00", MOMENT - 123_000, False),
        ("2026-09-01T10:00Z", MOMENT - 123_000, True),
        ("01/Sep/2026:12:00:00 +0200", MOMENT - 123_000, True),
        ("2026-06-30T23:59:60Z", 1_782_863_999_000_000, True),
        (1_788_256_800, MOMENT - 123_000, True),
        (1_788_256_800.123, MOMENT, True),
        (1_788_256_800_123, MOMENT, True),
        (1_788_256_800_123_000, MOMENT, True),
        (1_788_256_800_123_000_999, MOMENT, True),
        ("1788256800123", MOMENT, True),
        ("1788256800.123", MOMENT, True),
        ("1.788256800123e9", MOMENT, True),
    ],
)
def test_a_time_is_read_in_every_form(value: object, us: int, absolute: bool) -> None:
    """Protects each form of the collectors: precision, offset, comma, epoch by magnitude, number or text."""
    assert Time(us, absolute) == read_time(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0.25,
        12,
        "0.25",
        "1999-12-31T23:59:59Z",
        "",
        "yesterday",
        "2026-13-01T00:00:00Z",
        "2026-09-01",
        float("nan"),
        1e30,
        -5,
        [],
        "9" * 60,
    ],
)
def test_what_is_no_time_of_day_is_none(value: object) -> None:
    """Protects against dating a record by a number that counts from the start of a program, or by no time at all."""
    assert read_time(value) is None


@given(st.datetimes(dt.datetime(2001, 9, 10), dt.datetime(2285, 1, 1)))
def test_the_unit_of_an_epoch_is_told_by_its_size(moment: dt.datetime) -> None:
    """Protects seconds, milliseconds, microseconds and nanoseconds from each other."""
    us = (moment - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1)
    expected = [us // 1_000_000 * 1_000_000, us // 1000 * 1000, us, us]
    assert expected == [read.us for n in (us // 1_000_000, us // 1000, us, us * 1000) if (read := read_time(n))]


@given(st.text(max_size=40))
def test_any_text_is_a_time_or_none(text: str) -> None:
    """Protects against a crash on a field that is called time and is none."""
    assert read_time(text) is None or isinstance(read_time(text), Time)


def test_a_local_time_is_placed_by_the_zone_also_when_clocks_change() -> None:
    """Protects local logs over the change to winter time: both readings of the doubled hour are within an hour."""
    berlin = zone("Europe/Berlin")
    assert MOMENT - 2 * 3_600_000_000 == to_utc(Time(MOMENT, False), berlin)
    assert MOMENT == to_utc(Time(MOMENT, True), berlin)
