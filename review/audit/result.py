"""What an audit found: plain values that print, compare and can be stored as evidence beside a decision."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

from queries.intervals import wilson_interval
from review.audit.care import Calibration, Sign
from review.audit.labels import Label

REGRESSION = "regression"
IMPROVED = "improved"
NO_DIFFERENCE = "no difference that these numbers could show"
NOT_TRUSTED = "not trusted"
VERDICTS = (REGRESSION, IMPROVED, NO_DIFFERENCE, NOT_TRUSTED)


@dataclass(frozen=True)
class Rate:
    """So many of `n` messages, with the Wilson 95 % interval of the rate."""

    count: int
    n: int

    @property
    def rate(self) -> float:
        return self.count / self.n

    @cached_property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.count, self.n)


@dataclass(frozen=True, slots=True)
class Count:
    """How often a measure (a label, `not clean`, or a flag) holds in a condition, in one view.

    A view is one auditor, `every auditor` (all complete ones say so) or `any auditor` (at least one does).
    """

    view: str
    condition: str
    measure: str
    rate: Rate


@dataclass(frozen=True, slots=True)
class Comparison:
    """Fisher's exact test of one measure between two conditions, in one view.

    `p_holm` is adjusted over the other measures of the same pair and view; for `not clean`, which decides, it is `p`.
    """

    baseline: str
    compared: str
    view: str
    measure: str
    baseline_rate: Rate
    compared_rate: Rate
    p: float
    p_holm: float


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item that two auditors judged differently. Its condition is left out, so that they can settle it blind."""

    item: str
    message: str
    labels: tuple[Label, Label]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two auditors over the items of the conditions: Cohen's kappa for the label and for clean or not."""

    auditors: tuple[str, str]
    n: int
    same_label: int
    kappa: float | None
    kappa_clean: float | None
    disagreements: tuple[Disagreement, ...]


@dataclass(frozen=True, slots=True)
class AuditEvidence:
    """What a decision about a check may cite: one condition compared with the baseline.

    `check_ids` are the checks that `compared` went without (its name is `without:ID` or `without:ID+ID`). Counts are
    of messages not clean to any auditor. `noticeable_rate` is the smallest rate that would have been noticed as worse,
    `messages_needed` how many messages per condition would settle it; either is None where no number answers.
    """

    check_ids: tuple[str, ...]
    baseline: str
    compared: str
    baseline_n: int
    compared_n: int
    baseline_not_clean: int
    compared_not_clean: int
    p: float
    verdict: str
    because: str
    noticeable_rate: float | None
    messages_needed: int | None
    auditors: tuple[str, ...]
    kappa: float | None
    warnings: tuple[str, ...]
    packet_sha256: str
    key_sha256: str

    def sentence(self) -> str:
        """The evidence in one sentence, for a decision's `audit` or a line of the plan."""
        return f"{self.compared} against {self.baseline}: {self.verdict} - {self.because}"

    def to_dict(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "AuditEvidence":
        """The evidence from `to_dict`, also after JSON or TOML (which has no null: a missing field is None)."""
        found: dict[str, Any] = {field.name: stored.get(field.name) for field in fields(cls)}
        values: dict[str, Any] = {k: tuple(value) if isinstance(value, list) else value for k, value in found.items()}
        return cls(**values)


@dataclass(frozen=True, slots=True)
class AuditResult:
    """Everything that `gatecov audit score` says. `left_out` are auditors who were not complete: how many they lack."""

    packet_sha256: str
    key_sha256: str
    conditions: tuple[str, ...]
    auditors: tuple[str, ...]
    left_out: Mapping[str, int]
    calibrations: tuple[Calibration, ...]
    signs: tuple[Sign, ...]
    counts: tuple[Count, ...]
    comparisons: tuple[Comparison, ...]
    agreements: tuple[Agreement, ...]
    evidence: tuple[AuditEvidence, ...]

    def evidence_for(self, check_id: str) -> tuple[AuditEvidence, ...]:
        """The comparisons in which this check was taken away."""
        return tuple(found for found in self.evidence if check_id in found.check_ids)
