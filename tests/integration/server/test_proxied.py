"""What a proxy in front says of whoever it asks for."""

from __future__ import annotations

import asyncio
import http.client
from collections.abc import Mapping
from typing import Any

import pytest

from tests.integration.server.calling import Served

SAID = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The usual settings; a variable of uvicorn's own tells it to believe everybody."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    return {}


def cookie(served: Served, said: Mapping[str, str], come_from: str = "127.0.0.1") -> str:
    """The cookie that a page with a form sets."""
    return _asked(served, "GET", said, come_from).headers["Set-Cookie"]


def _asked(
    served: Served, method: str, said: Mapping[str, str], come_from: str
) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(
        "127.0.0.1", served.listening.web_port, timeout=60, source_address=(come_from, 0)
    )
    try:
        connection.request(method, "/sign-in", headers=dict(said))
        answer = connection.getresponse()
        answer.read()
        return answer
    finally:
        connection.close()


async def test_a_proxy_on_this_machine_is_believed(served: Served) -> None:
    """Over TLS as far as it, a cookie is for TLS only; the audit log has the visitor's address."""
    kept = await asyncio.to_thread(cookie, served, SAID)
    assert kept.startswith("__Host-arena=")
    assert "; Secure" in kept
    await asyncio.to_thread(_asked, served, "POST", SAID, "127.0.0.1")
    assert served.store.audit.entries(most=1)[0].peer == "192.0.2.7"
    plain = await asyncio.to_thread(cookie, served, {})
    assert plain.startswith("arena=")
    assert "Secure" not in plain


async def test_nobody_else_is_believed(served: Served) -> None:
    """Whoever connects from another address is who they are, whatever they say."""
    kept = await asyncio.to_thread(cookie, served, SAID, "127.0.0.2")
    assert "Secure" not in kept
    await asyncio.to_thread(_asked, served, "POST", SAID, "127.0.0.2")
    assert served.store.audit.entries(most=1)[0].peer == "127.0.0.2"
