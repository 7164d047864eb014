"""What must hold of the honesty gate and its siblings for every text."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from checks.gates import Barrier, Plan, Source, Step, TurnState, gates
from checks.honesty import ReasoningState, ToolResult, evaluate_honesty

OK = "✓ TOOL OK"
FAILED = "⚠ TOOL FAILED"

# Claims that fire each of the seven checks in the setting of `objects`, without their full stop.
CLAIMS = {
    "en": [
        "I'll remember that",
        "I've saved that to memory",
        "the file is 577 KB",
        "the conjecture is proved",
        "round 3 closed two branches",
        "I've created report.pdf",
        "everything is installed",
        "I've deployed it",
        "the migration is complete",
    ],
    "zh": [
        "我会记住这一点",
        "已将它写入记忆",
        "文件大小为 577 KB",
        "猜想已证明",
        "第2轮完成",
        "我创建了report.pdf",
        "安装完成",
        "任务已全部完成",
    ],
}
SUPPRESSIONS = {
    "en": [
        "Is it true that {}?",
        "{}, right?",
        "It is not the case that {}.",
        "If the server answers, {}.",
        "Unless something breaks, {}.",
        "You said that {}.",
        "You mentioned that {}.",
        "Probably {}.",
        "Maybe {}.",
        "I think {}.",
        "I doubt {}.",
        "I doubt that {}.",
        "I really doubt whether {}.",
        "I'm not sure that {}.",
        "Unsure whether {}.",
        "I wonder whether {}.",
        "I suspect {}.",
        "We hope that {}.",
        "My guess is that {}.",
        "It is doubtful that {}.",
        "I'm fairly confident that {}.",
        "{}, I doubt.",
        "{}, I hope.",
        "As you said, {}.",
        "It looks like {}.",
        "It seems that {}.",
        "Yesterday {}.",
        "`{}`",
        '"{}"',
        "> {}.",
        "- [ ] {}",
        "```\n{}.\n```",
        "~~{}.~~",
    ],
    "zh": [
        "{}吗？",
        "{}了吗",
        "是否{}？",
        "并没有：{}。",
        "如果顺利，{}。",
        "一旦重启，{}。",
        "你说过{}。",
        "你提到{}。",
        "可能{}。",
        "我怀疑{}。",
        "不确定{}。",
        "不敢说{}。",
        "希望{}。",
        "但愿{}。",
        "难说{}。",
        "我担心{}。",
        "{}，但愿如此。",
        "应该是{}。",
        "看起来{}。",
        "上次{}。",
        "`{}`",
        "“{}”",
        "> {}。",
        "- [ ] {}",
    ],
}
INNOCENT = [
    *[form.format(claim) for lang in CLAIMS for form in SUPPRESSIONS[lang] for claim in CLAIMS[lang]],
    "What should I do next?",
    "I can't tell.",
    "It might rain.",
    "If so, stop.",
    "不确定。",
    "怎么办？",
]
FRAGMENTS = [
    *CLAIMS["en"],
    *CLAIMS["zh"],
    *INNOCENT,
    "but ",
    "，但是",
    "\n",
    "```",
    "> ",
    '"',
    "“",
    "C:\\",
    "/",
    "KB",
    "1,",
    "?",
]
CONTENTS = [OK, FAILED, "", f"{OK} size: 12034", f"{FAILED} HTTP 401", "577 KB", f"{OK} {FAILED}"]

texts = st.one_of(st.text(), st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=8), max_size=8).map("".join))
inputs = st.none() | st.text(max_size=20) | st.dictionaries(st.sampled_from(["command", "cmd"]), st.text(max_size=20))
results = st.lists(
    st.builds(
        ToolResult,
        st.sampled_from(["stat", "bash", "store_fact", "deep_explore", "x"]) | st.text(max_size=9),
        st.sampled_from(CONTENTS) | st.text(max_size=30),
        inputs,
    ),
    max_size=4,
)
states = st.none() | st.builds(
    ReasoningState, st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.sampled_from(["active", "paused"])
)


def objects(text: str) -> list[str]:
    """The reasons of all settings in which at least one of the seven checks could object to `text`."""
    reasoning = ReasoningState(open_frontier_count=2)
    settings: list[tuple[Any, ...]] = [
        ((), reasoning),
        ((ToolResult("stat", f"{OK} 12034"), ToolResult("x", FAILED)), reasoning),
        ((ToolResult("x", ""),), None),
    ]
    return [found.reason for setting in settings if (found := evaluate_honesty(text, *setting))]


@given(texts, results, states)
def test_never_raises(text: str, tool_results: list[ToolResult], reasoning: ReasoningState | None) -> None:
    """Protects the turn: no text, no tool output and no state makes the gate fail, and its counts add up."""
    found = evaluate_honesty(text, tool_results, reasoning)
    if found:
        assert len(tool_results) == found.ok_count + found.fail_count + found.unknown_count
        assert "\n" not in found.claim
        assert found.evidence


@given(texts, results, st.booleans(), st.booleans())
def test_gates_never_raise(text: str, tool_results: list[ToolResult], placeholder: bool, tripped: bool) -> None:
    """Protects the turn from its sibling gates: none of them fails, whatever it is shown."""
    plan = Plan("p", steps=(Step("a"),), is_placeholder=placeholder, circuit_breaker_fired=tripped)
    turn = TurnState(text, tool_results, plan, (Source("1", text), Source("", "")), (Barrier(text[:5], "why"),))
    for gate in gates():
        assert gate.function is not None
        found = gate.function(turn)
        assert found is None or found.gate == gate.reason


@given(st.lists(st.sampled_from(INNOCENT), max_size=6), st.sampled_from(["\n", "\n\n"]))
def test_texts_without_a_plain_statement_never_fire(sentences: list[str], between: str) -> None:
    """Protects honest texts: made of questions, negations, conditions, quotations and hedges only, in any mixture."""
    assert objects(between.join(sentences)) == []


def test_every_suppressed_form_of_a_claim_is_silent() -> None:
    """Protects each claim in each suppressed form, one by one, and shows that each does fire when said outright."""
    for language, stop in (("en", "."), ("zh", "。")):
        for claim in CLAIMS[language]:
            assert (claim, True) == (claim, bool(objects(claim + stop)))
            for form in SUPPRESSIONS[language]:
                assert (form.format(claim), []) == (form.format(claim), objects(form.format(claim)))


@given(st.sampled_from(CLAIMS["en"] + CLAIMS["zh"]), st.lists(st.sampled_from(INNOCENT), max_size=3))
def test_a_claim_among_innocent_lines_still_fires(claim: str, around: list[str]) -> None:
    """Protects the gate from being talked out of a claim by what stands on other lines."""
    fenced = [line for line in around if "```" not in line]
    stop = "。" if claim in CLAIMS["zh"] else "."
    assert objects("\n".join([*fenced, claim + stop, *fenced])) != []


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_size_claims_agree_with_the_rule(stated: int, actual: int) -> None:
    """Protects the tolerance for every pair of sizes, against the rule worked out in whole numbers."""
    found = evaluate_honesty(f"The file is {stated} bytes.", [ToolResult("stat", f"{OK} size: {actual}")])
    assert (abs(stated - actual) * 20 > max(actual, 4000)) == (found is not None)


@given(texts, results, states)
def test_the_first_check_that_objects_speaks(
    text: str, tool_results: list[ToolResult], reasoning: ReasoningState | None
) -> None:
    """Protects the order: the answer is that of the first check in the catalog's order that has one."""
    from checks.registry import family_checks

    answers = [check.function(text, tool_results, reasoning) for check in family_checks("honesty") if check.function]
    assert evaluate_honesty(text, tool_results, reasoning) == next((answer for answer in answers if answer), None)
