"""Lines that arrive in pieces: Docker's 16 KiB splits, CRI's P and F, records that an unescaped quote tore in two."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest import framing
from tests.ingest.logs import counts, read, rows

LONG = "x" * 40_000
DRAFT = '[SocraticStage] draft rejected {"attempt":1,"reason":"no digits","draft":"%s"}'
LINE = json.dumps({"level": "warn", "message": DRAFT % LONG, "conversationId": "c-1"})
TIME = "2026-09-01T10:00:00.{:09d}Z"


def docker(content: str, stream: str = "stdout", n: int = 0) -> str:
    return json.dumps({"log": content, "stream": stream, "time": TIME.format(n)}, separators=(",", ":"))


def cri(content: str, flag: str, stream: str = "stdout", n: int = 0) -> str:
    return f"{TIME.format(n)} {stream} {flag} {content}"


def docker_pieces(line: str, size: int, stream: str = "stdout") -> list[str]:
    whole = line + "\n"
    return [docker(whole[at : at + size], stream) for at in range(0, len(whole), size)]


def cri_pieces(line: str, size: int, stream: str = "stdout") -> list[str]:
    parts = [line[at : at + size] for at in range(0, len(line), size)]
    return [cri(part, "F" if part is parts[-1] else "P", stream) for part in parts]


def interleaved(one: list[str], other: list[str]) -> list[str]:
    longest = max(len(one), len(other))
    return [line for n in range(longest) for pieces in (one, other) for line in pieces[n : n + 1]]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "app.log"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "store.duckdb"


@pytest.mark.parametrize("pieces", [docker_pieces, cri_pieces])
@pytest.mark.parametrize("size", [16_384, 1_000, 37])
def test_pieces_of_one_line_are_one_event(pieces: object, size: int, log: Path, db: Path) -> None:
    """Protects long drafts: wherever the runtime cut the line, also within the marker, the record is whole."""
    log.write_text("\n".join(pieces(LINE, size)) + "\n")  # type: ignore[operator]
    read(log, db)
    assert [(1, LONG, "c-1", 1)] == rows(db, "SELECT attempt, text, session, line FROM events")
    assert (1, 1, 0) == counts(db)


@pytest.mark.parametrize("pieces", [docker_pieces, cri_pieces])
def test_pieces_of_two_streams_that_stand_in_turn_are_joined_by_stream(pieces: object, log: Path, db: Path) -> None:
    """Protects against putting a piece of stderr into a line of stdout."""
    other = json.dumps({"level": "warn", "message": DRAFT % ("y" * 50_000), "conversationId": "c-2"})
    lines = interleaved(pieces(LINE, 16_384), pieces(other, 16_384, "stderr"))  # type: ignore[operator]
    log.write_text("\n".join(lines) + "\n")
    read(log, db)
    assert [("c-1", 40_000), ("c-2", 50_000)] == rows(db, "SELECT session, length(text) FROM events ORDER BY 1")
    assert (2, 2, 0) == counts(db)


@pytest.mark.parametrize("pieces", [docker_pieces, cri_pieces])
def test_pieces_that_lie_across_blocks_are_joined(
    pieces: object, log: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protects joining from where the reader happens to cut the file into blocks."""
    monkeypatch.setattr(framing, "BLOCK", 20_000)
    monkeypatch.setattr(framing, "HEAD", 18_000)
    monkeypatch.setattr(framing.chunks, "__defaults__", (b"", 20_000))
    lines = [
        line
        for n in range(6)
        for line in (*pieces(LINE, 16_384), docker("chatter\n") if pieces is docker_pieces else cri("chatter", "F"))
    ]  # type: ignore[operator]
    log.write_text("\n".join(lines) + "\n")
    summary = read(log, db)
    assert (6, 6, 0) == counts(db)
    assert len(lines) == summary.lines


@pytest.mark.parametrize("pieces", [docker_pieces, cri_pieces])
def test_a_dangling_piece_is_a_reject_until_the_rest_arrives(pieces: object, log: Path, db: Path) -> None:
    """Protects a file that ends within a line: what is there is refused, not lost, and read again when it is whole."""
    lines = pieces(LINE, 16_384)  # type: ignore[operator]
    log.write_text("\n".join(lines[:-1]) + "\n")
    read(log, db)
    assert (0, 0, 1) == counts(db)
    log.write_text("\n".join(lines) + "\n")
    summary = read(log, db)
    assert (1, 1, 0) == counts(db)
    assert (1, -1) == (summary.events, summary.rejected)


@pytest.mark.parametrize("spaced", [False, True])
def test_a_line_may_be_cut_anywhere(spaced: bool, log: Path, db: Path) -> None:
    """Protects records from the place at which Docker cut them: behind a quote, within an escape, within the marker."""
    text = 'say "a"\nb\\c\t\\'
    payload = {"attempt": 1, "reason": "no digits", "draft": text}
    whole = json.dumps({"level": "warn", "message": "[SocraticStage] draft rejected", **payload}) + "\n"
    pieces = [docker(piece) for cut in range(1, len(whole)) for piece in (whole[:cut], whole[cut:])]
    lines = [json.dumps(json.loads(piece)) for piece in pieces] if spaced else pieces
    log.write_text("\n".join(lines) + "\n")
    read(log, db)
    assert [(text, len(whole) - 1)] == rows(db, "SELECT text, count(*) FROM events GROUP BY 1")
    assert (len(whole) - 1, len(whole) - 1, 0) == counts(db)


@pytest.mark.parametrize(
    "half",
    [docker("Killed"), docker('{"level":"info","message":"half'), cri("half", "P"), cri('{"level":"info","mess', "P")],
)
def test_a_program_that_ended_within_a_line_takes_no_record_with_it(half: str, log: Path, db: Path) -> None:
    """Protects the first record after a crash: what was written before it has no end, and is not its beginning."""
    line = json.dumps({"level": "warn", "message": DRAFT % "d", "conversationId": "c-1"})
    log.write_text(half + "\n" + (docker(line + "\n") if half[0] == "{" else cri(line, "F")) + "\n")
    read(log, db)
    assert [("d", "c-1")] == rows(db, "SELECT text, session FROM events")
    assert (1, 1, 0) == counts(db)


def test_characters_that_were_cut_between_pieces_are_whole_again(log: Path, db: Path) -> None:
    """Protects text of any language in CRI pieces, which are cut by bytes."""
    line = json.dumps({"level": "warn", "message": DRAFT % ("好" * 30)}, ensure_ascii=False).encode()
    parts = [line[at : at + 50] for at in range(0, len(line), 50)]
    log.write_bytes(b"".join(cri("", "F" if p is parts[-1] else "P").encode() + p + b"\n" for p in parts))
    read(log, db)
    assert [("好" * 30,)] == rows(db, "SELECT text FROM events")


CLAIM = '[honesty] session=s-1 fired severity=high reason=failures_with_claim failCount=2 okCount=1 claim="%s"'


@pytest.mark.parametrize(
    ("wrap", "name"),
    [(lambda text: text, "text"), (lambda text: docker(text + "\n"), "docker"), (lambda text: cri(text, "F"), "cri")],
)
@pytest.mark.parametrize(
    "claim",
    [
        "all\ndone",
        'it\n\nsays "done" → deployed',
        'a "quoted" word\nand more',
        'he said "done"\nand left',
        '"done"\nand "live"',
        'all\nhe says "done"\nand more',
    ],
)
def test_a_claim_with_a_line_feed_is_one_event(wrap: object, name: str, claim: str, log: Path, db: Path) -> None:
    """Protects claims that are written without escapes: quotes, arrows and line feeds in them belong to them."""
    lines = [*(CLAIM % claim).split("\n"), "[turn] session=s-1 done outcome=response"]
    log.write_text("\n".join(wrap(line) for line in lines) + "\n", "utf-8")  # type: ignore[operator]
    read(log, db)
    assert [(claim, "s-1")] == rows(db, "SELECT text, session FROM events WHERE kind = 'gate_fired'")
    assert (2, 1, 0) == counts(db)


@pytest.mark.parametrize(
    "wrap", [lambda line, stream: docker(line + "\n", stream), lambda line, stream: cri(line, "F", stream)]
)
def test_a_claim_over_two_lines_takes_nothing_of_the_other_stream(
    wrap: Callable[[str, str], str], log: Path, db: Path
) -> None:
    """Protects a claim from what the program wrote to its other stream meanwhile, so that it still equals the audit file's."""
    first, last = (CLAIM % "all\ndone").split("\n")
    lines = [wrap(first, "stdout"), wrap("GET /healthz 200", "stderr"), wrap('{"torn', "stderr"), wrap(last, "stdout")]
    log.write_text("\n".join(lines) + "\n")
    read(log, db)
    assert [("all\ndone",)] == rows(db, "SELECT text FROM events")


def test_a_claim_that_never_ends_is_a_reject_and_takes_no_record_with_it(log: Path, db: Path) -> None:
    """Protects the lines after a torn record from being swallowed by it."""
    log.write_text((CLAIM % "all").rstrip('"') + "\n[turn] session=s-1 done outcome=response\nmore\n")
    read(log, db)
    assert [("turn_done",)] == rows(db, "SELECT kind FROM events")
    assert [("gate_fired: the quoted 'claim' does not end",)] == rows(db, "SELECT why FROM rejects")


@pytest.mark.parametrize("claim", ['a 5" screen', 'he said "done"'])
def test_a_claim_that_ends_on_its_line_takes_no_other(claim: str, log: Path, db: Path) -> None:
    """Protects a claim with a single quote in it from whatever text a program prints next."""
    log.write_text(
        "\n".join([CLAIM % claim, "Traceback:", '  at "x"', "[turn] session=s-1 done outcome=response"]) + "\n"
    )
    read(log, db)
    assert [(claim,)] == rows(db, "SELECT text FROM events WHERE kind = 'gate_fired'")
    assert (2, 1, 0) == counts(db)


def test_a_phrase_with_a_line_feed_is_one_event(log: Path, db: Path) -> None:
    """Protects a quoted value that another pair follows: what the line still lacks stands on the next one."""
    lines = '[half-finished] session=s-1 fired reason=r phrase="he said "done"\nand left" planUpdateOk=0'
    log.write_text(lines + "\n[turn] session=s-1 done outcome=response\n")
    read(log, db)
    assert [('he said "done"\nand left',)] == rows(db, "SELECT text FROM events WHERE kind = 'gate_fired'")
    assert (2, 1, 0) == counts(db)
