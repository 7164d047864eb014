"""The generated parts of the README and of docs/csv.md: what the program says of itself, between markers.

`python -m tests.docs --write` writes them anew; a test fails when they differ.
"""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from typer.testing import CliRunner

ROOT = Path(__file__).resolve().parent.parent


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; `|` in a cell is escaped."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def checks() -> str:
    from checks.registry import catalog

    rows = [
        (
            f"`{check.check_id}`",
            f"[{check.title}]({check.source})" if check.source else f"{check.title} (runs elsewhere)",
            f"`{check.reason}`",
            check.kept_because,
        )
        for check in catalog()
    ]
    return table(("check", "title", "reason in the log", "kept because"), rows)


def csv_files() -> str:
    from queries.export import COLUMNS

    return table(
        ("file", "columns"), [(f"`{name}`", ", ".join(f"`{c}`" for c in columns)) for name, columns in COLUMNS.items()]
    )


def csv_columns() -> str:
    from queries.export import TABLES

    parts = [
        f"## `{one.name}.csv`\n\n"
        + table(("column", "meaning"), [(f"`{name}`", meaning) for name, meaning in one.columns.items()])
        for one in TABLES
    ]
    return "\n" + "\n\n".join(parts) + "\n"


def thresholds() -> str:
    from queries.thresholds import THRESHOLDS

    rows = [(f"`{t.name}`", f"{float(t.default):g}", t.unit, t.why) for t in THRESHOLDS]
    return table(("threshold", "default", "unit", "why"), rows)


def envelopes() -> str:
    from ingest.envelope import envelopes as declared

    return ", ".join(sorted(f"`{envelope.name}`" for envelope in declared())) + "."


def command_help() -> str:
    import gatecov

    runner = CliRunner(env={"COLUMNS": "100"})
    order = list(gatecov.COMMANDS)
    names: list[str] = ["", *sorted(_commands(gatecov.app), key=lambda name: order.index(name.split()[0]))]
    texts = [
        runner.invoke(gatecov.app, [*name.split(), "--help"], prog_name="gatecov").stdout.strip() for name in names
    ]
    return "```\n" + "\n\n".join(texts) + "\n```"


def _commands(app: object, prefix: str = "") -> Iterable[str]:
    for command in app.registered_commands:  # type: ignore[attr-defined]
        yield f"{prefix}{command.name}"
    for group in app.registered_groups:  # type: ignore[attr-defined]
        yield from _commands(group.typer_instance, f"{prefix}{group.name} ")


SECTIONS: dict[str, Callable[[], str]] = {
    "envelopes": envelopes,
    "thresholds": thresholds,
    "checks": checks,
    "help": command_help,
    "csv": csv_files,
    "csv columns": csv_columns,
}
PAGES: dict[Path, Sequence[str]] = {
    ROOT / "README.md": ("envelopes", "thresholds", "checks", "help", "csv"),
    ROOT / "docs" / "csv.md": ("csv columns",),
}


def generated(page: Path) -> str:
    """The text of `page` with each of its marked sections as the program would write it now."""
    text = page.read_text(encoding="utf-8")
    for name in PAGES[page]:
        section = f"<!-- {name} -->\n{SECTIONS[name]()}\n<!-- /{name} -->"
        pattern = re.compile(f"<!-- {name} -->\n.*?<!-- /{name} -->", re.DOTALL)
        assert pattern.search(text), f"{page.name} lacks the markers of {name!r}"
        text = pattern.sub(lambda _: section, text)  # noqa: B023 - called at once
    return text


if __name__ == "__main__":
    for page in PAGES if "--write" in sys.argv else ():
        page.write_text(generated(page), encoding="utf-8")
