"""Who may look: this machine, whoever logged in, or everyone where the command line was told that this is meant."""

import ipaddress
import os
from typing import Any

import streamlit as st

from storefile import UserError


class ClosedError(UserError):
    """The dashboard is served to others without a login."""


def require_access() -> None:
    """Let the page go on, or stop it at a login. It is asked here too, since Streamlit can be started without us."""
    login = _secrets("auth")
    if login:
        _require_login(login)
    elif not os.environ.get("GATECOV_INSECURE_OPEN") and not _is_local(st.get_option("server.address")):
        raise ClosedError(
            f"{st.get_option('server.address') or 'every address'}: this dashboard is served to others without a login; "
            "start it with: gatecov dashboard --host 127.0.0.1, or set up [auth] in .streamlit/secrets.toml"
        )


def may_see(email: str | None, allowed: list[str]) -> bool:
    """Whether an address is on the list, by itself or by its domain (@example.org); without a list everyone who logged in is."""
    address = (email or "").casefold()
    return not allowed or any(
        address.endswith(one.casefold()) if one.startswith("@") else address == one.casefold() for one in allowed
    )


def _require_login(login: dict[str, Any]) -> None:
    if not st.user.get("is_logged_in", False):
        st.subheader("Log in to read the logs", anchor=False)
        named = [name for name, table in login.items() if isinstance(table, dict) or hasattr(table, "keys")]
        for provider in [None] if login.get("client_id") else named:
            st.button(
                f"Log in with {provider}" if provider else "Log in",
                on_click=st.login,
                args=[provider] if provider else [],
            )
        st.stop()
    email = st.user.get("email")
    if not may_see(str(email) if email else None, list(_secrets("gatecov").get("allow", []))):
        raise ClosedError(f"{email}: this address may not read the logs; ask for it to be put in [gatecov] allow")


def _secrets(table: str) -> dict[str, Any]:
    try:
        return dict(st.secrets.get(table, {}))
    except FileNotFoundError:
        return {}


def _is_local(address: str | None) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False
