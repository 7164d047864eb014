"""The layers, proven by running: each package is imported in a process of its own, and what came along is looked at."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROGRAM = """
import importlib, json, pkgutil, sys
before = set(sys.modules)
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(getattr(package, "__path__", ()), prefix=name + "."):
        importlib.import_module(module.name)
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""
OURS = {"checks", "ingest", "queries", "review", "dashboard", "commands", "gatecov", "sample_logs"}
ROOT = Path(__file__).resolve().parent.parent


def loaded_by(*packages: str) -> set[str]:
    """The top-level modules in memory after every module of `packages` was imported."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, *packages], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


@pytest.mark.parametrize(
    ("package", "allowed"),
    [
        ("checks", {"checks"}),
        ("ingest", {"ingest", "checks"}),
        ("queries", {"queries", "checks"}),
        ("review", {"review", "queries", "checks"}),
    ],
)
def test_layer_imports_only_what_lies_below(package: str, allowed: set[str]) -> None:
    """Protects the arrows of the design: a layer that reaches sideways or up cannot be moved to a cluster later."""
    assert loaded_by(package) & OURS == allowed


@pytest.mark.parametrize("package", ["checks", "ingest", "queries", "review"])
def test_core_runs_without_the_dashboard_library(package: str) -> None:
    """Protects nightly jobs from the weight and the side effects of the web framework."""
    assert loaded_by(package) & {"streamlit", "altair"} == set()


def test_checks_need_the_standard_library_alone() -> None:
    """Protects the checkers' use inside an agent that has none of our dependencies."""
    assert loaded_by("checks") - set(sys.stdlib_module_names) == {"checks"}


def test_command_line_starts_without_what_only_a_command_needs() -> None:
    """Protects the start of each command from the weight of the others: it imports what it calls when it is called."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    dependencies = {re.split(r"[^\w-]", line)[0] for line in project["dependencies"]}
    assert {"duckdb", "polars", "typer"} <= dependencies
    ours = OURS | {"storefile", "samples"}
    assert loaded_by("gatecov", "commands") & (ours | dependencies) == {"gatecov", "commands", "typer"}
