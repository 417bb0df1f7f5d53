"""What every answer carries: what a browser may do with it, and how long it may be kept."""

from __future__ import annotations

import hashlib
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'{styles}; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
POLICY: Final = _POLICY.format(styles="")
"""What a page may load: only what comes from here, and no script or style within it."""

CHART_POLICY: Final = _POLICY.format(styles=" 'unsafe-inline'")
"""The same of pages with a chart: the library that draws it writes styles into the page."""

_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-cache",
}
_SECURE: Final = {"Strict-Transport-Security": "max-age=31536000"}


class Guarding:
    """Adds these headers to whatever doesn't say otherwise, and saves what a browser has already.

    What is kept by a browser is asked for again each time and answered by 304 if it is the same.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Stand in front of `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        wanted = Headers(scope=scope).get("if-none-match", "")
        answer = _Answer(send, wanted, secure=scope["scheme"] == "https")
        await self._app(scope, receive, answer.send)


class _Answer:
    """One answer on its way: it begins to be sent once we know whether all of it is there."""

    def __init__(self, send: Send, wanted: str, *, secure: bool) -> None:
        self._send = send
        self._wanted = wanted
        self._secure = secure
        self._start: Message | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in (_HEADERS | (_SECURE if self._secure else {})).items():
                headers.setdefault(name, value)
            self._start = message
            return
        start, self._start = self._start, None
        if start is None:
            await self._send(message)
            return
        if not message.get("more_body") and start["status"] == 200:
            start, message = self._known(start, message)
        await self._send(start)
        await self._send(message)

    def _known(self, start: Message, message: Message) -> tuple[Message, Message]:
        """Name a whole answer by its content, and leave that out if the browser has it."""
        headers = MutableHeaders(scope=start)
        if "no-store" in headers["cache-control"] or "immutable" in headers["cache-control"]:
            return start, message
        # The policy is kept with the content, so what changes it must change the name, too.
        named = hashlib.sha256(message.get("body", b""))
        named.update(headers["content-security-policy"].encode())
        tag = f'"{named.hexdigest()[:32]}"'
        headers["ETag"] = tag
        if tag not in [each.strip().removeprefix("W/") for each in self._wanted.split(",")]:
            return start, message
        for name in ("content-length", "content-type"):
            del headers[name]
        return {**start, "status": 304}, {**message, "body": b""}
