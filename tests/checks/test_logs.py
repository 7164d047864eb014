"""The two forms of a log line: what a winston logger writes, as JSON and as text."""

import json
import logging
from datetime import UTC, datetime, timedelta, timezone

import pytest

from checks.logs import WinstonJson, WinstonText, compact_json, with_fields

TIME = datetime(2026, 9, 1, 10, 0, 0, 123_456, UTC)


def written(
    formatter: logging.Formatter, *, level: int = logging.WARNING, message: str = "gate", **fields: object
) -> str:
    """The line that `formatter` makes of one record."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(formatter.format(record))  # type: ignore[method-assign]
    log = logging.Logger("written")
    log.addHandler(handler)
    with_fields(log, **fields).log(level, message)
    return lines[0]


def test_json_line() -> None:
    """Protects the order and the form of the keys, and the sibling fields behind them."""
    line = written(WinstonJson(clock=lambda: TIME), conversationId="c1", agent="Room")
    assert line == (
        '{"level":"warn","message":"gate","timestamp":"2026-09-01T10:00:00.123Z","conversationId":"c1","agent":"Room"}'
    )


@pytest.mark.parametrize(
    ("level", "name"),
    [
        (logging.DEBUG, "debug"),
        (logging.INFO, "info"),
        (logging.WARNING, "warn"),
        (logging.ERROR, "error"),
        (logging.CRITICAL, "error"),
    ],
)
def test_levels_are_winstons(level: int, name: str) -> None:
    """Protects readers that know warn and not warning."""
    assert json.loads(written(WinstonJson(), level=level))["level"] == name


def test_text_line_in_the_zone_asked_for() -> None:
    """Protects the local time of text logs, at one second's resolution, without fields."""
    east = timezone(timedelta(hours=2))
    assert written(WinstonText(clock=lambda: TIME), x=1) == "2026-09-01 10:00:00 warn: gate"
    assert written(WinstonText(clock=lambda: TIME, zone=east)) == "2026-09-01 12:00:00 warn: gate"


def test_the_time_of_the_record_without_a_clock() -> None:
    """Protects a live agent's lines, whose time is that of the record."""
    before = datetime.now(UTC).replace(microsecond=0)
    stamp = datetime.fromisoformat(json.loads(written(WinstonJson()))["timestamp"])
    assert before <= stamp <= datetime.now(UTC)


@pytest.mark.parametrize("text", ['a;b\n"c"', "没有 😀", "\ud83d", "\u2028", "%s {x}"])
def test_any_text_survives(text: str) -> None:
    """Protects drafts of any language; half a surrogate pair is escaped, since no UTF-8 file can hold it."""
    line = written(WinstonJson(), message=text)
    assert json.loads(line.encode("utf-8").decode("utf-8"))["message"] == text
    assert "\n" not in line
    assert json.loads(compact_json({"x": text})) == {"x": text}
