"""What all tests share: how hypothesis looks for examples, and the policy for tests that need a browser."""

import os
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

# No test asserts a time, and the same examples are tried on every run: a busy machine or another day fails nothing.
settings.register_profile("gatecov", deadline=None, derandomize=True)
settings.load_profile("gatecov")

# What is printed is wrapped at the width of the terminal, which a test has none of.
os.environ["COLUMNS"] = "140"

BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str | None:
    """The Chromium to drive: the one that GATECOV_CHROMIUM names, else the first on the PATH."""
    named = os.environ.get("GATECOV_CHROMIUM")
    return named or next((found for name in BROWSER_NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> str:
    path = browser_path()
    assert path, "no Chromium on this machine; install one (Debian: apt-get install chromium)"
    return path


@pytest.fixture(scope="session")
def root() -> Path:
    return Path(__file__).resolve().parent.parent


def without_browser() -> bool:
    """Whether the tests that need a browser are left out; where one is required they stay, and fail."""
    return not browser_path() and os.environ.get("GATECOV_BROWSER") != "required"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a browser its tests are left out."""
    if without_browser():
        left_out = [item for item in items if item.get_closest_marker("browser")]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name them loudly. They are found by their text, since with several workers only those collect the tests."""
    if not without_browser():
        return
    terminalreporter.section("LEFT OUT: no Chromium on this machine", red=True, bold=True)
    for path in sorted(Path(__file__).parent.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "pytestmark = pytest.mark.browser" in text:
            for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE):
                terminalreporter.write_line(f"  {path.name}::{name}")
    terminalreporter.write_line("Install one and run again, on Debian or Ubuntu with: apt-get install chromium")
