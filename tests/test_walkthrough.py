"""The walk through one pruning: what it shows is there, small, and free of the machine that made it."""

import re
from pathlib import Path

import pytest

from docs import walkthrough

TEXT = walkthrough.PAGE.read_text(encoding="utf-8")
PICTURES = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", TEXT)


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_there_and_small(name: str) -> None:
    """Protects the reader's time and the repository's size: each picture exists, in under 200 KB."""
    assert (walkthrough.PAGE.parent / name).stat().st_size < 200_000


def test_every_picture_is_shown() -> None:
    """Protects against leftovers: no picture lies there that the page does not show."""
    assert sorted(f"pictures/{path.name}" for path in walkthrough.PICTURES.iterdir()) == sorted(PICTURES)


def test_every_command_has_its_output() -> None:
    """Protects the promise of real output: a block that was written and never run is noticed."""
    blocks = re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
    assert [] == [block for block in blocks if all(line.startswith(("$", " ")) for line in block.splitlines())]
    assert {"ingest", "plan", "export", "whatif", "audit"} == set(re.findall(r"\$ gatecov (\w+)", TEXT))


def test_steps_of_the_page_are_those_of_the_script() -> None:
    """Protects the way from page to pictures: each step that the page names exists, and each that exists is named."""
    assert list(walkthrough.STEPS) == sorted(re.findall(r"<!-- do: (\w+) -->", TEXT), key=list(walkthrough.STEPS).index)


def test_no_path_of_a_machine(root: Path) -> None:
    """Protects privacy: whoever runs it leaves no folder of theirs in the page."""
    assert [] == [found for found in (str(root), "/tmp/", "/home/", "/root") if found in TEXT]


def test_a_block_is_run_and_its_old_output_replaced(tmp_path: Path) -> None:
    """Protects a second run: what stood under a command goes, and a command over two lines stays one."""
    block = "$ echo one\nold\n$ printf '%s\\n' two \\\n    three\nolder\n"
    expected = "```console\n$ echo one\none\n$ printf '%s\\n' two \\\n    three\ntwo\nthree\n```"
    assert expected == walkthrough.run(block, tmp_path)
