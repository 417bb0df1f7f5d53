"""A browser without a window: asks an application for pages, keeps cookies, fills in forms."""

from __future__ import annotations

import asyncio
import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from starlette.types import ASGIApp

BOUNDARY = "a-boundary-of-parts"


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """As text."""
        return self.body.decode()

    @property
    def to(self) -> str:
        """Where it sends its reader on to."""
        return self.headers["location"]

    def json(self) -> Any:
        """As a document."""
        return json.loads(self.body)

    def sees(self, words: str) -> bool:
        """Whether a reader sees these words, tags and blanks aside."""
        plain = html.unescape(re.sub(r"<[^>]*>", " ", self.text))
        return " ".join(words.split()) in " ".join(plain.split())


@dataclass
class Browser:
    """One reader's."""

    app: ASGIApp
    place: str = "192.0.2.1"
    scheme: str = "http"
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> Answer:
        """Ask for a page."""
        return self._ask("GET", path, {}, headers)

    def post(
        self,
        path: str,
        form: Mapping[str, str] | Sequence[tuple[str, str]] | None = None,
        **headers: str,
    ) -> Answer:
        """Send a form as it is."""
        body = urlencode(form or {}).encode()
        kind = {"content-type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, kind, headers, body)

    def send(
        self, page: str, to: str, form: Mapping[str, str] | None = None, **headers: str
    ) -> Answer:
        """Load a page with a form, fill that in, and send it."""
        return self.post(to, {"word": self.word(page), **(form or {})}, **headers)

    def upload(self, page: str, to: str, name: str, content: bytes) -> Answer:
        """The same with a file."""
        head = (
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="word"\r\n\r\n'
            f"{self.word(page)}\r\n--{BOUNDARY}\r\n"
            f'Content-Disposition: form-data; name="archive"; filename="{name}"\r\n'
            "Content-Type: application/zip\r\n\r\n"
        )
        body = head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()
        kind = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}
        return self._ask("POST", to, kind, {}, body)

    def word(self, page: str) -> str:
        """What a page's forms carry."""
        found = re.search(r'name="word" value="([0-9a-f]+)"', self.get(page).text)
        assert found, f"{page} has no form"
        return found[1]

    def sign_in(self, secret: str) -> Answer:
        """Give a token."""
        return self.send("/sign-in", "/sign-in", {"token": secret})

    def _ask(
        self,
        method: str,
        path: str,
        kind: Mapping[str, str],
        more: Mapping[str, str],
        body: bytes = b"",
    ) -> Answer:
        headers = {"host": "arena.test", **kind, **more}
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if method == "POST":
            headers.setdefault("content-length", str(len(body)))
        if self.cookies:
            headers["cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        parts = urlsplit(path)
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": self.scheme,
            "path": unquote(parts.path),
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": (self.place, 4711),
            "server": ("arena.test", 80),
        }
        answer = asyncio.run(_answer(self.app, scope, body))
        for name, value in answer[1]:
            if name == "set-cookie":
                self._keep(value)
        return Answer(answer[0], dict(answer[1]), answer[2])

    def _keep(self, cookie: str) -> None:
        name, _, rest = cookie.partition("=")
        value = rest.partition(";")[0].strip('"')
        if value and "max-age=0" not in cookie.lower():
            self.cookies[name] = value
        else:
            self.cookies.pop(name, None)


async def _answer(
    app: ASGIApp, scope: dict[str, Any], body: bytes
) -> tuple[int, list[tuple[str, str]], bytes]:
    sent: list[Any] = []
    asked = False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if asked:
            await asyncio.sleep(3600)
        asked = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = sent[0]
    told = [(name.decode().lower(), value.decode()) for name, value in start["headers"]]
    return start["status"], told, b"".join(each.get("body", b"") for each in sent[1:])
