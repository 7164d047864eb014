"""One run of the Socratic stage: drafts, redrafts, the template, silence, and the log lines of each.

Source: the Socratic probe page, pipeline steps 3 to 7 and Logs.
"""

from dataclasses import replace
from logging import Logger, LoggerAdapter
from typing import Any

from checks.logs import compact_json
from checks.socratic.contexts import ShapeContext, Slots, StageResult
from checks.socratic.judging import check_shape
from checks.socratic.writer import Rejection, Writer, brief_for

MAX_ATTEMPTS = 4
MARKER = "[SocraticStage]"

Log = Logger | LoggerAdapter[Any]


def template_question(slots: Slots) -> str:
    """The question that is rendered from the slots, without a model, when no draft passes."""
    if slots.loaded_word:
        return f'When we say "{slots.loaded_word}", would {slots.source_label} mean the same thing by it?'
    return f"How does {slots.source_label} treat {slots.concept}?"


def run_stage(writer: Writer, slots: Slots, context: ShapeContext, log: Log) -> StageResult:
    """Up to four drafts from `writer`, else the template, else silence; every step leaves its line in `log`.

    `slots` are validated ones and take the place of those in `context`. The message is the draft without the white
    space around it. A writer that raises, or that returns no text, has used an attempt.
    """
    context = replace(
        context, source_label=slots.source_label, concept=slots.concept or None, loaded_word=slots.loaded_word or None
    )
    rejected: list[Rejection] = []
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            draft = writer(brief_for(context, rejected))
            if not isinstance(draft, str):
                raise TypeError(f"the writer returned {type(draft).__name__}, not text")
        except Exception as error:  # whatever a model call throws is one failed attempt, never the end of the agent
            log.warning(f"{MARKER} writer call failed {type(error).__name__}: {' '.join(str(error).split())}")
            continue
        reasons = tuple(failure.reason for failure in check_shape(draft, context))
        if not reasons:
            return _summary(log, "posted-writer", draft.strip(), attempt)
        rejected.append(Rejection(draft, reasons))
        payload = {"attempt": attempt, "stage": "shape", "reason": "; ".join(reasons), "draft": draft}
        log.warning(f"{MARKER} draft rejected {compact_json(payload)}")
    return _fall_back(slots, context, log)


def _fall_back(slots: Slots, context: ShapeContext, log: Log) -> StageResult:
    log.warning(f"{MARKER} no draft passed — using template fallback")
    question = template_question(slots)
    failures = check_shape(question, context)
    if failures:
        reasons = "; ".join(failure.reason for failure in failures)
        log.info(f"{MARKER} template fallback failed checks ({reasons}) — staying silent")
        return _summary(log, "silent", None, MAX_ATTEMPTS)
    log.info(f"{MARKER} template fallback used")
    return _summary(log, "posted-template", question, MAX_ATTEMPTS)


def _summary(log: Log, outcome: str, message: str | None, attempts: int) -> StageResult:
    log.info(f"{MARKER} summary {compact_json({'outcome': outcome, 'attempts': attempts})}")
    return StageResult(outcome, message, attempts)
