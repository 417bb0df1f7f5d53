"""From what a person types to a bot: a folder, an archive, ``name[:version]``, a sample's name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.app.bots.samples import sample_bot
from arena.app.errors import ArenaError
from arena.store import BotVersion, NewVersion, NotFound, Store
from arena.submissions import DEFAULT_LIMITS, Submission, check, read_archive, to_tar

#: Who owns what is submitted on this machine, as long as there are no accounts.
LOCAL_AUTHOR = "local"

_KEPT_LIMITS = replace(DEFAULT_LIMITS, archive_bytes=2 * DEFAULT_LIMITS.total_bytes)
"""A kept archive is not compressed, and each of its files has a header."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A bot that can be seated: its checked submission and the version it is known by."""

    submission: Submission
    version: str
    #: The version that it is in a store, if it comes from there.
    kept: BotVersion | None = None

    @property
    def name(self) -> str:
        """The bot's name."""
        return self.submission.manifest.name

    @property
    def digest(self) -> str:
        """The submission's digest."""
        return self.submission.digest


def find(store: Store, bot: str) -> Contestant:
    """Read the bot that ``bot`` names; raises ``ArenaError`` or ``SubmissionError``.

    What lies here comes before what the arena keeps, and that before the sample bots.
    """
    if not bot:
        raise ArenaError("a bot's name is empty: name a folder, an archive or a bot")
    path = Path(bot)
    try:
        here = path.exists()
    except OSError as error:
        raise ArenaError(f"no bot {bot!r}: {error.strerror}") from None
    if here:
        return from_path(path)
    if "/" in bot:
        raise ArenaError(f"there is no folder or archive {bot}")
    try:
        return stored(store, store.find_version(bot))
    except NotFound as absent:
        if bot.partition(":")[0] in store.bots():
            # It has other versions, or none in use any more: a sample bot is not what is meant.
            raise ArenaError(str(absent)) from None
        sample = sample_bot(bot)
        if sample is not None:
            return from_path(sample)
        raise ArenaError(
            f"no bot {bot!r}: it is no folder or archive here, no bot of this arena "
            "(see: arena bot list), and no sample bot"
        ) from None


def from_path(path: Path) -> Contestant:
    """Read and check the folder or archive at ``path``; raises ``SubmissionError``."""
    submission = check(path)
    return Contestant(submission, submission.manifest.version or submission.digest[:8])


def stored(store: Store, version: BotVersion) -> Contestant:
    """Read a version of the store back."""
    return Contestant(read_kept(store.blob(version.archive)), str(version.number), version)


def read_kept(archive: bytes) -> Submission:
    """Read back what `to_tar` made of a submission, which is larger than what was sent."""
    return read_archive(archive, _KEPT_LIMITS)


def find_all(store: Store, bots: Iterable[str], game: str) -> list[Contestant]:
    """Read several bots, all of which must play ``game``."""
    found = [find(store, bot) for bot in bots]
    for contestant in found:
        games = contestant.submission.manifest.games
        if game not in games:
            raise ArenaError(f"{contestant.name} plays {', '.join(games)}, not {game}")
    return found


def submit(store: Store, contestant: Contestant) -> BotVersion:
    """Keep a bot in the store, as a new version unless the same bytes are there already."""
    if contestant.kept is not None:
        return contestant.kept
    submission = contestant.submission
    return store.add_version(new_version(submission, LOCAL_AUTHOR), to_tar(submission))


def new_version(submission: Submission, author: str) -> NewVersion:
    """Make a submission into what the store keeps of a version."""
    manifest = submission.manifest
    return NewVersion(
        bot=manifest.name,
        author=author,
        label=manifest.version,
        digest=submission.digest,
        games=manifest.games,
        runtime=manifest.runtime.value,
        entrypoint=manifest.entrypoint,
    )


def distinct(contestants: Sequence[Contestant]) -> None:
    """Refuse a field in which one version stands twice: its results would mean nothing."""
    seen: dict[str, str] = {}
    for contestant in contestants:
        if contestant.digest in seen:
            raise ArenaError(
                f"{contestant.name} and {seen[contestant.digest]} are the same code: "
                "enter one of them"
            )
        seen[contestant.digest] = contestant.name
