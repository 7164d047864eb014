"""CloudWatch Logs Insights: rows of field and value pairs, whose times are UTC without saying so."""

from typing import Any

from ingest.envelope import JsonEnvelope, Sample
from ingest.times import read_time


def _rows(rows: Any) -> Any:
    return [_row(row) if isinstance(row, list) else row for row in rows]


def _row(cells: list[Any]) -> dict[str, Any]:
    row = {str(cell["field"]): cell.get("value") for cell in cells}
    local = read_time(row.get("@timestamp"))
    if local and not local.absolute:
        row["@timestamp"] = f"{row['@timestamp']}Z"
    return row


def _is_row(row: Any) -> bool:
    if isinstance(row, dict):  # its pairs already an object
        return "@message" in row or "@timestamp" in row
    return isinstance(row, list) and bool(row) and all(isinstance(cell, dict) and "field" in cell for cell in row)


ENVELOPE = JsonEnvelope(
    name="insights",
    keys=("results",),
    where=lambda value: isinstance(value["results"], list) and all(map(_is_row, value["results"])),
    payload=("results",),
    convert=_rows,
    many=True,
    samples=(
        Sample(
            '{"results":[[{"field":"@timestamp","value":"2026-09-01 10:00:00.123"},{"field":"@message","value":"{\\"level\\":40,\\"msg\\":\\"gate\\"}"}]],"status":"Complete"}',
            message="gate",
            time="2026-09-01T10:00:00.123000",
            level="warn",
        ),
        Sample(
            '{"results":[[{"field":"@timestamp","value":"2026-09-01 10:00:00.123"},{"field":"msg","value":"hi"},{"field":"sessionId","value":"s-1"},{"field":"@logStream","value":"s"}]]}',
            message="hi",
            time="2026-09-01T10:00:00.123000",
            session="s-1",
            stream="s",
        ),
    ),
)
