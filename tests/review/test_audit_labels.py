"""What auditors hand in is read in the forms that people use, and refused with a sentence that helps."""

import json
import multiprocessing
import re
from pathlib import Path

import pytest

from review.audit import Label, missing, read_labels, save_label
from review.audit.errors import AuditError
from tests.audits import built

PACKET, _ = built({"plain": ["a?", "b?"], "guarded": ["c?"]})
ONE, TWO, THREE, *_ = PACKET.messages
HEAD = "item,message,label,flags,note,auditor"


def handed_in(folder: Path, text: str, name: str = "ann.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}\n{ONE},a?,LEAK-ASSERT,misattributes one_question,says it,Ann\n",
        f"\ufeff{HEAD}\r\n{ONE},a?,LEAK-ASSERT,misattributes one_question,says it,Ann\r\n",
        f"item;label;flags;note;auditor\n{ONE};leak assert;one_question, Misattributes;says it;Ann\n",
        f"Auditor\tNote\tFlags\tLabel\tItem\nAnn\tsays it\tone_question|misattributes\tLeak_Assert\t {ONE} \n",
        f'{HEAD}\n{ONE},"a, b?",LEAK-ASSERT,"misattributes,one_question","says\nit",Ann\n',
        f"{HEAD}\n{ONE},a?,LEAK-ASSERT,misattributes one_question,says\u2028it,Ann\n{TWO},b?,,,,\n",
    ],
)
def test_sheets_as_spreadsheets_save_them(text: str, tmp_path: Path) -> None:
    """Protects auditors who use a spreadsheet of any country: delimiters, marks, order of columns, rows not yet done."""
    expected = Label(ONE, "LEAK-ASSERT", ("misattributes", "one_question"), "says it", "Ann")
    assert read_labels([handed_in(tmp_path, text)], PACKET) == {"Ann": {ONE: expected}}


def test_json_lines_are_a_history_in_which_the_newest_counts(tmp_path: Path) -> None:
    """Protects a change of mind: the form adds lines, and the last one of an auditor and item is the label."""
    lines = [
        {"item": ONE, "label": "CLEAN", "flags": [], "note": "names it", "auditor": "Ann"},
        {"item": ONE, "label": "CLEAN", "flags": "fabricates", "note": "invents", "auditor": "Bo"},
        {"item": ONE, "label": "LEAK-PRESUPPOSE", "flags": ["fabricates"], "note": "no: why", "auditor": "Ann"},
    ]
    path = handed_in(tmp_path, "\n".join(map(json.dumps, lines)), "labels.jsonl")
    assert read_labels([path], PACKET) == {
        "Ann": {ONE: Label(ONE, "LEAK-PRESUPPOSE", ("fabricates",), "no: why", "Ann")},
        "Bo": {ONE: Label(ONE, "CLEAN", ("fabricates",), "invents", "Bo")},
    }


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("zzzzzz,a?,CLEAN,,n,Ann", 'ann.csv:2: item "zzzzzz" is not in this packet; is it the sheet of another audit?'),
        (f"{ONE},a?,CLEEN,,n,Ann", 'ann.csv:2: "CLEEN" is no label of the rubric; did you mean CLEAN?'),
        (f"{ONE},a?,42,,n,Ann", '"42" is no label of the rubric; use LEAK-ASSERT, LEAK-PRESUPPOSE, CLEAN'),
        (f"{ONE},a?,CLEAN,quotes,n,Ann", '"quotes" is no flag of the rubric; did you mean quotes_word?'),
        (f"{ONE},a?,CLEAN,,n,", "ann.csv:2: the auditor is missing; write the same name or sign in every row"),
        (f"{ONE},a?,CLEAN,,n,Any Auditor", '"Any Auditor" is what the result calls several auditors'),
        (
            f"{ONE},a?,CLEAN,,n, and so on,Ann",
            "7 cells under 6 columns; put quotation marks around a note that holds ','",
        ),
        (f"{ONE},a?,CLEAN,,n,Ann\n{ONE},a?,CLEAN,,n,Ann", "ann.csv:3: Ann has labelled item"),
        (f'{ONE},"a?,CLEAN,,n,Ann', "it cannot be read as CSV (unexpected end of data); save the sheet anew"),
    ],
)
def test_a_row_that_cannot_be_used(row: str, expected: str, tmp_path: Path) -> None:
    """Protects the counts from guesses: each mistake of a sheet is one sentence with value, place, reason and help."""
    with pytest.raises(AuditError, match=re.escape(expected)):
        read_labels([handed_in(tmp_path, f"{HEAD}\n{row}\n")], PACKET)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "ann.csv",
            "item,label,flag,note,auditor\n",
            "ann.csv:1: column flags is missing; the sheet needs item, label",
        ),
        ("ann.csv", "\n", "ann.csv: the file is empty"),
        ("ann.jsonl", "[1]\n", 'ann.jsonl:1: "[1]" is no object; write the fields item, label, flags, note, auditor'),
        ("ann.jsonl", "{\n", 'ann.jsonl:1: "{" is not JSON'),
        ("ann.jsonl", f'{{"item": "{ONE}", "label": "CLEAN", "flags": 1, "auditor": "A"}}', 'flags is "1"; write'),
        ("ann.jsonl", f'{{"item": "{ONE}", "label": "CLEAN", "note": 1, "auditor": "A"}}', 'note is "1", which is no'),
    ],
)
def test_a_file_that_cannot_be_used(name: str, text: str, expected: str, tmp_path: Path) -> None:
    """Protects against a file of another kind: it is named, with what it should be."""
    with pytest.raises(AuditError, match=re.escape(expected)):
        read_labels([handed_in(tmp_path, text, name)], PACKET)


def test_one_person_cannot_be_two_auditors(tmp_path: Path) -> None:
    """Protects the rule of two: Ann and ann are one, and the same item handed in twice is refused."""
    rows = f"{HEAD}\n{ONE},a?,CLEAN,,n,Ann\n{TWO},b?,CLEAN,,n,ann\n"
    path = handed_in(tmp_path, rows)
    assert list(read_labels([path], PACKET)) == ["Ann"]
    again = handed_in(tmp_path, f"{HEAD}\n{ONE},a?,CLEAN,,n,ANN\n", "again.csv")
    with pytest.raises(AuditError, match=r"again\.csv: Ann has labelled item \w+ in another file too"):
        read_labels([path, again], PACKET)


def test_missing_says_what_each_still_has_to_do(tmp_path: Path) -> None:
    """Protects the completeness check: items without a label, in the packet's order, for each auditor."""
    path = handed_in(tmp_path, f"{HEAD}\n{TWO},b?,CLEAN,,n,Ann\n")
    assert missing(read_labels([path], PACKET), PACKET) == {"Ann": [i for i in PACKET.messages if i != TWO]}


def save_some(path: Path, auditor: str) -> None:
    for item in PACKET.messages:
        save_label(path, Label(item, "CLEAN", ("one_question",), f"{auditor} read {item}", auditor), PACKET)


def test_two_people_who_save_at_once_lose_nothing(tmp_path: Path) -> None:
    """Protects the form: four processes save into one file, and every label of each is there."""
    path = tmp_path / "labels.jsonl"
    names = ["Ann", "Bo", "Cy", "Di"]
    processes = [multiprocessing.get_context("spawn").Process(target=save_some, args=(path, name)) for name in names]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    labels = read_labels([path], PACKET)
    assert missing(labels, PACKET) == {name: [] for name in names}
    assert len(path.read_text().splitlines()) == 4 * len(PACKET.items)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["labels.jsonl"]


def test_save_label_keeps_what_is_there_and_refuses_what_is_wrong(tmp_path: Path) -> None:
    """Protects a file that somebody edited: its last line may lack an end, and a wrong label leaves it untouched."""
    path = handed_in(tmp_path, f'{{"item": "{ONE}", "label": "CLEAN", "note": "n", "auditor": "Ann"}}', "l.jsonl")
    save_label(path, Label(TWO, "leak_assert", (), "odd\n\ud800 note", "Ann"), PACKET)
    before = path.read_text(encoding="utf-8")
    with pytest.raises(AuditError, match="is not in this packet"):
        save_label(path, Label("zzzzzz", "CLEAN", (), "n", "Ann"), PACKET)
    assert path.read_text(encoding="utf-8") == before
    assert read_labels([path], PACKET)["Ann"] == {
        ONE: Label(ONE, "CLEAN", (), "n", "Ann"),
        TWO: Label(TWO, "LEAK-ASSERT", (), "odd note", "Ann"),
    }
