"""Input that nobody would write: nothing crashes, nothing vanishes, nothing is executed."""

import dataclasses
import gzip
import json
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest import framing
from ingest.block import Origin
from ingest.decode import compact, storable, without_ansi
from ingest.document import Splitter
from ingest.framing import chunks
from ingest.line import Parser
from ingest.parse import parse_block
from ingest.pieces import piece_of
from ingest.reading import console_values, split_reasons
from ingest.search import Search, standard_search
from ingest.unwrap import Unwrapper
from tests.ingest.logs import EVENTS, FIRES, STAGE, WRITERS, counts, documents, read, rows, text_of, winston_json

PARSER = Parser(Unwrapper(), standard_search())
DRAFT = '[SocraticStage] draft rejected {"attempt":1,"reason":"no digits","draft":%s}'
REAL = [writer(n, level, message).encode() for writer in WRITERS.values() for n, (level, message) in enumerate(STAGE)]
MANY = settings(max_examples=150, suppress_health_check=list(HealthCheck))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "app.log"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "store.duckdb"


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A real line in which a few bytes were changed, taken out, put in or cut off."""
    line = bytearray(draw(st.sampled_from(REAL)))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, max(0, len(line) - 1)))
        change = draw(st.sampled_from(["cut", "byte", "out", "in", "twice"]))
        if change == "cut":
            del line[place:]
        elif change == "byte" and line:
            line[place] = draw(st.integers(0, 255))
        elif change == "out":
            del line[place : place + draw(st.integers(1, 12))]
        elif change == "in":
            line[place:place] = draw(
                st.sampled_from(
                    [b'"', b"{", b"}", b"\\", b"\x00", b"\xff", b"[", b"NaN", b"\xe2\x80\xa8", b"\\ud83d", b"; "]
                )
            )
        else:
            line[place:place] = line[:place]
    return bytes(line).replace(b"\n", b" ")


@MANY
@given(st.lists(mutated(), min_size=1, max_size=8))
def test_every_marked_line_is_an_event_a_reject_or_a_mention(lines: list[bytes]) -> None:
    """Protects the central promise: a line that holds a marker never disappears, however it is broken."""
    data = b"\n".join(lines) + b"\n"
    frames = parse_block(data, Origin(0, 0, "s"), PARSER, last=True)
    assert data.count(b"\n") == frames.lines
    places = {*frames.events["line"], *frames.rejects["line"]}
    sources = (1 << 60) - 1 & ~(PARSER.search.flags_of(b'"MESSAGE":['))
    marked = [n for n, line in enumerate(lines, 1) if PARSER.search.flags_of(line) & sources]
    missing = [n for n in marked if n not in places and not continues(lines, n)]
    joined = sum(text.count("\n") for text in frames.events["text"].drop_nulls())
    assert len(missing) <= frames.mentions + joined


def continues(lines: list[bytes], number: int) -> bool:
    """Whether a line is a further piece of a record that was cut, and so told by the first one's place."""
    pieces = [piece_of(line) for line in lines[:number]]
    last = pieces.pop()
    return last is not None and any(piece and piece.partial and piece.kind == last.kind for piece in pieces)


@MANY
@given(st.lists(mutated(), min_size=1, max_size=8), st.integers(0, 2000))
def test_a_block_may_be_cut_anywhere(lines: list[bytes], cut: int) -> None:
    """Protects the rows from where the reader cuts: two blocks give what one gives."""
    data = b"\n".join(lines) + b"\n"
    whole = parse_block(data, Origin(0, 0, "s"), PARSER, last=True)
    cut = data.rfind(b"\n", 0, cut) + 1
    first = parse_block(data[:cut], Origin(0, 0, "s"), PARSER)
    rest = data[first.consumed :]
    second = parse_block(rest, Origin(first.consumed, first.lines, "s"), PARSER, last=True)
    columns = ["line", "byte_offset", "part", "kind", "text"]
    assert (
        whole.events.select(columns).rows()
        == first.events.select(columns).rows() + second.events.select(columns).rows()
    )
    assert whole.rejects.rows() == first.rejects.rows() + second.rejects.rows()
    assert whole.lines == first.lines + second.lines


@MANY
@given(
    st.lists(
        st.sampled_from(
            [
                b"[SocraticStage]",
                b"_gate_fired",
                b"xx",
                b"\n",
                b"stdout P ",
                b'a","stream":"stdout"',
                b"[Socratic",
                b"Stage]",
                b"\\n",
            ]
        ),
        max_size=30,
    )
)
def test_both_searches_find_the_same_lines(parts: list[bytes]) -> None:
    """Protects a machine without hyperscan from other results than one with it."""
    data = b"".join(parts)
    search = standard_search()
    plain = Search(
        search.markers,
        b'std(?:out|err) P(?::[^ \\n]*)? |(?:[^n"\\n]|[^\\\\\\n]n)","stream":"std(?:out|err)"',
        1 << 40,
        "polars",
    )
    fast = Search(
        search.markers,
        b'std(?:out|err) P(?::[^ \\n]*)? |(?:[^n"\\n]|[^\\\\\\n]n)","stream":"std(?:out|err)"',
        1 << 40,
        "hyperscan",
    )
    assert plain.lines(data) == fast.lines(data)
    expected = [n for n, line in enumerate(data.split(b"\n")) if any(marker in line for marker in search.markers)]
    starts = [data.count(b"\n", 0, span.start) for span in plain.lines(data) if span.flags & ~(1 << 40)]
    assert expected == starts


def test_a_hyperscan_that_cannot_be_loaded_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects a machine for which the extra was not built from an ingest that stops."""
    monkeypatch.setitem(sys.modules, "hyperscan", None)
    search = Search({b"[honesty]": 1}, b"never", 2, "hyperscan")
    assert [(5, 15, 1)] == search.lines(b"talk\n[honesty] \ntalk")


@MANY
@given(st.text(), st.binary())
def test_small_parsers_take_any_text(text: str, raw: bytes) -> None:
    """Protects against a crash on text from outside, in each function that takes it as it comes."""
    assert "".join(split_reasons(text.replace(";", ""))) == text.replace(";", "").strip()
    without_ansi(text)
    storable(text).encode("utf-8")
    assert json.loads(compact({"a": text})) == {"a": storable(text).replace("\u2400", "\x00")} or "\x00" in text
    try:
        console_values(text)
    except Exception as error:
        assert "does not end" in str(error)  # noqa: PT017 - the only refusal there is
    list(Splitter().feed(raw, last=True))


@MANY
@given(st.sampled_from(sorted(documents())), st.lists(st.integers(1, 3000), max_size=6))
def test_a_document_may_be_fed_in_any_pieces(name: str, sizes: list[int]) -> None:
    """Protects the records of a document from where the reader cuts it."""
    data = documents()[name].encode()
    splitter, position, found = Splitter(), 0, []
    for size in sizes:
        found += splitter.feed(data[position : position + size])
        position += size
    found += splitter.feed(data[position:])
    found += splitter.feed(b"", last=True)
    assert list(Splitter().feed(data, last=True)) == found


def test_a_line_longer_than_memory_allows_is_a_reject_and_the_next_one_is_read(
    log: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects memory: the middle of a giant line is searched, never held, and refused if a marker is in it."""
    monkeypatch.setattr(framing, "LONGEST_LINE", 100_000)
    monkeypatch.setattr(framing, "BLOCK", 50_000)
    monkeypatch.setattr(framing, "BLOCK", 50_000)
    monkeypatch.setattr(framing, "HEAD", 1_000)
    giant = "a" * 300_000 + " [SocraticStage] " + "b" * 300_000
    chatter = "c" * 500_000
    log.write_text(f"x\n{giant}\n{chatter}\n" + text_of(winston_json) + giant)
    summary = read(log, db)
    assert (EVENTS, FIRES, 2) == counts(db)
    assert summary.lines == 3 + len(STAGE) + 1
    assert [2, 16] == [line for (line,) in rows(db, "SELECT line FROM rejects ORDER BY line")]
    with log.open("a") as file:
        file.write(" more\n" + text_of(WRITERS["pino"]))
    read(log, db)
    assert (2 * EVENTS, 2 * FIRES, 2) == counts(db)
    assert [(True, summary.lines + len(STAGE))] == rows(db, "SELECT complete, lines FROM files")


@pytest.mark.parametrize(
    ("content", "events"),
    [
        (b"\xef\xbb\xbf" + text_of(winston_json).encode(), EVENTS),
        (text_of(winston_json).replace("\n", "\r\n").encode(), EVENTS),
        (text_of(WRITERS["winston-text"]).replace("\n", "\r\n").encode(), EVENTS),
        (text_of(winston_json).encode("utf-16"), EVENTS),
        (text_of(winston_json).encode("utf-16-be").join([b"\xfe\xff", b""]), EVENTS),
        (b"\x00" * 4096 + text_of(winston_json).encode(), EVENTS),
        (text_of(winston_json).rstrip("\n").encode(), EVENTS),
        (b"\n\n\n" + text_of(winston_json).encode() + b"\n\n", EVENTS),
    ],
    ids=["bom", "crlf", "crlf-text", "utf-16", "utf-16-be", "nuls", "no-last-feed", "blank-lines"],
)
def test_odd_encodings_of_the_same_lines_give_the_same_events(content: bytes, events: int, log: Path, db: Path) -> None:
    """Protects logs that passed through Windows, an editor or a truncation while they were written."""
    log.write_bytes(content)
    summary = read(log, db)
    assert ([], events, FIRES, 0) == (summary.problems, summary.events, summary.fires, summary.rejected)
    assert read(log, db).events == 0


@pytest.mark.parametrize(
    ("draft", "text"),
    [
        ('"a\u2028b\u0085c"', "a\u2028b\u0085c"),
        ('"\\ud83d"', "\ufffd"),
        ('"nul\\u0000"', "nul\u2400"),
        ('NaN,"more":Infinity', "NaN"),
        ('"first","draft":"last"', "last"),
        ("\"=cmd|' /C calc'!A0\"", "=cmd|' /C calc'!A0"),
        ('"<script>alert(1)</script>"', "<script>alert(1)</script>"),
        ('"\'; DROP TABLE events; --"', "'; DROP TABLE events; --"),
        ('"\u202eabc"', "\u202eabc"),
        ('"\x1b[31mred\x1b[0m"', "red"),
        (str(10**400), None),
        ('{"deep":[1,2]}', '{"deep":[1,2]}'),
    ],
)
def test_a_hostile_draft_is_kept_as_text(draft: str, text: str | None, log: Path, db: Path) -> None:
    """Protects the text of a record as it is: what cannot be stored is replaced where one can see it."""
    log.write_text(DRAFT % draft + "\n", "utf-8")
    read(log, db)
    found = rows(db, "SELECT text FROM events")
    assert (str(10**400) if text is None else text) == found[0][0]


def test_invalid_utf8_is_kept_where_it_can_be_and_shown_where_not(log: Path, db: Path) -> None:
    """Protects a record from one bad byte."""
    log.write_bytes(DRAFT.encode() % b'"caf\xe9"' + b"\n")
    read(log, db)
    assert [("caf\ufffd",)] == rows(db, "SELECT text FROM events")


def test_json_that_nests_ten_thousand_deep_is_a_reject(log: Path, db: Path) -> None:
    """Protects against a crash of the decoder."""
    log.write_text(
        '{"message":"[SocraticStage] summary","a":'
        + "[" * 10_000
        + "]" * 10_000
        + "}\n"
        + "[" * 900
        + '"[SocraticStage]"'
        + "]" * 900
        + "\n"
    )
    summary = read(log, db)
    assert (0, 2) == (summary.events, summary.rejected + (summary.notes != []))


def test_a_file_name_is_only_a_name(tmp_path: Path, db: Path) -> None:
    """Protects the store from SQL in a file's name."""
    path = tmp_path / "a'; DROP TABLE events; --.log"
    path.write_text(text_of(winston_json), "utf-8")
    assert EVENTS == read(tmp_path, db).events
    assert [(str(path),)] == rows(db, "SELECT file FROM files")


def test_a_small_archive_that_unpacks_to_much_is_read_in_bounded_steps(tmp_path: Path, db: Path) -> None:
    """Protects against a decompression bomb: what comes out is read block by block like any other file."""
    path = tmp_path / "app.log.gz"
    with gzip.open(path, "wb") as file:
        for _ in range(40):
            file.write(b"a" * 1_000_000)
        file.write(b"\n" + text_of(winston_json).encode())
    summary = read(path, db)
    assert (EVENTS, 40_000_001 + len(text_of(winston_json).encode())) == (summary.events, summary.bytes)


def test_damage_is_told_only_after_all_bytes_before_it() -> None:
    """Protects the last lines before a damage: they are given before the error."""
    from ingest.errors import UnreadableError

    class Breaking:
        def __init__(self) -> None:
            self.left = [b"one\ntwo\nthr"]

        def read(self, size: int, /) -> bytes:
            if self.left:
                return self.left.pop()
            raise UnreadableError("gone")

    given_chunks = chunks(Breaking())
    assert ("lines", b"one\ntwo\n") == dataclasses.astuple(next(given_chunks))
    assert ("tail", b"thr") == dataclasses.astuple(next(given_chunks))
    with pytest.raises(UnreadableError, match="gone"):
        next(given_chunks)
