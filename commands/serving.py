"""Serving the dashboard: to this machine, or to others behind a login."""

import importlib.util
import ipaddress
import os
import socket
import sys
import tomllib
from pathlib import Path
from typing import NoReturn

from commands.options import fail, tell
from places import config_path
from usererror import UserError

ROOT = Path(__file__).resolve().parent.parent
SECRETS = (Path.home() / ".streamlit" / "secrets.toml", ROOT / ".streamlit" / "secrets.toml")
"""Where Streamlit looks for secrets when it is started in the checkout's folder; the later file wins."""
SHARED = ("redirect_uri", "cookie_secret")
OF_PROVIDER = ("client_id", "client_secret", "server_metadata_url")


class OpenToOthersError(UserError):
    """The dashboard would be open to everyone who reaches this machine."""

    exit_code = 2


def may_serve(host: str, *, insecure_open: bool, secrets: tuple[Path, ...] = SECRETS) -> None:
    """Raise OpenToOthersError where others reach `host`, there is no login, and nobody said that this is meant."""
    if insecure_open or is_local(host):
        return
    lacks = what_login_lacks(secrets)
    if lacks:
        raise OpenToOthersError(
            f"--host {host}: others could read the log texts there without a login ({lacks}); set up Streamlit's [auth] "
            f"in {secrets[-1]}, serve on 127.0.0.1, or say that it is meant with --insecure-open"
        )


def is_local(host: str) -> bool:
    """Whether only this machine reaches `host`; a name counts as local if every address of it is."""
    try:
        found = {entry[4][0] for entry in socket.getaddrinfo(host, None)} if host else set()
        return bool(found) and all(ipaddress.ip_address(str(one).partition("%")[0]).is_loopback for one in found)
    except (OSError, ValueError):
        return False


def what_login_lacks(secrets: tuple[Path, ...] = SECRETS) -> str:
    """What is missing for a login by Streamlit's OIDC, in words; empty where it is set up."""
    auth: dict[str, object] = {}
    for path in secrets:
        try:
            auth |= tomllib.loads(path.read_text("utf-8")).get("auth", {})
        except FileNotFoundError:
            continue
        except (OSError, ValueError, TypeError) as error:
            return f"{path} cannot be read: {error}"
    if not auth:
        return "there is no [auth]"
    missing = [name for name in SHARED if not auth.get(name)]
    providers = [auth, *(table for table in auth.values() if isinstance(table, dict))]
    if not any(all(provider.get(name) for name in OF_PROVIDER) for provider in providers):
        missing += [name for name in OF_PROVIDER if not auth.get(name)]
    if missing:
        return f"[auth] lacks {', '.join(missing)}"
    return "" if importlib.util.find_spec("authlib") else "the package Authlib is not installed"


def serve(db: Path, port: int, host: str, *, insecure_open: bool = False) -> NoReturn:
    """Become Streamlit, in the checkout's folder, where its configuration lies, until it is stopped."""
    may_serve(host, insecure_open=insecure_open)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            fail(
                f"{host}:{port}: the dashboard cannot be served here ({error.strerror}); choose another with --port or --host"
            )
    tell(f"the dashboard of {db} is at http://{f'[{host}]' if ':' in host else host}:{port} - stop it with Ctrl-C")
    if insecure_open and not is_local(host):
        tell(f"{host}: everyone who reaches this address can read the log texts (--insecure-open)")
    server = [sys.executable, "-m", "streamlit", "run", str(ROOT / "dashboard" / "app.py")]
    options = ["--server.port", str(port), "--server.address", host, "--browser.gatherUsageStats", "false"]
    # The server's folder is the checkout, so what was named from the user's folder is named in full.
    environment = os.environ | {"GATECOV_DB": str(db.resolve()), "GATECOV_CONFIG": str(config_path().resolve())}
    environment["GATECOV_INSECURE_OPEN"] = "1" if insecure_open else ""
    if audit_folder := os.environ.get("GATECOV_AUDIT"):
        environment["GATECOV_AUDIT"] = str(Path(audit_folder).resolve())
    # This process becomes the server: whoever stops it, by Ctrl-C, SIGTERM or SIGKILL, leaves nothing that goes on serving.
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    os.chdir(ROOT)
    os.execve(sys.executable, [*server, *options, "--server.headless", "true"], environment)
