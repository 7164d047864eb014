"""Who can reach the dashboard, and what it serves: this machine alone, unless there is a login or an explicit word."""

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit import config
from streamlit.testing.v1 import AppTest

from checks.registry import catalog
from commands import serving
from commands.serving import OpenToOthersError, is_local, may_serve, what_login_lacks
from dashboard.access import may_see
from tests.stores import event, write_store

ROOT = Path(serving.__file__).resolve().parent.parent
APP = ROOT / "dashboard" / "app.py"
PROVIDER = 'client_id = "i"\nclient_secret = "s"\nserver_metadata_url = "m"\n'
SHARED = 'redirect_uri = "r"\ncookie_secret = "c"\n'
LOGIN = f"[auth]\n{SHARED}{PROVIDER}"
LOCAL = {
    "127.0.0.1": True, "127.0.0.2": True, "localhost": True, "::1": True,
    "0.0.0.0": False, "::": False, "": False, "10.0.0.7": False, "192.0.2.1": False, "no such host": False,
}  # fmt: skip
LOGINS = {
    "none": ("", "there is no [auth]"),
    "whole": (LOGIN, ""),
    "a named provider": (f"[auth]\n{SHARED}[auth.company]\n{PROVIDER}", ""),
    "half": (f"[auth]\n{SHARED}", "[auth] lacks client_id, client_secret, server_metadata_url"),
    "no cookie": (f'[auth]\nredirect_uri = "r"\n{PROVIDER}', "[auth] lacks cookie_secret"),
    "no TOML": ("[auth", "cannot be read"),
    "no table": ("auth = 3\n", "cannot be read"),
}


@pytest.mark.parametrize("host", LOCAL)
def test_what_counts_as_this_machine(host: str) -> None:
    """Protects from an address that only looks local: every address of it must be a loopback one."""
    assert LOCAL[host] == is_local(host)


@pytest.mark.parametrize("name", LOGINS)
def test_what_a_login_lacks(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects from half a login: every setting that Streamlit needs is there, or the sentence names it."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda module: object())
    secrets, lacks = tmp_path / "secrets.toml", LOGINS[name][1]
    if LOGINS[name][0]:
        secrets.write_text(LOGINS[name][0])
    found = what_login_lacks((tmp_path / "none.toml", secrets))
    assert (lacks == "", True) == (found == "", lacks in found)


def test_a_login_needs_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Protects from a login that would fail at the first visitor, and leave the page open or dead."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda module: None)
    (tmp_path / "secrets.toml").write_text(LOGIN)
    assert "the package Authlib is not installed" == what_login_lacks((tmp_path / "secrets.toml",))


@pytest.mark.parametrize(
    ("host", "insecure", "login", "served"),
    [
        ("127.0.0.1", False, False, True),
        ("0.0.0.0", False, False, False),
        ("0.0.0.0", True, False, True),
        ("0.0.0.0", False, True, True),
    ],
)
def test_others_are_served_behind_a_login_or_by_an_explicit_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, insecure: bool, login: bool, served: bool
) -> None:
    """Protects private log texts: the one way that is left open must be asked for by name."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda module: object())
    secrets = (tmp_path / "secrets.toml",)
    if login:
        secrets[0].write_text(LOGIN)
    if served:
        may_serve(host, insecure_open=insecure, secrets=secrets)
    else:
        with pytest.raises(OpenToOthersError, match=r"--host 0\.0\.0\.0: others could read .* --insecure-open$"):
            may_serve(host, insecure_open=insecure, secrets=secrets)


def test_the_command_refuses_in_a_sentence(tmp_path: Path) -> None:
    """Protects from an open dashboard by one option: exit code 2, one line, nothing served."""
    command = [sys.executable, "-m", "gatecov", "dashboard", "--host", "0.0.0.0", "--db", str(tmp_path / "a.duckdb")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (2, "", 1) == (done.returncode, done.stdout, len(done.stderr.splitlines()))
    assert "gatecov: --host 0.0.0.0: others could read the log texts there without a login" in done.stderr


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a dashboard that was started without a word about its address."""
    db = write_store(tmp_path_factory.mktemp("served") / "store.duckdb", [event("turn", "turn_done", None, "s")])
    port = free_port()
    command = [sys.executable, "-m", "gatecov", "dashboard", "--port", str(port), "--db", str(db)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True) as server:
        for _ in range(300):
            if server.poll() is not None or body(port, "/_stcore/health") == "ok":
                break
            time.sleep(0.1)
        yield port
        os.killpg(server.pid, signal.SIGKILL)


def body(port: int, path: str) -> str | None:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return str(answer.read().decode("utf-8", "replace"))
    except urllib.error.HTTPError as error:
        return str(error.read().decode("utf-8", "replace"))
    except OSError:
        return None


STOPPED = [
    (("dashboard",), signal.SIGTERM), (("dashboard",), signal.SIGINT), (("dashboard",), signal.SIGHUP),
    (("dashboard",), signal.SIGKILL), (("demo",), signal.SIGTERM),
]  # fmt: skip


@pytest.mark.parametrize(("command", "how"), STOPPED, ids=[f"{command[0]}-{how.name}" for command, how in STOPPED])
def test_who_stops_the_command_stops_the_server(tmp_path: Path, command: tuple[str, ...], how: signal.Signals) -> None:
    """Protects log texts from a server that outlives its command: a process manager stops the one process that it knows."""
    db = write_store(tmp_path / "store.duckdb", [event("turn", "turn_done", None, "s")])
    port = free_port()
    where = ["--dir", str(tmp_path / "demo")] if command == ("demo",) else ["--db", str(db)]
    started = [sys.executable, "-m", "gatecov", *command, "--port", str(port), *where]
    with subprocess.Popen(started, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        for _ in range(600):
            if server.poll() is not None or body(port, "/_stcore/health") == "ok":
                break
            time.sleep(0.1)
        before = body(port, "/_stcore/health")
        server.send_signal(how)
        server.wait(30)
        with socket.socket() as again:
            again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            again.bind(("127.0.0.1", port))
    assert ("ok", None) == (before, body(port, "/_stcore/health"))


def test_it_listens_on_this_machine_alone(served: int) -> None:
    """Protects from a server that listens everywhere: one address answers, the next one of the same machine does not."""
    assert "ok" == body(served, "/_stcore/health")
    with socket.socket() as other, pytest.raises(ConnectionRefusedError):
        other.connect(("127.0.0.2", served))


@pytest.mark.parametrize(
    "path",
    [
        "/gatecov.py", "/checks/registry.py", "/app/static/gatecov.py", "/static/../../gatecov.py", "/media/..%2f..%2fgatecov.py",
        "/..%2f..%2f..%2fetc%2fpasswd", "/app/static/..%2f..%2fstorefile.py", "/component/..%2f..%2fgatecov.py", "/.streamlit/secrets.toml",
    ],
)  # fmt: skip
def test_no_file_is_served_by_its_path(served: int, path: str) -> None:
    """Protects the checkout and the machine: an address that names a file gets the empty frame of the page, or nothing."""
    found = body(served, path) or ""
    assert [] == [
        words for words in ("import typer", "root:", "def opened", "cookie_secret", "def check(") if words in found
    ]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The dashboard over a small store; how it is served is set by each test."""
    monkeypatch.setenv(
        "GATECOV_DB", str(write_store(tmp_path / "s.duckdb", [event("turn", "turn_done", None, "SECRETCHAT")]))
    )
    monkeypatch.delenv("GATECOV_INSECURE_OPEN", raising=False)
    st.cache_data.clear()
    before = config.get_option("server.address")
    yield AppTest.from_file(str(APP), default_timeout=30)
    config.set_option("server.address", before)
    st.cache_data.clear()


def shown(app: AppTest) -> str:
    kinds = ("text", "markdown", "caption", "error", "info", "warning", "title", "subheader", "button")
    return "\n".join(str(item.value if kind != "button" else item.label) for kind in kinds for item in app.get(kind))


@pytest.mark.parametrize("address", ["0.0.0.0", None, "192.0.2.1"])
def test_a_page_that_others_reach_stays_closed(page: AppTest, address: str | None) -> None:
    """Protects where Streamlit was started without our command: no figure is drawn, and the sentence says what to do."""
    config.set_option("server.address", address)
    page.run()
    assert (True, 0, 0) == (
        "this dashboard is served to others without a login" in shown(page),
        len(page.dataframe),
        len(page.selectbox),
    )


@pytest.mark.parametrize(("address", "said"), [("127.0.0.1", ""), ("::1", ""), ("localhost", ""), ("0.0.0.0", "1")])
def test_a_page_for_this_machine_or_by_an_explicit_word_is_open(
    page: AppTest, monkeypatch: pytest.MonkeyPatch, address: str, said: str
) -> None:
    """Protects the ordinary use: nothing stands between a person and their own logs."""
    config.set_option("server.address", address)
    monkeypatch.setenv("GATECOV_INSECURE_OPEN", said)
    page.run()
    assert ([], True) == ([item.message for item in page.exception], len(page.selectbox) > 0)


def test_a_login_stands_before_every_page(page: AppTest) -> None:
    """Protects a dashboard with [auth]: whoever is not logged in sees a button and no figure, on any address."""
    page.secrets["auth"] = {
        "redirect_uri": "r",
        "cookie_secret": "c",
        "client_id": "i",
        "client_secret": "s",
        "server_metadata_url": "m",
    }
    page.run()
    assert ([], ["Log in"]) == ([item.message for item in page.exception], [button.label for button in page.button])
    assert (0, 0) == (len(page.dataframe), len(page.selectbox))


SEES = (
    ("anna@example.org", [], True),
    ("Anna@Example.org", ["anna@example.org"], True),
    ("anna@example.org", ["@example.org"], True),
    ("anna@evil.org", ["@example.org", "bo@evil.org"], False),
    ("anna@notexample.org", ["@example.org"], False),
    (None, ["@example.org"], False),
)


@pytest.mark.parametrize(("email", "allowed", "sees"), SEES)
def test_who_of_those_logged_in_may_see(email: str | None, allowed: list[str], sees: bool) -> None:
    """Protects from a provider that lets the whole world log in: a list of addresses or domains narrows it."""
    assert sees == may_see(email, allowed)


@pytest.mark.parametrize("asked", ["../../pyproject.toml", "checks/registry.py", "/etc/passwd", "gatecov"])
def test_a_check_that_is_no_check_shows_no_source(page: AppTest, asked: str) -> None:
    """Protects files that the catalog did not register: the address chooses among its checks, and never names a file."""
    page.query_params["check"] = asked
    page.run()
    page.switch_page("app_pages/prune.py").run()
    assert [] == [item.value for item in page.code]


def test_the_source_shown_is_that_of_the_catalog(page: AppTest) -> None:
    """Protects the other half: a registered check's file is shown whole, and it is the only code on the page."""
    check = next(check for check in catalog() if check.source_text)
    page.query_params["check"] = check.check_id
    page.run()
    page.switch_page("app_pages/prune.py").run()
    assert [(check.source_text or "").rstrip()] == [item.value.rstrip() for item in page.code][:1]
    assert config.get_option("server.enableStaticServing") is False
