"""The probe, its arguments, and asking it: the rules of the probe page, numbered.

Arguments
 1. `question` is one non-empty string.
 2. `at` is one point or several: after an item, before a turn, "start", "before_closing", "end".
 3. `label` is optional; without one, probe_1, probe_2, ... in the order the probes are given.
 4. `participants` is optional; None asks everyone.
 5. `scale` is optional: two whole numbers, lo below hi; None records answers as text only.
Asking
 6. A probe and its answers never enter the shared log, and no agent sees them afterwards.
 7. Each participant answers with its persona, the rules and the discussion so far; the probe is the closing instruction.
 8. The instruction is worded by the template participant_probe_instruction.
 9. The answer is the reply's final answer, without reasoning; the raw reply stands beside it.
10. An empty or cut-off reply is retried once with a larger budget.
11. One still empty is NA, with a warning.
12. With a scale, an answer that is not read is followed by one re-ask in the same private exchange, worded by
    participant_probe_reask, asking for one number from lo to hi alone.
13. An empty reply to the re-ask is not retried, and the earlier answer is kept.
14. A value still unread is NA, and the participants concerned are named in one warning for the probe at that point.
15. `attempts` counts the calls made for each answer.
16. Every call, the re-ask included, is recorded.
17. An answer is also read as a number, recorded in the value column.
"""

import csv
import io
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from checks.probe import (
    Asked,
    Line,
    Persona,
    Probe,
    ProbeAnswer,
    ProbeError,
    Reply,
    Request,
    ScaleError,
    after_item,
    ask,
    before_turn,
    labelled,
    point,
    to_csv,
    to_jsonl,
)

QUESTION = "Where do you stand, from 1 (against) to 7 (in favor)?"
PEOPLE = [Persona("P1", "A night nurse."), Persona("P2", "A student."), Persona("P3", "A librarian.")]
LOG = [Line("Moderator", "Welcome."), Line("P1", "I work nights.")]


class Script:
    """Participants who say what they were told to, in order, and remember what they were given."""

    def __init__(self, **replies: list[str | Reply]) -> None:
        self._replies = {who: list(lines) for who, lines in replies.items()}
        self.requests: list[Request] = []

    def reply(self, request: Request) -> Reply:
        self.requests.append(request)
        line = self._replies[request.persona.participant].pop(0)
        return line if isinstance(line, Reply) else Reply(line)


def asked(script: Script, *, scale: tuple[int, int] | None = (1, 7), people: tuple[str, ...] = ("P1",)) -> Asked:
    """One probe at "start", put to `people`."""
    return ask(Probe(QUESTION, "start", "position", people, scale), "start", PEOPLE, LOG, script, rules="Be honest.")


def test_the_pages_own_example_says_what_it_is() -> None:
    """The three points, the label and the scale of the page's example, in one line above the question."""
    probe = Probe(QUESTION, at=["start", after_item(4), "end"], label="position", scale=(1, 7))
    assert f"probe position at start, after_item(4), end, scale 1 to 7\n{QUESTION}" == str(probe)


@pytest.mark.parametrize("question", ["", "  \n", None, 7, ["a", "b"]])
def test_rule_1_the_question_is_one_non_empty_string(question: object) -> None:
    """Anything else is refused by name."""
    with pytest.raises(ProbeError, match=r"^question: .* is not a non-empty string; "):
        Probe(question, "start")  # type: ignore[arg-type]


def test_rule_2_a_point_or_a_list_of_points() -> None:
    """All five kinds, alone and together, in the order given."""
    points = ["start", "before_closing", "end", after_item(4), before_turn(2)]
    assert points == list(Probe(QUESTION, points).at)
    assert [(value,) for value in points] == [Probe(QUESTION, value).at for value in points]


@pytest.mark.parametrize("value", ["start", "before_closing", "end", "after_item(4)", "before_turn(12)"])
def test_rule_2_a_point_reads_back_from_its_text(value: str) -> None:
    """Records hold points as text, and a reader gets the same point again."""
    assert value == str(point(value))


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("middle", "at: 'middle' is not a point of a discussion; "),
        ("after_item(0)", "is not a point"),
        (3, "at: 3 is not a point"),
        ([], "at: the list is empty"),
        (["start", "start"], "at: start is given twice"),
        ([after_item(2), "after_item(2)"], r"at: after_item\(2\) is given twice"),
    ],
)
def test_rule_2_other_points_and_repeated_ones_are_refused(at: object, message: str) -> None:
    """A misspelt point would never be reached, and one given twice would be asked twice."""
    with pytest.raises(ProbeError, match=message):
        Probe(QUESTION, at)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [0, -1, True, 1.5, "2"])
def test_rule_2_items_and_turns_count_from_one(n: object) -> None:
    """Neither zero nor a text nor a truth value is a place in a discussion."""
    for make in (after_item, before_turn):
        with pytest.raises(ProbeError, match=f"at: {make.__name__}"):
            make(n)  # type: ignore[arg-type]


def test_rule_3_default_labels_follow_the_order_given() -> None:
    """The second probe without a label is probe_2, also when the first has a name of its own."""
    first, second, third = (Probe(QUESTION, "start", label) for label in (None, "mood", None))
    assert ["probe_1", "mood", "probe_3"] == [probe.label for probe in labelled([first, second, third])]
    assert [None, "mood", None] == [first.label, second.label, third.label]


def test_rule_3_two_probes_never_share_a_label() -> None:
    """Their records could not be told apart, also where a default meets a chosen label."""
    for labels in (("mood", "mood"), ("probe_2", None)):
        with pytest.raises(ProbeError, match="names two probes"):
            labelled(Probe(QUESTION, "start", label) for label in labels)
    with pytest.raises(ProbeError, match=r"^label: '' is not"):
        Probe(QUESTION, "start", "")


def test_rule_4_participants_limit_who_is_asked() -> None:
    """None asks everyone, in the order of the discussion; ids ask those alone."""
    everyone = Script(P1=["4"], P2=["5"], P3=["6"])
    some = Script(P1=["4"], P3=["6"])
    probe = Probe(QUESTION, "end", "p", scale=(1, 7))
    found = [answer.participant for answer in ask(probe, "end", PEOPLE, LOG, everyone).answers]
    limited = Probe(QUESTION, "end", "p", ["P3", "P1"], (1, 7))
    assert ["P1", "P2", "P3"] == found
    assert ["P1", "P3"] == [answer.participant for answer in ask(limited, "end", PEOPLE, LOG, some).answers]


@pytest.mark.parametrize(
    ("participants", "message"),
    [
        ([], "the list is empty"),
        (["P1", "P1"], "'P1' is given twice"),
        ([""], "'' is not"),
        ([3], "3 is not"),
        (7, "7 is not"),
    ],
)
def test_rule_4_participants_that_are_no_ids_are_refused(participants: object, message: str) -> None:
    """An empty or repeated list is a mistake, not a choice."""
    with pytest.raises(ProbeError, match=f"participants: {message}"):
        Probe(QUESTION, "start", participants=participants)  # type: ignore[arg-type]


def test_rule_4_a_participant_who_is_not_there_is_refused() -> None:
    """Nobody would answer, so the mistake is told before any call."""
    script = Script()
    with pytest.raises(ProbeError, match="participants: 'P9' takes no part in this discussion; it has P1, P2, P3"):
        asked(script, people=("P9",))
    assert [] == script.requests


@pytest.mark.parametrize(
    "scale", [(7, 1), (1, 1), (1,), (1, 2, 3), "17", 7, (1.0, 7), (True, 7), ("1", "7"), {1: 0, 7: 0}, (None, 7)]
)
def test_rule_5_a_scale_is_two_whole_numbers_in_order(scale: object) -> None:
    """Everything else is refused with what to write instead."""
    with pytest.raises(ScaleError, match=r"^scale: .*(for example \(1, 7\))"):
        Probe(QUESTION, "start", scale=scale)  # type: ignore[arg-type]


def test_rule_5_without_a_scale_answers_are_text() -> None:
    """No reading, no re-ask, no value, whatever the answer holds."""
    (answer,) = asked(Script(P1=["3 or 4"]), scale=None).answers
    assert ("3 or 4", None, None, 0, 1) == (
        answer.answer,
        answer.value,
        answer.refusal,
        answer.readings,
        answer.attempts,
    )


def test_rule_6_the_shared_log_is_never_written_to() -> None:
    """The log is the same before and after, and no request shows one participant another's probe or answer."""
    log = list(LOG)
    script = Script(P1=["secret-one, 3 or 4", "4"], P2=["secret-two", ""], P3=["", "6"])
    asked(script, people=("P1", "P2", "P3"))
    assert log == LOG
    assert [tuple(LOG)] * 6 == [request.log for request in script.requests]
    for request in script.requests:
        seen = repr((request.exchange, request.instruction))
        others = {"P1": "secret-two", "P2": "secret-one", "P3": "secret"}[request.persona.participant]
        assert others not in seen


def test_rule_7_and_8_a_participant_is_asked_as_for_a_turn() -> None:
    """Persona, rules, discussion so far, then the question in the words of the template."""
    script = Script(P1=["4"])
    templates = {"participant_probe_instruction": "Privately: {question} {lo}"}
    braces = Probe("Is {this} {question} fine?", "start", "p", ["P1"], (1, 7))
    ask(braces, "start", PEOPLE, LOG, script, rules="Be honest.", templates=templates)
    (request,) = script.requests
    assert (PEOPLE[0], "Be honest.", tuple(LOG), ()) == (request.persona, request.rules, request.log, request.exchange)
    assert "Privately: Is {this} {question} fine? {lo}" == request.instruction


@pytest.mark.parametrize(
    ("templates", "message"),
    [({"greeting": "x"}, "'greeting' is no template"), ({"participant_probe_reask": "Again, from {lo}"}, "lacks {hi}")],
)
def test_rule_8_a_template_that_cannot_ask_is_refused(templates: dict[str, str], message: str) -> None:
    """An unknown name or a lost question is told before any call."""
    with pytest.raises(ProbeError, match=message):
        ask(Probe(QUESTION, "start", "p"), "start", PEOPLE, LOG, Script(), templates=templates)


def test_rule_9_reasoning_is_no_answer() -> None:
    """The number in the reasoning is neither the answer nor its value; the raw reply keeps it."""
    raw = "<think>Perhaps 2? No.</think>\n 5 "
    (answer,) = asked(Script(P1=[raw])).answers
    assert ("5", raw, 5) == (answer.answer, answer.raw, answer.value)


def test_rule_9_reasoning_without_an_end_leaves_no_answer() -> None:
    """A reply that broke off within its reasoning is an empty one, and retried."""
    (answer,) = asked(Script(P1=["<think>2, or", "6"])).answers
    assert ("6", 6, 2) == (answer.answer, answer.value, answer.attempts)


@pytest.mark.parametrize("first", ["", " \n", "<think>hm</think>", Reply("4 becau", cut_off=True)])
def test_rule_10_an_empty_or_cut_off_reply_is_retried_once_with_a_larger_budget(first: str | Reply) -> None:
    """The same instruction again, with more room; its reply stands."""
    script = Script(P1=[first, "5"])
    found = asked(script)
    once, again = script.requests
    assert (once.instruction, once.exchange) == (again.instruction, again.exchange)
    assert once.budget < again.budget
    assert (5, 2, ()) == (found.answers[0].value, found.answers[0].attempts, found.warnings)


def test_rule_10_there_is_one_retry_only() -> None:
    """A reply that is cut off twice stands as it is."""
    (answer,) = asked(Script(P1=[Reply("5 bec", True), Reply("5 because the", True)])).answers
    assert ("5 because the", 5, 2) == (answer.answer, answer.value, answer.attempts)


def test_rule_11_a_reply_still_empty_is_na_with_a_warning() -> None:
    """No answer, no value, no re-ask; the warning names who, and nobody is named twice."""
    found = asked(Script(P1=["", ""], P2=["4"], P3=[Reply("4", True), ""]), people=("P1", "P2", "P3"))
    assert [None, "4", None] == [answer.answer for answer in found.answers]
    assert [2, 1, 2] == [answer.attempts for answer in found.answers]
    assert ("probe position at start: no answer from P1, P3 after a retry; recorded as NA",) == found.warnings


def test_rule_12_an_unread_answer_is_followed_by_one_reask() -> None:
    """In the same exchange, for one number from lo to hi alone; its reply becomes the answer."""
    script = Script(P1=["3 or 4", "3"])
    (answer,) = asked(script).answers
    first, second = script.requests
    assert ((first.instruction, "3 or 4"),) == second.exchange
    assert "one whole number from 1 to 7 alone" in second.instruction
    assert ("3", 3, None, ("several_numbers",), 2) == (
        answer.answer,
        answer.value,
        answer.refusal,
        answer.refusals,
        answer.readings,
    )


def test_rule_12_there_is_one_reask_only() -> None:
    """A second unread answer is the last word, with its own reason."""
    (answer,) = asked(Script(P1=["3 or 4", "not 4"])).answers
    assert ("not 4", None, "qualified", 2) == (answer.answer, answer.value, answer.refusal, answer.attempts)
    assert ("several_numbers", "qualified") == answer.refusals


def test_rule_13_an_empty_reask_is_not_retried_and_keeps_the_earlier_answer() -> None:
    """Two calls, not three, and the answer, raw reply and reason are the first one's."""
    (answer,) = asked(Script(P1=["<think>x</think>seven", ""])).answers
    assert ("seven", "<think>x</think>seven") == (answer.answer, answer.raw)
    assert (None, "no_number", ("no_number",), 1, 2) == (
        answer.value,
        answer.refusal,
        answer.refusals,
        answer.readings,
        answer.attempts,
    )


def test_rule_14_the_unread_are_named_in_one_warning() -> None:
    """One sentence for the probe at that point, with all of them and nobody else."""
    found = asked(Script(P1=["four", "four"], P2=["4"], P3=["9", ""]), people=("P1", "P2", "P3"))
    assert (
        "probe position at start: no number from 1 to 7 could be read from the answers of P1, P3; their values are NA",
    ) == found.warnings


def test_rule_15_and_16_every_call_is_counted_and_recorded() -> None:
    """A retry and a re-ask make three, in their order, each with what was asked and what came back."""
    found = asked(Script(P1=["", "4.5", "4"], P2=["6"]), people=("P1", "P2"))
    assert [3, 1] == [answer.attempts for answer in found.answers]
    assert [("P1", "ask", ""), ("P1", "retry", "4.5"), ("P1", "reask", "4"), ("P2", "ask", "6")] == [
        (call.participant, call.purpose, call.raw) for call in found.calls
    ]
    assert {("position", "start")} == {(call.probe, call.point) for call in found.calls}


def test_rule_17_the_value_stands_in_the_record() -> None:
    """The number beside the text that it was read from, with the ends of the scale."""
    (answer,) = asked(Script(P1=["**5**/7, I think"])).answers
    assert ("**5**/7, I think", 5, 1, 7) == (answer.answer, answer.value, answer.lo, answer.hi)


def test_a_probe_is_asked_only_where_it_belongs() -> None:
    """Another point than its own, or no label for its records, is refused."""
    with pytest.raises(ProbeError, match="at: end is not a point of probe p; it is asked at start"):
        ask(Probe(QUESTION, "start", "p"), "end", PEOPLE, LOG, Script())
    with pytest.raises(ProbeError, match="label: None"):
        ask(Probe(QUESTION, "start"), "start", PEOPLE, LOG, Script())


def test_a_record_has_the_keys_that_readers_look_for() -> None:
    """The type comes first, so that a reader knows the line by its beginning; NA is null."""
    probe = Probe(QUESTION, after_item(4), "position", ["P1"], (1, 7))
    script = Script(P1=["3 or 4", ""])
    found = ask(probe, after_item(4), PEOPLE, LOG, script, session="s-1", time="2026-09-01T10:00:00Z")
    assert (
        '{"type":"probe_answer","session":"s-1","time":"2026-09-01T10:00:00Z","probe":"position","point":"after_item(4)",'
        '"participant":"P1","answer":"3 or 4","raw":"3 or 4","value":null,"attempts":2,"lo":1,"hi":7,'
        '"refusal":"several_numbers","refusals":["several_numbers"],"readings":1}\n'
    ) == to_jsonl(found.answers)
    assert (
        '"type","session","time","probe","point","participant","answer","raw","value","attempts","lo","hi","refusal",'
        '"refusals","readings"\n'
        '"probe_answer","s-1","2026-09-01T10:00:00Z","position","after_item(4)","P1","3 or 4","3 or 4","",2,1,7,'
        '"several_numbers","several_numbers",1\n'
    ) == to_csv(found.answers)


@given(st.text(min_size=1), st.text(), st.none() | st.integers(1, 7))
@example("a\rb", "\x00\u2028", None)
def test_any_answer_survives_both_kinds_of_record(answer: str, raw: str, value: int | None) -> None:
    """One line of JSONL and one row of CSV per answer, whatever it holds, and the same text when read back."""
    record = ProbeAnswer(
        probe="p",
        point="start",
        participant="P1",
        answer=answer,
        raw=raw,
        value=value,
        attempts=1,
        lo=1,
        hi=7,
        readings=1,
    )
    (line,) = to_jsonl([record]).splitlines()
    assert (answer, raw, value) == tuple(json.loads(line)[key] for key in ("answer", "raw", "value"))
    (row,) = csv.DictReader(io.StringIO(to_csv([record]), newline=""))
    assert (answer, raw, "" if value is None else str(value)) == (row["answer"], row["raw"], row["value"])
