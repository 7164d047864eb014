"""What a store was purged of stays out of it: the rows of a block without those that a purge would have removed.

A file that grew, a copy of it and an export in another form would else bring back what was removed.
"""

import datetime as dt
import hashlib
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

import duckdb
import polars as pl

from ingest.frames import Frames

_WORD = re.compile(r"[\w.:@-]+")
_EPOCH = dt.date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Purged:
    """Records of before a time (naive UTC), and the digests of sessions."""

    before: dt.datetime | None = None
    sessions: frozenset[str] = frozenset()

    def left_of(self, frames: Frames) -> tuple[Frames, int]:
        """`frames` without what was purged, and how many records and rejects that leaves out.

        Undated ones are taken to be as old as the dated record before them in the block, else as the one after them.
        """
        if self.before is None and not self.sessions:
            return frames, 0
        events, rejects = frames.events, frames.rejects
        gone = events.select(self._of_session(events["session"]) | self._too_old(_told(events))).to_series()
        named = rejects["excerpt"].map_elements(self._names_session, return_dtype=pl.Boolean)
        lost = rejects.select(named.fill_null(False) | self._too_old(_told_of(rejects, events))).to_series()
        if not gone.any() and not lost.any():
            return replace(frames, days=self._days(frames, events.clear())), 0
        kept = events.filter(~gone)
        fires = frames.fires.join(kept.select("number"), on="number", how="semi")
        days = self._days(frames, events.filter(gone))
        left_out = gone.to_list().count(True) + lost.to_list().count(True)
        return replace(frames, events=kept, fires=fires, rejects=rejects.filter(~lost), days=days), left_out

    def _of_session(self, sessions: pl.Series) -> pl.Series:
        theirs = [name for name in sessions.drop_nulls().unique() if session_digest(name) in self.sessions]
        return sessions.is_in(theirs).fill_null(False)

    def _names_session(self, excerpt: str) -> bool:
        return bool(self.sessions) and any(session_digest(word) in self.sessions for word in _WORD.findall(excerpt))

    def _too_old(self, times: pl.Series) -> pl.Series:
        return (times < (self.before or dt.datetime.min)).fill_null(False)

    def _days(self, frames: Frames, gone: pl.DataFrame) -> dict[tuple[int, int], tuple[int, int]]:
        first = (self.before.date() - _EPOCH).days if self.before else -(10**9)
        removed = Counter(
            (block, (time.date() - _EPOCH).days)
            for block, time in gone.select("block", "time").drop_nulls().iter_rows()
        )
        return {
            (block, day): (relevant - removed[block, day], sampled)
            for (block, day), (relevant, sampled) in frames.days.items()
            if day >= first
        }


def purged_of(connection: duckdb.DuckDBPyConnection) -> Purged:
    """All that a store was purged of so far."""
    rows = connection.execute("SELECT before, session_sha256 FROM purges").fetchall()
    return Purged(
        max((before for before, _ in rows if before is not None), default=None),
        frozenset(session for _, session in rows if session is not None),
    )


def session_digest(session: str) -> str:
    """What stands for the name of a purged session in the store."""
    return hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()


def _told(events: pl.DataFrame) -> pl.Series:
    return events.select(pl.col("time").forward_fill().backward_fill().over("block")).to_series()


def _told_of(rejects: pl.DataFrame, events: pl.DataFrame) -> pl.Series:
    place = ["block", "byte_offset"]
    dated = events.select(*place, "time").drop_nulls().sort(place)
    numbered = rejects.select(place).with_row_index("row").sort(place)

    def nearest(strategy: Literal["backward", "forward"]) -> pl.Series:
        found = numbered.join_asof(dated, on="byte_offset", by="block", strategy=strategy, check_sortedness=False)
        return found.sort("row")["time"]

    return nearest("backward").fill_null(nearest("forward"))
