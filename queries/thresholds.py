"""The one table of thresholds: what each verdict asks for, in which unit, and why that much."""

from dataclasses import dataclass, field, fields
from typing import Any


def _row(value: float, unit: str, why: str) -> Any:
    return field(default=value, metadata={"unit": unit, "why": why})


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Every threshold with its default; `gatecov.toml` may set any of them under [thresholds]."""

    min_evaluations: int = _row(300, "evaluations", "zero fires in 300 bound the rate below 1 % with 95 % confidence")
    min_sessions: int = _row(
        20, "sessions", "drafts of one conversation are alike, so the evidence must come from many"
    )
    min_days: int = _row(14, "days", "two whole weeks show each weekday twice")
    quiet_days: int = _row(21, "days", "three weeks without a fire are more than a holiday")
    redundant_fires: int = _row(20, "fires", "never alone in 20 fires bounds the share of sole fires below 14 %")
    strict_rate: float = _row(
        0.5, "share of first drafts", "a check that stops every second first draft costs more calls than it saves"
    )
    min_week_evaluations: int = _row(
        30, "evaluations", "in a week with fewer, one fire moves the rate by more than 3 %: it is marked as thin"
    )
    strict_first_drafts: int = _row(30, "first drafts", "fewer cannot tell half from a third")


@dataclass(frozen=True, slots=True)
class Threshold:
    """One threshold of the table: its name, default, unit, and why that much."""

    name: str
    default: float
    unit: str
    why: str


THRESHOLDS = tuple(Threshold(row.name, getattr(Thresholds(), row.name), **row.metadata) for row in fields(Thresholds))
