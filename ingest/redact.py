"""What is done to log texts before they are stored: kept (`none`), people masked in them (`names`), or hashed (`text`).

A pure step over the frames of a block, after its reasons were mapped to checks. What it takes out never reaches the
store: not as a text, not in `extra`, not in an unmapped reason, not in the excerpt of a reject.

Kept under every choice, since what is counted hangs on them: times, numbers, sessions, agents, streams, file paths, the
names of checks, gates and tools, and reasons that are the catalog's own. Names of other fields are kept where they are
short words of plain letters.

`text` puts `hash:` and a keyed digest (HMAC-SHA-256, 128 bits) in the place of every free text. Equal texts stay equal.
Who has the store without the key sees which texts are equal, how often and when they were said, and in which session;
guesses cannot be tried. Who has the key as well can try guesses, so that short answers are as good as plain to them.
A reason that was hashed cannot be mapped by a later catalog.

`names` puts a mark such as `[name:3fa1c2]` in the place of e-mail addresses, telephone numbers, ids (UUIDs, long hex and
digit strings, IBANs), handles, names that relevant records give as those of participants, and names after an honorific. It sees
no name that no record gives as a participant's and that has no honorific, nor one that is only given by a later block,
nor nicknames and misspellings, and it takes a word for a name where a participant is called by it.
"""

import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from checks.registry import catalog, retired_checks
from ingest import decode
from ingest.errors import IngestError
from ingest.frames import Frames
from ingest.mapping import folded, without_detail
from ingest.rows import EXCERPT
from ingest.source import sources

KEY_VARIABLE = "GATECOV_REDACT_KEY"
SHORTEST_KEY = 16


class Redaction(StrEnum):
    """What is done to texts."""

    none = "none"
    names = "names"
    text = "text"


LABEL_COLUMNS = ("outcome", "severity", "subject", "goal", "version", "level")
"""Columns of events that hold a word for a thing; a value that is more than a word is a text."""
LABEL_KEYS = frozenset(
    "stage point state call node id requires count toolCalls toolCallsThisTurn finalLen finalTextLength planUpdateOk "
    "planUpdateStepOk activePlanId planId planStatus durationMs auditEvents tools total source origin".split()
)
"""Keys of `extra` whose values are words or numbers in themselves; all others may hold text."""
PERSON_KEYS = frozenset(
    "participant participants participantname participant_name user username user_name userid user_id speaker author "
    "author_name sender displayname display_name fullname full_name learner student email phone".split()
)
"""Keys, in lower case, whose values are people."""

_LABEL = re.compile(r"(?!\d{7})[A-Za-z0-9_][A-Za-z0-9_.:/#()-]{0,63}")
_AGENT = re.compile(r"(?=.{1,40}\Z)[^\s]+(?: [^\s]+){0,3}")
_KEY = re.compile(r"@?[A-Za-z_][A-Za-z0-9_.-]{0,39}")
_NUMBERS = re.compile(r"[\d\s.,/%-]{0,20}(?:words?|characters?)?")
_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_EMAIL = r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+"
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_ID = rf"\b(?:{_UUID}|(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{{16,}}|[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]{{4}}){{3,7}}(?: ?[A-Z0-9]{{1,4}})?|[A-Z]{{1,4}}-?\d{{5,}}|\d{{12,}})\b"
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d\d[./]\d\d[./]\d{4}")
_PHONE = r"(?<![\w.:-])(?:\+|\(|00)?\d(?:[\s()./-]{0,2}\d){6,14}(?![\w:])"
_HANDLE = r"(?<![\w@./])@\w{2,40}"
_TITLED = r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Madam|Herr|Frau|Monsieur|Madame|Señora?|Signora?)\b\.?\s+(?:(?:Dr|Prof)\.\s+)?[^\W\d_][\w'’-]*(?:\s+[A-ZÀ-Þ][\w'’-]*){0,2}"
_TITLED_CHINESE = r"[\u4e00-\u9fff]{1,3}(?:先生|女士|小姐|老师|同学|教授|博士|医生)"
_CALLED = r"(?i:my name is|i am called|mein name ist|je m'appelle|me llamo)\s+[^\W\d_][\w'’-]*(?:\s+[A-ZÀ-Þ][\w'’-]*)?|我叫[\u4e00-\u9fff]{2,4}"
_PATTERNS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("email", _EMAIL),
        ("id", _ID),
        ("phone", _PHONE),
        ("name", _HANDLE),
        ("name", _TITLED),
        ("name", _TITLED_CHINESE),
        ("name", _CALLED),
    )
)
_PARTICIPANTS = re.compile(r'\\*"participants?\\*"\s*:\s*(\[[^\]]*\]|\\*"[^"\\]*)')
_STRING = re.compile(r'"([^"\\]+)')


@dataclass(slots=True)
class Redactor:
    """One choice with its key. `learned` are the names of people that the records gave so far."""

    choice: Redaction
    key: bytes = b""
    learned: set[str] = field(default_factory=set)
    _names: re.Pattern[str] | None = None
    _known: int = 0

    def frames(self, frames: Frames) -> Frames:
        """`frames`, whose fires have their `check_id`, as they may be stored."""
        if self.choice is Redaction.none:
            return frames
        events = frames.events
        extras = {text: json.loads(text) for text in events["extra"].drop_nulls().unique()}
        if self.choice is Redaction.names:
            self._learn(extras.values(), frames.rejects["excerpt"])
        columns = [
            self._each(events["text"], self.free),
            self._each(events["extra"], lambda text: self._extra(extras[text])),
        ]
        columns += [self._each(events[name], self.label) for name in LABEL_COLUMNS]
        columns.append(self._each(events["agent"], self.agent))
        rejects = frames.rejects.with_columns(
            self._each(frames.rejects["excerpt"], self.excerpt), self._each(frames.rejects["why"], self._why)
        )
        return replace(frames, events=events.with_columns(columns), fires=self._fires(frames.fires), rejects=rejects)

    def free(self, text: str) -> str:
        """What stands for a free text."""
        if not text or self.choice is Redaction.none:
            return text
        return self._hash(text) if self.choice is Redaction.text else self._masked(text)

    def label(self, text: str) -> str:
        """What stands for a word that names a thing; more than a word is a free text."""
        return text if self.choice is Redaction.text and _LABEL.fullmatch(text) else self.free(text)

    def agent(self, text: str) -> str:
        """What stands for the name of an agent: a few words stay, as they tell agents apart."""
        return text if _AGENT.fullmatch(text) else self.free(text)

    def excerpt(self, text: str) -> str:
        """What stands for the start of a line; a hash says nothing of what was wrong with it, and `why` still does."""
        return self.free(text)[:EXCERPT]

    def fragment(self, fragment: str, rule: str | None, check_id: str | None) -> str:
        """What stands for a reason: the catalog's own wordings and codes stay, a detail in brackets is a text."""
        known = known_reasons()
        if folded(fragment) in known or (check_id is not None and words_of(fragment) <= vocabulary(check_id)):
            return fragment
        bare = without_detail(fragment)
        if bare != fragment and folded(bare) in known:
            detail = fragment.rstrip()[len(bare) :].strip()
            kept = _NUMBERS.fullmatch(detail[1:-1])
            return fragment if kept else f"{bare} ({self.free(detail[1:-1])})"
        if check_id is not None and rule is not None and _LABEL.fullmatch(fragment):
            return fragment
        return self.free(fragment)

    def _fires(self, fires: pl.DataFrame) -> pl.DataFrame:
        keys = ["fragment", "rule", "check_id"]
        distinct = fires.select(keys).unique()
        stands = [self.fragment(fragment, rule, check) for fragment, rule, check in distinct.iter_rows()]
        rules = [None if rule is None else self._rule(rule) for _, rule, _ in distinct.iter_rows()]
        told = distinct.with_columns(
            pl.Series("stands", stands, dtype=pl.String), pl.Series("named", rules, dtype=pl.String)
        )
        joined = fires.join(told, on=keys, how="left", nulls_equal=True, maintain_order="left")
        return joined.with_columns(fragment=pl.col("stands"), rule=pl.col("named")).drop("stands", "named")

    def _rule(self, rule: str) -> str:
        return rule if folded(rule) in known_reasons() else self.label(rule)

    def _why(self, why: str) -> str:
        """What was wrong, with what it quotes from the line taken out; the names of our own fields stay."""
        return _QUOTED.sub(
            lambda found: found.group() if found.group()[1:-1] in known_fields() else self.free(found.group()[1:-1]),
            why,
        )

    def _extra(self, value: Any) -> str:
        return decode.compact(self._inside(value, ""))

    def _inside(self, value: Any, key: str) -> Any:
        if isinstance(value, dict):
            return {self._key(name): self._inside(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [self._inside(inner, key) for inner in value]
        if not isinstance(value, str) or not value:
            return value
        if self.choice is Redaction.names and key.casefold() in PERSON_KEYS:
            return self._mark("name", value)
        return self.label(value) if key in LABEL_KEYS else self.free(value)

    def _key(self, name: str) -> str:
        return name if self.choice is Redaction.text and _KEY.fullmatch(name) else self.free(name)

    def _each(self, column: pl.Series, stands_for: Callable[[str], str]) -> pl.Series:
        """The column with each different text replaced once."""
        different = column.drop_nulls().unique()
        if different.is_empty():
            return column
        told = {text: stands_for(text) for text in different}
        return pl.Series(column.name, [None if text is None else told[text] for text in column], dtype=pl.String)

    def _hash(self, text: str) -> str:
        return f"hash:{digest(self.key, text)[:32]}"

    def _mark(self, kind: str, text: str) -> str:
        return f"[{kind}:{digest(self.key, text.casefold())[:6]}]"

    def _masked(self, text: str) -> str:
        for kind, pattern in _PATTERNS:
            text = pattern.sub(lambda found, kind=kind: self._marked(kind, found.group()), text)  # type: ignore[misc]
        if len(self.learned) != self._known:
            self._names, self._known = _any_of(self.learned), len(self.learned)
        return self._names.sub(lambda found: self._mark("name", found.group()), text) if self._names else text

    def _marked(self, kind: str, found: str) -> str:
        return found if kind == "phone" and _DATE.fullmatch(found[:10]) else self._mark(kind, found)

    def _learn(self, extras: Iterable[Any], excerpts: pl.Series) -> None:
        for extra in extras:
            for name in _people(extra, ""):
                self._add(name)
        for excerpt in excerpts:
            for found in _PARTICIPANTS.finditer(excerpt):
                for name in _STRING.findall(found[1].replace("\\", "")):
                    self._add(name)

    def _add(self, name: str) -> None:
        """A name and those of its parts that begin like one."""
        parts = [part.strip(".,") for part in name.split()]
        self.learned.update(
            part for part in (name.strip(), *(part for part in parts if part[:1].isupper())) if _is_findable(part)
        )


def redactor(choice: Redaction, db: Path) -> Redactor:
    """The redactor of a store: its key is that of GATECOV_REDACT_KEY, else the one beside the store, made when missing.

    Raises IngestError for a key that is too short, or a key file that cannot be used.
    """
    return Redactor(choice) if choice is Redaction.none else Redactor(choice, _key_of(db))


def key_file(db: Path) -> Path:
    """Where the key of a store lies: beside it, for its owner's eyes alone."""
    return db.with_name(f"{db.name}.redact-key")


def digest(key: bytes, text: str) -> str:
    """The keyed digest of a text, in hex."""
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


@lru_cache(maxsize=1)
def known_reasons() -> frozenset[str]:
    """Every reason that is ours and no log text, folded: the catalog's, its ids' last parts, the sources' constants."""
    ours = [(one.check_id, one.reason) for one in catalog()] + [(one.check_id, one.reason) for one in retired_checks()]
    texts = [text for check_id, reason in ours for text in (reason, check_id.rpartition(".")[2])]
    texts += [row.fragment for source in sources() for row in source.rows if row.fragment]
    return frozenset(folded(text) for text in texts)


@lru_cache(maxsize=256)
def vocabulary(check_id: str) -> frozenset[str]:
    """The words of a check's own reason and of its aliases: a wording of these alone says nothing of what was judged."""
    ours = [f"{one.reason} {' '.join(one.aliases)}" for one in catalog() if one.check_id == check_id]
    return frozenset().union(*(words_of(re.sub(r"\\[A-Za-z]", " ", text)) for text in ours))


def words_of(text: str) -> set[str]:
    """The words in `text`, folded; short numbers are no words."""
    return {word for word in _WORD.findall(text.casefold()) if not (word.isdecimal() and len(word) <= 4)}


@lru_cache(maxsize=1)
def known_fields() -> frozenset[str]:
    """The names of fields that the sources declare."""
    names = {"state", "value", "lo", "hi", "readings", "probe", "answer", "parts", "claim", "phrase", "a tool's name"}
    for source in sources():
        for row in source.rows:
            names.update(row.required, (row.reasons or "",))
            for keys in row.columns.values():
                names.update((keys,) if isinstance(keys, str) else keys)
    return frozenset(names)


def _people(value: Any, key: str) -> Iterable[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _people(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _people(inner, key)
    elif isinstance(value, str) and value.strip() and key.casefold() in PERSON_KEYS:
        yield value[:200]


def _is_findable(name: str) -> bool:
    """Whether it can be looked for: a lone initial would be found everywhere, P1 and two Chinese characters are names."""
    return len(name) > 2 or (len(name) == 2 and (not name.isascii() or (name[0].isalpha() and name[1].isdigit())))


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Any of the names as a word of its own, the longest first; Chinese and Japanese know no such words."""
    longest = sorted(names, key=lambda name: (-len(name), name))
    words = [
        re.escape(name) if any("\u2e80" <= sign for sign in name) else rf"(?<!\w){re.escape(name)}(?!\w)"
        for name in longest
    ]
    return re.compile("|".join(words), re.IGNORECASE)


def _key_of(db: Path) -> bytes:
    given = os.environ.get(KEY_VARIABLE)
    if given is not None:
        if len(given) < SHORTEST_KEY:
            raise IngestError(
                f"{KEY_VARIABLE}: the key has {len(given)} characters; give a random one of {SHORTEST_KEY} or more"
            )
        return given.encode()
    path = key_file(db)
    try:
        _make_key(path)
        key = path.read_text("ascii").strip()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise IngestError(
            f"{path}: the key of the redaction cannot be read or made ({why}); mend that, or give one with {KEY_VARIABLE}"
        ) from error
    if len(key) < SHORTEST_KEY:
        raise IngestError(
            f"{path}: this is no key; put the old file back, or remove it, and texts will hash differently"
        )
    return key.encode()


def _make_key(path: Path) -> None:
    """Make the key where there is none, whole at once, so that two ingests end up with the same."""
    if path.exists():
        return
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "w") as out:
            out.write(secrets.token_hex(32) + "\n")
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
