"""The fast way of reading lines that look alike gives what the exact way gives, whatever stands in them."""

import json
import random
from dataclasses import fields

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from ingest.block import Origin
from ingest.frames import Frames
from ingest.line import Parser
from ingest.parse import parse_block
from ingest.search import standard_search
from ingest.shapes import Shapes
from ingest.times import zone
from ingest.unwrap import Unwrapper
from tests.ingest.logs import WRITERS, docker, dumps, iso, micros, winston_json

TEXTS = [
    "How does Okafor read this?", 'say "healthy", or', "a\nb\tc", "x\\y", "", " ", "ünï — 你好 🙂", "\x1b[31mred\x1b[0m", "\x9b1m", "\u2028",
    "[SocraticStage] summary", '{"attempt":9}', 'a "b": "c"', "null", "7", "2026-09-01T10:00:00.123Z", "a; b (c; d)", "\x00", "\ufeff", "/",
    "C:\\new", '\\"', "x" * 500, "[honesty] session=s-1 passed (1 ok / 0 fail / 1 total)",
]  # fmt: skip
TIMES = ["2026-09-01T10:00:00.123Z", "2026-02-30T10:00:00.123Z", "2026-09-01T10:00:60.123Z", "2026-09-01T24:00:00.123Z", "2026-09-01T10:00:00Z", "1999-01-01T00:00:00.000Z", "yesterday", "", 5, None]  # fmt: skip
NUMBERS = [1, 2, 4, 0, -1, 12, 999_999_999, 1_000_000_000, 10**15, 10**20, 1.5, "2", True, None]
OUTCOMES = ["posted-writer", "posted-template", "silent", "", "other"]
REASONS = ["no digits", "no digits; not a single question", "over 40 words (51; too many)", "", ";", "neu"]


def message(dice: random.Random) -> tuple[str, dict[str, object]]:
    """A line of the stage, and the payload that it may have."""
    draft: dict[str, object] = {
        "attempt": dice.choice(NUMBERS),
        "stage": dice.choice(["shape", "slots", *TEXTS]),
        "reason": dice.choice(REASONS),
        "draft": dice.choice(TEXTS),
    }
    summary: dict[str, object] = {"outcome": dice.choice(OUTCOMES), "attempts": dice.choice(NUMBERS)}
    return dice.choice(
        [
            ("[SocraticStage] draft rejected", draft),
            ("[SocraticStage] summary", summary),
            ("[SocraticStage] no draft passed — using template fallback", {}),
            ("[SocraticStage] writer call failed " + dice.choice(TEXTS), {}),
            ("[SocraticStage] template fallback failed checks (no digits) — staying silent", {}),
            ("he wrote [SocraticStage] summary " + dice.choice(TEXTS), {}),
            ("[honesty] session=s-1 passed (3 ok / 0 fail / 3 total)", {}),
        ]
    )


def siblings(dice: random.Random) -> dict[str, object]:
    """Fields beside the message, some of them odd."""
    found: dict[str, object] = {"conversationId": dice.choice(["c-1", "c-2", *TEXTS])}
    if dice.random() < 0.2:
        found = dict(
            dice.sample(
                [
                    ("requestId", dice.choice([*TEXTS, 7])),
                    ("service", dice.choice(["api", *TEXTS])),
                    ("durationMs", dice.choice(NUMBERS)),
                    ("startedAt", dice.choice([*TIMES, 1788000000123])),
                    ("data", {"sessionId": dice.choice(TEXTS), "version": "2"}),
                    ("tags", ["a", dice.choice(TEXTS)]),
                ],
                dice.randint(0, 5),
            )
        )
    return found


def crowd(dice: random.Random, count: int) -> list[bytes]:
    """Lines of a few shapes, most of them usual and some damaged."""
    writers = dice.sample([*WRITERS.values(), None, None, None], 2)
    usual = dice.random() < 0.7
    lines = []
    for n in range(count):
        text, payload = message(dice)
        writer = dice.choice(writers)
        if usual and payload:
            payload = {**payload, **{key: 2 for key in ("attempt", "attempts") if key in payload}}
        glued = f"{text} {dumps(payload)}" if payload else text
        if writer is not None:
            line = writer(n % 60, "warn", glued)
        else:
            beside = {**siblings(dice), **(payload if dice.random() < 0.5 else {})}
            time = iso(n % 60) if usual else dice.choice(TIMES)
            line = dumps({"level": dice.choice(["info", "warn", 40]), "message": glued, "timestamp": time, **beside})
        lines.append(damaged(dice, line.encode()))
    return lines


def damaged(dice: random.Random, line: bytes) -> bytes:
    if dice.random() < 0.9:
        return line
    place = dice.randrange(len(line))
    change = dice.choice([b'"', b"\\", b"{", b" ", b"\xff", b"\x1b", b"", b"0", b"\\ud83d", b'","level":"info'])
    return (line[:place] + change + line[place + dice.randint(0, 3) :]).replace(b"\n", b" ")


def both(data: bytes, tz: str = "UTC", *, last: bool = True) -> tuple[Frames, Frames]:
    """A block read with shapes, twice so that what was learnt is used, and without."""
    quick = Parser(Unwrapper(zone(tz)), standard_search())
    parse_block(data, Origin(0, 0, "other"), quick, last=last)
    exact = Parser(Unwrapper(zone(tz)), standard_search(), Shapes(0))
    origin = Origin(70, 7, "s")
    return parse_block(data, origin, quick, last=last), parse_block(data, origin, exact, last=last)


def assert_same(quick: Frames, exact: Frames) -> None:
    for one in fields(Frames):
        expected, actual = getattr(exact, one.name), getattr(quick, one.name)
        if one.name in ("events", "fires", "rejects"):
            assert_frame_equal(expected, actual)
        else:
            assert (one.name, expected) == (one.name, actual)


@settings(max_examples=120, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32), st.integers(20, 120), st.sampled_from(["UTC", "Europe/Berlin"]), st.booleans())
def test_shapes_give_what_the_exact_way_gives(seed: int, count: int, tz: str, last: bool) -> None:
    """Protects every count from the fast way: equal rows for usual, odd and damaged lines in any envelope."""
    lines = crowd(random.Random(seed), count)
    assert_same(*both(b"\n".join(lines) + b"\n", tz, last=last))


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_lines_that_look_alike_are_read_as_columns(name: str) -> None:
    """Protects the fast way from never being taken, and its rows from those of the exact way, in each envelope."""
    lines = [
        WRITERS[name](n % 60, "warn", f'[SocraticStage] summary {{"outcome":"silent","attempts":{n % 4 + 1}}}')
        for n in range(60)
    ]
    assert_same(*both("\n".join(lines).encode() + b"\n"))


OTLP = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1788000000123456789","severityNumber":13,"body":{"stringValue":"[SocraticStage] draft rejected"},"attributes":[{"key":"attempt","value":{"stringValue":"1"}},{"key":"reason","value":{"stringValue":"no digits"}},{"key":"%s","value":{"stringValue":"s-1"}}]}]}]}]}'
INSIGHTS = '{"results":[[{"field":"@timestamp","value":"2026-09-01 10:00:00.123"},{"field":"%s","value":"s-1"},{"field":"@message","value":"[SocraticStage] summary {\\"outcome\\":\\"silent\\",\\"attempts\\":1}"}]]}'
PINO = '{"level":%s,"time":1788000000123,"msg":"[turn] session=s-1 done outcome=response"}'


@pytest.mark.parametrize(
    ("line", "odd", "usual"),
    [
        (OTLP, "region", "sessionId"),
        (OTLP, "region", "draft"),
        (INSIGHTS, "region", "sessionId"),
        (PINO, "35", "50"),
        (PINO, "35", "20"),
        ('{"level":"%s","message":"[SocraticStage] no draft passed","timestamp":"2026-09-01T10:00:00.123Z"}', "odd", "WARN"),
        ('{"level":"warn","message":"[SocraticStage] writer call failed %s","timestamp":"2026-09-01T10:00:00.123Z"}', "x", '{\\"sessionId\\":\\"s-9\\"}'),
    ],
)  # fmt: skip
def test_an_odd_line_that_was_learnt_from_says_nothing_of_the_others(line: str, odd: str, usual: str) -> None:
    """Protects names of fields, levels and sessions from what happened to stand in the first line of a shape."""
    lines = [line % odd] + [line % usual] * 40
    assert_same(*both("\n".join(lines).encode() + b"\n"))


@pytest.mark.parametrize("name", ["winston-json", "pino", "docker", "docker-pino", "winston-text", "cri"])
def test_the_usual_envelopes_have_shapes(name: str) -> None:
    """Protects the speed of the usual envelopes: of many lines that look alike only a few take the exact way."""
    asked = []
    parser = Parser(Unwrapper(), standard_search())
    text = "\n".join(
        WRITERS[name](
            n % 60, "warn", f'[SocraticStage] draft rejected {{"attempt":1,"reason":"no digits","draft":"d {n}"}}'
        )
        for n in range(500)
    )
    data = text.encode() + b"\n"
    parse_block(data, Origin(0, 0, "s"), parser)

    def ask(line: bytes, flags: int) -> None:
        asked.append(line)

    (taken,) = parser.shapes.take([(data, parser.search.find(data))], 1 << 60, ask, clocks=True)
    assert 500 == sum(one.rows.height for one in taken)
    assert [] == asked


@pytest.mark.parametrize("start", ['{"level":"info","message":"[Socratic', "2026-09-01T10:00:00.123Z "])
def test_a_line_behind_a_piece_is_read_once(start: str) -> None:
    """Protects the pieces of a cut Docker line: a line is the rest of one, or a record by itself, and never both."""
    whole = [
        docker(winston_json(n, "info", '[SocraticStage] summary {"outcome":"silent","attempts":4}'), n)
        for n in range(30)
    ]
    piece = dumps({"log": start, "stream": "stdout", "time": iso(31)})
    data = "\n".join([*whole[:20], piece, *whole[20:]]).encode() + b"\n"
    quick, exact = both(data)
    assert_same(quick, exact)
    assert 30 == quick.events.height


def test_a_value_that_the_event_depends_on_is_asked_for() -> None:
    """Protects what is told from a value (the level, the reasons) from being taken for the same in every line."""
    lines = [
        dumps({"level": [10, 20, 30, 40, 50][n % 5], "time": micros(n) // 1000, "msg": f"[SocraticStage] draft rejected {json.dumps({'attempt': 1, 'reason': ['a', 'b; c', 'd'][n % 3], 'draft': 'x'})}"})
        for n in range(45)
    ]  # fmt: skip
    quick, exact = both("\n".join(lines).encode() + b"\n")
    assert_same(quick, exact)
    assert 5 == quick.events["level"].n_unique()
    assert {"a": 15, "b": 15, "c": 15, "d": 15} == dict(quick.fires["fragment"].value_counts().iter_rows())
