"""In-turn reflection, rule by rule. Source: the honesty gates page, *In-turn reflection*.

1. The same root cause twice within a turn brings a reminder; once does not.
2. It is one-shot: each root cause is spoken of once.
3. transient: wait, retry once at most. auth (401, 403): the credential exists and is whole. param (400): re-read the
   parameters. method (404): the path or method is wrong, look it up.
4. What cannot be classified: consult skills, facts or docs first; when blocked, store_note and an honest end.
5. A mechanical failure is told apart: read the exact error, mend the script, run it again; no research, no plan.
6. Refusals of the protocol layer (plan gate, tool blocks) never count.
7. A signature is `tool:class`, such as `http:http-401`, and names the class that ingest maps it to.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.honesty import ToolResult
from checks.reflection import Failure, class_of, failure_of, reflect
from checks.reflection.failure import cause_of, causes
from checks.registry import family_checks

FAILED = "⚠ TOOL FAILED"
CLASSES = ["transient", "auth", "param", "method", "mechanical", "unclassified"]


def failed(text: str, tool: str = "http") -> ToolResult:
    return ToolResult(tool, f"{FAILED} {text}")


def test_the_catalog_holds_six_classes() -> None:
    """Protects the ids that logged signatures map to."""
    assert [f"reflection.{name}" for name in CLASSES] == [check.check_id for check in family_checks("reflection")]
    assert CLASSES == [check.reason for check in family_checks("reflection")]


def test_rule_1_twice_and_not_once() -> None:
    """Protects the threshold, whatever came in between."""
    one, other = failed("HTTP 401"), failed("HTTP 503")
    assert reflect([]) is None
    assert reflect([one]) is None
    assert reflect([one, other]) is None
    found = reflect([one, ToolResult("x", "✓ TOOL OK"), other, one])
    assert found is not None
    assert (found.signature, found.count, found.failure_class) == ("http:http-401", 2, "auth")


def test_rule_1_another_tool_is_another_cause() -> None:
    """Protects the signature: one status from two tools is not one root cause."""
    assert reflect([failed("HTTP 401", "http"), failed("HTTP 401", "git")]) is None


def test_rule_1_unknown_errors_must_be_equal() -> None:
    """Protects two different unknown errors of one tool from being taken for one root cause; numbers may differ."""
    assert reflect([failed("the frobnicator is jammed"), failed("the gizmo is wet")]) is None
    found = reflect([failed("the frobnicator is jammed (try 1)"), failed("the frobnicator is  jammed (try 2)")])
    assert found is not None
    assert found.failure_class == "unclassified"


def test_rule_2_one_shot() -> None:
    """Protects the turn from the same reminder after each further failure; another cause has its own."""
    results = [failed("HTTP 401")] * 3
    assert reflect(results, given={"http:http-401"}) is None
    found = reflect([*results, *[failed("HTTP 404")] * 2], given={"http:http-401"})
    assert found is not None
    assert found.signature == "http:http-404"


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("connection reset by peer", "transient", "no more than once"),
        ("HTTP 503 Service Unavailable", "transient", "no more than once"),
        ("request timed out", "transient", "no more than once"),
        ("请求超时", "transient", "no more than once"),
        ("HTTP 401 Unauthorized", "auth", "the credential exists"),
        ("status: 403", "auth", "the credential exists"),
        ("invalid api key", "auth", "A prefix of a key"),
        ("HTTP 400 Bad Request", "param", "what is missing"),
        ("missing required parameter: q", "param", "parameters again"),
        ("缺少参数 q", "param", "parameters again"),
        ("404 Not Found", "method", "no parameter will mend that"),
        ("unknown method foo", "method", "documentation"),
    ],
)
def test_rule_3_the_four_classes_and_their_advice(text: str, name: str, says: str) -> None:
    """Protects the classification of the page and what it advises for each class."""
    found = reflect([failed(text)] * 2)
    assert found is not None
    assert name == found.failure_class
    assert says in found.text
    assert "store_note" in found.text


def test_rule_4_what_cannot_be_classified() -> None:
    """Protects the two orders for a failure without a class: look it up first, and end honestly when blocked."""
    found = reflect([failed("HTTP 409 Conflict")] * 2)
    assert found is not None
    assert found.failure_class == "unclassified"
    for words in ("skills", "facts", "documentation", "store_note", "what you tried", "what you still need"):
        assert words in found.text


@pytest.mark.parametrize(
    "text",
    [
        "SyntaxError: invalid syntax",
        'Traceback (most recent call last):\n  File "a.py", line 3\nNameError: name x is not defined',
        "TypeError: undefined is not a function",
        "a.sh: line 3: syntax error near unexpected token `fi'",
        "bash: jqq: command not found",
        'Traceback (most recent call last):\n  get(status=404)\nKeyError: "a"',
    ],
)
def test_rule_5_mechanical_failures(text: str) -> None:
    """Protects bugs in scripts from being researched or planned about, which would lock the tools that mend them."""
    found = reflect([failed(text, "bash")] * 2)
    assert found is not None
    assert found.failure_class == "mechanical"
    assert "Read the exact error, mend the script, run it again" in found.text
    for words in ("Classify", "consult", "store_note"):
        assert words not in found.text


@pytest.mark.parametrize(
    "text",
    ["[plan_protocol_gate] writeFile needs a plan", "[in_turn_tool_blocked] http", "in-turn-tool-blocked: HTTP 401"],
)
def test_rule_6_refusals_never_count(text: str) -> None:
    """Protects guidance from setting off the reminder; a real failure beside refusals still counts for itself."""
    refusal = failed(text)
    assert failure_of(refusal) is None
    assert reflect([refusal] * 5) is None
    assert reflect([refusal, failed("HTTP 401"), refusal]) is None


def test_rule_6_successes_and_indeterminate_results_never_count() -> None:
    """Protects outputs that merely speak of an error."""
    assert failure_of(ToolResult("http", "✓ TOOL OK HTTP 401 is explained here")) is None
    assert failure_of(ToolResult("http", "HTTP 401")) is None


@pytest.mark.parametrize(
    ("signature", "name"),
    [
        ("http:http-401", "auth"),
        ("http:http-403", "auth"),
        ("http:http-400", "param"),
        ("http:http-422", "param"),
        ("http:http-404", "method"),
        ("http:http-405", "method"),
        ("http:http-408", "transient"),
        ("http:http-429", "transient"),
        ("http:http-500", "transient"),
        ("http:http-501", "method"),
        ("http:http-599", "transient"),
        ("http:http-409", "unclassified"),
        ("http:timeout", "transient"),
        ("http:ETIMEDOUT", "transient"),
        ("http:ECONNRESET", "transient"),
        ("bash:syntax-error", "mechanical"),
        ("bash:type_error", "mechanical"),
        ("shell:command-not-found", "mechanical"),
        ("shell:unknown-3f9a1c", "unclassified"),
        ("mcp:server:unauthorized", "auth"),
        ("transient", "transient"),
        ("http:frobnicated", None),
        ("", None),
    ],
)
def test_rule_7_the_class_of_a_logged_signature(signature: str, name: str | None) -> None:
    """Protects the mapping that ingest uses; a signature that names no class stays unmapped."""
    assert name == class_of(signature)


def test_rule_7_signatures_read_back() -> None:
    """Protects the round trip: each cause that can be written belongs to one class, by its check and by its signature."""
    functions = {check.reason: check.function for check in family_checks("reflection") if check.function}
    for cause in [*causes(), "unknown-3f9a1c", *(f"http-{status}" for status in range(400, 600))]:
        objecting = [name for name, function in functions.items() if function(Failure("x", cause))]
        assert (cause, [class_of(f"x:{cause}")]) == (cause, objecting)


@given(st.lists(st.builds(ToolResult, st.text(max_size=8), st.text(max_size=60).map(lambda t: f"{FAILED} {t}"))))
def test_never_raises(results: list[ToolResult]) -> None:
    """Protects the turn: whatever tools print, the reminder is a plain text of one line with a class of the catalog."""
    found = reflect(results)
    if found:
        assert found.failure_class in CLASSES
        assert found.count >= 2
        assert len(found.signature.split()) <= 1


@given(st.integers(400, 599), st.sampled_from(["HTTP {}", "HTTP/1.1 {} x", "status code: {}", '{{"status": {}}}']))
def test_a_status_is_read_in_each_wording(status: int, wording: str) -> None:
    """Protects the reading of HTTP statuses in the wordings of common clients."""
    assert f"http-{status}" == cause_of(wording.format(status))
