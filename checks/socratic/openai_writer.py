"""A writer behind any endpoint that speaks OpenAI's chat completions; needs the extra `openai`.

The client is imported when a writer is made, not with this module: `checks` needs the standard library alone.
"""

from collections.abc import Iterable
from typing import Any

from checks.socratic.writer import WriterBrief

SYSTEM = """\
You write one short question for a group chat. It ties what the room is saying to an idea of a source that you have not
read. Ask one thing, in at most 40 words, with one question mark at the very end. Name the source. Put the group's word,
if there is one, in double quotes, and never say that the source uses it: ask whether the source would. Name nobody in
the chat. Use no digits, no examples, no he or she, and no second clause; report no finding. Answer with the question
alone."""


class MissingClientError(ImportError):
    """The `openai` client is not installed."""


class OpenAIWriter:
    """Asks `model` at `base_url` for each draft; one call is one attempt, so the client's own retries are off.

    `base_url` and `api_key` default to the client's settings in the environment. `timeout` is in seconds. Raises
    MissingClientError where the client is not installed, and the client's own errors from a call.
    """

    def __init__(
        self, model: str, *, base_url: str | None = None, api_key: str | None = None, timeout: float = 30.0
    ) -> None:
        try:
            import openai
        except ImportError as error:
            raise MissingClientError(
                f"the writer for {model!r} needs the openai client, which is not installed; pip install 'gatecov[openai]'"
            ) from error
        self._model = model
        self._client: Any = openai.OpenAI(base_url=base_url, api_key=api_key, timeout=timeout, max_retries=0)

    def __call__(self, brief: WriterBrief) -> str:
        reply = self._client.chat.completions.create(model=self._model, messages=messages(brief))
        content = reply.choices[0].message.content if reply.choices else None
        if not isinstance(content, str) or not content.strip():
            raise ValueError(f"{self._model} answered without text")
        return content.strip()


def messages(brief: WriterBrief) -> list[dict[str, str]]:
    """The conversation for one draft: the task, the brief, then each rejected draft with its reasons."""
    task = "\n\n".join(
        (
            f"Source: {brief.source_name}\nConcept: {brief.concept}\nLoaded word: {brief.loaded_word or '(none)'}",
            "Recent chat:\n" + _listed(brief.chat_lines),
            "Your recent posts, not to be asked again:\n" + _listed(brief.recent_posts),
        )
    )
    turns = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": task}]
    for rejection in brief.rejected:
        turns.append({"role": "assistant", "content": rejection.draft})
        turns.append({"role": "user", "content": f"Rejected: {'; '.join(rejection.reasons)}. Write another question."})
    return turns


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) or "(none)"
