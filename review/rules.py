"""Rules for pipelines: `silent_share > 0.05` says when a nightly job is to fail.

    rule   = metric comparison number [ "or unknown" ]
    metric = name [ "(" argument ")" ]            silent_share, never_fired(candidate), rate(socratic.shape.no_digits)
    number = 3, 0.05, 5 %

A rule *breaks* when what it says is true. A metric that the logs cannot tell (nothing to divide by) is *unknown*: that
is reported, and it counts as broken only where the rule ends in `or unknown`.
"""

import datetime as dt
import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import polars as pl

from queries import Window
from queries.thresholds import Thresholds
from review.decisions import Decisions
from review.metrics import ARGUMENTS, METRICS, Facts, Measure, Metric
from review.plain import markdown, one_line
from storefile import UserError

State = Literal["broken", "held", "unknown"]
COMPARISONS = {
    ">=": lambda value, limit: value >= limit,
    "<=": lambda value, limit: value <= limit,
    "==": lambda value, limit: value == limit,
    "!=": lambda value, limit: value != limit,
    ">": lambda value, limit: value > limit,
    "<": lambda value, limit: value < limit,
}
TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_][\w.]*)|(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<sign>>=|<=|==|!=|[<>()%])|(?P<odd>\S))"
)


class RuleError(UserError):
    """A rule cannot be read; the message gives the rule, the place, the reason and what there is."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, read. `limit` is exact; `or_unknown` makes an unknown metric count as broken."""

    metric: str
    comparison: str
    limit: Decimal
    argument: str = ""
    or_unknown: bool = False

    def __str__(self) -> str:
        name = f"{self.metric}({self.argument})" if self.argument else self.metric
        return f"{name} {self.comparison} {self.limit:f}{' or unknown' if self.or_unknown else ''}"


@dataclass(frozen=True, slots=True)
class RuleResult:
    """What came of one rule: its state, the figures, and the sentence that says it."""

    rule: Rule
    state: State
    measure: Measure
    window: str
    sentence: str

    @property
    def broken(self) -> bool:
        return self.state == "broken"


def parse_rule(text: str) -> Rule:
    """Read one rule. Raises RuleError, which points at the first character that does not fit."""
    return _Parser(text).rule()


def rules_from(config: Mapping[str, Any]) -> tuple[Rule, ...]:
    """The rules of `fail_on` in the table [rules] of a configuration. Raises RuleError."""
    rules = config.get("rules", {})
    given = rules.get("fail_on", []) if isinstance(rules, Mapping) else None
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise RuleError(f'[rules] {rules!r}: fail_on must be a list of rules; write fail_on = ["silent_share > 0.05"]')
    return tuple(parse_rule(text) for text in given)


def check_rules(
    db: Path,
    window: Window,
    thresholds: Thresholds,
    rules: Iterable[Rule],
    decisions: Decisions | None = None,
    now: dt.datetime | None = None,
    judged: pl.DataFrame | None = None,
) -> list[RuleResult]:
    """Every rule held against the store, in the order given; `now` (naive UTC) is what decisions are old or young by.

    `judged` is the frame of `queries.verdicts.judge` for the same window and thresholds, where it is there already.
    Raises RuleError for a check that neither catalog nor logs know, StoreError.
    """
    facts = Facts(db, window, thresholds, decisions, now or dt.datetime.now(dt.UTC).replace(tzinfo=None), judged)
    return [_hold(rule, facts) for rule in rules]


def summary_json(results: Sequence[RuleResult]) -> str:
    """The results as one JSON object for a job to read."""
    return json.dumps(
        {
            "broken": sum(result.broken for result in results),
            "unknown": sum(result.state == "unknown" for result in results),
            "rules": [
                {
                    "rule": str(result.rule),
                    "state": result.state,
                    "value": None if result.measure.value is None else float(result.measure.value),
                    "numerator": result.measure.numerator,
                    "denominator": result.measure.denominator,
                    "window": result.window,
                    "sentence": result.sentence,
                }
                for result in results
            ],
        },
        ensure_ascii=False,
        indent=2,
    )


def summary_markdown(results: Sequence[RuleResult]) -> str:
    """The results for a job's page: the broken rules in sentences, then every rule in a table."""
    broken = [result for result in results if result.broken]
    unknown = sum(result.state == "unknown" for result in results)
    head = f"**{len(broken)} of {len(results)} rules broke**" if broken else f"None of {len(results)} rules broke"
    lines = [f"{head}{f', {unknown} could not be told' if unknown else ''}.", ""]
    lines += [f"- {markdown(result.sentence)}" for result in broken] + [""] * bool(broken)
    lines += ["| rule | state | value | counted | window |", "| --- | --- | --- | --- | --- |"]
    for result in results:
        counted = "" if result.measure.numerator is None else str(result.measure.numerator)
        if result.measure.divides:
            counted = f"{counted or '?'} of {_or_unknown(result.measure.denominator)}"
        cells = (str(result.rule), result.state, _decimal(result.measure.value), counted, result.window)
        lines.append(f"| {' | '.join(markdown(cell) for cell in cells)} |")
    return "\n".join(lines) + "\n"


def _hold(rule: Rule, facts: Facts) -> RuleResult:
    metric = METRICS[rule.metric]
    if metric.argument == "CHECK" and rule.argument not in facts.check_ids:
        place = str(rule).index("(") + 2
        raise RuleError(_complaint(str(rule), place, rule.argument, "check that anybody knows", facts.check_ids))
    measure = metric.measure(facts, rule.argument)
    window = "the whole store" if metric.whole_store else facts.window.describe()
    value = measure.value
    if value is None:
        state: State = "broken" if rule.or_unknown else "unknown"
    else:
        state = "broken" if COMPARISONS[rule.comparison](value, Fraction(rule.limit)) else "held"
    return RuleResult(rule, state, measure, window, _sentence(rule, metric, measure, state, window))


def _sentence(rule: Rule, metric: Metric, measure: Measure, state: State, window: str) -> str:
    of = f"{metric.of} ({rule.argument})" if rule.argument else metric.of
    if measure.value is not None:
        counted = f"{measure.numerator:,} {of}"
        if measure.divides:
            counted = f"{measure.numerator:,} of {measure.denominator:,}: {of}, out of {metric.out_of}"
        verb = {"broken": "broke", "held": "held"}[state]
        return f"rule {rule} {verb}: it is {_decimal(measure.value)} ({counted}; window: {window})"
    why = f"there are no {metric.out_of} to divide by" if measure.denominator == 0 else metric.untold
    if state == "broken":
        return f"rule {rule} broke: it is unknown, since {why} (window: {window})"
    return (
        f"rule {rule} is unknown, since {why} (window: {window}); "
        "this does not count as broken: end the rule with 'or unknown' where it should"
    )


def _decimal(value: Fraction | None) -> str:
    if value is None:
        return "unknown"
    return f"{value.numerator:,}" if value.denominator == 1 else f"{float(value):.4g}"


def _or_unknown(count: int | None) -> str:
    return "?" if count is None else str(count)


def _complaint(text: str, place: int, word: str, what: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word, known, 1, 0.6)
    hint = f"did you mean {near[0]}? " if near else ""
    return (
        f"rule '{one_line(text)}', character {place}: {one_line(word)} is no {what}; {hint}there are {', '.join(known)}"
    )


class _Parser:
    """Reads a rule from left to right; `at` counts characters from 1."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [
            (str(found.lastgroup), found[found.lastgroup or 0], found.start(found.lastgroup or 0) + 1)
            for found in TOKEN.finditer(text)
        ]

    def rule(self) -> Rule:
        kind, name, at = self._next()
        if kind != "name":
            raise self._odd(name, at, "a rule starts with a metric")
        metric = METRICS.get(name)
        if metric is None:
            raise RuleError(_complaint(self.text, at, name, "metric", [known.usage for known in METRICS.values()]))
        argument = self._argument(metric)
        _, comparison, at = self._next()
        if comparison not in COMPARISONS:
            raise self._odd(comparison, at, f"a comparison must stand here, one of {' '.join(COMPARISONS)}")
        limit = self._number()
        or_unknown = False
        if self._peek() == "or":
            self._next()
            _, word, at = self._next()
            if word != "unknown":
                raise self._odd(word, at, "only 'unknown' may follow 'or'; write a second rule for a second condition")
            or_unknown = True
        _, rest, at = self._next()
        if rest:
            raise self._odd(rest, at, "the rule ends before this; write one rule for each condition")
        return Rule(metric.name, comparison, limit, argument, or_unknown)

    def _argument(self, metric: Metric) -> str:
        if self._peek() != "(":
            if metric.argument and not metric.optional:
                _, word, at = self._next()
                raise self._odd(word, at, f"{metric.name} needs an argument; write {metric.usage}")
            return ""
        _, _, at = self._next()
        if not metric.argument:
            raise self._odd("(", at, f"{metric.name} takes no argument")
        kind, argument, at = self._next()
        if kind != "name":
            raise self._odd(argument, at, f"a {metric.argument.lower()} must stand here; write {metric.usage}")
        known = ARGUMENTS.get(metric.argument)
        if known and argument not in known:
            raise RuleError(_complaint(self.text, at, argument, metric.argument.lower(), known))
        _, closing, at = self._next()
        if closing != ")":
            raise self._odd(closing, at, "a closing bracket must stand here")
        return argument

    def _number(self) -> Decimal:
        kind, number, at = self._next()
        if kind != "number":
            raise self._odd(number, at, "a number must stand here, such as 3, 0.05 or 5 %")
        if self._peek() == "%":
            self._next()
            return Decimal(number).scaleb(-2)
        return Decimal(number)

    def _peek(self) -> str:
        return self.tokens[0][1] if self.tokens else ""

    def _next(self) -> tuple[str, str, int]:
        return self.tokens.pop(0) if self.tokens else ("end", "", len(self.text) + 1)

    def _odd(self, word: str, at: int, why: str) -> RuleError:
        found = f"found {one_line(word)!r}" if word else "the rule ends here"
        return RuleError(f"rule '{one_line(self.text)}', character {at}: {found}; {why}")
