"""Bots and their versions, within a session."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from arena.store.errors import EntryRefused, InvalidRecord, NameTaken, NotFound
from arena.store.records import BlobKey, BotVersion, NewVersion
from arena.store.schema import BotRow, VersionRow
from arena.store.texts import checked


def check(new: NewVersion) -> None:
    """Raises InvalidRecord, if a text of `new` can't be stored."""
    checked("bot name", new.bot)
    if ":" in new.bot:
        raise InvalidRecord(
            f"{new.bot!r} is no bot name that the store can hold: "
            "leave out the colon, which stands between a name and a version"
        )
    checked("author", new.author)
    if new.label is not None:
        checked("version label", new.label)
    checked("digest", new.digest)
    checked("runtime", new.runtime)
    checked("entrypoint", new.entrypoint)
    for game in new.games:
        checked("game", game)


def owned(session: Session, bot: str, author: str) -> bool:
    """Whether the name is the author's; False: nobody's. Raises NameTaken."""
    owner = session.scalar(select(BotRow.author).where(BotRow.name == bot))
    if owner is not None and owner != author:
        raise NameTaken(
            f"the bot name {bot!r} belongs to {owner}: choose another name in bot.toml "
            f"(a version of theirs is meant by {bot}:NUMBER)"
        )
    return owner is not None


def take_name(session: Session, bot: str, author: str) -> None:
    """Let the name be the author's from now on. Raises NameTaken."""
    if not owned(session, bot, author):
        session.add(BotRow(name=bot, author=author))
        session.flush()


def find_same(session: Session, bot: str, author: str, digest: str) -> BotVersion | None:
    """The version of `bot` that has this digest. Raises NameTaken if the bot isn't the author's."""
    owned(session, bot, author)
    found = session.execute(
        _versions().where(BotRow.name == bot, VersionRow.digest == digest)
    ).one_or_none()
    return None if found is None else version_record(*found)


def add(
    session: Session,
    new: NewVersion,
    archive: BlobKey,
    provenance: Mapping[str, str] | None = None,
) -> BotVersion:
    """Number and keep `new`, unless the same is there. Raises NameTaken."""
    same = find_same(session, new.bot, new.author, new.digest)
    if same is not None:
        return same
    take_name(session, new.bot, new.author)
    bot_id = session.scalars(select(BotRow.id).where(BotRow.name == new.bot)).one()
    newest = session.scalar(select(func.max(VersionRow.number)).where(VersionRow.bot_id == bot_id))
    row = VersionRow(
        bot_id=bot_id,
        number=(newest or 0) + 1,
        label=new.label,
        digest=new.digest,
        games=list(new.games),
        runtime=new.runtime,
        entrypoint=new.entrypoint,
        archive=archive,
        created=datetime.now(UTC),
        provenance=None if provenance is None else dict(provenance),
    )
    session.add(row)
    session.flush()
    return version_record(*session.execute(_versions().where(VersionRow.id == row.id)).one())


def find(session: Session, name: str) -> BotVersion:
    """`bot` (its newest version that isn't retired), `bot:number` or `bot:label`. Raises NotFound.

    A number is tried before a label; of several versions with one label the newest is meant.
    """
    bot, colon, which = name.partition(":")
    of_bot = _versions().where(BotRow.name == bot).order_by(VersionRow.number.desc())
    every = [version_record(*row) for row in session.execute(of_bot)]
    if not every:
        raise NotFound(_no_bot(session, bot))
    if not colon:
        return _newest(every)
    by_number = [version for version in every if str(version.number) == which]
    by_label = [version for version in every if version.label == which]
    for version in by_number + by_label:
        return version
    known = ", ".join(f"{v.number} ({v.label})" if v.label else str(v.number) for v in every)
    raise NotFound(f"bot {bot!r} has no version {which!r}: it has {known}")


def _newest(versions: Sequence[BotVersion]) -> BotVersion:
    """The first of them that isn't retired; they stand by number, the highest first."""
    for version in versions:
        if version.retired is None:
            return version
    bot = versions[0].bot
    raise NotFound(f"bot {bot!r} is retired: a version of it is named like {bot}:1")


def require_in_use(session: Session, version_ids: Collection[int]) -> None:
    """Raises EntryRefused unless all of the versions can be entered."""
    query = _versions().where(VersionRow.id.in_(version_ids), VersionRow.retired_at.is_not(None))
    for version, bot, _ in session.execute(query.order_by(VersionRow.id)):
        raise EntryRefused(
            f"{bot}:{version.number} is retired and can't be entered any more: "
            "enter another version, or submit a new one"
        )


def names(session: Session) -> list[str]:
    """The names of all bots that have a version, in alphabetical order."""
    # Sorted here: databases differ in what they call alphabetical.
    with_versions = select(BotRow.name).where(BotRow.id.in_(select(VersionRow.bot_id)))
    return sorted(session.scalars(with_versions))


def listed(session: Session, bot: str | None) -> list[BotVersion]:
    """The versions of `bot`, or all of them, by bot and number. Raises NotFound."""
    query = _versions()
    if bot is not None:
        query = query.where(BotRow.name == bot)
    found = sorted(
        (version_record(*row) for row in session.execute(query)),
        key=lambda version: (version.bot, version.number),
    )
    if bot is not None and not found:
        raise NotFound(_no_bot(session, bot))
    return found


def _no_bot(session: Session, bot: str) -> str:
    close = get_close_matches(bot, names(session), n=1)
    hint = f"did you mean {close[0]!r}?" if close else "look it up in the list of bots"
    return f"there is no bot {bot!r}: {hint}"


def _versions() -> Select[VersionRow, str, str]:
    return select(VersionRow, BotRow.name, BotRow.author).join(
        BotRow, VersionRow.bot_id == BotRow.id
    )


def version_record(version: VersionRow, bot: str, author: str) -> BotVersion:
    """A version from its row, its bot's name and its author."""
    return BotVersion(
        id=version.id,
        bot=bot,
        author=author,
        number=version.number,
        label=version.label,
        digest=version.digest,
        games=tuple(version.games),
        runtime=version.runtime,
        entrypoint=version.entrypoint,
        archive=version.archive,
        created=version.created,
        retired=version.retired_at,
        provenance=version.provenance,
    )
