"""A page of records: one object that holds an array of them (CloudWatch events, hits, entries, ...)."""

from collections.abc import Mapping
from typing import Any

from ingest.envelope import JsonEnvelope, Sample, first_at, json_envelope_of
from ingest.splits import MARK, page_rejoined

_PLACES = ("hits.hits", "events", "logEvents", "entries", "records")


def _is_one(value: Mapping[str, Any]) -> bool:
    held = first_at(value, _PLACES)
    return isinstance(held, list) and any(isinstance(one, str) or json_envelope_of(one) for one in held)


ENVELOPE = JsonEnvelope(
    name="page",
    keys=(),
    where=_is_one,
    payload=_PLACES,
    without=("level", "_source", "jsonPayload", "textPayload", "log", "line"),
    convert=page_rejoined,
    markers=(MARK,),  # a marker may have been cut in two
    many=True,
    stream=("logStream",),
    samples=(
        Sample(
            '{"events":[{"logStreamName":"s","timestamp":1788000000123,"message":"hi","ingestionTime":1788000001000,"eventId":"1"}],"nextToken":"n"}',
            message="hi",
            time="2026-08-29T10:40:00.123000",
            stream="s",
        ),
        Sample(
            '{"took":1,"hits":{"total":1,"hits":[{"_index":"i","_source":{"@timestamp":"2026-09-01T10:00:00Z","message":"hi"}}]}}',
            message="hi",
            time="2026-09-01T10:00:00",
        ),
        Sample(
            '{"messageType":"DATA_MESSAGE","logStream":"s","logEvents":[{"id":"1","timestamp":1788000000123,"message":"hi"}]}',
            message="hi",
            time="2026-08-29T10:40:00.123000",
            stream="s",
        ),
    ),
)
