"""The room that starts a bot version somewhere and hands back an address.

Three verbs, `start`, `report` and `stop`, with two implementations: `docker` for strangers' bots
and `process` for one's own trusted code where no container engine is. Test doubles that are slow,
never start, die or lose their engine are part of the room (`doubles`). Where it can, `docker` plays
one match after another in a container, each in a process that a first process of ours forks for it
(`zygote`), and sweeps in between.

It must not know games, matches, gRPC, tournaments or the store: a bot is an image or a folder, a
command and limits; what is said over its socket is nobody's business here.
"""

from arena.sandbox.api import (
    ADDRESS_VARIABLE,
    Ending,
    Launch,
    Limits,
    RunningBot,
    RunReport,
    Sandbox,
)
from arena.sandbox.errors import (
    EngineUnavailable,
    ImageMissing,
    SandboxError,
    SandboxFailed,
    StartFailed,
)
from arena.sandbox.settle import settled

__all__ = [
    "ADDRESS_VARIABLE",
    "Ending",
    "EngineUnavailable",
    "ImageMissing",
    "Launch",
    "Limits",
    "RunReport",
    "RunningBot",
    "Sandbox",
    "SandboxError",
    "SandboxFailed",
    "StartFailed",
    "settled",
]
