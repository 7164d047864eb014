"""What the public functions and contexts are given: one value where several are kept, and what is neither."""

from collections.abc import Callable

import pytest

from checks.gates import Barrier, Plan, Source, Step, TurnState
from checks.honesty import ToolResult, evaluate_honesty
from checks.probe import Probe, ProbeError, read_scale_answer
from checks.socratic import Resource, ShapeContext, SlotContext, check_shape
from checks.socratic.eligibility import Cycle

RESOURCE = Resource("On rest")

# Each sequence field of a public context: what makes one with it, and one value of its kind.
FIELDS: dict[str, tuple[Callable[[object], object], object]] = {
    "ShapeContext.participants": (lambda given: ShapeContext("Okafor", participants=given), "Maria"),  # type: ignore[arg-type]
    "ShapeContext.recent_posts": (lambda given: ShapeContext("Okafor", recent_posts=given), "Is it tea?"),  # type: ignore[arg-type]
    "ShapeContext.chat_lines": (lambda given: ShapeContext("Okafor", chat_lines=given), "so fair"),  # type: ignore[arg-type]
    "SlotContext.chat_lines": (lambda given: SlotContext("", chat_lines=given), "so fair"),  # type: ignore[arg-type]
    "SlotContext.resources": (lambda given: SlotContext("", resources=given), RESOURCE),  # type: ignore[arg-type]
    "Resource.authors": (lambda given: Resource("On rest", authors=given), "Ada Okafor"),  # type: ignore[arg-type]
    "Cycle.active_goals": (lambda given: Cycle("a", active_goals=given), "socratic_probe"),  # type: ignore[arg-type]
    "Cycle.silence_compatible": (lambda given: Cycle("a", silence_compatible=given), "socratic_probe"),  # type: ignore[arg-type]
    "Cycle.resources": (lambda given: Cycle("a", resources=given), RESOURCE),  # type: ignore[arg-type]
    "Cycle.human_lines": (lambda given: Cycle("a", human_lines=given), "so fair"),  # type: ignore[arg-type]
    "Cycle.passages": (lambda given: Cycle("a", passages=given), "In the yards"),  # type: ignore[arg-type]
    "Plan.steps": (lambda given: Plan("p", steps=given), Step("draft")),  # type: ignore[arg-type]
    "Barrier.also_called": (lambda given: Barrier("lemma", "why", also_called=given), "diagonal"),  # type: ignore[arg-type]
    "TurnState.tool_results": (lambda given: TurnState("", tool_results=given), ToolResult("stat", "")),  # type: ignore[arg-type]
    "TurnState.sources": (lambda given: TurnState("", sources=given), Source("1", "text")),  # type: ignore[arg-type]
    "TurnState.barriers": (lambda given: TurnState("", barriers=given), Barrier("lemma", "why")),  # type: ignore[arg-type]
    "Probe.participants": (lambda given: Probe("Why?", "end", participants=given), "P1"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("field", FIELDS)
def test_one_value_is_one_of_several(field: str) -> None:
    """Protects `participants="Maria"` from naming five people; a list and a generator are as good as a tuple."""
    make, one = FIELDS[field]
    name = field.partition(".")[2]
    assert [(one,)] * 4 == [getattr(make(given), name) for given in (one, (one,), [one], (each for each in [one]))]


@pytest.mark.parametrize("field", [field for field in FIELDS if not field.startswith("Probe")])
@pytest.mark.parametrize("wrong", [None, 7, [7], [None], b"Maria", {"Maria": 1}])
def test_what_is_neither_is_named(field: str, wrong: object) -> None:
    """Protects a caller from a context that holds what no check can read: the message names the argument."""
    make, _ = FIELDS[field]
    with pytest.raises(TypeError, match=rf"^{field.partition('.')[2]}: "):
        make(wrong)


def test_a_probe_has_an_error_of_its_own() -> None:
    """Protects the probe's one kind of error, which its callers catch."""
    with pytest.raises(ProbeError, match=r"^participants: "):
        Probe("Why?", "end", participants=[7])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda wrong: check_shape(wrong, ShapeContext("Okafor")), "draft"),
        (lambda wrong: read_scale_answer(wrong, 1, 7), "text"),
        (lambda wrong: evaluate_honesty(wrong), "text"),
    ],
)
@pytest.mark.parametrize(("wrong", "shown"), [(None, "None"), (7, "7 (int)"), (b"7", "b'7' (bytes)")])
def test_what_is_no_text_is_named(call: Callable[[object], object], name: str, wrong: object, shown: str) -> None:
    """Protects a caller who passes no text from an error that comes from inside: it says what is expected."""
    with pytest.raises(TypeError) as error:
        call(wrong)
    assert f"{name}: {shown} is not a text; give a string, '' where there is none" == str(error.value)


def test_a_lone_tool_result_is_judged() -> None:
    """Protects the gate from a caller with one result: it counts like a list of one."""
    failed = ToolResult("deploy", "⚠ TOOL FAILED")
    assert evaluate_honesty("Done.", [failed]) == evaluate_honesty("Done.", failed)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="tool_results"):
        evaluate_honesty("Done.", "⚠ TOOL FAILED")  # type: ignore[arg-type]


def test_one_participant_is_not_named() -> None:
    """Protects the check of names: the one participant is found by the whole name, and no letter of it is a name."""
    context = ShapeContext("Okafor", participants="Maria")  # type: ignore[arg-type]
    ids = [failure.check_id for failure in check_shape("How does Okafor treat Maria?", context)]
    assert ["socratic.shape.no_participant_names"] == ids
    assert [] == check_shape("Would Okafor call a rest work?", context)
