"""The README says what the program says."""

from tests.docs import README, generated


def test_readme_is_in_sync() -> None:
    """Protects readers from a check table, help text or CSV column that is no longer true; mend with `make docs`."""
    text = README.read_text(encoding="utf-8")
    assert generated(text) == text
