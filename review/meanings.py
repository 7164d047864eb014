"""What each kind of record means, in words: one line a kind."""

from collections.abc import Mapping
from typing import Any

MEANINGS: dict[tuple[str, str], str] = {
    ("socratic", "draft_rejected"): "the writer's draft {attempt} was rejected: {reasons}",
    ("socratic", "writer_failed"): "a writer call failed; it counts as an attempt",
    ("socratic", "template_fallback"): "no draft passed, so the template is tried",
    ("socratic", "template_used"): "the template passed its checks and was posted",
    ("socratic", "template_failed"): "the template failed its checks ({reasons}), so nothing is posted",
    ("socratic", "summary"): "the run ended: {outcome} after {attempts} attempts",
    ("agent", "slots_rejected"): "the decision's slots were rejected: {reasons}; the goal is silent for this cycle",
    ("agent", "chosen_without_passages"): "the probe was chosen although nothing had been retrieved; it is discarded",
    ("agent", "prefetch_failed"): "the background reading could not be fetched; the goal is not eligible",
    ("guardrail", "guardrail_drop"): "the {subject} guardrail dropped a post (goal or type: {goal})",
    ("guardrail", "post_detected"): "a post of the goal {goal} got through",
    (
        "honesty",
        "gate_passed",
    ): "the honesty gate let the final text pass ({ok_count} tool results ok, {fail_count} failed)",
    (
        "honesty",
        "gate_fired",
    ): "the honesty gate fired ({reasons}, {severity}): {ok_count} tool results ok, {fail_count} failed",
    ("gates", "gate_fired"): "the gate {subject} fired ({reasons}); the text is written again",
    ("reflection", "reminder"): "the same failure came twice ({reasons}); a reminder was put in",
    ("protocol", "tool_blocked"): "a call of the tool {subject} was refused on purpose",
    ("protocol", "plan_blocked"): "a call of the tool {subject} was refused on purpose, for want of a plan",
    ("turn", "turn_done"): "the turn ended: {outcome} ({ok_count} tool calls ok, {fail_count} failed)",
    ("probe", "answer"): "an answer to the probe {subject} was recorded after {attempts} attempts",
    ("lesson", "quiz_call"): "a quiz was called for the node {subject}",
    ("lesson", "probe_done"): "the probing phase was declared done",
    ("lesson", "plan_init"): "the lesson's plan was made",
    ("lesson", "tool_refused"): "a tool call was refused: {subject}",
}


def meaning(row: Mapping[str, Any]) -> str:
    """What one record says, in words. `row` is one of the question *conversation*; the result holds log text."""
    reasons = ", ".join(row["fragments"])
    known = {name: "unknown" if value is None else value for name, value in row.items()}
    words = MEANINGS.get((row["system"], row["kind"]))
    if words is None:
        return f"{row['system']}: {row['kind'].replace('_', ' ')}" + (f" ({reasons})" if reasons else "")
    sentence = words.format_map(known | {"reasons": reasons or "no reason logged"})
    if row["system"] == "probe" and reasons:
        return f"{sentence}, and was not read as a number: {reasons}"
    return sentence.replace(" after 1 attempts", " after 1 attempt")
