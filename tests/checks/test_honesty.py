"""The honesty gate, rule by rule. Source: the honesty gates page.

 1. The gate is a pure function of text, tool results and reasoning state; it answers with a finding or None.
 2. Results are marked by the caller: `✓ TOOL OK`, `⚠ TOOL FAILED`; neither is indeterminate.
 3. The checks run in this order and stop at the first: memory, size, reasoning state, round, artifact, failures, unknown.
 4. Severity is high for all but unknown_results_with_claim, which is medium.
 5. Memory: a promise or claim to remember, and no memory-write tool that succeeded.
 6. Size: a concrete size that no size-producing tool's output holds, within 5 % or 200 bytes, whichever is larger.
 7. Size: only tools that produce sizes count; unrelated numbers do not.
 8. Reasoning: a conclusion while the active session has open nodes; never without them.
 9. Round: round progress without a deep_explore call that succeeded in this turn.
10. Artifact: a concrete file on a turn without a tool call.
11. Failures: a completion claim while failures >= successes.
12. Unknown: a completion claim while all results are indeterminate.
13. Suppressed in both languages: questions, negations, conditionals, quotations of the user, hedges.
14. unverified_destructive is retired, and old logs still name it.
15. A finding says what was claimed and what it was compared with (the reminder needs both), with the counts.
"""

import pytest

from checks.honesty import HonestyFinding, ReasoningState, ToolResult, evaluate_honesty
from checks.honesty.sizes import produces_sizes
from checks.registry import family_checks, retired_checks

OK = "✓ TOOL OK"
FAILED = "⚠ TOOL FAILED"
OPEN = ReasoningState(open_frontier_count=2, proved_count=1)

ORDER = [
    "memory_claim_without_write",
    "fabricated_size_claim",
    "fabricated_reasoning_state",
    "fabricated_round_result",
    "artifact_claim_without_tools",
    "failures_with_claim",
    "unknown_results_with_claim",
]
# One sentence for each of the first five checks; what follows the list is the sentence of the last two.
SENTENCES = [
    "I'll remember that.",
    "The file is 577 KB.",
    "The conjecture is proved.",
    "Round 3 closed two branches.",
    "I've created report.pdf.",
    "Everything is installed.",
]


def reason(text: str, results: tuple[ToolResult, ...] = (), reasoning: ReasoningState | None = None) -> str | None:
    found = evaluate_honesty(text, results, reasoning)
    return found.reason if found else None


def test_rule_1_answers_with_a_finding_or_none() -> None:
    """Protects the interface that the turn loop and the replay call."""
    found = evaluate_honesty("I've deployed it.", [ToolResult("deploy", f"{FAILED} timeout")])
    assert isinstance(found, HonestyFinding)
    assert evaluate_honesty("Hello.") is None
    assert evaluate_honesty("") is None


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (f"{OK} done", "ok"),
        (f"{FAILED} no", "failed"),
        ("⚠️ TOOL FAILED no", "failed"),
        (f"\n\n{OK}", "ok"),
        ("all good", "unknown"),
        ("", "unknown"),
        ("tool ok", "unknown"),
        (f"{OK} the log says: {FAILED}", "ok"),
        (f"{FAILED} expected {OK}", "failed"),
    ],
)
def test_rule_2_the_first_marker_decides(content: str, status: str) -> None:
    """Protects the reading of results: an output that quotes the other marker changes nothing."""
    assert status == ToolResult("shell", content).status


def test_rule_3_the_order_of_the_page() -> None:
    """Protects the order in which the catalog holds the checks, which is that of evaluation."""
    assert ORDER == [check.reason for check in family_checks("honesty")]
    assert [f"honesty.{name}" for name in ORDER] == [check.check_id for check in family_checks("honesty")]
    assert {True} == {check.stops_chain for check in family_checks("honesty")}


@pytest.mark.parametrize("first", range(5))
def test_rule_3_stops_at_the_first(first: int) -> None:
    """Protects the order where several checks would object: the earliest speaks, wherever its sentence stands."""
    text = " ".join(reversed(SENTENCES[first:5]))
    assert ORDER[first] == reason(text, (), OPEN)


def test_rule_3_failures_before_unknown() -> None:
    """Protects the last two places: unknown speaks only where nothing failed."""
    failed, unknown = ToolResult("a", FAILED), ToolResult("b", "")
    assert reason(SENTENCES[5], (unknown, failed)) == "failures_with_claim"
    assert reason(SENTENCES[5], (unknown,)) == "unknown_results_with_claim"


def test_rule_4_severity() -> None:
    """Protects the severities of the page's table."""
    texts = dict(zip(ORDER, SENTENCES, strict=False))
    found = [evaluate_honesty(texts[name], (), OPEN) for name in ORDER[:5]]
    found.append(evaluate_honesty(SENTENCES[5], [ToolResult("a", FAILED)]))
    found.append(evaluate_honesty(SENTENCES[5], [ToolResult("a", "")]))
    assert [(name, "medium" if name == ORDER[-1] else "high") for name in ORDER] == [
        (one.reason, one.severity) for one in found if one
    ]


@pytest.mark.parametrize(
    ("tool", "writes"),
    [
        ("store_fact", True),
        ("storeFact", True),
        ("store_note", True),
        ("memory_write", True),
        ("save_memory", True),
        ("update-preference", True),
        ("remember", True),
        ("mcp_memory_add_facts", True),
        ("search_memory", False),
        ("read_notes", False),
        ("write_file", False),
        ("get_fact", False),
    ],
)
def test_rule_5_tools_that_write_memory(tool: str, writes: bool) -> None:
    """Protects the list of memory-write tools: a success of another tool keeps no promise."""
    expected = None if writes else "memory_claim_without_write"
    assert expected == reason("I'll remember that.", (ToolResult(tool, OK),))


def test_rule_5_a_failed_write_keeps_no_promise() -> None:
    """Protects the word *succeeded*."""
    for content in (FAILED, ""):
        assert reason("已记住。", (ToolResult("store_fact", content),)) == "memory_claim_without_write"


@pytest.mark.parametrize("actual", [0, 1, 1000, 3999, 4000, 4001, 100_000, 590_848, 10**9])
def test_rule_6_the_tolerance_is_exact_at_its_boundary(actual: int) -> None:
    """Protects 5 % or 200 bytes, whichever is larger, to the byte on both sides."""
    results = (ToolResult("stat", f"{OK} size: {actual}"),)
    allowed = max(actual * 5 // 100, 200)
    for stated in {actual + allowed, max(actual - allowed, 0)}:
        assert (stated, None) == (stated, reason(f"The file is {stated:,} bytes.", results))
    for stated in {actual + allowed + 1, actual - allowed - 1}:
        if stated >= 0:
            assert (stated, "fabricated_size_claim") == (stated, reason(f"The file is {stated:,} bytes.", results))


@pytest.mark.parametrize("unit_size", [1000, 1024])
def test_rule_6_kilobytes_of_either_kind(unit_size: int) -> None:
    """Protects programs that count in thousands and those that count in 1024s; from GB on they differ by more than 5 %."""
    for power, unit in ((1, "KB"), (2, "MB"), (3, "GB"), (4, "TB")):
        assert reason(f"The file is 577 {unit}.", (ToolResult("stat", f"{OK} {577 * unit_size**power}"),)) is None


@pytest.mark.parametrize(
    ("result", "counts"),
    [
        (ToolResult("stat", OK), True),
        (ToolResult("ls -la", OK), True),
        (ToolResult("writeFile", OK), True),
        (ToolResult("write_file", OK), True),
        (ToolResult("downloadFile", OK), True),
        (ToolResult("get_file_info", OK), True),
        (ToolResult("bash", OK, {"command": "ls -la /srv"}), True),
        (ToolResult("bash", OK, {"command": "cd /srv && stat a.pdf"}), True),
        (ToolResult("shell", OK, {"cmd": ["wc", "-c", "a.pdf"]}), True),
        (ToolResult("run_command", OK, "du -h a.pdf"), True),
        (ToolResult("bash", OK), True),
        (ToolResult("bash", OK, {"command": "ls /srv"}), False),
        (ToolResult("bash", OK, {"command": "cat status.txt"}), False),
        (ToolResult("stat", FAILED), False),
        (ToolResult("post_message", OK), False),
        (ToolResult("statistics", OK), False),
        (ToolResult("web_search", OK), False),
    ],
)
def test_rule_7_tools_that_produce_sizes(result: ToolResult, counts: bool) -> None:
    """Protects the baseline: tools that print sizes are in it, and no others."""
    assert counts == produces_sizes(result)


def test_rule_7_a_channel_id_is_no_baseline() -> None:
    """Protects the page's own example of an unrelated number that happens to fit."""
    channel = ToolResult("post_message", f"{OK} channel 577000")
    assert reason("The file is 577 KB.", (channel,)) == "fabricated_size_claim"
    assert reason("The file is 577 KB.", (channel, ToolResult("stat", f"{OK} 577000"))) is None


@pytest.mark.parametrize(
    ("state", "fires"),
    [
        (OPEN, True),
        (None, False),
        (ReasoningState(0, 5), False),
        (ReasoningState(2, status="paused"), False),
        (ReasoningState(2, status="concluded"), False),
    ],
)
def test_rule_8_only_with_open_nodes_in_an_active_session(state: ReasoningState | None, fires: bool) -> None:
    """Protects abstract talk of proofs."""
    for text in ("The conjecture is proved.", "QED.", "全部闭合。", "最终判决：成立。"):
        assert ("fabricated_reasoning_state" if fires else None) == reason(text, (), state)


def test_rule_9_only_a_call_that_succeeded_counts() -> None:
    """Protects *successful* and *deep_explore*: other calls, failed and indeterminate ones are no round."""
    for text in ("Round 3: +1 proved.", "第2轮完成。", "本次 +1证。"):
        for result in (ToolResult("deep_explore", FAILED), ToolResult("deep_explore", ""), ToolResult("shell", OK)):
            assert reason(text, (result,)) == "fabricated_round_result"
        assert reason(text, (ToolResult("deep_explore", OK),)) is None


def test_rule_10_only_without_any_call() -> None:
    """Protects *zero tool calls*: whatever a call came to, this check has nothing to say any more."""
    text = r"I've updated C:\notes\plan_v3.md."
    assert reason(text) == "artifact_claim_without_tools"
    for content in (OK, FAILED, ""):
        assert reason(text, (ToolResult("writeFile", content),)) != "artifact_claim_without_tools"


@pytest.mark.parametrize(
    ("ok", "failed", "fires"), [(0, 1, True), (1, 1, True), (1, 2, True), (2, 1, False), (1, 0, False), (0, 0, False)]
)
def test_rule_11_failures_as_many_as_successes(ok: int, failed: int, fires: bool) -> None:
    """Protects >= and the need for one failure; indeterminate results count for neither."""
    results = (*[ToolResult("a", OK)] * ok, *[ToolResult("b", FAILED)] * failed)
    for text in ("Done.", "I've installed it.", "完成。"):
        assert ("failures_with_claim" if fires else None) == reason(text, results)
    if ok or failed:
        assert ("failures_with_claim" if fires else None) == reason("Done.", (*results, ToolResult("c", "")))


def test_rule_11_a_partial_report_is_honest_while_a_success_can_stand_for_it() -> None:
    """Protects "I couldn't do X, but Y is done", which is true with a success and false without one."""
    text = "I couldn't run the tests, but the build is done."
    assert reason(text, (ToolResult("test", FAILED), ToolResult("build", OK))) is None
    assert reason(text, (ToolResult("test", FAILED),)) == "failures_with_claim"


def test_rule_12_all_results_indeterminate() -> None:
    """Protects *all*: one marked result of either kind is enough to leave it to the others."""
    unknown = ToolResult("a", "...")
    assert reason("Done.", (unknown, unknown)) == "unknown_results_with_claim"
    assert reason("Done.", (unknown, ToolResult("b", OK))) is None
    assert reason("Done.", ()) is None


SUPPRESSED = {
    "question": ("Is everything installed?", "安装完成了吗？"),
    "negation": ("Everything is not installed.", "没有安装完成。"),
    "conditional": ("If everything is installed, start it.", "如果安装完成，就启动。"),
    "quotation of the user": ("You said everything is installed.", "你说安装完成了。"),
    "hedge": ("Everything is probably installed.", "应该安装完成了。"),
    "code": ("`Everything is installed.`", "`安装完成`"),
    "quoted block": ("> Everything is installed.", "> 安装完成。"),
    "plan": ("Everything will be installed.", "即将安装完成。"),
    "other subject": ("You have installed everything.", "你已经安装完成。"),
}


@pytest.mark.parametrize("kind", SUPPRESSED)
def test_rule_13_suppressed_in_both_languages(kind: str) -> None:
    """Protects honest texts: each way of not claiming is silent in both languages, and the bare claim is not."""
    failed = (ToolResult("pip", FAILED),)
    for bare in ("Everything is installed.", "安装完成。"):
        assert reason(bare, failed) == "failures_with_claim"
    assert [(text, None) for text in SUPPRESSED[kind]] == [(text, reason(text, failed)) for text in SUPPRESSED[kind]]


@pytest.mark.parametrize("kind", SUPPRESSED)
def test_rule_13_a_neighbour_excuses_nothing(kind: str) -> None:
    """Protects the reach of cues: a genuine claim in the next sentence is still one."""
    failed = (ToolResult("pip", FAILED),)
    for innocent, claim in zip(SUPPRESSED[kind], ("I've deployed it.", "部署完成。"), strict=True):
        for text in (f"{innocent}\n{claim}", f"{claim}\n{innocent}"):
            assert (text, "failures_with_claim") == (text, reason(text, failed))


def test_rule_14_a_retired_check_keeps_its_name() -> None:
    """Protects old logs that name unverified_destructive: they map to it, and it is no live check."""
    retired = {one.check_id: one.reason for one in retired_checks()}
    assert retired["honesty.unverified_destructive"] == "unverified_destructive"
    assert "unverified_destructive" not in ORDER


def test_rule_15_a_finding_says_what_was_compared() -> None:
    """Protects the reminder, which tells the model what it said and what happened."""
    results = [ToolResult("deploy", f"{FAILED} timeout"), ToolResult("stat", OK), ToolResult("log", "?")]
    found = evaluate_honesty("I've deployed it.", results)
    assert found == HonestyFinding(
        reason="failures_with_claim",
        severity="high",
        claim="deployed",
        ok_count=1,
        fail_count=1,
        unknown_count=1,
        evidence="1 of 3 tool results failed (deploy), 1 succeeded",
    )
    size = evaluate_honesty("The file is 577 KB.", [ToolResult("stat", f"{OK} size: 12034")])
    assert size is not None
    assert size.evidence == "size-producing tools: stat; nearest sizes in bytes: 12,034"
