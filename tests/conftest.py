"""What all tests share: how hypothesis looks for examples, and the policy for tests that need a browser."""

import os
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a browser its tests are left out and named at the end; where a browser is required they stay, and fail."""
    if browser_path() or os.environ.get("GATECOV_BROWSER") == "required":
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)
    config.stash[LEFT_OUT] = [item.nodeid for item in left_out]


LEFT_OUT: pytest.StashKey[list[str]] = pytest.StashKey()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    left_out = config.stash.get(LEFT_OUT, [])
    if left_out:
        terminalreporter.section("LEFT OUT: no Chromium on this machine", red=True, bold=True)
        for name in left_out:
            terminalreporter.write_line(f"  {name}")
        terminalreporter.write_line("Install one and run again, on Debian or Ubuntu with: apt-get install chromium")
