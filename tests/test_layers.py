"""The layers, proven by running: each package is imported in a process of its own, and what came along is looked at."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import importlib, json, pkgutil, sys
before = set(sys.modules)
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, prefix=name + "."):
        importlib.import_module(module.name)
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""
OURS = {"checks", "ingest", "queries", "review", "dashboard", "gatecov", "sample_logs"}


def loaded_by(package: str) -> set[str]:
    """The top-level modules in memory after every module of `package` was imported."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, package], capture_output=True, text=True, check=True)
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
