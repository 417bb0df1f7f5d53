"""Files that never change under their address: the hash of what is in one stands in it."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_FOR_EVER: Final = "public, max-age=31536000, immutable"

PLOTLY: Final = "plotly.js"
"""The chart library's script, from its own package."""


@dataclass(frozen=True)
class _Asset:
    name: str
    content: bytes
    digest: str

    @cached_property
    def packed(self) -> bytes:
        return gzip.compress(self.content, mtime=0)


def _digest(*contents: bytes) -> str:
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:16]


class Assets:
    """All of them, read once."""

    def __init__(self) -> None:
        """Read those of this package, and the chart library's."""
        ours = files("arena.web").joinpath("static")
        found = {each.name: each.read_bytes() for each in ours.iterdir()}
        # Scripts name each other by `./`, so ours lie side by side under one digest.
        together = _digest(*(found[name] for name in sorted(found)))
        plotly = files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()
        self._by_name: Mapping[str, _Asset] = {
            name: _Asset(name, content, together) for name, content in found.items()
        } | {PLOTLY: _Asset(PLOTLY, plotly, _digest(plotly))}

    def address(self, name: str) -> str:
        """Where a file is."""
        return f"/static/{self._by_name[name].digest}/{name}"

    def routes(self) -> list[Route]:
        """Serve them."""
        return [Route("/static/{digest}/{name}", self._serve)]

    def _serve(self, request: Request) -> Response:
        asset = self._by_name.get(request.path_params["name"])
        if asset is None or asset.digest != request.path_params["digest"]:
            raise HTTPException(404)
        headers = {"Cache-Control": _FOR_EVER, "Vary": "Accept-Encoding"}
        content = asset.content
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            content = asset.packed
        kind = _TYPES[asset.name.rpartition(".")[2]]
        return Response(content, headers=headers, media_type=kind)
