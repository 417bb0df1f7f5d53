"""What a person types finds the bot that is meant, or says why it does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.app.bots import contestants
from arena.app.bots.newbot import new_bot
from arena.app.bots.samples import GOOD, MISBEHAVING, sample_bot
from arena.app.errors import ArenaError
from arena.store import NameTaken, Store
from arena.submissions import examine
from arena.submissions.submission import to_tar


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """An empty store; the working folder is empty too."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    opened = Store.open(tmp_path / "home")
    yield opened
    opened.close()


@pytest.mark.parametrize("name", [*GOOD, *MISBEHAVING])
def test_the_sample_bots_are_there_and_fit(name: str) -> None:
    """Each is a submission that nothing speaks against."""
    folder = sample_bot(name)
    assert folder is not None
    assert examine(folder).findings == ()


def test_what_lies_here_comes_before_what_the_arena_keeps(store: Store) -> None:
    """A sample's name, then the arena's bot of that name, then a folder of that name."""
    sample = contestants.find(store, "greedy")
    kept = contestants.from_path(new_bot("greedy", "claims", Path()))
    assert contestants.find(store, "greedy").digest == kept.digest != sample.digest
    Path("greedy").rename("elsewhere")
    version = contestants.submit(store, kept)
    found = contestants.find(store, "greedy")
    assert (found.digest, found.version) == (kept.digest, str(version.number))
    assert contestants.find(store, "greedy:1").digest == kept.digest


def test_the_same_files_are_one_version(store: Store) -> None:
    """Submitting twice keeps one; a change makes the next number."""
    folder = new_bot("mine", "claims", Path())
    numbers = [contestants.submit(store, contestants.from_path(folder)).number for _ in range(2)]
    (folder / "bot.py").write_text((folder / "bot.py").read_text() + "\n# better\n")
    numbers.append(contestants.submit(store, contestants.from_path(folder)).number)
    assert numbers == [1, 1, 2]


@pytest.mark.parametrize("bot", ["nobody", "nobody:3", "./nobody", "x" * 5000, ""])
def test_a_bot_that_is_nowhere_is_an_error_for_people(store: Store, bot: str) -> None:
    """Also for a name that no file system can hold, and for none."""
    with pytest.raises(ArenaError):
        contestants.find(store, bot)


def test_a_bot_for_another_game_is_refused(store: Store) -> None:
    """It says what the bot plays."""
    with pytest.raises(ArenaError, match="counter plays claims, claim, not claro"):
        contestants.find_all(store, ["counter"], "claro")


def test_one_version_cannot_stand_twice_in_a_field(store: Store) -> None:
    """Two names for the same files are the same bot."""
    found = contestants.find_all(store, ["greedy", "greedy"], "claims")
    with pytest.raises(ArenaError, match="same code"):
        contestants.distinct(found)


def test_a_bot_of_the_arena_that_is_out_of_use_is_no_sample_bot(store: Store) -> None:
    """Who names a retired bot, or a version that isn't there, is told so."""
    kept = contestants.submit(store, contestants.from_path(new_bot("greedy", "claims", Path())))
    Path("greedy").rename("elsewhere")
    store.roster.retire("greedy")
    with pytest.raises(ArenaError, match="bot 'greedy' is retired"):
        contestants.find(store, "greedy")
    with pytest.raises(ArenaError, match=r"bot 'greedy' has no version '2': it has 1"):
        contestants.find(store, "greedy:2")
    assert contestants.find(store, "greedy:1").digest == kept.digest


def test_a_bot_that_is_kept_already_is_entered_whosoever_it_is(
    store: Store, tmp_path: Path
) -> None:
    """It is not handed in once more in another author's name."""
    contestant = contestants.from_path(new_bot("mine", "claims", tmp_path))
    new = contestants.new_version(contestant.submission, "olga")
    version = store.add_version(new, to_tar(contestant.submission))
    assert contestants.submit(store, contestants.find(store, "mine")) == version
    with pytest.raises(NameTaken):
        contestants.submit(store, contestant)
