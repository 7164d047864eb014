"""Walks through docs/pruning.md: runs its commands over sample_logs, puts their real output back, takes its pictures.

    make pictures

Every ```console block is run in an empty folder, in order; a comment `<!-- do: NAME -->` calls a step of this file, for
what a person does in the browser. Messages and labels of the audit are invented, and the page says so.
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from review.audit import Label, load_packet, save_label
from samples.material import GOOD, WORDS
from tests.conftest import browser_path

ROOT = Path(__file__).resolve().parent.parent
PAGE, PICTURES = ROOT / "docs" / "pruning.md", ROOT / "docs" / "pictures"
CHECK = "socratic.shape.no_participant_names"
SINCE = "2026-11-09"
SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"]'
PASSAGE = (
    "Brandvold listens to three choirs that rehearse without a conductor. An open bar is a measure that nobody leads. "
    "Choirs that kept open bars sang flatter, and met for eleven years longer than the others."
)
CHAT = (("Robin", "we always say {w} when we mean comfortable"), ("Heron", "is it {w} if nobody asked for it"))
LEAKS = (
    "Why do choirs that keep open bars meet for longer?",
    "How did Brandvold notice that choirs without a leader sing flatter?",
    "What does it mean that such choirs lasted eleven years longer?",
)
CLEAN = (
    "How would Brandvold recognise an open bar in the way we talk tonight?",
    "What does an open bar ask of a listener, in the terms Brandvold sets out?",
    "Where in this conversation might Brandvold look for an open bar?",
)
STEP = re.compile(r"<!-- do: (\w+) -->|```console\n(.*?)```", re.DOTALL)


def fresh_reading(folder: Path) -> None:
    """What the two conditions of an audit would have written about a reading that nobody tuned a check on."""
    messages = [text.format(s="Brandvold", w=word) for text in GOOD["word"] for word in WORDS]
    audit = folder / "reading"
    audit.mkdir()
    (audit / "passage.txt").write_text(PASSAGE + "\n", encoding="utf-8")
    lines = [{"name": name, "text": text.format(w=word)} for word in WORDS[:2] for name, text in CHAT]
    (audit / "chat.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    texts = {"all": messages[::2], "without": messages[1::2], "known-good": CLEAN, "known-bad": LEAKS}
    for name, chosen in texts.items():
        text = "".join(json.dumps({"text": message}) + "\n" for message in chosen)
        (audit / f"{name}.jsonl").write_text(text, encoding="utf-8")


def label(folder: Path) -> None:
    """Two invented auditors: the first message of each in the browser, for the picture; the rest as the form saves it."""
    packet_path = folder / "audit" / "packet" / "packet.jsonl"
    packet = load_packet(packet_path)
    with opened(folder, "audit?auditor=Ann&item=" + packet.items[0].item) as page:
        page.get_by_text("The rubric", exact=True).click()
        page.get_by_test_id("stRadio").get_by_text("CLEAN", exact=True).click()
        note = page.get_by_role("textbox", name="Note: what you saw in this very message")
        note.fill("asks about the group's word; nothing of the choirs comes along")
        picture(page, "audit")
    for auditor, words in (("Ann", "I read: {m}"), ("Ben", "on {m} - my view")):
        for item, message in packet.messages.items():
            leaks = message in LEAKS
            chosen = "LEAK-PRESUPPOSE" if leaks else "CLEAN"
            flags = ("one_question", *(("quotes_word",) if '"' in message else ()))
            save_label(packet_path.with_name("labels.jsonl"), Label(item, chosen, flags, words.format(m=message), auditor), packet)  # fmt: skip


def decide(folder: Path) -> None:
    """The decision, written in the browser."""
    with opened(folder, f"prune?check={CHECK}&since={SINCE}") as page:
        page.get_by_text("Decide", exact=True).click()
        page.get_by_test_id("stRadio").get_by_text("prune", exact=True).click()
        page.get_by_role("textbox", name="Who answers for it").fill("Ada")
        page.get_by_role("textbox", name="Why, in a sentence").fill("never fired since 1.8.0; the prompt names nobody")
        audit = page.get_by_role("textbox", name="What the blind audit showed")
        audit.fill("not clean in 0 of 18 without it, 0 of 18 with it; packet a0692d30208d, auditors Ann and Ben")
        page.get_by_role("button", name="Write it down").click()
        page.get_by_text("Written down.").wait_for()
    with opened(folder, f"prune?check={CHECK}&since={SINCE}") as page:
        page.wait_for_timeout(1500)
        # The box alone: the form in it names the folder of whoever runs this.
        page.locator(".st-key-decision").screenshot(path=PICTURES / "decision.png")


def trace(folder: Path) -> None:
    """One conversation in which drafts were rejected, over and over."""
    with opened(folder, "trace?session=harbor-2706") as page:
        page.locator("path[aria-roledescription='circle']").first.wait_for()
        picture(page, "trace")


def plan(folder: Path) -> None:
    """The plan, after the decision."""
    with opened(folder, f"plan?since={SINCE}") as page:
        picture(page, "plan")


STEPS: dict[str, Callable[[Path], None]] = {step.__name__: step for step in (fresh_reading, label, decide, trace, plan)}


@contextmanager
def opened(folder: Path, address: str) -> Iterator[Page]:
    """A page of the dashboard that is served from `folder`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, str(ROOT / "gatecov.py"), "dashboard", "--port", str(port)]
    with open(os.devnull, "w") as nowhere, sync_playwright() as playwright:
        server = subprocess.Popen(command, cwd=folder, stdout=nowhere, stderr=nowhere, env=environment(), start_new_session=True)  # fmt: skip
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        try:
            wait_for(f"http://127.0.0.1:{port}/_stcore/health")
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(f"http://127.0.0.1:{port}/{address}")
            page.wait_for_selector(SETTLED)
            yield page
        finally:
            browser.close()
            # The command runs Streamlit as a child of its own; both stand in this session and no other process does.
            os.killpg(server.pid, 15)
            server.wait(timeout=20)


def wait_for(address: str) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{address}: the dashboard did not come up within a minute")


def picture(page: Page, name: str) -> None:
    page.wait_for_selector(SETTLED)
    page.wait_for_timeout(1500)
    page.screenshot(path=PICTURES / f"{name}.png")


def environment() -> dict[str, str]:
    """The command `gatecov` is the one of this environment; nothing that the reader has set comes in."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GATECOV_")}
    return kept | {"PATH": f"{Path(sys.executable).parent}:{kept['PATH']}", "GATECOV_AUDIT": "audit", "COLUMNS": "110"}


def run(block: str, folder: Path) -> str:
    """A block with the output of its commands put in their place; a command ends where its line ends without a \\."""
    out = []
    for command in re.findall(r"^\$ ((?:.*\\\n)*.*)$", block, re.MULTILINE):
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", command], cwd=folder, env=environment(), capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"{command}: it ended with {done.returncode}: {done.stderr}")
        out.append(f"$ {command}\n{done.stdout}")
    return "```console\n" + "\n".join(out).replace("\n\n$ ", "\n$ ") + "```"


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sample_logs").symlink_to(ROOT / "sample_logs")

        def step(found: re.Match[str]) -> str:
            if found[1]:
                STEPS[found[1]](folder)
                return found[0]
            return run(found[2], folder)

        PAGE.write_text(STEP.sub(step, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
