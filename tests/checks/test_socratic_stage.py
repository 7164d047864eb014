"""The stage and its writer, by the rules of the Socratic probe page (pipeline steps 3 to 7, Logs):

1. the writer is shown source name, concept, loaded word, the last 8 human lines and the last 5 posts
2. it is never shown the passage
3. with a loaded word the concept is withheld as (none)
4. a rejected draft goes back with its generic reasons
5. up to 4 writer calls in all
6. a failed writer call counts as an attempt
7. if no draft passes, the template is rendered from the slots, without a model
8. the template goes through the same shape checks
9. if the template fails too, nothing is posted
10. one draft-rejected line for each rejected draft, with attempt, stage, reason and the full draft
11. the fallback lines, in their order and words
12. the summary is the last line, with outcome and attempts
13. warnings are at warn, the rest at info
"""

import json
import logging

import pytest

from checks.socratic import ShapeContext, Slots, StageResult, run_stage
from checks.socratic.stage import template_question
from checks.socratic.writer import Rejection, ScriptedWriter, brief_for

GOOD = "How does Okafor treat shared repair?"
BAD = "How does Okafor treat shared repair"
SLOTS = Slots("Okafor", "shared repair")
LOADED = Slots("Okafor", "shared repair", "fair")
PASSAGE = "In the yards, neighbours mend tools in pairs before dusk."
CONTEXT = ShapeContext("", passage=PASSAGE, chat_lines=tuple(f"line {n}" for n in range(10)))


def run(
    drafts: list[str | Exception],
    caplog: pytest.LogCaptureFixture,
    slots: Slots = SLOTS,
    context: ShapeContext = CONTEXT,
) -> tuple[StageResult, list[str], ScriptedWriter]:
    """The result, the log as `LEVEL message`, and the writer with what it was shown."""
    caplog.clear()
    caplog.set_level(logging.DEBUG)
    writer = ScriptedWriter(drafts)
    result = run_stage(writer, slots, context, logging.getLogger("stage"))
    return result, [f"{record.levelname} {record.getMessage()}" for record in caplog.records], writer


def test_rule_1_what_the_writer_is_shown(caplog: pytest.LogCaptureFixture) -> None:
    """Protects the writer's brief: the newest lines and posts, and no more of them than the page names."""
    posts = tuple(f"Post {letter}?" for letter in "abcdefg")
    context = ShapeContext("", passage=PASSAGE, recent_posts=posts, chat_lines=CONTEXT.chat_lines)
    brief = run([GOOD], caplog, context=context)[2].briefs[0]
    assert (brief.source_name, brief.concept, brief.loaded_word) == ("Okafor", "shared repair", None)
    assert (brief.chat_lines, brief.recent_posts) == (CONTEXT.chat_lines[-8:], posts[-5:])


def test_rule_2_the_writer_never_sees_the_passage(caplog: pytest.LogCaptureFixture) -> None:
    """Protects the finding: no word of the passage reaches the writer, not even with copied wording handed back."""
    writer = run(["Does Okafor say neighbours mend tools in pairs?", GOOD], caplog)[2]
    shown = repr([(brief, [rejection.reasons for rejection in brief.rejected]) for brief in writer.briefs[:1]])
    assert "neighbours" not in shown
    assert [r.reasons for r in writer.briefs[1].rejected] == [("copied wording",)]
    assert "neighbours" not in repr(brief_for(ShapeContext("Okafor", passage=PASSAGE)))


def test_rule_3_with_a_loaded_word_the_concept_is_withheld(caplog: pytest.LogCaptureFixture) -> None:
    """Protects against pairing the group's word with a term of the reading."""
    brief = run(['When we say "fair", would Okafor agree?'], caplog, LOADED)[2].briefs[0]
    assert (brief.concept, brief.loaded_word) == ("(none)", "fair")
    assert "shared repair" not in repr(brief)


def test_rule_4_rejected_drafts_go_back_with_their_reasons(caplog: pytest.LogCaptureFixture) -> None:
    """Protects the redraft, which can only mend what it is told."""
    briefs = run([BAD, BAD + " 3", GOOD], caplog)[2].briefs
    first = Rejection(BAD, ("not a single question",))
    second = Rejection(BAD + " 3", ("not a single question", "contains digits"))
    assert [brief.rejected for brief in briefs] == [(), (first,), (first, second)]


@pytest.mark.parametrize("attempts", [1, 2, 3, 4])
def test_rule_5_a_draft_may_pass_at_any_attempt(attempts: int, caplog: pytest.LogCaptureFixture) -> None:
    """Protects the count of attempts, of which the histogram is made."""
    result = run([BAD] * (attempts - 1) + [GOOD], caplog)[0]
    assert result == StageResult("posted-writer", GOOD, attempts)


def test_rule_5_never_a_fifth_call(caplog: pytest.LogCaptureFixture) -> None:
    """Protects the budget of four calls."""
    result, _, writer = run([BAD] * 9, caplog)
    assert (len(writer.briefs), result.attempts) == (4, 4)


def test_rule_6_a_failed_call_is_an_attempt(caplog: pytest.LogCaptureFixture) -> None:
    """Protects the agent from a model that throws, and the attempts from not counting it."""
    result, lines, writer = run([TimeoutError("read\n timed out"), BAD, GOOD], caplog)
    assert result == StageResult("posted-writer", GOOD, 3)
    assert lines[0] == "WARNING [SocraticStage] writer call failed TimeoutError: read timed out"
    assert [len(brief.rejected) for brief in writer.briefs] == [0, 0, 1]


def test_rule_6_an_answer_without_text_is_a_failed_call(caplog: pytest.LogCaptureFixture) -> None:
    """Protects the checks from being handed something that is no text."""
    result, lines, _ = run([None.__class__, GOOD], caplog)  # type: ignore[list-item]
    assert (result.attempts, "TypeError: the writer returned type, not text" in lines[0]) == (2, True)


@pytest.mark.parametrize(
    ("slots", "expected"),
    [
        (SLOTS, "How does Okafor treat shared repair?"),
        (LOADED, 'When we say "fair", would Okafor mean the same thing by it?'),
    ],
)
def test_rule_7_template(slots: Slots, expected: str, caplog: pytest.LogCaptureFixture) -> None:
    """Protects the wording of both templates, and that exhausted drafts end in one."""
    assert template_question(slots) == expected
    assert run([BAD] * 4, caplog, slots)[0] == StageResult("posted-template", expected, 4)


def test_rules_8_and_9_a_template_that_fails_is_silence(caplog: pytest.LogCaptureFixture) -> None:
    """Protects the room from a template that repeats itself or names somebody."""
    context = ShapeContext("", participants=("Calm Repair",), recent_posts=("How does Okafor treat shared repair?",))
    result, lines, _ = run([BAD] * 4, caplog, context=context)
    assert result == StageResult("silent", None, 4)
    reasons = "names a participant; repeats a recent post"
    assert lines[-2] == f"INFO [SocraticStage] template fallback failed checks ({reasons}) — staying silent"


def test_rule_10_draft_rejected_lines(caplog: pytest.LogCaptureFixture) -> None:
    """Protects the lines that all counting starts from, and drafts with quotes, semicolons, line breaks and emoji."""
    draft = 'Okafor;\n"3" {x} \\ 😀'
    prefix = "WARNING [SocraticStage] draft rejected "
    _, lines, _ = run([draft, GOOD], caplog)
    assert [line for line in lines if "draft rejected" in line] == lines[:1]
    expected = {"attempt": 1, "stage": "shape", "reason": "not a single question; compound question; contains digits"}
    assert json.loads(lines[0].removeprefix(prefix)) == expected | {"draft": draft}
    assert list(json.loads(lines[0].removeprefix(prefix))) == ["attempt", "stage", "reason", "draft"]
    assert "\n" not in lines[0]


def test_rules_11_to_13_whole_log_of_a_run(caplog: pytest.LogCaptureFixture) -> None:
    """Protects the words, order and levels of the lines that end a run."""
    rejected = '{"stage":"shape","reason":"not a single question","draft":"How does Okafor treat shared repair"}'
    expected = [
        *(
            "WARNING [SocraticStage] draft rejected " + rejected.replace("{", f'{{"attempt":{attempt},', 1)
            for attempt in (1, 2, 3, 4)
        ),
        "WARNING [SocraticStage] no draft passed — using template fallback",
        "INFO [SocraticStage] template fallback used",
        'INFO [SocraticStage] summary {"outcome":"posted-template","attempts":4}',
    ]
    assert expected == run([BAD] * 4, caplog)[1]


def test_rule_12_a_run_that_passes_at_once_leaves_its_summary_alone(caplog: pytest.LogCaptureFixture) -> None:
    """Protects the denominator: an accepted draft is known from the summary only."""
    assert run([f" {GOOD}\n"], caplog)[:2] == (
        StageResult("posted-writer", GOOD, 1),
        ['INFO [SocraticStage] summary {"outcome":"posted-writer","attempts":1}'],
    )


def test_slots_take_the_place_of_the_context() -> None:
    """Protects a caller who fills the context from other slots than those that were validated."""
    writer = ScriptedWriter([GOOD])
    context = ShapeContext("Lee", "tea", "calm")
    assert run_stage(writer, SLOTS, context, logging.getLogger("quiet")).outcome == "posted-writer"
    assert (writer.briefs[0].source_name, writer.briefs[0].loaded_word) == ("Okafor", None)


def test_a_script_that_runs_out_says_so() -> None:
    """Protects a sample from silently ending in a template because its script was too short."""
    with pytest.raises(LookupError, match="holds no draft for call 1; add one"):
        ScriptedWriter([])(brief_for(ShapeContext("Okafor")))
