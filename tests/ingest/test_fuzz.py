"""Real lines and documents, changed at random, through every parser: nothing crashes, and cutting changes nothing."""

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ingest import framing
from ingest.block import Origin
from ingest.decode import gunzipped
from ingest.document import Rejoiner, Splitter
from ingest.envelope import envelopes
from ingest.errors import UndecodableError
from ingest.line import Parser
from ingest.parse import parse_block, parse_elements
from ingest.search import standard_search
from ingest.source import sources
from ingest.splits import page_rejoined
from ingest.table import Table, is_table
from ingest.times import read_time
from ingest.unwrap import Unwrapper
from tests.ingest.logs import STAGE, WRITERS, documents

PARSER = Parser(Unwrapper(), standard_search())
MANY = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
SAMPLES = [sample.raw.encode() for envelope in envelopes() for sample in envelope.samples]
LINES = [writer(n, *STAGE[n]).encode() for writer in WRITERS.values() for n in (0, 1, 7, 9)]
RECORDS = [raw.encode() for source in sources() for raw, _ in source.samples]
DOCUMENTS = [text.encode() for text in documents().values()]
PIECES = [b'"', b"{", b"}", b"[", b"]", b"\\", b"\x00", b"\xff", b"\n", b"\n  ", b"NaN", b"\xe2\x80\xa8", b"\\ud83d", b"; ", b'"split":{"uid":"u","index":0,"totalSplits":2},', b'"MESSAGE":null,', b" stdout P ", b'claim="', b"H4sI", b"1e999", b"null"]  # fmt: skip


@st.composite
def changed(draw: st.DrawFn, real: list[bytes]) -> bytes:
    """One of `real` with a few bytes changed, taken out, put in, doubled or cut off, line feeds included."""
    text = bytearray(draw(st.sampled_from(real)))
    for _ in range(draw(st.integers(0, 5))):
        place = draw(st.integers(0, max(0, len(text) - 1)))
        match draw(st.sampled_from(["cut", "byte", "out", "in", "twice"])):
            case "cut":
                del text[place:]
            case "byte" if text:
                text[place] = draw(st.integers(0, 255))
            case "out":
                del text[place : place + draw(st.integers(1, 40))]
            case "in":
                text[place:place] = draw(st.sampled_from(PIECES))
            case _:
                text[place:place] = text[max(0, place - 200) : place]
    return bytes(text)


@MANY
@given(st.lists(changed(SAMPLES + LINES + RECORDS), min_size=1, max_size=5), st.integers(0, 3000))
def test_lines_changed_in_any_way_give_the_same_rows_wherever_they_are_cut(lines: list[bytes], cut: int) -> None:
    """Protects every envelope and source from a crash, and records over several lines from the edges of blocks."""
    data = b"\n".join(lines) + b"\n"
    whole = parse_block(data, Origin(0, 0, "s"), PARSER, last=True)
    cut = data.rfind(b"\n", 0, cut) + 1
    first = parse_block(data[:cut], Origin(0, 0, "s"), PARSER)
    second = parse_block(data[first.consumed :], Origin(first.consumed, first.lines, "s"), PARSER, last=True)
    columns = ["line", "byte_offset", "part", "kind", "text"]
    parts = [frames.events.select(columns).rows() for frames in (first, second)]
    assert sorted(whole.events.select(columns).rows(), key=repr) == sorted(parts[0] + parts[1], key=repr)
    rejects = [frames.rejects.rows() for frames in (first, second)]
    assert sorted(whole.rejects.rows()) == sorted(rejects[0] + rejects[1])
    assert data.count(b"\n") == whole.lines == first.lines + second.lines


@MANY
@given(changed(DOCUMENTS), st.lists(st.integers(1, 4000), max_size=4))
def test_documents_changed_in_any_way_crash_nothing_and_may_be_fed_in_pieces(data: bytes, sizes: list[int]) -> None:
    """Protects documents that are broken, and the places of their records from where the reader cuts them."""
    framing.framing_of(data)
    framing.looks_binary(data)
    splitter, whole, position, found = Splitter(), Rejoiner(), 0, []
    for size in sizes:
        found += whole.feed(splitter.feed(data[position : position + size]))
        position += size
    found += whole.feed(splitter.feed(data[position:]))
    found += whole.feed(splitter.feed(b"", last=True), last=True)
    frames = parse_elements(found, "s", PARSER)
    assert all(0 <= offset <= len(data) for offset in frames.events["byte_offset"])
    assert all(line <= data.count(b"\n") + 1 for line in frames.events["line"])


@MANY
@given(st.lists(st.sampled_from([b"probe,point,participant,answer\n", b'a,"b ""c"" d",e,7\n', b'"', b",", b"\n", b"\r\n", b"NA", b"x"]), max_size=20))  # fmt: skip
def test_tables_of_any_cells_crash_nothing(parts: list[bytes]) -> None:
    """Protects CSV files with quotes that never close, rows of any length, and no header at all."""
    data = b"".join(parts)
    is_table(data)
    parse_elements(list(Table().feed(data, last=True)), "s", PARSER)


KEYS = sorted(
    {path for e in envelopes() for path in (*getattr(e, "keys", ()), *getattr(e, "payload", ())) for path in path.split(".")}
    | {"split", "uid", "index", "totalSplits", "scopeLogs", "logRecords", "body", "attributes", "kinesis", "toolName", "field", "value"}
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@MANY
@example({"entries": 5})
@example({"entries": [{"split": {"uid": "u", "index": True, "totalSplits": 2}}]})
@example({"Records": [{"kinesis": None}]})
@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6))
def test_any_object_with_the_keys_of_envelopes_is_records_or_refused_by_name(value: dict[str, object]) -> None:
    """Protects against another program's objects that share the keys of an envelope and nothing else."""
    page_rejoined([value])
    page_rejoined(value.get("entries"))
    try:
        records = PARSER.unwrapper.value(value)
    except UndecodableError as error:
        assert str(error)  # noqa: PT017 - it may be refused, or not
    else:
        for record in records:
            assert all(source.read(record) is not ... for source in sources())
    read_time(value.get("timestamp"))


@MANY
@given(st.text(alphabet="H4sIAAAAbcdef+/=", max_size=80))
def test_any_base64_is_text_or_refused(text: str) -> None:
    """Protects against data that only looks like a subscription's message."""
    try:
        assert isinstance(gunzipped(text), str)
    except UndecodableError as error:
        assert "base64" in str(error)  # noqa: PT017 - the only refusal there is
