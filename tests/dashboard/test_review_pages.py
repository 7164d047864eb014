"""The pages on which people decide: the trace, the plan, decisions, and the form of the blind audit."""

import csv
import datetime as dt
import io
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dashboard import trace_charts
from review.audit import load_packet, missing, read_labels
from review.decisions import Decision, Snapshot, load_decisions, save_decision
from review.trace import Step
from tests import audits
from tests.dashboard.test_pages import HOSTILE, START, hostile_store, marked_up, opened, plain, troubles
from tests.stores import event, run, write_demo, write_store

NO_DIGITS = "socratic.shape.no_digits"


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Each test has a configuration of its own, and no frame of another's store."""
    monkeypatch.setenv("GATECOV_CONFIG", str(tmp_path / "gatecov.toml"))
    monkeypatch.delenv("GATECOV_AUDIT", raising=False)
    st.cache_data.clear()
    yield
    st.cache_data.clear()


@pytest.fixture(scope="module")
def weeks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("review") / "weeks.duckdb")


@pytest.fixture
def conversation(tmp_path: Path) -> Path:
    """One conversation: two rejected drafts, a template that failed, silence; and one without a session."""
    rejected = [[NO_DIGITS], ["socratic.shape.no_analogy"]]
    rows = run(
        "room-7", START, rejected, "silent", template_reasons=[NO_DIGITS], draft="How does Okafor read 3 of these?"
    )
    rows += [event("socratic", "draft_rejected", START, None, [NO_DIGITS], attempt=1, inferred_run="agent.log#9")]
    return write_store(tmp_path / "one.duckdb", rows)


# --- the trace -----------------------------------------------------------------------------------------------------


def test_trace_begins_with_the_conclusion(monkeypatch: pytest.MonkeyPatch, conversation: Path) -> None:
    """Protects the answer: one sentence says why there was no probe, before any table."""
    app = opened(monkeypatch, conversation, "trace", session="room-7")
    said = [text for text in plain(app) if text.startswith("No probe:")]
    assert 1 == len(said)
    assert "the template failed its own checks" in said[0]
    assert 1 == len(app.get("vega_lite_chart"))


def test_trace_links_each_record(monkeypatch: pytest.MonkeyPatch, conversation: Path) -> None:
    """Protects the way back: each step of the time line leads to its record, whatever the filters leave out."""
    app = opened(monkeypatch, conversation, "trace", session="room-7")
    steps = next(frame.value for frame in app.dataframe if "meaning" in frame.value.columns)
    assert [f"records?event_id={record}&record={record}" for record in steps["record"]] == steps["look"].to_list()


def test_trace_shows_the_chosen_record_whole(monkeypatch: pytest.MonkeyPatch, conversation: Path) -> None:
    """Protects shared links: the address alone chooses conversation and record."""
    app = opened(monkeypatch, conversation, "trace", session="room-7", record="1")
    assert "How does Okafor read 3 of these?" in [item.value for item in app.code]


def test_trace_says_that_a_run_is_inferred(monkeypatch: pytest.MonkeyPatch, conversation: Path) -> None:
    """Protects against certainty that the logs do not give: a run that we put together ourselves says so."""
    app = opened(monkeypatch, conversation, "trace", session="agent.log#9")
    assert any("inferred: these lines name no session" in text for text in plain(app))
    assert "inferred" in marked_up(app)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ({}, {"room-7", "agent.log#9"}),
        ({"find": "ROOM"}, {"room-7"}),
        ({"holding": "okafor read 3"}, {"room-7"}),
        ({"since": "2026-06-01", "until": "2026-06-02"}, {"room-7", "agent.log#9"}),
        ({"until": "2026-05-01"}, set()),
        ({"find": "nobody"}, set()),
    ],
)
def test_trace_finds_by_name_text_and_time(
    address: dict[str, str], found: set[str], monkeypatch: pytest.MonkeyPatch, conversation: Path
) -> None:
    """Protects the search: a part of the name, a text in a record, and the dates each narrow the list."""
    app = opened(monkeypatch, conversation, "trace", **address)
    lists = [set(frame.value["session"]) for frame in app.dataframe]
    assert ([found] if found else []) == lists


def test_trace_of_an_unknown_conversation_is_one_sentence(monkeypatch: pytest.MonkeyPatch, conversation: Path) -> None:
    """Protects a mistyped address: it names near conversations, and the search stays on the page."""
    app = opened(monkeypatch, conversation, "trace", session="room")
    assert any(text.startswith("room: no record in the store belongs to this conversation; near ones are room-7") for text in plain(app))  # fmt: skip
    assert 1 == len(app.dataframe)


def test_trace_shows_hostile_text_as_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Protects the reader's browser: reasons and drafts of a conversation are never read as Markdown."""
    app = opened(monkeypatch, hostile_store(tmp_path / "hostile.duckdb"), "trace", session="c1", record="1")
    assert any("alert(1)" in text for text in plain(app))
    assert "alert(1)" not in marked_up(app)


def test_records_page_leads_to_the_conversation(monkeypatch: pytest.MonkeyPatch, conversation: Path) -> None:
    """Protects the way from a record to its story, for records without a session too."""
    for record in ("1", "6"):
        app = opened(monkeypatch, conversation, "records", record=record)
        assert "Its conversation: why was there no probe?" in [link.label for link in app.get("page_link")]


@pytest.mark.parametrize(
    ("kind", "outcome", "repeats", "effect"),
    [
        ("summary", "silent", False, "ended it"),
        ("summary", "posted-template", False, "got through"),
        ("summary", None, False, "noted"),
        ("draft_rejected", None, False, "tried again"),
        ("guardrail_drop", None, False, "ended it"),
        ("post_detected", None, True, "told before"),
        ("never heard of", None, False, "noted"),
    ],
)
def test_effect_of_a_step(kind: str, outcome: str | None, repeats: bool, effect: str) -> None:
    """Protects the colours of the time line: silence is never green, and a repeated record counts for nothing."""
    step = Step(1, START, "socratic", kind, "", None, outcome, repeats, None, 1)
    assert effect == trace_charts.effect(step)


def test_time_line_draws_the_dated_records_it_can_hold() -> None:
    """Protects a long conversation: the picture stops at its limit, and a record without a time is not put at 1970."""
    steps = [Step(n, START + dt.timedelta(seconds=n), "socratic", "summary", "", None, "silent", False, None, n) for n in range(80)]  # fmt: skip
    steps.insert(0, Step(99, None, "socratic", "summary", "", None, "silent", False, None, 1))
    frame = trace_charts.rows("c", tuple(steps))
    drawn = trace_charts.time_line(frame).to_dict()
    rows = next(iter(drawn["datasets"].values()))
    assert trace_charts.MOST_ROWS == len(rows)
    assert START.replace(tzinfo=dt.UTC).timestamp() * 1000 == rows[0]["moment"]


# --- decisions and the plan ----------------------------------------------------------------------------------------


def decide(app: AppTest, check_id: str, action: str, owner: str, reason: str) -> AppTest:
    app.radio(key=f"decision-action-{check_id}").set_value(action)
    app.text_input(key=f"decision-owner-{check_id}").set_value(owner)
    app.text_area(key=f"decision-reason-{check_id}").set_value(reason)
    next(button for button in app.button if button.label == "Write it down").click()
    app.run()
    assert [] == [item.message for item in app.exception]
    return app


def test_decision_is_written_with_its_evidence(monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path) -> None:
    """Protects what will be reviewed: who, why and on what evidence stand in the file, and its comments stay."""
    config = tmp_path / "gatecov.toml"
    config.write_text("# ours\n[thresholds]\nquiet_days = 9  # days\n", encoding="utf-8")
    app = decide(opened(monkeypatch, weeks, "prune", check=NO_DIGITS), NO_DIGITS, "prune", "Ada", "never fired, 中")
    assert "Written down." in plain(app)
    text = config.read_text(encoding="utf-8")
    assert text.startswith("# ours\n[thresholds]\nquiet_days = 9  # days\n")
    written = tomllib.loads(text)["decisions"][NO_DIGITS]
    row = next(frame.value for frame in app.dataframe if "verdict" in frame.value.columns)
    row = row[row["check_id"] == NO_DIGITS].iloc[0]
    assert ("prune", "Ada", "never fired, 中") == (written["action"], written["owner"], written["reason"])
    assert (row["fires"], row["evaluated"]) == (written["fires"], written["evaluations"])
    assert "prune" == row["decision"]
    assert row["recommendation"].endswith("(decided: prune)")


def test_decision_makes_the_file_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path
) -> None:
    """Protects the first decision of a team: it needs no file to begin with."""
    decide(opened(monkeypatch, weeks, "prune", check=NO_DIGITS), NO_DIGITS, "keep", "Ada", "wanted")
    assert {NO_DIGITS: "keep"} == load_decisions(tmp_path / "gatecov.toml").actions


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((None, "Ada", "why"), "Not written: choose keep, prune or watch."),
        (("keep", " ", "why"), "Not written: say who answers for it."),
        (("keep", "Ada", ""), "Not written: say why in a sentence."),
    ],
)
def test_decision_needs_action_owner_and_reason(
    given: tuple[str, str, str], said: str, monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path
) -> None:
    """Protects the file from decisions that nobody answers for."""
    app = decide(opened(monkeypatch, weeks, "prune", check=NO_DIGITS), NO_DIGITS, *given)
    assert said in plain(app)
    assert not (tmp_path / "gatecov.toml").exists()


def test_decision_of_two_people_at_once(monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path) -> None:
    """Protects the other person's decision: whoever looked before it was written is told, and nothing is lost."""
    app = opened(monkeypatch, weeks, "prune", check=NO_DIGITS)
    other = Decision(NO_DIGITS, "keep", "Ben", "the pilot needs it", START.date(), snapshot=Snapshot(fires=0))
    save_decision(tmp_path / "gatecov.toml", other, seen=None)
    app = decide(app, NO_DIGITS, "prune", "Ada", "never fired")
    assert any("Ben changed the decision" in text for text in plain(app))
    assert {NO_DIGITS: "keep"} == load_decisions(tmp_path / "gatecov.toml").actions
    decide(app, NO_DIGITS, "prune", "Ada", "never fired, and Ben agrees")
    assert {NO_DIGITS: "prune"} == load_decisions(tmp_path / "gatecov.toml").actions


def test_decision_into_a_read_only_file(monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path) -> None:
    """Protects a file that somebody locked on purpose: one sentence, and no byte of it changed."""
    config = tmp_path / "gatecov.toml"
    config.write_text("# locked\n", encoding="utf-8")
    config.chmod(0o444)
    app = decide(opened(monkeypatch, weeks, "prune", check=NO_DIGITS), NO_DIGITS, "keep", "Ada", "wanted")
    assert f"Not written: {config}: the file is read-only, and nothing was changed; make it writable, then try again" in plain(app)  # fmt: skip
    assert "# locked\n" == config.read_text(encoding="utf-8")


def test_decision_says_why_it_is_stale(monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path) -> None:
    """Protects against old proof: a decision on other source, or on an old window, says so where it is shown."""
    old = Snapshot(until=dt.datetime(2025, 1, 1), evaluations=9, fires=0, source_sha256="abcdef012345")
    save_decision(tmp_path / "gatecov.toml", Decision(NO_DIGITS, "prune", HOSTILE, HOSTILE, START.date(), snapshot=old), seen=None)  # fmt: skip
    app = opened(monkeypatch, weeks, "prune", check=NO_DIGITS)
    assert any(text.startswith("Stale, because its source changed: abcdef012345") for text in plain(app))
    assert any("Stale, because its window ended 2025-01-01" in text for text in plain(app))
    assert "alert(1)" not in marked_up(app)


def test_decision_can_be_withdrawn(monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path) -> None:
    """Protects second thoughts: a withdrawn decision leaves the file without a trace of it."""
    save_decision(tmp_path / "gatecov.toml", Decision(NO_DIGITS, "watch", "Ada", "later", START.date()), seen=None)
    app = opened(monkeypatch, weeks, "prune", check=NO_DIGITS)
    next(button for button in app.button if button.label == "Withdraw it").click()
    app.run()
    assert "Withdrawn." in plain(app)
    assert {} == load_decisions(tmp_path / "gatecov.toml").actions


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[thresholds\n", "it cannot be read as TOML"),
        ('[decisions."x"]\naction = "burn"\n', "action is 'burn'"),
    ],
)
def test_configuration_that_cannot_be_read(
    text: str, said: str, monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path
) -> None:
    """Protects against half a configuration: a slip in it stops the page with its sentence, and is not overlooked."""
    (tmp_path / "gatecov.toml").write_text(text, encoding="utf-8")
    app = opened(monkeypatch, weeks, "prune")
    assert 1 == len([sentence for sentence in plain(app) if said in sentence])


def test_thresholds_of_the_configuration_are_used(monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path) -> None:
    """Protects the team's own limits: what is a candidate is judged by the file that the decisions go into."""
    (tmp_path / "gatecov.toml").write_text("[thresholds]\nmin_evaluations = 1000000\n", encoding="utf-8")
    app = opened(monkeypatch, weeks, "prune")
    table = next(frame.value for frame in app.dataframe if "verdict" in frame.value.columns)
    assert 0 < len(table)
    assert all("candidate" not in verdict for verdict in table["verdict"])


@pytest.mark.parametrize(("name", "style"), [("plan-md", "markdown"), ("plan-csv", "csv")])
def test_plan_downloads_are_what_the_command_prints(
    name: str, style: str, monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path, root: Path
) -> None:
    """Protects the pull request: page and command line give the same bytes for the same dates."""
    save_decision(tmp_path / "gatecov.toml", Decision(NO_DIGITS, "prune", "Ada", HOSTILE, START.date()), seen=None)
    saved: dict[str, bytes] = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, content, *rest, key, **more: saved.__setitem__(key, content)
    )
    opened(monkeypatch, weeks, "plan", since="2026-06-03")
    command = [sys.executable, str(root / "gatecov.py"), "plan", "--db", str(weeks), "--since", "2026-06-03", "--format", style]  # fmt: skip
    printed = subprocess.run(command, capture_output=True, check=True, env=os.environ, cwd=root)
    assert printed.stdout.decode() == saved[name].decode()


def test_plan_says_what_stands_in_the_way(monkeypatch: pytest.MonkeyPatch, weeks: Path, tmp_path: Path) -> None:
    """Protects the person who deletes a check: each one on the plan says what is missing, in words taken as text."""
    save_decision(tmp_path / "gatecov.toml", Decision(NO_DIGITS, "prune", HOSTILE, HOSTILE, START.date()), seen=None)
    app = opened(monkeypatch, weeks, "plan")
    assert any("• no blind audit on a fresh reading without it" in text for text in plain(app))
    assert any(f"Decision: prune, by {HOSTILE}" in text for text in plain(app))
    assert "alert(1)" not in marked_up(app)
    assert [] == troubles(app)


# --- the blind audit -----------------------------------------------------------------------------------------------


@pytest.fixture
def audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a packet of nine items under `one/packet`, and a key beside it that is no key at all."""
    packet, _ = audits.built({"base": audits.questions(2, "a"), "without:x": [*audits.questions(1, "b"), HOSTILE]})
    place = tmp_path / "audits" / "one" / "packet"
    place.mkdir(parents=True)
    (place / "packet.jsonl").write_text(packet.to_jsonl(), encoding="utf-8")
    (place.parent / "key.json").write_bytes(b"\xff opened")
    monkeypatch.setenv("GATECOV_AUDIT", str(tmp_path / "audits"))
    return place


def form(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **address: str) -> AppTest:
    """The form, on a server without any store."""
    return opened(monkeypatch, tmp_path / "no.duckdb", "audit", **address)


def label_all(app: AppTest, items: list[str], label: str) -> AppTest:
    for item in items:
        app.radio(key=f"label-of-{item}").set_value(label)
        app.checkbox(key=f"one_question-{item}").set_value(True)
        app.text_area(key=f"note-{item}").set_value(f"=read {item}")
        next(button for button in app.button if button.label == "Save and go on").click()
        app.run()
        assert [] == [error.message for error in app.exception]
    return app


def test_audit_shows_the_packet_and_nothing_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, audit: Path) -> None:
    """Protects blindness: no menu, no filter, no verdict and no condition stands beside a message."""
    app = form(monkeypatch, tmp_path, auditor="Ann")
    packet = load_packet(audit)
    texts = plain(app)
    assert packet.items[0].message in texts
    assert packet.passage in texts
    assert "\n".join(packet.chat) in texts
    assert [] == [link.label for link in app.get("page_link")]
    assert [] == list(app.date_input)
    shown = "\n".join([*texts, marked_up(app)])
    for hint in ("base", "without:", "known-", "key.json", "candidate"):
        assert hint not in shown


def test_audit_labels_of_two_people_lose_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, audit: Path) -> None:
    """Protects the work of two auditors at once: both are complete in the file that `gatecov audit score` reads."""
    packet = load_packet(audit)
    items = list(packet.messages)
    ann, ben = form(monkeypatch, tmp_path, auditor="Ann"), form(monkeypatch, tmp_path, auditor="Ben")
    for item in items:
        ann, ben = label_all(ann, [item], "CLEAN"), label_all(ben, [item], "LEAK-ASSERT")
    labels = read_labels([audit / "labels.jsonl"], packet)
    assert {"Ann": [], "Ben": []} == missing(labels, packet)
    assert {"CLEAN"} == {label.label for label in labels["Ann"].values()}
    assert ("one_question",) == labels["Ben"][items[0]].flags
    assert "Every message has a label" in marked_up(ann)


def test_audit_is_resumed_where_it_was_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, audit: Path) -> None:
    """Protects an interrupted evening: the same name, however it is spelt, goes on with the first open message."""
    items = list(load_packet(audit).messages)
    label_all(form(monkeypatch, tmp_path, auditor="Ann"), items[:2], "CLEAN")
    again = form(monkeypatch, tmp_path, auditor="ann")
    assert [f"label-of-{items[2]}"] == [radio.key for radio in again.radio]
    back = form(monkeypatch, tmp_path, auditor="Ann", item=items[0])
    assert "CLEAN" == back.radio(key=f"label-of-{items[0]}").value
    other = form(monkeypatch, tmp_path, auditor="Ben")
    assert [f"label-of-{items[0]}"] == [radio.key for radio in other.radio]


def test_audit_needs_a_label_and_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, audit: Path) -> None:
    """Protects against labelling without reading: a message without a note stays open, and what was typed stays."""
    item = load_packet(audit).items[0].item
    app = form(monkeypatch, tmp_path, auditor="Ann")
    app.radio(key=f"label-of-{item}").set_value("CLEAN")
    next(button for button in app.button if button.label == "Save and go on").click()
    app.run()
    assert "Not saved yet: write a note, also for a clean message." in plain(app)
    assert "CLEAN" == app.radio(key=f"label-of-{item}").value
    assert not (audit / "labels.jsonl").exists()


def test_audit_labels_download_reads_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, audit: Path) -> None:
    """Protects the CSV: it is a sheet that scoring takes, of one's own labels alone."""
    packet = load_packet(audit)
    items = list(packet.messages)
    label_all(form(monkeypatch, tmp_path, auditor="Ben"), items[:1], "LEAK-ASSERT")
    saved: dict[str, bytes] = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, content, *rest, key, **more: saved.__setitem__(key, content)
    )
    label_all(form(monkeypatch, tmp_path, auditor="Ann"), items[:2], "CLEAN")
    rows = list(csv.DictReader(io.StringIO(saved["my-labels"].decode())))
    assert ["Ann", "Ann"] == [row["auditor"] for row in rows]
    sheet = tmp_path / "mine.csv"
    sheet.write_bytes(saved["my-labels"])
    assert items[:2] == list(read_labels([sheet], packet)["Ann"])


def test_audit_reads_no_file_outside_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, audit: Path) -> None:
    """Protects the server's other files: an address that climbs out, and a link that leads out, open nothing."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "packet.jsonl").write_text((audit / "packet.jsonl").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "audits" / "linked").mkdir()
    (tmp_path / "audits" / "linked" / "packet.jsonl").symlink_to(outside / "packet.jsonl")
    for place in ("../outside", str(outside), "linked", "one/../../outside"):
        app = form(monkeypatch, tmp_path, auditor="Ann", packet=place)
        assert f"{place}: no packet lies there; choose one of the list." in plain(app)
        assert [] == list(app.radio)


def test_audit_without_a_folder_says_how_to_begin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Protects the first minute: a server that was started without a packet says what to type."""
    assert any("GATECOV_AUDIT=" in text for text in plain(form(monkeypatch, tmp_path)))


def test_audit_of_a_broken_packet_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, audit: Path) -> None:
    """Protects the auditor from a traceback: a packet that was edited says what to do."""
    (audit / "packet.jsonl").write_text(json.dumps({"format": "mine"}) + "\n", encoding="utf-8")
    app = form(monkeypatch, tmp_path, auditor="Ann")
    assert [f"{audit / 'packet.jsonl'}:1: this is no packet of gatecov; name the packet.jsonl that was built"] == [
        text for text in plain(app) if "packet of gatecov" in text
    ]
