"""`--redact`: what must not reach the store is looked for in the very bytes of its file, and counts stay what they were."""

import json
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import IngestError, Redaction
from ingest.redact import Redactor, key_file
from queries.report import report
from tests.ingest.logs import EVENTS, FIRES, counts, dumps, read, rows, text_of, winston_json

KEY = "GATECOV_REDACT_KEY"
DRAFT = "ZEBRADRAFT would Okafor; mean {the} same"
SECRETS = {
    "draft": DRAFT,
    "claim": "ZEBRACLAIM deployed",
    "pattern": "ZEBRAPATTERN quick agreement",
    "unknown reason": "ZEBRAREASON too chatty",
    "detail of a known reason": "ZEBRADETAIL seven words",
    "field": "ZEBRAFIELD said so",
    "nested": "ZEBRANESTED deep",
    "key": "ZEBRAKEY with spaces",
    "raw answer": "ZEBRARAW four or five",
    "value": "ZEBRAVALUE",
    "error": "ZEBRAERROR 429",
    "goal": "ZEBRAGOAL more than a word",
    "cut line": "ZEBRACUT half a draft",
    "node title": "ZEBRANODE ends and means",
    "participant": "ZEBRAPERSON",
}


def record(message: str, **fields: object) -> str:
    return dumps(
        {"level": "warn", "message": message, "timestamp": "2026-09-01T10:00:00.123Z", "session": "s-1", **fields}
    )


def rejected(reason: str, draft: str, **fields: object) -> str:
    payload = {"attempt": 1, "stage": "shape", "reason": reason, "draft": draft}
    return record(f"[SocraticStage] draft rejected {json.dumps(payload, ensure_ascii=False)}", **fields)


def answer(**fields: object) -> str:
    told = {
        "type": "probe_answer",
        "probe": "position",
        "point": "end",
        "participant": SECRETS["participant"],
        "attempts": 1,
    }
    return dumps({**told, **fields})


PLAN = {"nodes": [{"id": "n1", "title": SECRETS["node title"], "requires": []}]}
LINES = [
    rejected(f"no digits; {SECRETS['unknown reason']}; copied wording ({SECRETS['detail of a known reason']})", DRAFT),
    rejected("no digits", DRAFT, note=SECRETS["field"], deep={"a": [SECRETS["nested"]], SECRETS["key"]: 1}),
    record(f"[SocraticStage] writer call failed Error: {SECRETS['error']}"),
    record(f'[honesty] session=s-1 fired severity=high reason=failures_with_claim failCount=2 okCount=1 claim="{SECRETS["claim"]}"'),
    record(f"Group Agent: Detected socratic_probe opportunity — {SECRETS['pattern']}"),
    record(f"Group Agent: intervention rejected by professionalism guardrail (goal: {SECRETS['goal']})"),
    answer(answer=SECRETS["raw answer"], raw=SECRETS["raw answer"], value=None, refusals=["several_numbers"]),
    answer(answer="4", raw="4", value=SECRETS["value"]),
    dumps({"type": "lesson_message", "role": "assistant", "session": "l-1", "parts": [
        {"type": "tool-plan_init", "toolCallId": "p1", "state": "output-available", "input": PLAN, "output": {"ok": True}}]}),
    '{"level":"warn","message":"[SocraticStage] draft rejected {\\"attempt\\":1,\\"draft\\":\\"' + SECRETS["cut line"],
]  # fmt: skip


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "app.log"
    path.write_text("\n".join(LINES) + "\n", "utf-8")
    return path


def found_in(db: Path) -> list[str]:
    """The secrets whose first word stands in the bytes of the file."""
    content = db.read_bytes()
    return [name for name, text in SECRETS.items() if text.split()[0].encode() in content]


def test_kept_texts_are_in_the_file(log: Path, tmp_path: Path) -> None:
    """Protects the search itself: without redaction it finds every one of them."""
    db = tmp_path / "store.duckdb"
    read(log, db)
    assert list(SECRETS) == found_in(db)


def test_no_byte_of_a_hashed_text_is_in_the_file(log: Path, tmp_path: Path) -> None:
    """Protects every place that a text can reach: columns, extra fields and their keys, reasons, excerpts, whys."""
    db = tmp_path / "store.duckdb"
    plain = tmp_path / "plain.duckdb"
    read(log, plain)
    read(log, db, redact=Redaction.text)
    assert ([], counts(plain)) == (found_in(db), counts(db))


def test_reasons_are_told_before_they_are_hashed(log: Path, tmp_path: Path) -> None:
    """Protects the counts of checks: known reasons stay in words, unknown ones become hashes and stay unmapped."""
    db = tmp_path / "store.duckdb"
    read(log, db, redact=Redaction.text)
    told = "SELECT fragment, check_id FROM fires WHERE family = 'socratic.shape' ORDER BY event_id, position"
    fragments = [(re.sub(r"hash:\w{32}", "HASH", str(fragment)), check) for fragment, check in rows(db, told)]
    digits, copied = "socratic.shape.no_digits", "socratic.shape.no_copied_wording"
    assert [
        ("no digits", digits),
        ("HASH", None),
        ("copied wording (HASH)", copied),
        ("no digits", digits),
    ] == fragments


def test_equal_texts_stay_equal_under_one_key_alone(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects grouping by text, and that another key shows nothing in common."""
    texts = []
    for name, key in (("a", "k" * 16), ("b", "k" * 16), ("c", "l" * 16)):
        monkeypatch.setenv(KEY, key)
        read(log, tmp_path / f"{name}.duckdb", redact=Redaction.text)
        drafts = rows(tmp_path / f"{name}.duckdb", "SELECT text FROM events WHERE kind = 'draft_rejected'")
        assert 2 == len(drafts)
        texts.append(set(drafts))
    assert (1, texts[0], False) == (len(texts[0]), texts[1], texts[0] == texts[2])


def test_the_key_is_its_owners_alone(log: Path, tmp_path: Path) -> None:
    """Protects the key: made once, beside the store, unreadable to others, and not in the store."""
    db = tmp_path / "store.duckdb"
    read(log, db, redact=Redaction.text)
    key = key_file(db)
    first = key.read_text()
    (tmp_path / "more.log").write_text(record("[SocraticStage] writer call failed again") + "\n")
    read(tmp_path / "more.log", db)
    assert (first, 64, 0o600) == (key.read_text(), len(first.strip()), stat.S_IMODE(key.stat().st_mode))
    assert first.strip().encode() not in db.read_bytes()


@pytest.mark.parametrize(("given", "says"), [("short", "5 characters"), ("", "0 characters")])
def test_a_weak_key_is_refused(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, says: str
) -> None:
    """Protects from a key that can be guessed: one sentence, and nothing of the log is stored."""
    monkeypatch.setenv(KEY, given)
    with pytest.raises(IngestError, match=rf"^{KEY}: the key has {says}"):
        read(log, tmp_path / "store.duckdb", redact=Redaction.text)


def test_the_choice_lasts_and_mixed_ones_are_told(log: Path, tmp_path: Path) -> None:
    """Protects a later ingest that does not say --redact, and whoever reads a store of mixed choices."""
    db, more = tmp_path / "store.duckdb", tmp_path / "more.log"
    read(log, db, redact=Redaction.text)
    assert "Redaction: texts replaced by keyed hashes (--redact text)." in report(db, width=400)
    more.write_text(rejected("no digits", "ZEBRALATER one") + "\n")
    read(more, db)
    assert b"ZEBRALATER" not in db.read_bytes()
    more.write_text(more.read_text() + rejected("no digits", "ZEBRAPLAIN two") + "\n")
    read(more, db, redact=Redaction.none)
    assert [("app.log", "text"), ("more.log", "text, none")] == rows(
        db, "SELECT regexp_extract(file, '[^/]+$'), redaction FROM files ORDER BY 1"
    )
    assert "Redaction is mixed: 1 file with texts replaced by keyed hashes (text); 1 file with parts under" in report(
        db, width=400
    )


def test_another_key_is_told(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects from taking texts for different that were hashed with two keys."""
    db = tmp_path / "store.duckdb"
    read(log, db, redact=Redaction.text)
    monkeypatch.setenv(KEY, "another key of sufficient length")
    assert any("another key than before" in note for note in read(log, db).notes)


def test_counts_are_the_same_under_every_choice(tmp_path: Path) -> None:
    """Protects evidence: redaction changes no count of events, fires or rejects, and no check of a reason."""
    log = tmp_path / "app.log"
    log.write_text(text_of(winston_json), "utf-8")
    told = "SELECT check_id, count(*) FROM fires GROUP BY 1 ORDER BY 1"
    answers = []
    for choice in Redaction:
        read(log, tmp_path / f"{choice}.duckdb", redact=choice)
        answers.append((counts(tmp_path / f"{choice}.duckdb"), rows(tmp_path / f"{choice}.duckdb", told)))
    assert [(EVENTS, FIRES, 0)] * 3 == [found for found, _ in answers]
    assert answers[0] == answers[1] == answers[2]


MASKED = {
    "an e-mail address": ("write to anna.k+x@mail.example.org now", "write to [email] now"),
    "a telephone number": ("call +49 (30) 123-4567 or 030 1234567", "call [phone] or [phone]"),
    "a UUID and a long id": ("id 123e4567-e89b-12d3-a456-426614174000 and 0123456789abcdef", "id [id] and [id]"),
    "an honorific": ("ask Dr. Müller and Mrs Smith Jones about it", "ask [name] and [name] about it"),
    "Chinese honorifics": ("王老师，你好", "[name]，你好"),
    "a handle": ("thanks @anna_k!", "thanks [name]!"),
    "an introduction": ("Hello, my name is Zofia.", "Hello, my name is [name]."),
    "a participant of the record": ("I agree with bruna, said Bruna", "I agree with [name], said [name]"),
    "dates, counts and scales stay": (
        "on 2026-06-01T10:00:00Z 3 of 7 said 40 words, 10:00:03",
        "on 2026-06-01T10:00:00Z 3 of 7 said 40 words, 10:00:03",
    ),
    "what it cannot see": ("Okafor and nickname Bru", "Okafor and nickname Bru"),
}


@pytest.mark.parametrize("name", MASKED)
def test_names_masks_people_and_keeps_the_rest(tmp_path: Path, name: str) -> None:
    """Protects people under --redact names, and the text around them; the marks are the same for the same person."""
    text, expected = MASKED[name]
    log, db = tmp_path / "app.log", tmp_path / "store.duckdb"
    log.write_text(rejected("no digits", text, participants=["Bruna Ferreira", "P1"]) + "\n", "utf-8")
    read(log, db, redact=Redaction.names)
    [(draft, extra)] = rows(db, "SELECT text, extra FROM events")
    marks = re.compile(r"\[(email|phone|id|name):\w{6}\]")
    assert expected.replace("my name is [name]", "[name]") == marks.sub(r"[\1]", str(draft))
    assert "Bruna" not in str(extra)


def test_names_are_gone_from_every_column(tmp_path: Path) -> None:
    """Protects a participant whose name stands in an answer, in a reject and in an unknown reason."""
    log, db = tmp_path / "app.log", tmp_path / "store.duckdb"
    lines = [
        answer(participant="Quetzalina Moreau", answer="Quetzalina says 4", raw="so says Moreau", value=4),
        rejected("Quetzalina was named", "Is it what Moreau meant?"),
        '{"message":"[SocraticStage] summary {\\"by\\":\\"Quetzalina Moreau\\"',
    ]
    log.write_text("\n".join(lines) + "\n", "utf-8")
    read(log, db, redact=Redaction.names)
    assert (2, 1) == (counts(db)[0], counts(db)[2])
    assert (0, 0) == tuple(db.read_bytes().count(name) for name in (b"Quetzalina", b"Moreau"))


@given(st.text(min_size=1))
@settings(max_examples=200)
def test_any_text_has_one_hash_and_nothing_of_itself(text: str) -> None:
    """Protects the hash for any text: always the same, of one shape, whatever the text holds."""
    redactor = Redactor(Redaction.text, b"k" * 32)
    hashed = redactor.free(text)
    assert (hashed, True) == (redactor.free(text), bool(re.fullmatch(r"hash:[0-9a-f]{32}", hashed)))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
@settings(max_examples=200)
def test_any_extra_stays_json_of_its_shape(extra: object) -> None:
    """Protects queries into `extra`: whatever it holds, it is JSON afterwards, with the same numbers."""
    for choice in (Redaction.text, Redaction.names):
        redactor = Redactor(choice, b"k" * 32)
        told = json.loads(redactor._extra({"x": extra}))
        assert numbers(extra) == numbers(told["x"])


def numbers(value: object) -> list[object]:
    if isinstance(value, dict):
        return sorted((number for inner in value.values() for number in numbers(inner)), key=str)
    if isinstance(value, list):
        return [number for inner in value for number in numbers(inner)]
    return [value] if isinstance(value, int | float | None) else []


def test_none_hands_the_frames_through() -> None:
    """Protects the speed of an ingest that keeps texts: nothing is touched."""
    frames = object()
    assert frames is Redactor(Redaction.none).frames(frames)  # type: ignore[arg-type]
