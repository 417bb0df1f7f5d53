"""Another container runtime than the engine's own, such as gVisor's `runsc`: does it work here?

It is tried once, when a run begins, before any bot is put into it. A runtime that can't run here
may leave processes behind each time that it fails, so what the trial left is ended.
"""

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from os import close, pidfd_open
from pathlib import Path
from typing import Final

from arena.sandbox.api import Launch
from arena.sandbox.engine import RUNTIME_VARIABLE, Engine
from arena.sandbox.errors import SandboxFailed
from arena.sandbox.folders import make_folder
from arena.sandbox.instance import Instance
from arena.sandbox.spec import container_config

_WORD: Final = "it runs"
_PATIENCE: Final = 20.0
_ENDS_WITHIN: Final = 3.0
"""Seconds that what belongs to a removed container may take to end by itself."""


def check_runtime(engine: Engine, instance: Instance, image: str) -> None:
    """Try the runtime that was asked for; nothing happens if none was.

    Raises `SandboxFailed` in one line if the engine doesn't know it or can't run a bot with it.
    """
    if engine.runtime is None:
        return
    known = sorted(engine.info().get("Runtimes") or ())
    if engine.runtime not in known:
        raise _refused(engine, f"the container engine has only {', '.join(known)}")
    number = instance.next_number()
    name = f"arena-{instance.id}-{instance.folder.name}-{number}"
    folder = make_folder(instance.folder / str(number), 0)
    container = ""
    try:
        launch = Launch("self-check", image, ("python3", "-I", "-S", "-c", f"print({_WORD!r})"))
        config = container_config(launch, uid=65534, socket_folder=folder, labels=instance.labels())
        container = engine.create(name, config)
        engine.start(name)
        _wait(lambda: not engine.state(name).running, _PATIENCE)
        said = engine.log(name).decode(errors="replace").strip()
        if said != _WORD:
            raise SandboxFailed(f"a program in it said {said[-200:]!r}")
    except SandboxFailed as failed:
        raise _refused(engine, failed.detail) from None
    finally:
        engine.remove(name)
        folder.remove()
        if container:
            end_leaked(container)


def end_leaked(container: str) -> None:
    """End what a removed container's runtime left behind: it is known by the container's id."""
    if _wait(lambda: not _of(container), _ENDS_WITHIN):
        return
    for process in _of(container):
        with suppress(OSError):
            descriptor = pidfd_open(process)
            try:
                # Looked at again: now that we have hold of it, the id can't be another's.
                if process in _of(container):
                    signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            finally:
                close(descriptor)


def _of(container: str) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if container.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


def _wait(over: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not over():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _refused(engine: Engine, why: str) -> SandboxFailed:
    return SandboxFailed(
        f"{RUNTIME_VARIABLE}={engine.runtime} doesn't work here: {' '.join(why.split())}; "
        "mend that, or unset the variable to use the engine's own runtime"
    )
