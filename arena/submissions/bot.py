"""Bots' images: a base image of ours, and the checked files of a submission below /bot.

They are made from a container that is never started, so nothing of a submission runs while its
image is made, and nothing that it says about images (a Dockerfile, an entry point, a user) is
looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.sandbox.instance import LABEL_PREFIX
from arena.submissions.base import BaseImage, image_config
from arena.submissions.engine import Image, ImageEngine
from arena.submissions.errors import ImageError
from arena.submissions.manifest import Runtime
from arena.submissions.submission import Submission, to_tar

REPOSITORY: Final = "claim-arena/bot"
HOME: Final = "/bot"
ZYGOTE: Final = {Runtime.PYTHON: ("python3", "-s", "-P", "-m", "arenabot.zygote")}
"""What starts the first process of a bot's container, by runtime: it forks one for each match.

It runs the image's installed packages alone: neither the bot's folder nor a user's is on its path.
"""


@dataclass(frozen=True, slots=True)
class BotImage:
    """The image of one bot version on one base."""

    id: str
    """The engine's id of its content, `sha256:...`: what a sandbox should start."""
    name: str
    """`claim-arena/bot:<submission's digest>-<base's id>`, both shortened."""
    digest: str
    """The submission's digest."""
    base: str
    """The engine's id of the base image."""
    command: tuple[str, ...]
    """What starts the bot, in the image's working directory."""
    zygote: tuple[str, ...]
    """What comes before that to start the zygote instead; empty where the runtime has none."""


def build_bot(engine: ImageEngine, base: BaseImage, submission: Submission) -> BotImage:
    """The image of `submission` on `base`, made unless it is there.

    Raises ImageError with one line that says what the operator can do.
    """
    manifest = submission.manifest
    if manifest.runtime is not base.runtime:
        raise ImageError(
            f"{manifest.name} wants the runtime {manifest.runtime}, and the base image has"
            f" {base.runtime}; there is no other one yet"
        )
    name = f"{REPOSITORY}:{submission.digest[:32]}-{base.id.removeprefix('sha256:')[:16]}"
    labels = {"kind": "bot", "digest": submission.digest, "base": base.id}
    image = engine.image(name)
    if image is None or not _has(image, labels):
        with engine.draft(base.id, manifest.command) as draft:
            draft.put(to_tar(submission, f"{HOME.removeprefix('/')}/"))
            image = draft.commit(name, image_config(manifest.command, HOME, labels))
    return BotImage(
        id=image.id,
        name=name,
        digest=submission.digest,
        base=base.id,
        command=manifest.command,
        zygote=ZYGOTE.get(manifest.runtime, ()),
    )


def _has(image: Image, labels: dict[str, str]) -> bool:
    """Whether an image of the right name is the right one: names hold shortened digests."""
    return all(image.labels.get(LABEL_PREFIX + key) == value for key, value in labels.items())
