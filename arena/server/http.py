"""What the server says over HTTP: whether it lives, whether it is ready, what it has counted."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from arena.server.health import Health
from arena.server.metrics import Metrics
from arena.server.settings import Settings
from arena.store import Store


def web_app(store: Store, metrics: Metrics, health: Health, pages: ASGIApp) -> Starlette:
    """The application; whatever isn't the server's own goes to the pages."""

    async def healthz(_: Request) -> Response:
        return PlainTextResponse("alive\n")

    async def readyz(_: Request) -> Response:
        why = health.trouble
        return PlainTextResponse(f"{why or 'ready'}\n", status_code=503 if why else 200)

    async def counted(_: Request) -> Response:
        return Response(await metrics.page(store), media_type=CONTENT_TYPE_LATEST)

    return Starlette(
        routes=[
            Route("/healthz", healthz),
            Route("/readyz", readyz),
            Route("/metrics", counted),
            Mount("", pages),
        ]
    )


class Http(uvicorn.Server):
    """uvicorn within a process of ours, which hears signals itself."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield


def http_server(app: Starlette, settings: Settings) -> Http:
    """Serve `app` as the settings say, on a socket that is given to `serve`."""
    return Http(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            ssl_certfile=settings.tls_certificate,
            ssl_keyfile=settings.tls_key,
            timeout_graceful_shutdown=5,
            limit_concurrency=1000,
            # A proxy on this machine says for whom it asks; nobody else is believed, whatever
            # uvicorn's own variable may say.
            proxy_headers=True,
            forwarded_allow_ips=["127.0.0.1", "::1"],
        )
    )


def listening(address: str, port: int) -> socket.socket:
    """A socket that listens there. Raises OSError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((address, port))
    except OSError:
        made.close()
        raise
    return made
