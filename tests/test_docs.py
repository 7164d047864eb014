"""The README and the page of the CSV columns say what the program says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs import PAGES, ROOT, generated
from tests.stores import write_store


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_is_in_sync(page: Path) -> None:
    """Protects readers from a check table, help text or CSV column that is no longer true; mend with `make docs`."""
    assert generated(page) == page.read_text(encoding="utf-8")


def test_line_that_asks_the_store_runs(tmp_path: Path) -> None:
    """Protects whoever copies the README's question to the store: it needs nothing that `make demo` did not install."""
    (tmp_path / "gatecov-demo").mkdir()
    write_store(tmp_path / "gatecov-demo" / "gatecov.duckdb", [])
    found = re.search(r'^\.venv/bin/python -c "(.*)"$', (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert found
    done = subprocess.run([sys.executable, "-c", found[1]], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (0, "", True) == (done.returncode, done.stderr, "source_sha256" in done.stdout)
