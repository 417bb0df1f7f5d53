"""Everything that a sandbox raises.

SandboxError
├── StartFailed              the bot's fault: it exited, or made no proper socket in time
└── SandboxFailed            our fault: never charged to a bot
    ├── EngineUnavailable    the container engine is down, hangs, or isn't the same one any more
    ├── ImageMissing         the engine has no such image
    ├── ContainerGone        somebody else removed a bot's container
    └── ZygoteGone           a container's first process, which is ours, ended or doesn't answer
"""

from arena.sandbox.api import RunReport


class SandboxError(Exception):
    """The base of all errors of this room."""


class StartFailed(SandboxError):
    """The bot did not come to listen; `report` says why."""

    def __init__(self, report: RunReport) -> None:
        super().__init__(report.detail)
        self.report = report


class SandboxFailed(SandboxError):
    """We failed; `detail` is one line that says what to do."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class EngineUnavailable(SandboxFailed):
    """The container engine doesn't answer, or isn't the one that started the bot."""


class ImageMissing(SandboxFailed):
    """The engine has no image of that name."""


class ContainerGone(SandboxFailed):
    """The engine has no container of that name."""


class ZygoteGone(SandboxFailed):
    """The first process of a container is not there any more, or as good as that."""
