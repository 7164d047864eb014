"""Every declared envelope and source, by its own samples."""

import datetime as dt

import pytest

from ingest.block import Origin
from ingest.envelope import Envelope, JsonEnvelope, Sample, TextEnvelope, envelopes, json_envelope_of, text_envelopes
from ingest.frames import Frames
from ingest.line import Parser
from ingest.parse import parse_block
from ingest.search import standard_search
from ingest.source import Event, Expected, Reject, Source, sources
from ingest.unwrap import Unwrapper

UNWRAPPER = Unwrapper()
ENVELOPE_SAMPLES = [pytest.param(e, s, id=f"{e.name}-{n}") for e in envelopes() for n, s in enumerate(e.samples)]
SOURCE_SAMPLES = [
    pytest.param(source, raw, expected, id=f"{source.system}-{n}")
    for source in sources()
    for n, (raw, expected) in enumerate(source.samples)
]


def joined(sample: Sample) -> str:
    """The line of a sample; pieces of one line are put together as the parser does it."""
    if "\n" not in sample.raw:
        return sample.raw
    first, second = sample.raw.split("\n")
    return first.replace(" P ", " F ") + second.split(" F ")[1]


@pytest.mark.parametrize(("envelope", "sample"), ENVELOPE_SAMPLES)
def test_envelope_sample_gives_what_it_says(envelope: Envelope, sample: Sample) -> None:
    """Protects each envelope's message, time, level, session and stream from a change anywhere in unwrapping."""
    [record] = UNWRAPPER.records(joined(sample).encode())
    time = (
        None if record.time is None else (dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=record.time)).isoformat()
    )
    expected = (sample.message, sample.time, sample.level, sample.session, sample.stream)
    assert expected == (record.message, time, record.level, record.session, record.stream)
    assert dict(sample.fields) == {key: record.fields.get(key) for key, _ in sample.fields}
    assert envelope.name == record.envelopes[0]


@pytest.mark.parametrize(("envelope", "sample"), ENVELOPE_SAMPLES)
def test_no_other_sure_envelope_matches_the_sample(envelope: Envelope, sample: Sample) -> None:
    """Protects a new envelope from taking away the lines of an old one: what matches must not depend on the order."""
    line = joined(sample)
    matching = [e.name for e in text_envelopes() if e.pattern.fullmatch(line) and not e.general]
    values = []
    if isinstance(envelope, JsonEnvelope):
        import orjson

        values = [orjson.loads(line)]
    for value in values:
        found = json_envelope_of(value)
        assert found is not None
        matching.append(found.name)
    others = [name for name in matching if name != envelope.name]
    assert ([] if not envelope.general else others) == others


@pytest.mark.parametrize(("source", "raw", "expected"), SOURCE_SAMPLES)
def test_source_sample_is_read_as_it_says(source: Source, raw: str, expected: Expected | Reject | None) -> None:
    """Protects the table of each source: kind, columns, reasons, and the wording of a reject."""
    [record] = UNWRAPPER.records(raw.encode())
    result = source.read(record)
    if isinstance(expected, Expected):
        assert isinstance(result, Event)
        assert (expected.kind, expected.fragments) == (result.kind, tuple(fire.fragment for fire in result.fires))
        session = result.session or record.session
        told = {name: session if name == "session" else getattr(result, name) for name in expected.columns}
        assert dict(expected.columns) == told
    else:
        assert expected == result


@pytest.mark.parametrize(("source", "raw", "expected"), SOURCE_SAMPLES)
def test_no_other_source_reads_the_sample(source: Source, raw: str, expected: object) -> None:
    """Protects every record from being counted by two sources."""
    [record] = UNWRAPPER.records(raw.encode())
    assert [] == [other.system for other in sources() if other is not source and other.read(record) is not None]


@pytest.mark.parametrize(("source", "raw", "expected"), SOURCE_SAMPLES)
def test_the_search_finds_the_sample(source: Source, raw: str, expected: object) -> None:
    """Protects a source from losing lines before they are looked at: each sample holds one of its markers."""
    frames = parse_block(raw.encode() + b"\n", Origin(0, 0, "s"), Parser(UNWRAPPER, standard_search()), last=True)
    assert found_as(expected) == summary(frames)


def found_as(expected: object) -> tuple[int, int]:
    return (1, 0) if isinstance(expected, Expected) else (0, 1) if isinstance(expected, Reject) else (0, 0)


def summary(frames: Frames) -> tuple[int, int]:
    return frames.events.height, frames.rejects.height


def test_every_envelope_has_a_sample_and_a_name_of_its_own() -> None:
    """Protects the tests above from an envelope that brings nothing to test."""
    names = [envelope.name for envelope in envelopes()]
    assert sorted(set(names)) == sorted(names)
    assert [] == [envelope.name for envelope in envelopes() if not envelope.samples]
    assert [] == [e.name for e in envelopes() if isinstance(e, TextEnvelope) and "payload" not in e.pattern.groupindex]


def test_every_source_column_is_a_column_of_events() -> None:
    """Protects a table from naming a column that the store does not have, and one column from two rows' guesses."""
    columns = set(Event.__slots__)
    wrong = [
        (source.system, row.kind, column)
        for source in sources()
        for row in source.rows
        for column in (*row.columns, *row.fixed)
        if column not in columns
    ]
    assert [] == wrong
