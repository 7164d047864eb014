"""A reason fragment -> its check."""

import pytest

from checks.registry import catalog, retired_checks
from ingest.mapping import current_mapping, without_detail

CHECKS = [pytest.param(check, id=check.check_id) for check in catalog()]


@pytest.mark.parametrize("check", CHECKS)
def test_a_log_written_from_the_catalog_reads_back_as_its_ids(check: object) -> None:
    """Protects the contract of the catalog: each reason maps to its check, in any case, with any detail behind it."""
    family, reason, check_id = check.family, check.reason, check.check_id  # type: ignore[attr-defined]
    written = (
        reason,
        reason.upper(),
        f"  {reason} ",
        f"{reason} (51 words)",
        f"{reason} [3 (of 4)]",
        reason.replace(" ", "  "),
    )
    assert [check_id] * len(written) == [current_mapping().check_of(family, None, text) for text in written]


@pytest.mark.parametrize("old", retired_checks(), ids=lambda old: old.check_id)
def test_a_retired_check_is_still_known_to_old_logs(old: object) -> None:
    """Protects old logs from becoming unmapped when a check is retired."""
    assert old.check_id == current_mapping().check_of(old.family, None, old.reason)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("family", "rule", "fragment", "check_id"),
    [
        ("gates", "empty_conclusion", "too_short_after_tools", "gates.empty_conclusion"),
        ("guardrail", "professionalism", "rejected by professionalism guardrail", "guardrail.professionalism"),
        ("reflection", "auth", "http:http-401", "reflection.auth"),
        ("probe.scale", "no_number", "no_number", "probe.scale.no_number"),
        ("honesty", None, "failures_with_claim", "honesty.failures_with_claim"),
        ("honesty", None, "no digits", None),
        ("socratic.shape", None, "a rule that nobody knows", None),
        ("gates", "unheard_of", "reason", None),
        ("no.family", None, "no digits", None),
    ],
)
def test_a_fragment_maps_within_its_family_by_its_rule_or_its_text(
    family: str, rule: str | None, fragment: str, check_id: str | None
) -> None:
    """Protects against mapping a reason into another family, or a new reason to the nearest old one."""
    assert check_id == current_mapping().check_of(family, rule, fragment)


@pytest.mark.parametrize(
    "fragment",
    ["not a single question", "over 40 words", "source not named", "loaded word not quoted", "names a participant", "gendered pronoun",
     "word credited to the source", "compound question", "trailing clause", "copied wording", "no digits"],
)  # fmt: skip
def test_the_wordings_of_other_writers_are_known(fragment: str) -> None:
    """Protects logs whose writer words its reasons a little differently: the catalog's aliases know them."""
    assert current_mapping().check_of("socratic.shape", None, fragment) is not None


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("over 40 words (51)", "over 40 words"),
        ("a (b (c))", "a"),
        ("a [b]", "a"),
        ("(all of it)", "(all of it)"),
        ("a) b)", "a) b)"),
        ("", ""),
    ],
)
def test_a_trailing_detail_is_taken_off(text: str, bare: str) -> None:
    """Protects reasons that end with what was measured."""
    assert bare == without_detail(text)
