"""The registry of checks: what it refuses, that it names the file, and that what stands in it is true.

1. an id used twice, a reason used twice, an order used twice, a retired id
2. a docstring without its headings
3. a reason that is empty or holds the mark that separates reasons
4. examples of one kind only
5. an id of no known family
6. an alias that is no regular expression, or that matches another check's reason
7. every example fires or stays silent as it says; the snapshot is the file on disk
"""

import hashlib
import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from checks.registry import ROOT, CatalogError, Check, Registry, catalog, family_checks, retired_checks

HEADINGS = "What it does\n    a\nWhy\n    b\nWhen it is wrong\n    c\nSource\n    d\n"
ARGUMENTS = {
    "check_id": "socratic.shape.one",
    "title": "One",
    "reason": "one",
    "order": 1,
    "fires_on": [("x",)],
    "silent_on": [("",)],
    "aliases": ["uno"],
}
WITH = Callable[..., None]


@pytest.fixture
def register(tmp_path: Path) -> WITH:
    """Registers a check from a file of its own: `register(registry, "name", doc, **changes to ARGUMENTS)`."""

    def add(registry: Registry, name: str = "one", doc: str = HEADINGS, **changes: object) -> None:
        arguments = ARGUMENTS | changes
        check_id = arguments.pop("check_id")
        path = tmp_path / f"{name}.py"
        path.write_text(
            f'"""A check.\n\n{doc}"""\n\n\n@check\ndef one(text):\n    return bool(text)\n', encoding="utf-8"
        )
        spec = importlib.util.spec_from_file_location(f"registered_{tmp_path.name}_{name}", path)
        assert spec is not None
        assert spec.loader is not None
        module: ModuleType = importlib.util.module_from_spec(spec)
        module.check = registry.check(check_id, **arguments)  # type: ignore[attr-defined]
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)

    return add


OTHER = {"check_id": "socratic.shape.two", "reason": "two", "order": 2, "aliases": []}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, r"the id 'socratic.shape.one' is already registered by .*one\.py"),
        (OTHER | {"reason": "ONE"}, r"the reason 'ONE' already belongs to 'socratic.shape.one'"),
        (OTHER | {"order": 1}, r"the order 1 already belongs to 'socratic.shape.one'"),
        (OTHER | {"check_id": "socratic.shape.gone"}, r"the id 'socratic.shape.gone' is retired; choose a new one"),
        (
            OTHER | {"doc": HEADINGS.replace("Why\n", "")},
            r"the docstring of 'socratic.shape.two' lacks the heading 'Why'",
        ),
        (OTHER | {"doc": HEADINGS.replace("Source\n", "The Source\n")}, r"lacks the heading 'Source'"),
        (OTHER | {"reason": "a; b"}, r"the reason 'a; b' is empty or holds ';'"),
        (OTHER | {"reason": " "}, r"the reason ' ' is empty or holds ';'"),
        (OTHER | {"fires_on": []}, r"'socratic.shape.two' has no example in fires_on"),
        (OTHER | {"silent_on": []}, r"'socratic.shape.two' has no example in silent_on"),
        (OTHER | {"check_id": "socratic.form.two"}, r"'socratic.form.two' is of no known family; the families are "),
        (OTHER | {"aliases": ["("]}, r"the alias '\(' is no regular expression"),
        (
            OTHER | {"aliases": ["on."]},
            r"the alias 'on\.' of 'socratic.shape.two' matches the reason 'one' of 'socratic.shape.one'",
        ),
        (
            OTHER | {"reason": "UNO"},
            r"the alias 'uno' of 'socratic.shape.one' matches the reason 'UNO' of 'socratic.shape.two'",
        ),
    ],
)
def test_rules_1_to_6_refused_with_the_file(register: WITH, changes: dict[str, object], says: str) -> None:
    """Protects the catalog: each mistake is refused, and the message starts with the file in which to mend it."""
    registry = Registry()
    register(registry)
    registry.retired("socratic.shape.gone", title="Gone", reason="gone", because="it never fired")
    with pytest.raises(CatalogError, match=rf"^\S*two\.py: .*{says}"):
        register(registry, "two", **changes)
    assert [check.check_id for check in registry.checks()] == ["socratic.shape.one"]


def test_rule_1_a_retired_id_is_never_a_live_one(register: WITH) -> None:
    """Protects old logs from mapping to two checks."""
    registry = Registry()
    register(registry)
    with pytest.raises(CatalogError, match=r"^socratic\.shape\.one: the id is in use already"):
        registry.retired("socratic.shape.one", title="One", reason="one", because="x")


def test_a_family_is_listed_in_its_order_as_it_grows(register: WITH) -> None:
    """Protects the order of evaluation from the order of files, and from a list that was made too early."""
    registry = Registry()
    register(registry, "two", **OTHER)
    assert [check.reason for check in registry.family("socratic.shape")] == ["two"]
    register(registry)
    assert [check.reason for check in registry.family("socratic.shape")] == ["one", "two"]
    assert registry.family("honesty") == ()


def test_registering_the_same_function_again_is_no_mistake(register: WITH) -> None:
    """Protects a development server, which imports a changed module anew."""
    registry = Registry()
    register(registry)
    register(registry, title="One, changed")
    assert [check.title for check in registry.checks()] == ["One, changed"]


def test_a_changed_or_missing_file_is_noticed(register: WITH, tmp_path: Path) -> None:
    """Protects the page that shows a source: it must say when the file is no longer what runs."""
    registry = Registry()
    register(registry)
    (check,) = registry.checks()
    assert not check.changed_since_registered()
    (tmp_path / "one.py").write_text("# other", encoding="utf-8")
    assert check.changed_since_registered()
    (tmp_path / "one.py").unlink()
    assert check.changed_since_registered()


@pytest.mark.parametrize("check", catalog(), ids=lambda check: check.check_id)
def test_rule_7_examples_and_snapshots_are_true(check: Check) -> None:
    """Protects the docs of every check: its examples do what they say, and its snapshot is the file."""
    if check.function is None:
        assert (check.source, check.source_sha256, bool(check.runs_elsewhere)) == (None, None, True)
        return
    assert [True] * len(check.fires_on) == [bool(check.function(*example)) for example in check.fires_on]
    assert [False] * len(check.silent_on) == [bool(check.function(*example)) for example in check.silent_on]
    assert check.source is not None
    content = (ROOT / check.source).read_bytes()
    assert (check.source_sha256, check.source_text) == (hashlib.sha256(content).hexdigest(), content.decode("utf-8"))
    assert check.line is not None
    assert re.match(r"\s*@\w*check\(", content.decode("utf-8").split("\n")[check.line - 1])


def test_a_family_is_the_part_of_the_catalog_with_its_name() -> None:
    """Protects the two ways of listing checks from disagreeing."""
    for family in ("socratic.slots", "socratic.shape", "guardrail"):
        assert family_checks(family) == tuple(check for check in catalog() if check.family == family)
    assert not {check.check_id for check in catalog()} & {check.check_id for check in retired_checks()}


def test_one_check_one_file() -> None:
    """Protects the rule that a check is found by the name of its file."""
    for check in (*family_checks("socratic.slots"), *family_checks("socratic.shape")):
        assert check.source == f"checks/{check.check_id.replace('.', '/')}.py"
