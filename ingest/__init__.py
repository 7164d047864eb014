"""Logs -> events: bytes, lines, records, events, DuckDB; one file per step, per envelope and per log source."""

from ingest.errors import IngestError
from ingest.follow import follow, stopped_by_signals
from ingest.progress import Progress, progress_for_terminal
from ingest.redact import Redaction
from ingest.run import Summary, ingest
from ingest.settings import IngestSettings

__all__ = [
    "IngestError",
    "IngestSettings",
    "Progress",
    "Redaction",
    "Summary",
    "follow",
    "ingest",
    "progress_for_terminal",
    "stopped_by_signals",
]
