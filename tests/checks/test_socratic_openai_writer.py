"""The writer behind an endpoint that speaks chat completions, against a server of this test's own.

1. the model, the brief and every rejection with its reasons are sent, and never a passage
2. one call is one request: an error is not retried behind the stage's back
3. an answer without text is a failed call
4. without the client, making a writer says what to install; importing the module needs nothing
"""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from logging import getLogger
from typing import Any

import pytest

from checks.socratic import ShapeContext, Slots, run_stage
from checks.socratic.openai_writer import MissingClientError, OpenAIWriter, messages
from checks.socratic.writer import brief_for

GOOD = "How does Okafor treat shared repair?"


class Endpoint:
    """A local endpoint: gives its answers one after another (an int is an HTTP status) and keeps the requests."""

    def __init__(self, *answers: str | int | None) -> None:
        self.requests: list[dict[str, Any]] = []
        left, requests = list(answers), self.requests

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                requests.append({"path": self.path, **body})
                answer = left.pop(0)
                status = answer if isinstance(answer, int) else 200
                choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}
                reply = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
                content = json.dumps(reply if status == 200 else {"error": {"message": "busy"}}).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Keep the test's output quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def writer(self) -> OpenAIWriter:
        return OpenAIWriter("m", base_url=f"http://127.0.0.1:{self.server.server_port}/v1", api_key="none", timeout=5)


@pytest.fixture
def endpoints() -> Iterator[list[Endpoint]]:
    opened: list[Endpoint] = []
    yield opened
    for endpoint in opened:
        endpoint.server.shutdown()
        endpoint.server.server_close()


def test_rule_1_what_is_sent(endpoints: list[Endpoint]) -> None:
    """Protects the passage, and the redraft: the whole conversation is the brief and the generic reasons."""
    endpoint = Endpoint("How does Okafor treat 3 tools?", f"  {GOOD}\n")
    endpoints.append(endpoint)
    context = ShapeContext("", passage="neighbours mend tools", recent_posts=("Is it tea?",), chat_lines=("so fair",))
    result = run_stage(endpoint.writer(), Slots("Okafor", "shared repair"), context, getLogger("quiet"))
    assert (result.message, result.attempts) == (GOOD, 2)
    first, second = endpoint.requests
    assert (first["path"], first["model"], len(first["messages"])) == ("/v1/chat/completions", "m", 2)
    task = first["messages"][1]["content"]
    assert all(part in task for part in ("Okafor", "shared repair", "so fair", "Is it tea?"))
    assert second["messages"][2:] == [
        {"role": "assistant", "content": "How does Okafor treat 3 tools?"},
        {"role": "user", "content": "Rejected: contains digits. Write another question."},
    ]
    assert "neighbours" not in json.dumps(endpoint.requests)


def test_rules_2_and_3_failed_calls(endpoints: list[Endpoint], caplog: pytest.LogCaptureFixture) -> None:
    """Protects the count of attempts: a busy server and an empty answer are one attempt each."""
    endpoint = Endpoint(503, None, " ", GOOD)
    endpoints.append(endpoint)
    result = run_stage(endpoint.writer(), Slots("Okafor", "shared repair"), ShapeContext(""), getLogger("stage"))
    assert (result.outcome, result.attempts, len(endpoint.requests)) == ("posted-writer", 4, 4)
    failed = [message for message in caplog.messages if "writer call failed" in message]
    assert failed[0].startswith("[SocraticStage] writer call failed InternalServerError: ")
    assert failed[1:] == ["[SocraticStage] writer call failed ValueError: m answered without text"] * 2


def test_rule_4_without_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects a person without the extra from a bare ImportError."""
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(
        MissingClientError, match=r"^the writer for 'm' needs the openai client.*pip install 'gatecov\[openai\]'$"
    ):
        OpenAIWriter("m")


def test_the_brief_is_enough() -> None:
    """Protects the withheld concept: what is sent is made from the brief, which says (none)."""
    task = messages(brief_for(ShapeContext("Okafor", "shared repair", "fair")))[1]["content"]
    assert ("Concept: (none)\nLoaded word: fair" in task, "shared repair" in task) == (True, False)
