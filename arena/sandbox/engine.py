"""The container engine, as far as sandboxes need it: blocking calls, our own errors.

The only module that talks to docker-py; every exception of docker-py, requests and urllib3 becomes
one of ours in `_ours`.
"""

import os
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import docker
import requests
import urllib3
from docker.errors import APIError, DockerException, ImageNotFound, NotFound

from arena.sandbox.errors import ContainerGone, EngineUnavailable, ImageMissing, SandboxFailed
from arena.sandbox.freezer import release
from arena.sandbox.headless import end_headless
from arena.sandbox.watch import EngineWatch

DEFAULT_HOST: Final = "unix:///var/run/docker.sock"
RUNTIME_VARIABLE: Final = "ARENA_CONTAINER_RUNTIME"
"""Names another runtime for bots than the engine's own, such as `runsc`; see `runtime`."""

# docker-py's 60 s would hold up a whole tournament; a start on a busy machine takes 1 s or 2.
_PATIENCE: Final = 20


@dataclass(frozen=True, slots=True)
class ContainerState:
    """What the engine knows of a container."""

    running: bool
    pid: int
    exit_code: int
    oom_killed: bool
    """A process of it was killed for memory, not necessarily its first."""
    error: str


@dataclass(frozen=True, slots=True)
class FoundContainer:
    """A container found by its labels."""

    name: str
    labels: Mapping[str, str]


class Engine:
    """A container engine on this machine; may be used from several threads."""

    def __init__(self, host: str | None = None) -> None:
        """`host` as in DOCKER_HOST, which is the default; no connection is made yet.

        Raises `SandboxFailed` for an engine on another machine: it could not see our sockets.
        """
        self.host = host or os.environ.get("DOCKER_HOST") or DEFAULT_HOST
        if not self.host.startswith("unix://"):
            raise SandboxFailed(
                f"the container engine must be on this machine, and {self.host} is not a Unix "
                "socket: set DOCKER_HOST to something like " + DEFAULT_HOST
            )
        self.runtime = os.environ.get(RUNTIME_VARIABLE) or None
        self._socket = Path(self.host.removeprefix("unix://"))
        self._lock = threading.Lock()
        self._client: docker.APIClient | None = None
        self._watch: EngineWatch | None = None

    def create(self, name: str, config: dict[str, Any]) -> str:
        """Create a container that isn't started, and return its id; in the runtime asked for.

        Raises `ImageMissing`, `EngineUnavailable`, or `SandboxFailed` with the engine's words.
        """
        with self._ours(f"create the container of {config['Image']}") as client:
            if self.runtime is not None:
                config = {**config, "HostConfig": {**config["HostConfig"], "Runtime": self.runtime}}
            try:
                made = client.create_container_from_config(config, name)  # type: ignore[no-untyped-call]
                return str(made["Id"])
            except ImageNotFound as error:
                raise ImageMissing(
                    f"the container engine has no image {config['Image']}: it was removed or "
                    "never built, so build it again"
                ) from error

    def start(self, name: str) -> None:
        """Start a container."""
        with self._ours("start a container") as client:
            client.start(name)

    def state(self, name: str) -> ContainerState:
        """Look at a container; raises `ContainerGone` too."""
        with self._ours("look at a container") as client:
            state = client.inspect_container(name)["State"]
        return ContainerState(
            running=state["Running"],
            pid=state["Pid"],
            exit_code=state["ExitCode"],
            oom_killed=state["OOMKilled"],
            error=state["Error"],
        )

    def kill(self, name: str) -> bool:
        """Kill a container; False if it had ended before. Raises `ContainerGone` too."""
        with self._ours("kill a container") as client:
            _make_mortal(client, name)
            try:
                client.kill(name)
            except APIError as error:
                if error.status_code == requests.codes.conflict:  # it isn't running
                    return False
                raise
        return True

    def log(self, name: str) -> bytes:
        """What a container printed, as far as its log driver kept it."""
        with self._ours("read a bot's log") as client:
            output: bytes = client.logs(name, stdout=True, stderr=True)
        return output

    def remove(self, name: str) -> None:
        """Remove a container, killing it if need be; it may be gone already."""
        with self._ours("remove a container") as client:
            try:
                _make_mortal(client, name)
                client.remove_container(name, v=True, force=True)
            except NotFound:
                return
            except APIError as error:
                if error.status_code != requests.codes.conflict:
                    raise
                # Somebody else removes it at this moment: wait until that is done.
                with suppress(NotFound):
                    client.wait(name, timeout=_PATIENCE, condition="removed")

    def find(self, labels: Mapping[str, str]) -> list[FoundContainer]:
        """All containers with these labels, running or not."""
        wanted = [f"{name}={value}" for name, value in labels.items()]
        with self._ours("list containers") as client:
            found = client.containers(all=True, filters={"label": wanted})
        return [FoundContainer(entry["Id"], entry["Labels"]) for entry in found]

    def info(self) -> dict[str, Any]:
        """What the engine says about itself, for `protections`."""
        with self._ours("ask the container engine about itself") as client:
            answer: dict[str, Any] = client.info()
        return answer

    def life(self) -> EngineWatch:
        """The watch over the engine that lives now; a new one if the last engine is gone."""
        with self._lock:
            if self._watch is None or not self._watch.alive():
                if self._watch is not None:
                    self._watch.close()
                try:
                    self._watch = EngineWatch.begin(self._socket)
                except OSError as error:
                    self._watch = None
                    raise self._unavailable(error) from error
            return self._watch

    def close(self) -> None:
        """Let go of all connections."""
        with self._lock:
            if self._watch is not None:
                self._watch.close()
                self._watch = None
            if self._client is not None:
                self._client.close()
                self._client = None

    @contextmanager
    def _ours(self, what: str) -> Iterator[docker.APIClient]:
        """Hand out the client, and turn every foreign exception into one of ours."""
        try:
            yield self._connected()
        except NotFound as error:
            raise ContainerGone(f"can't {what}: somebody else removed it") from error
        except APIError as error:
            said = error.explanation or str(error)
            raise SandboxFailed(f"the container engine can't {what}: {said}") from error
        except (
            DockerException,
            requests.RequestException,
            urllib3.exceptions.HTTPError,
            OSError,
        ) as error:
            raise self._unavailable(error) from error

    def _connected(self) -> docker.APIClient:
        # docker-py leaves the socket of a failed connection open, so try with one of our own.
        with socket.socket(socket.AF_UNIX) as knock:
            knock.settimeout(_PATIENCE)
            knock.connect(str(self._socket))
        with self._lock:
            if self._client is None:
                # "auto" asks the engine, so that older engines than docker-py's default work.
                self._client = docker.APIClient(
                    base_url=self.host, version="auto", timeout=_PATIENCE
                )
            return self._client

    def _unavailable(self, error: Exception) -> EngineUnavailable:
        if isinstance(error, PermissionError):
            return EngineUnavailable(
                f"you may not use the container engine at {self.host}: become root, or a member "
                "of the group that owns it"
            )
        return EngineUnavailable(
            f"the container engine at {self.host} doesn't answer ({_root(error)}): start it, or "
            "set DOCKER_HOST, or use the process sandbox for code that you trust"
        )


def _make_mortal(client: docker.APIClient, name: str) -> None:
    """Do away with what would keep a kill from reaching every process of a container."""
    found = client.inspect_container(name)
    pid, container = found["State"]["Pid"], found["Id"]
    release(pid, container)
    end_headless(pid, container)


def _root(error: BaseException) -> str:
    """The innermost reason in few words, since requests wraps three times."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
