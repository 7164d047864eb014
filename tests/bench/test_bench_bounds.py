"""The measurement of what no ingest can take less than, small."""

from pathlib import Path

import pytest

from bench.bounds import bounds
from bench.logs import write


def test_each_step_is_measured_and_the_bound_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Protects the measurement from a step that no longer runs as the program grows."""
    log = tmp_path / "app.log"
    write(log, 1, 0.9)
    bounds("dense", log, 1, tmp_path)
    told = capsys.readouterr().out.splitlines()
    steps = [line.split("|")[1].strip() for line in told if line.startswith("|")]
    assert ["step by itself", "---", "start", "search", "store"] == steps
    assert told[-1].startswith("at least ")
