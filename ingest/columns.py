"""The columns of what parsing hands to the store, and how rows become columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

EVENT_SCHEMA: dict[str, Any] = {
    "number": pl.Int64, "line": pl.Int64, "byte_offset": pl.Int64, "part": pl.Int32, "time": pl.Datetime("us"), "time_source": pl.String,
    "system": pl.String, "kind": pl.String, "form": pl.String, "agent": pl.String, "session": pl.String, "session_source": pl.String,
    "stream": pl.String, "version": pl.String, "level": pl.String, "attempt": pl.Int32, "attempts": pl.Int32, "outcome": pl.String,
    "severity": pl.String, "action": pl.String, "subject": pl.String, "goal": pl.String, "text": pl.String, "ok_count": pl.Int32,
    "fail_count": pl.Int32, "extra": pl.String, "envelope": pl.String,
}  # fmt: skip
FIRE_SCHEMA: dict[str, Any] = {
    "number": pl.Int64,
    "position": pl.Int32,
    "family": pl.String,
    "rule": pl.String,
    "fragment": pl.String,
}
REJECT_SCHEMA: dict[str, Any] = {
    "line": pl.Int64,
    "byte_offset": pl.Int64,
    "part": pl.Int32,
    "why": pl.String,
    "excerpt": pl.String,
}
Numbers = npt.NDArray[np.int64]
DAY_US = 86_400_000_000
"""A day in microseconds."""
UNDATED = -(2**63)
"""Among times in microseconds: none."""


def frame_of(rows: Sequence[tuple[Any, ...]], schema: dict[str, Any]) -> pl.DataFrame:
    """`rows` as the columns of `schema`; times are given in microseconds since 1970, UTC."""
    if not rows:
        return pl.DataFrame(schema=schema)
    columns = zip(*rows, strict=True)
    return pl.DataFrame(
        [
            pl.Series(name, column, dtype=pl.Int64).cast(kind)
            if isinstance(kind, pl.Datetime)
            else pl.Series(name, column, dtype=kind)
            for (name, kind), column in zip(schema.items(), columns, strict=True)
        ]
    )
