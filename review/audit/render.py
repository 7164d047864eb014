"""The result as text, Markdown or JSON: one document of headings, lists and tables, written in three ways."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from review.audit.care import Calibration
from review.audit.labels import ANY, Label
from review.audit.result import Agreement, AuditResult, Rate
from review.audit.verdict import p_text, warning
from review.plain import markdown, one_line

Escape = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Table:
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, the lines under it, and a table where figures are compared."""

    title: str
    lines: Sequence[str]
    table: Table | None = None


def render(result: AuditResult, style: str = "table") -> str:
    """The result as `table` (for a terminal), `markdown` or `json`. The same result gives the same bytes."""
    if style == "json":
        return json.dumps(as_dict(result), ensure_ascii=False, indent=2)
    write = _markdown if style == "markdown" else _text
    return "\n".join(write(section) for section in sections(result)).rstrip("\n")


def as_dict(result: AuditResult) -> dict[str, Any]:
    """The result as JSON values; each rate with its count, its number of messages and its interval."""

    def value(of: Any) -> Any:
        if isinstance(of, Rate):
            low, high = of.interval
            return {"count": of.count, "n": of.n, "rate": of.rate, "low": low, "high": high}
        if isinstance(of, tuple):
            return [value(each) for each in of]
        return of

    def row(of: Any) -> dict[str, Any]:
        return {name: value(getattr(of, name)) for name in of.__dataclass_fields__}

    plain = asdict(result)
    plain["counts"] = [row(count) for count in result.counts]
    plain["comparisons"] = [row(test) for test in result.comparisons]
    return plain


def sections(result: AuditResult) -> list[Section]:
    """The document, in the order in which it must be read: whom one can rely on comes before what they found."""
    return [
        _origin(result),
        Section("Before any result: can the auditors be relied on?", _reliability(result)),
        Section("Verdict", [found.sentence() for found in result.evidence]),
        _counts(result),
        _tests(result),
        *(_agreement(agreement) for agreement in result.agreements),
    ]


def _origin(result: AuditResult) -> Section:
    lines = [
        f"packet {result.packet_sha256[:12]}, key {result.key_sha256[:12]}: compare both with what was noted at the build",
        f"auditors: {', '.join(result.auditors)}",
    ]
    lines += [f"left out: {auditor}, labels lacking: {lacks}" for auditor, lacks in result.left_out.items()]
    return Section("Blind audit", lines)


def _reliability(result: AuditResult) -> list[str]:
    lines = [_calibrated(found) for found in result.calibrations]
    lines += [f"{sign.auditor}: {sign.sentence}; was every message read?" for sign in result.signs]
    return lines if result.signs else [*lines, "no sign of labelling without reading"]


def _calibrated(found: Calibration) -> str:
    if found.faultless:
        return f"{found.auditor} has all {found.good} known-good and all {found.bad} known-bad messages right"
    trust = "to be kept in mind below" if found.trusted else "NOT TO BE TRUSTED before the rubric is settled"
    return f"{warning(found)}: {trust}"


def _counts(result: AuditResult) -> Section:
    """A row for each measure of each view; a measure that nobody set anywhere is one line instead."""
    rates = {(count.view, count.measure, count.condition): count.rate for count in result.counts}
    used = {count.measure for count in result.counts if count.rate.count}
    lines = ["messages of each condition, with the Wilson 95 % interval of the rate"]
    if unused := [m for m in dict.fromkeys(count.measure for count in result.counts) if m not in used]:
        none = (f"{name} {_rate(rates[ANY, unused[0], name])}" for name in result.conditions)
        lines.append(f"no auditor found {', '.join(unused)}: {'; '.join(none)}")
    rows = [
        [view, measure, *(_rate(rates[view, measure, condition]) for condition in result.conditions)]
        for view, measure in dict.fromkeys((count.view, count.measure) for count in result.counts)
        if measure in used
    ]
    return Section("Counts", lines, Table(["view", "measure", *result.conditions], rows))


def _tests(result: AuditResult) -> Section:
    """Tests of measures that nobody set anywhere are left out of the table, and counted."""
    told = [test for test in result.comparisons if test.baseline_rate.count or test.compared_rate.count]
    rows = [
        [f"{test.compared} / {test.baseline}", test.view, test.measure, p_text(test.p), p_text(test.p_holm)]
        for test in told
    ]
    silent = len(result.comparisons) - len(told)
    lines = [
        f"{len(told)} tests, of which about {len(told) / 20:.0f} would fall below 0.05 by chance alone; a difference of "
        "a few messages is noise",
        "p (Holm) is adjusted over the measures of a view other than not clean, which decides",
    ]
    if silent:
        lines.append(f"{silent} more have nothing to test: the measure holds for no message of the two conditions")
    return Section("Fisher's exact test", lines, Table(["conditions", "view", "measure", "p", "p (Holm)"], rows))


def _agreement(agreement: Agreement) -> Section:
    first, second = agreement.auditors
    lines = [
        f"the same label on {agreement.same_label} of {agreement.n} messages; Cohen's kappa {_kappa(agreement.kappa)}, "
        f"for clean or not {_kappa(agreement.kappa_clean)}"
    ]
    if not agreement.disagreements:
        return Section(f"Agreement of {first} and {second}", [*lines, "no disagreement in label or flags"])
    lines.append("where they differ the rubric may be vague; conditions are left out, so that it can be settled blind")
    rows = []
    for found in agreement.disagreements:
        rows.append([found.item, "the message", "", found.message])
        rows += [[found.item, label.auditor, _opinion(label), label.note or "(no note)"] for label in found.labels]
    return Section(f"Agreement of {first} and {second}", lines, Table(["item", "who", "label [flags]", "words"], rows))


def _kappa(kappa: float | None) -> str:
    return "undefined (both gave one and the same label throughout)" if kappa is None else f"{kappa:.2f}"


def _opinion(label: Label) -> str:
    return label.label + (f" [{', '.join(label.flags)}]" if label.flags else "")


def _rate(rate: Rate) -> str:
    low, high = rate.interval
    return f"{rate.count} of {rate.n} ({low:.1%} to {high:.1%})"


def _text(section: Section) -> str:
    lines = [section.title, *(f"  {one_line(line)}" for line in section.lines)]
    if section.table:
        rows = [[one_line(cell) for cell in row] for row in (section.table.head, *section.table.rows)]
        # The last column runs free, and a long cell does not push the others apart.
        widths = [min(48, max(len(row[column]) for row in rows)) for column in range(len(rows[0]))]
        lines += ["  " + "  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join(lines) + "\n"


def _markdown(section: Section) -> str:
    lines = [f"## {markdown(section.title)}", "", *(f"- {markdown(line)}" for line in section.lines)]
    if section.table:
        head = " | ".join(markdown(cell) for cell in section.table.head)
        lines += ["", f"| {head} |", "|" + " --- |" * len(section.table.head)]
        lines += ["| " + " | ".join(markdown(cell) for cell in row) + " |" for row in section.table.rows]
    return "\n".join(lines) + "\n"
