"""The whole way through files: what is built, what of it tells anything, what is handed in, and what comes out."""

import csv
import io
import json
import os
import re
import stat
from pathlib import Path

import pytest

from review.audit import build_files, load_key, load_packet, render, score_files
from review.audit.errors import AuditError, AuditUsageError, NotComplete
from storefile import UserError
from tests.audits import BAD, CHAT, GOOD, PASSAGE, questions

HEAD = '{"format": "gatecov audit packet 1", "rubric": "r", "passage": "p\\ud800", "chat": []}\n'
WITHOUT = "without:socratic.shape.no_digits"


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """A folder with all that an audit is built from; two messages are alike, and one would run in a spreadsheet."""
    folder = tmp_path / "inputs"
    folder.mkdir()
    (folder / "passage.txt").write_text(PASSAGE + "\n")
    messages = {
        "with": [*questions(9, "with"), "=HYPERLINK(1)?"],
        "without": [*questions(9, "without"), "=HYPERLINK(1)?"],
        "good": GOOD,
        "bad": BAD,
    }
    for name, texts in messages.items():
        lines = [{"id": f"{name}-{n}", "time": f"2026-11-{n + 1:02}", "text": text} for n, text in enumerate(texts)]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    chat = [{"name": line.split(": ")[0], "text": line.split(": ")[1]} for line in CHAT]
    (folder / "chat.jsonl").write_text("\n".join(map(json.dumps, chat)))
    return folder


def build_in(inputs: Path, out: Path, *conditions: str, seed: int | None = 7):  # type: ignore[no-untyped-def]
    named = conditions or (f"with={inputs / 'with.jsonl'}", f"{WITHOUT}={inputs / 'without.jsonl'}")
    files = (inputs / name for name in ("good.jsonl", "bad.jsonl"))
    return build_files(inputs / "passage.txt", inputs / "chat.jsonl", named, *files, out, seed)


def filled_in(sheet: Path, auditor: str, leaks: tuple[str, ...]) -> Path:
    """The sheet as an auditor saves it, with a semicolon and Windows line ends as many spreadsheets do."""
    rows = list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8"))))
    for row in rows:
        row["label"] = "leak-presuppose" if row["message"] in (*BAD, *leaks) else "clean"
        row |= {"note": f"{auditor} on {row['message']}", "auditor": auditor, "flags": "one_question"}
    path = sheet.with_name(f"{auditor}.csv")
    with open(path, "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_from_files_to_a_verdict(inputs: Path, tmp_path: Path) -> None:
    """Protects the way of a real audit: build, two filled-in sheets, score, in all three forms, twice the same."""
    built = build_in(inputs, tmp_path / "audit")
    sheet = built.packet.with_name("labels.csv")
    leaks = tuple(questions(9, "without")[:7])
    sheets = [filled_in(sheet, name, leaks) for name in ("Ann", "Bo")]
    result = score_files(built.packet, built.key, sheets)
    (found,) = result.evidence
    assert (found.verdict, found.check_ids) == ("regression", ("socratic.shape.no_digits",))
    assert (found.baseline_not_clean, found.baseline_n, found.compared_not_clean, found.compared_n) == (0, 10, 7, 10)
    assert (found.packet_sha256, found.key_sha256) == (built.packet_sha256, built.key_sha256)
    again = score_files(built.packet.parent, built.key, sheets[::-1])
    for style in ("table", "markdown", "json"):
        assert render(result, style) == render(again, style)
    assert json.loads(render(result, "json"))["evidence"][0]["verdict"] == "regression"


def test_what_is_written_and_who_may_read_it(inputs: Path, tmp_path: Path) -> None:
    """Protects the key: it lies outside the auditors' folder, for its owner alone, and its digest is told at the build."""
    built = build_in(inputs, tmp_path / "audit")
    assert sorted(str(p.relative_to(tmp_path / "audit")) for p in (tmp_path / "audit").rglob("*") if p.is_file()) == [
        "key.json",
        "packet/instructions.txt",
        "packet/labels.csv",
        "packet/packet.jsonl",
    ]
    assert stat.S_IMODE(built.key.stat().st_mode) == 0o600
    assert {path.stat().st_mtime for path in built.packet.parent.iterdir()} == {946684800.0}
    assert built.messages == 19 + len(GOOD) + len(BAD)
    assert built.sentence() == (
        f"29 messages are in {built.packet.parent}, which is for the auditors; {built.key} is not. "
        f"Note now, for later: packet {built.packet_sha256[:12]}, key {built.key_sha256[:12]}"
    )
    assert load_packet(built.packet).sha256 == built.packet_sha256
    assert load_key(built.key).sha256 == built.key_sha256


def test_the_auditors_folder_does_not_depend_on_the_conditions(inputs: Path, tmp_path: Path) -> None:
    """Protects blindness in the files themselves: with the files swapped and renamed, every byte and date is the same."""
    one = build_in(inputs, tmp_path / "one")
    two = build_in(inputs, tmp_path / "two", f"b={inputs / 'without.jsonl'}", f"a={inputs / 'with.jsonl'}")
    for name in ("packet.jsonl", "labels.csv", "instructions.txt"):
        first, second = one.packet.with_name(name), two.packet.with_name(name)
        assert (first.read_bytes(), first.stat().st_mtime_ns) == (second.read_bytes(), second.stat().st_mtime_ns)
    assert one.key_sha256 != two.key_sha256


def test_the_sheet_cannot_run(inputs: Path, tmp_path: Path) -> None:
    """Protects the auditor's spreadsheet from a message that is a formula."""
    sheet = build_in(inputs, tmp_path / "audit").packet.with_name("labels.csv").read_text()
    assert [row["message"] for row in csv.DictReader(io.StringIO(sheet)) if "HYPER" in row["message"]] == [
        "'=HYPERLINK(1)?"
    ]


def test_the_instructions_hold_all_that_is_needed(inputs: Path, tmp_path: Path) -> None:
    """Protects an auditor who gets the folder and nothing else: rubric, passage, chat, and how to hand in."""
    text = build_in(inputs, tmp_path / "audit").packet.with_name("instructions.txt").read_text()
    expected = ("LEAK-PRESUPPOSE", "one_question", PASSAGE, *CHAT, "fill in labels.csv", "JSON Lines")
    assert [part for part in expected if part not in text] == []


@pytest.mark.parametrize("kind", ["absent", "folder", "no key"])
def test_the_key_is_not_touched_before_two_are_complete(kind: str, inputs: Path, tmp_path: Path) -> None:
    """Protects blindness: with one auditor it does not even show that the key cannot be read."""
    built = build_in(inputs, tmp_path / "audit")
    key = tmp_path / "key"
    if kind == "folder":
        key.mkdir()
    elif kind == "no key":
        key.write_text("not a key")
    first, second = (filled_in(built.packet.with_name("labels.csv"), name, ()) for name in ("Ann", "Bo"))
    with pytest.raises(NotComplete, match="Ann is complete: the key stays shut until 2 auditors"):
        score_files(built.packet, key, [first])
    with pytest.raises(AuditError, match=re.escape(str(key))):
        score_files(built.packet, key, [first, second])


def test_an_edited_key_or_packet_is_noticed(inputs: Path, tmp_path: Path) -> None:
    """Protects the result from a slip of the hand, or from help, after the labels are in."""
    built = build_in(inputs, tmp_path / "audit")
    sheets = [filled_in(built.packet.with_name("labels.csv"), name, ()) for name in ("Ann", "Bo")]
    whole = built.key.read_text()
    moved = whole.replace('"with": [\n    1\n   ]', f'"{WITHOUT}": [\n    1\n   ]', 1)
    assert moved != whole
    built.key.write_text(moved)
    with pytest.raises(AuditError, match="the key was edited after it was built; take the file as it was written"):
        score_files(built.packet, built.key, sheets)
    built.key.write_text(whole)
    built.packet.write_text(built.packet.read_text().replace("lowered", "raised", 1))
    with pytest.raises(AuditError, match="the packet was edited, or the two are of different audits"):
        score_files(built.packet, built.key, sheets)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}\n", "packet.jsonl:1: this is no packet of gatecov; name the packet.jsonl that was built"),
        ("nonsense\n", 'packet.jsonl:1: "nonsense" is not JSON'),
        (HEAD + "5\n", "packet.jsonl: 'item' is missing or no text; take the packet as it was built"),
        (HEAD + '{"item": "a", "message": null}\n', "packet.jsonl: 'message' is missing or no text"),
        (HEAD + '{"item": "a", "message": "b"}\n' * 2, "packet.jsonl: an item stands in it twice"),
        ('{"format": "gatecov audit packet 1"}\n', "packet.jsonl: 'rubric' is missing or no text"),
    ],
)
def test_what_is_no_packet(text: str, expected: str, tmp_path: Path) -> None:
    """Protects against naming the wrong file: one sentence says which should have been named."""
    path = tmp_path / "packet.jsonl"
    path.write_text(text)
    with pytest.raises(AuditError, match=re.escape(expected)):
        load_packet(path)


@pytest.mark.parametrize("text", ["[]", "{}", "x", "[" * 100_000, '{"origins": []}'])
def test_what_is_no_key(text: str, tmp_path: Path) -> None:
    """Protects against naming the wrong file as the key, whatever it holds."""
    path = tmp_path / "key.json"
    path.write_text(text)
    with pytest.raises(AuditError, match=r"key\.json: this is no key of gatecov; name the key\.json that was built"):
        load_key(path)


def test_half_a_surrogate_pair_has_a_digest_too(tmp_path: Path) -> None:
    """Protects a packet whose passage came broken: it can still be told from another."""
    path = tmp_path / "packet.jsonl"
    path.write_text(HEAD)
    assert len(load_packet(path).sha256) == 64


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        (["with.jsonl", "b=x"], '--condition "with.jsonl": this names no file; write NAME=FILE'),
        (["a=x", "a=y"], '--condition "a=y": the name is taken; give each condition its own'),
        (["a=x"], "--condition: 1 given, and an audit compares; give two or more, the baseline first"),
        (["a=x", "without:socratic.shape.no_digit=y"], "'socratic.shape.no_digit' is no check; see the ids with"),
    ],
)
def test_conditions_that_cannot_be_used(conditions: list[str], expected: str, inputs: Path, tmp_path: Path) -> None:
    """Protects the evidence from a misspelt check that nobody would find again; usage errors exit with 2."""
    with pytest.raises(AuditUsageError, match=re.escape(expected)) as caught:
        build_in(inputs, tmp_path / "audit", *conditions)
    assert caught.value.exit_code == 2
    assert not (tmp_path / "audit").exists()


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("with.jsonl", b'{"text": "a?"}\n{"message": "b?"}\n', 'with.jsonl:2: "{\\"message\\": \\"b?\\"}" has no text'),
        ("with.jsonl", b'{"text": 5}\n', "write each message as"),
        ("with.jsonl", b"{\n", 'with.jsonl:1: "{" is not JSON'),
        ("passage.txt", b" \n", "passage.txt: the file is empty"),
        ("passage.txt", b"caf\xe9", "passage.txt: byte 3 is not UTF-8; save the file as UTF-8"),
        ("chat.jsonl", None, "chat.jsonl: it cannot be read (No such file or directory)"),
    ],
)
def test_inputs_that_cannot_be_used(
    name: str, content: bytes | None, expected: str, inputs: Path, tmp_path: Path
) -> None:
    """Protects the person who prepares an audit: file, line, reason and help, and nothing is written."""
    if content is None:
        (inputs / name).unlink()
    else:
        (inputs / name).write_bytes(content)
    with pytest.raises(AuditError, match=re.escape(expected)):
        build_in(inputs, tmp_path / "audit")
    assert not (tmp_path / "audit").exists()


def test_an_audit_is_never_written_over_another(inputs: Path, tmp_path: Path) -> None:
    """Protects labels that were given: a new packet in the same folder would leave them without a key."""
    build_in(inputs, tmp_path / "audit")
    before = (tmp_path / "audit" / "key.json").read_bytes()
    with pytest.raises(AuditError, match="an audit is here already, and labels may depend on it"):
        build_in(inputs, tmp_path / "audit", seed=8)
    assert before == (tmp_path / "audit" / "key.json").read_bytes()
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(UserError, match="the audit cannot be written"):
        build_in(inputs, blocked)
    assert os.listdir(tmp_path / "audit" / "packet") != []
