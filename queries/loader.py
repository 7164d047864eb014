"""Finds the questions (.sql files beside this one), checks each when it is loaded, and asks them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb
import polars as pl

from queries.window import Window
from storefile import UserError, opened

FOLDER = Path(__file__).parent
REQUIRED = object()
"""Default of a parameter that has none."""


class QuestionError(UserError):
    """A question is unknown, or is asked or written wrongly; the message names it and says what would be right."""


@dataclass(frozen=True, slots=True)
class Question:
    """One .sql file. Its header is three kinds of comment lines: what it answers, `Grain:` and `Parameters:`."""

    name: str
    answers: str
    grain: str
    parameters: Mapping[str, object]
    """Each `$parameter` with its default, or REQUIRED."""
    sql: str

    @classmethod
    def load(cls, path: Path) -> "Question":
        """Read and check one file; raises QuestionError where header and body do not agree."""
        text = path.read_text(encoding="utf-8")
        header = re.match(r"(?:--.*\n)+", text)
        lines = [line.removeprefix("--").strip() for line in header[0].splitlines()] if header else []
        fields = {line.partition(":")[0]: line.partition(":")[2].strip() for line in lines}
        answers = " ".join(line for line in lines if not re.match(r"(Grain|Parameters):", line))
        if not answers or "Grain" not in fields or "Parameters" not in fields:
            raise QuestionError(
                f"{path.name}: the header must say what the query answers, then 'Grain: ...' and 'Parameters: ...', "
                "each in a comment line of its own"
            )
        declared = _parameters(path.name, fields["Parameters"])
        used = set(re.findall(r"\$([a-z_]+)", re.sub(r"--.*|'(?:[^']|'')*'", "", text)))
        if used != set(declared):
            odd = ", ".join(f"${name}" for name in sorted(used ^ set(declared)))
            raise QuestionError(f"{path.name}: {odd} must stand both in the header's 'Parameters:' and in the query")
        return cls(path.stem, answers, fields["Grain"], declared, text)

    def bind(self, window: Window, given: Mapping[str, object]) -> dict[str, object]:
        """The value of every parameter: from the window, from `given`, else its default; raises QuestionError."""
        for name in given:
            if name not in self.parameters:
                takes = ", ".join(self.parameters) or "none"
                raise QuestionError(f"{self.name}: there is no parameter {name!r}; it takes {takes}")
        from_window = {"since": window.since, "until": window.until, "agent": window.agent}
        values = {name: from_window.get(name, default) for name, default in self.parameters.items()} | dict(given)
        for name, value in values.items():
            if value is REQUIRED:
                raise QuestionError(f"{self.name}: the parameter {name!r} is missing; it has no default")
        return values


def _parameters(file: str, text: str) -> dict[str, object]:
    parameters: dict[str, object] = {}
    for part in text.split(",") if text != "none" else ():
        read = re.fullmatch(r"\s*\$([a-z_]+)(?:\s*=\s*(NULL|-?\d+))?\s*", part)
        if not read:
            raise QuestionError(f"{file}: {part.strip()!r} is no parameter; write $name, $name = NULL or $name = 100")
        default = REQUIRED if read[2] is None else None if read[2] == "NULL" else int(read[2])
        parameters[read[1]] = default
    return parameters


@cache
def questions() -> dict[str, Question]:
    """Every question by its name, checked."""
    return {path.stem: Question.load(path) for path in sorted(FOLDER.glob("*.sql"))}


def ask(
    connection: duckdb.DuckDBPyConnection, name: str, window: Window | None = None, **parameters: object
) -> pl.DataFrame:
    """The answer over an open connection; the columns are those of the query, times are UTC without a zone."""
    question = questions().get(name)
    if question is None:
        raise QuestionError(f"{name}: there is no such question; there are {', '.join(questions())}")
    frame: pl.DataFrame = connection.sql(question.sql, params=question.bind(window or Window(), parameters)).pl()
    return frame


def run(db: Path, name: str, window: Window | None = None, **parameters: object) -> pl.DataFrame:
    """The answer of one question: opens the store, asks, closes it. Raises QuestionError, StoreError."""
    with opened(db) as connection:
        return ask(connection, name, window, **parameters)
