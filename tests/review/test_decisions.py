"""Decisions in a TOML file: reading, editing without touching a byte elsewhere, two people at once, and going stale."""

import dataclasses
import datetime as dt
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.decisions import (
    Decision,
    DecisionConflictError,
    DecisionError,
    Snapshot,
    decisions_path,
    load_decisions,
    save_decision,
    stale,
    withdraw_decision,
)
from review.filelock import FileBusyError, locked

SNAPSHOT = Snapshot(dt.datetime(2026, 10, 1), dt.datetime(2026, 11, 30, 12), 1204, 0, 0.002485, "9f2c" * 16)
PRUNE = Decision(
    "socratic.shape.no_digits", "prune", "Ada", "never fired", dt.date(2026, 11, 30), "no difference", SNAPSHOT
)
WRITTEN = """\
[decisions."socratic.shape.no_digits"]
action = "prune"
owner = "Ada"
reason = "never fired"
date = 2026-11-30
audit = "no difference"
since = 2026-10-01
until = 2026-11-30T12:00:00Z
evaluations = 1204
fires = 0
upper_bound = 0.002485
source_sha256 = "9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c9f2c"
"""
HEADER = '[decisions."a.b"]\n'
REST = 'owner = "Bo"\nreason = "r"\ndate = 2026-01-01\n'


def test_a_first_decision_makes_the_file(tmp_path: Path) -> None:
    """Protects the format of the file, which people review line by line in a repository."""
    path = tmp_path / "gatecov.toml"
    save_decision(path, PRUNE, seen=None)
    assert WRITTEN == path.read_text()
    assert {PRUNE.check_id: PRUNE} == load_decisions(path).by_check
    assert ["gatecov.toml"] == [item.name for item in tmp_path.iterdir()]


def test_an_edit_keeps_comments_order_and_spelling(tmp_path: Path) -> None:
    """Protects what people wrote by hand: only the value that changed is written anew."""
    path = tmp_path / "gatecov.toml"
    path.write_text(
        "# ours\n[ingest]\nx = 1 # one\n\n# why we keep it\n" + HEADER + "action = 'watch' # for now\n"
        "owner   = 'Bo'\nreason = '''two\n[decisions.\"no.header\"]\n'''\ndate = '2026-01-01'\n\n# rules\n[rules]\nq = []\n"
    )
    seen = load_decisions(path).by_check["a.b"]
    save_decision(path, dataclasses.replace(seen, action="keep"), seen=seen)
    assert (
        "# ours\n[ingest]\nx = 1 # one\n\n# why we keep it\n" + HEADER + 'action = "keep" # for now\n'
        "owner   = 'Bo'\nreason = '''two\n[decisions.\"no.header\"]\n'''\ndate = '2026-01-01'\n\n# rules\n[rules]\nq = []\n"
    ) == path.read_text()


def test_withdrawing_leaves_the_neighbours(tmp_path: Path) -> None:
    """Protects the other decisions when one is taken back."""
    path = tmp_path / "gatecov.toml"
    path.write_text(
        "x = 1\n\n" + HEADER + 'action = "keep"\n' + REST + "\n# next\n[decisions.z]\naction = 'keep'\n" + REST
    )
    withdraw_decision(path, "a.b", seen=load_decisions(path).by_check["a.b"])
    assert "x = 1\n\n# next\n[decisions.z]\naction = 'keep'\n" + REST == path.read_text()


BLOCKS = st.sampled_from(
    [
        '# a comment [decisions."x"]\n\n',
        "[rules]\nfail_on = [\n  '[decisions.\"a.b\"]', # within a list\n]\n\n",
        "[ingest.session]\nnames = ['''\n[decisions.\"c.d\"]\n# no comment\n''']\n# trailing\n",
        "\n\n   # indented\n",
        '[[thing]]\nq = "\u2028"\n',
    ]
)
DECIDED = st.sampled_from(["a.b", "c.d", "e"])
TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(lambda text: text.strip() != "")


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A configuration with comments, other tables and some decisions, in any order, with either kind of line end."""
    blocks = draw(st.lists(BLOCKS, max_size=5, unique_by=lambda block: block.split("\n")[0]))
    decided = draw(st.lists(DECIDED, max_size=3, unique=True))
    blocks += [
        f"[decisions.'{name}']\naction = 'keep' # {name}\n{REST}{draw(st.sampled_from(['', chr(10)]))}"
        for name in decided
    ]
    text = "".join(draw(st.permutations(blocks)))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@settings(max_examples=150)
@given(text=documents(), check_id=DECIDED, reason=TEXTS, owner=TEXTS, prune=st.booleans())
def test_an_edit_touches_its_own_table_alone(
    tmp_path_factory: pytest.TempPathFactory, text: str, check_id: str, reason: str, owner: str, prune: bool
) -> None:
    """Protects every byte outside the edited table, whatever stands around it, and whatever a person types into it."""
    path = tmp_path_factory.mktemp("d") / "gatecov.toml"
    path.write_bytes(text.encode())
    before = load_decisions(path).by_check
    new = dataclasses.replace(PRUNE, check_id=check_id, reason=reason, owner=owner, action="prune" if prune else "keep")
    save_decision(path, new, seen=before.get(check_id))
    after = path.read_bytes().decode()
    assert {**before, check_id: new} == load_decisions(path).by_check
    start = text.find(f"[decisions.'{check_id}']\r\naction" if "\r" in text else f"[decisions.'{check_id}']\naction")
    if start < 0:
        at = next((i for i, (a, b) in enumerate(zip(text, after, strict=False)) if a != b), min(len(text), len(after)))
        assert any(after.endswith(text[cut:]) for cut in range(at + 1)), "the old text is cut only where the new stands"
    else:
        date = text.index("date = 2026-01-01", start) + len("date = 2026-01-01")
        assert text[:start] == after[:start]
        assert after.endswith(text[date:])


CONCURRENT = """
import dataclasses, datetime as dt, sys
from pathlib import Path
from review.decisions import Decision, DecisionConflictError, load_decisions, save_decision
path, who = Path(sys.argv[1]), sys.argv[2]
for number in range(15):
    save_decision(path, Decision(f"{who}.{number}", "keep", who, "r", dt.date(2026, 1, 1)), seen=None)
    while True:
        seen = load_decisions(path).by_check["shared"]
        try:
            save_decision(path, dataclasses.replace(seen, owner=who, reason=str(int(seen.reason) + 1)), seen=seen)
            break
        except DecisionConflictError:
            pass
"""


def test_two_processes_at_once_lose_nothing(tmp_path: Path, root: Path) -> None:
    """Protects two people who decide at the same moment: every decision and every change of a shared one is kept."""
    path = tmp_path / "gatecov.toml"
    save_decision(path, Decision("shared", "watch", "Ada", "0", dt.date(2026, 1, 1)), seen=None)
    running = [subprocess.Popen([sys.executable, "-c", CONCURRENT, str(path), who], cwd=root) for who in ("ann", "bob")]
    assert [0, 0] == [process.wait() for process in running]
    found = load_decisions(path).by_check
    assert {"shared", *(f"{who}.{n}" for who in ("ann", "bob") for n in range(15))} == set(found)
    assert "30" == found["shared"].reason
    assert ["gatecov.toml"] == [item.name for item in tmp_path.iterdir()]


def test_an_edit_from_a_stale_view_is_refused_and_names_who_changed_it(tmp_path: Path) -> None:
    """Protects the decision that somebody else made between the reading and the writing."""
    path = tmp_path / "gatecov.toml"
    save_decision(path, PRUNE, seen=None)
    theirs = dataclasses.replace(PRUNE, action="keep", owner="Grace")
    save_decision(path, theirs, seen=PRUNE)
    for seen in (None, PRUNE):
        with pytest.raises(DecisionConflictError) as refused:
            save_decision(path, dataclasses.replace(PRUNE, reason="mine"), seen=seen)
        assert (
            f"{path}: Grace changed the decision on socratic.shape.no_digits since you read it "
            "(now: keep, 2026-11-30); look at it, then decide anew"
        ) == str(refused.value)
    withdraw_decision(path, PRUNE.check_id, seen=theirs)
    with pytest.raises(DecisionConflictError, match="somebody withdrew the decision on"):
        save_decision(path, PRUNE, seen=theirs)
    assert {} == load_decisions(path).by_check


def test_a_file_in_use_is_named_with_its_holder(tmp_path: Path) -> None:
    """Protects the person who waits: the error names the process to wait for."""
    path = tmp_path / "gatecov.toml"
    with locked(path), pytest.raises(FileBusyError, match=r"it is being edited by process \d+"), locked(path, wait=0):
        pass


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ('action = "remove"\n' + REST, "[decisions.\"a.b\"]: action is 'remove'; write one of keep, prune, watch"),
        ('action = "keep"\nreason = "r"\ndate = 2026-01-01', '[decisions."a.b"]: owner is missing; write the name of'),
        (
            'action = "keep"\nowner = " "\nreason = "r"\ndate = 2026-01-01',
            "[decisions.\"a.b\"]: owner is ' '; write the",
        ),
        (
            'action = "keep"\nowner = "x"\nreason = "r"\ndate = "soon"',
            "[decisions.\"a.b\"]: date is 'soon'; write the day",
        ),
        (
            'action = "keep"\nowner = "x"\nreason = "r"\ndate = 2026',
            '[decisions."a.b"]: date is 2026; write the day it',
        ),
        ('action = "keep"\n' + REST + "evaluations = -1", '[decisions."a.b"]: evaluations is -1; write a whole number'),
        ('action = "keep"\n' + REST + "fires = true", '[decisions."a.b"]: fires is True; write a whole number'),
        ('action = "keep"\n' + REST + "upper_bound = nan", '[decisions."a.b"]: upper_bound is nan; write a share'),
        (
            'action = "keep"\n' + REST + "since = 2026-02-01\nuntil = 2026-01-01",
            '[decisions."a.b"]: until does not come after since',
        ),
    ],
)
def test_a_wrong_table_is_named_with_file_table_and_key(tmp_path: Path, table: str, sentence: str) -> None:
    """Protects whoever edits by hand: the error says where, what, why and what to write."""
    path = tmp_path / "gatecov.toml"
    path.write_text(HEADER + table)
    with pytest.raises(DecisionError) as error:
        load_decisions(path)
    assert str(error.value).startswith(f"{path}: {sentence}"), str(error.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[decisions\n", "it cannot be read as TOML ("),
        ("decisions = 3\n", "decisions is 3, not a table"),
        ("[decisions]\na = 1\n", '[decisions."a"] is 1, not a table; it needs action, owner, reason and date'),
    ],
)
def test_a_file_that_holds_no_decisions_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    """Protects from reading a broken file as a file without decisions."""
    path = tmp_path / "gatecov.toml"
    path.write_text(text)
    with pytest.raises(DecisionError) as error:
        load_decisions(path)
    assert str(error.value).startswith(f"{path}: {sentence}"), str(error.value)


def test_odd_names_are_warnings_with_near_ones(tmp_path: Path) -> None:
    """Protects a decision on a check that was renamed: it is read, and said to be about nobody."""
    path = tmp_path / "gatecov.toml"
    path.write_text('[decisions."socratic.shape.no_digit"]\naction = "keep"\nresaon = "x"\n' + REST)
    found = load_decisions(path, known=["socratic.shape.no_digits", "honesty.failures_with_claim"])
    place = f'{path}: [decisions."socratic.shape.no_digit"]'
    assert (
        f"{place}: the key resaon means nothing here; did you mean reason?",
        f"{place} is about a check that nobody knows; near names are socratic.shape.no_digits",
    ) == found.warnings
    assert ["socratic.shape.no_digit"] == list(found.by_check)


def test_a_decision_that_is_no_table_of_its_own_is_not_rewritten(tmp_path: Path) -> None:
    """Protects unusual but valid TOML: it is read, and an edit that could disturb it is refused with the way out."""
    path = tmp_path / "gatecov.toml"
    path.write_text('decisions = {"a.b" = {action = "keep", owner = "Bo", reason = "r", date = 2026-01-01}}\n')
    before = path.read_bytes()
    seen = load_decisions(path).by_check["a.b"]
    with pytest.raises(DecisionError, match=r'write each decision as a table of its own, \[decisions\."a\.b"\]'):
        save_decision(path, dataclasses.replace(seen, action="watch"), seen=seen)
    assert before == path.read_bytes()


def test_the_configuration_can_name_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects teams that keep decisions apart from settings, and the folder that the name counts from."""
    monkeypatch.setenv("GATECOV_CONFIG", str(tmp_path / "conf.toml"))
    assert tmp_path / "conf.toml" == decisions_path()
    (tmp_path / "conf.toml").write_text('decisions = "review/decided.toml"\n')
    assert tmp_path / "review/decided.toml" == decisions_path()


NOW = dt.datetime(2026, 12, 10)
SAME: dict[str, Any] = {"fires": 0, "last_fired": None, "source_sha256": SNAPSHOT.source_sha256}
FIRED = SAME | {"fires": 3, "last_fired": dt.datetime(2026, 12, 2, 8, 30)}


@pytest.mark.parametrize(
    ("decision", "evidence", "now", "reasons"),
    [
        (PRUNE, SAME, NOW, ()),
        (
            PRUNE,
            SAME | {"source_sha256": "ab" * 32},
            NOW,
            ("its source changed: 9f2c9f2c9f2c when it was decided, abababababab today",),
        ),
        (
            PRUNE,
            SAME | {"source_sha256": None},
            NOW,
            ("its source is no longer in the catalog (it was 9f2c9f2c9f2c)",),
        ),
        (PRUNE, FIRED, NOW, ("it fired since: last on 2026-12-02 08:30 UTC, and the evidence ends 2026-11-30",)),
        (
            PRUNE,
            SAME | {"fires": 2, "last_fired": None},
            NOW,
            ("2 fires known now, where the decision counted 0",),
        ),
        (PRUNE, SAME, dt.datetime(2027, 2, 28, 12), ()),
        (PRUNE, SAME, dt.datetime(2027, 3, 1, 12), ("its window ended 2026-11-30, 91 days ago (more than 90)",)),
        (
            dataclasses.replace(PRUNE, action="keep", snapshot=dataclasses.replace(SNAPSHOT, fires=9)),
            FIRED,
            NOW,
            (),
        ),
        (
            dataclasses.replace(PRUNE, snapshot=Snapshot()),
            SAME,
            NOW,
            ("no evidence was written down with the decision, so nothing shows whether it still holds",),
        ),
    ],
)
def test_stale_says_what_changed_since(
    decision: Decision, evidence: dict[str, Any], now: dt.datetime, reasons: tuple[str, ...]
) -> None:
    """Protects from pruning on evidence that no longer holds, and from calling a sound decision stale."""
    assert reasons == stale(decision, evidence, now)
