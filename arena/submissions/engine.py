"""The container engine, as far as making images needs it: blocking calls, our own errors.

Beside the sandbox's own `Engine` since making an image takes minutes where starting a bot may take
seconds, and since it needs nothing of what that one is good at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import environ
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

import docker
import requests
import urllib3
from docker.errors import APIError, DockerException, ImageNotFound
from docker.utils import parse_repository_tag

from arena.sandbox.engine import DEFAULT_HOST
from arena.submissions.errors import ImageError, innermost, one_line

_PATIENCE: Final = 600
"""Seconds for one call: an import, a commit or a run over a few hundred MiB on a slow disk."""
_MEMORY_BYTES: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Image:
    """What the engine knows of an image."""

    id: str
    labels: Mapping[str, str]
    volumes: tuple[str, ...]


class ImageEngine:
    """A container engine on which images are made; may be used from several threads, not at once.

    `labels` mark the containers that exist while an image is made, so that whoever cleans up after
    a killed arena finds them; they are not passed on to the image.
    """

    def __init__(self, host: str | None = None, labels: Mapping[str, str] | None = None) -> None:
        """`host` as in DOCKER_HOST, which is the default; no connection is made yet."""
        self.host = host or environ.get("DOCKER_HOST") or DEFAULT_HOST
        self.labels = dict(labels or {})
        self._client: docker.APIClient | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def image(self, reference: str) -> Image | None:
        """The image of that name or id, None if there is none. Raises ImageError."""
        with self.ours(f"look at the image {reference}") as client:
            try:
                found = client.inspect_image(reference)
            except ImageNotFound:
                return None
        config = found.get("Config") or {}
        return Image(
            id=found["Id"],
            labels=config.get("Labels") or {},
            volumes=tuple(config.get("Volumes") or ()),
        )

    def pull(self, reference: str) -> None:
        """Fetch an image from its registry. Raises ImageError."""
        repository, tag = parse_repository_tag(reference)
        with self.ours(f"fetch the image {reference}") as client:
            client.pull(repository, tag or "latest")

    def import_root(self, tar: Path, name: str) -> None:
        """Make an image of one layer from the tar of a root file system. Raises ImageError."""
        repository, tag = parse_repository_tag(name)
        with self.ours("import the root file system") as client:
            said = client.import_image(src=str(tar), repository=repository, tag=tag)
        for line in said.splitlines():
            if error := json.loads(line).get("error"):
                raise ImageError(f"the engine can't import the root file system: {one_line(error)}")

    def tag(self, image: str, name: str) -> None:
        """Give an image one more name, taking that name from another. Raises ImageError."""
        repository, tag = parse_repository_tag(name)
        with self.ours(f"name an image {name}") as client:
            client.tag(image, repository, tag, force=True)

    @contextmanager
    def draft(self, image: str, command: Sequence[str]) -> Iterator[Draft]:
        """A container to be made an image of, with no network; gone at the end, however it ends.

        `command` is what `Draft.run` runs. Raises ImageError.
        """
        config = {
            "Image": image,
            "Entrypoint": list(command),
            "Cmd": [],
            "User": "0:0",
            "WorkingDir": "/",
            "Labels": self.labels,
            "NetworkDisabled": True,
            "Healthcheck": {"Test": ["NONE"]},
            "HostConfig": {
                "NetworkMode": "none",
                "CapDrop": ["ALL"],
                "SecurityOpt": ["no-new-privileges:true"],
                "Memory": _MEMORY_BYTES,
                "PidsLimit": 64,
                "LogConfig": {
                    "Type": "local",
                    "Config": {"max-size": "256k", "max-file": "1", "compress": "false"},
                },
            },
        }
        with self.ours("create a container") as client:
            container = str(client.create_container_from_config(config)["Id"])
        try:
            yield Draft(self, container)
        finally:
            with self.ours("remove a container") as client:
                client.remove_container(container, v=True, force=True)

    @contextmanager
    def ours(self, what: str) -> Iterator[Any]:
        """Hand out the client, whose types say little, and make foreign exceptions ImageErrors."""
        try:
            if self._client is None:
                self._client = docker.APIClient(
                    base_url=self.host, version="auto", timeout=_PATIENCE
                )
            yield self._client
        except APIError as error:
            said = one_line(error.explanation or str(error))
            raise ImageError(f"the container engine can't {what}: {said}") from error
        except requests.ReadTimeout as error:
            raise ImageError(
                f"the container engine did not {what} in {_PATIENCE} s; see what keeps this machine"
                " busy, then try again"
            ) from error
        except (
            DockerException,
            requests.RequestException,
            urllib3.exceptions.HTTPError,
            OSError,
        ) as error:
            raise ImageError(
                f"the container engine at {self.host} doesn't answer ({innermost(error)}): start it"
                " or set DOCKER_HOST, then try again"
            ) from error


class Draft:
    """A container that an image is made of."""

    def __init__(self, engine: ImageEngine, container: str) -> None:
        """Use `ImageEngine.draft`."""
        self._engine = engine
        self._container = container

    def put(self, tar: bytes | BinaryIO) -> None:
        """Unpack an uncompressed tar at `/`. Raises ImageError."""
        with self._engine.ours("put files into a container") as client:
            client.put_archive(self._container, "/", tar)

    def run(self, what: str) -> str:
        """Run the draft's command to its end and give what it printed.

        Raises ImageError with the last line that it printed if it fails; `what` says what it does.
        """
        with self._engine.ours(what) as client:
            client.start(self._container)
            status = client.wait(self._container, timeout=_PATIENCE)["StatusCode"]
            output = client.logs(self._container, stdout=True, stderr=True).decode(errors="replace")
        if status:
            last = output.strip().rsplit("\n", 1)[-1]
            raise ImageError(f"can't {what}: {one_line(last) or f'it ended with {status}'}")
        return str(output)

    def commit(self, name: str, config: Mapping[str, Any]) -> Image:
        """Make an image of the container as it is now, and name it.

        `config` is the engine's image configuration; labels of the container itself are blanked.
        Raises ImageError.
        """
        repository, tag = parse_repository_tag(name)
        labels = {**dict.fromkeys(self._engine.labels, ""), **config.get("Labels", {})}
        with self._engine.ours(f"make the image {name}") as client:
            client.commit(self._container, repository, tag, conf={**config, "Labels": labels})
        image = self._engine.image(name)
        if image is None:
            raise ImageError(f"the image {name} vanished while it was made; try again")
        return image
