"""A folder is read as it lies there; whatever is not a plain file or folder is refused."""

import os
import socket
from pathlib import Path

import pytest

from arena.submissions.archive import read_submission
from arena.submissions.errors import SubmissionError
from arena.submissions.folders import read_folder
from arena.submissions.limits import Limits


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A good bot's folder."""
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "a"\ngame = "claims"\n')
    (folder / "bot.py").write_text("print(1)\n")
    return folder


def refusal(folder: Path, limits: Limits | None = None) -> str:
    """The line that a folder is refused with."""
    with pytest.raises(SubmissionError) as caught:
        read_submission(folder, limits or Limits())
    line = str(caught.value)
    assert line.isprintable()
    assert line.isascii()
    return line


def test_files_are_read_in_the_order_of_their_paths(bot: Path) -> None:
    """All files are there, sorted by path, whatever order the file system gives."""
    for name in ("z.py", "a/x.py", "a/b/c.txt"):
        (bot / name).parent.mkdir(parents=True, exist_ok=True)
        (bot / name).write_text(name)
    paths = [file.path for file in read_folder(bot).files]
    assert paths == ["a/b/c.txt", "a/x.py", "bot.py", "bot.toml", "z.py"]


def test_what_is_not_the_bot_is_left_out(bot: Path) -> None:
    """Caches, virtual environments and version control are no part of it, whatever they hold."""
    before = read_folder(bot)
    for name in ("__pycache__/x.pyc", ".git/config", ".venv/bin/x", "lib/__pycache__/y", "z.pyc"):
        (bot / name).parent.mkdir(parents=True, exist_ok=True)
        (bot / name).write_text("x")
    (bot / ".venv/bin/python").symlink_to("/usr/bin/python3")
    assert read_folder(bot) == before


def test_a_symlink_is_refused_and_not_followed(bot: Path) -> None:
    """A link to a file or folder, inside or outside, is refused."""
    (bot / "link.py").symlink_to("bot.py")
    assert refusal(bot) == "'link.py' is a symbolic link; put the file itself there"
    (bot / "link.py").unlink()
    (bot / "etc").symlink_to("/etc")
    assert refusal(bot) == "'etc' is a symbolic link; put the file itself there"


def test_a_link_to_the_bots_folder_may_be_given(bot: Path, tmp_path: Path) -> None:
    """The path that a user types may go through links: they are the user's own."""
    (tmp_path / "latest").symlink_to(bot)
    assert read_submission(tmp_path / "latest") == read_folder(bot)


def test_pipes_sockets_and_devices_are_refused(bot: Path) -> None:
    """Things that are no files are refused at once, without waiting for a writer."""
    os.mkfifo(bot / "pipe")
    assert refusal(bot) == "'pipe' is a named pipe; remove it"
    (bot / "pipe").unlink()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(bot / "sock"))
        assert refusal(bot) == "'sock' is a socket; remove it"


def test_a_set_user_id_bit_is_refused(bot: Path) -> None:
    """A file that would run as its owner is refused."""
    (bot / "bot.py").chmod(0o4755)
    assert "'bot.py' has its set-user-id or set-group-id bit on" in refusal(bot)


def test_a_set_group_id_folder_is_no_reason(bot: Path) -> None:
    """Shared folders have that bit on; the modes of folders are never used."""
    before = read_folder(bot)
    bot.chmod(0o2775)
    assert read_folder(bot) == before


def test_names_are_checked(bot: Path) -> None:
    """Names that other systems could not hold are refused, escaped."""
    for name, line in (
        ("a\nb.py", "'a\\nb.py' has a control character in its name; rename it"),
        ("a:b.py", "'a:b.py' has a colon in its name, as a drive letter would; rename it"),
        ("\u00e9.py", "'\\xe9.py' has a name that is not plain ASCII; rename it"),
        ("what?.py", "'what?.py' has the character ? in its name; rename it"),
        ("BOT.py", "'BOT.py' and 'bot.py' differ only in upper and lower case; rename one"),
    ):
        (bot / name).write_text("x")
        assert refusal(bot) == line
        (bot / name).unlink()


def test_a_name_that_is_no_text_is_refused(bot: Path) -> None:
    """A file name of bytes that are no UTF-8 is refused with one printable line."""
    Path(os.fsdecode(os.fsencode(bot) + b"/\xff.py")).write_text("x")
    assert "has a name that is not plain ASCII" in refusal(bot)


def test_depth_is_limited(bot: Path) -> None:
    """A folder of any depth is refused at the limit."""
    deep = bot.joinpath(*["d"] * 200)
    deep.mkdir(parents=True)
    assert "lies more than 10 levels deep" in refusal(bot)


def test_sizes_and_numbers_are_limited(bot: Path) -> None:
    """One file, all files and the number of files have limits, sparse files included."""
    with (bot / "huge.bin").open("wb") as huge:
        huge.truncate(1 << 40)
    assert refusal(bot) == "'huge.bin' is larger than 16 MiB; make the file smaller"
    (bot / "huge.bin").unlink()
    for n in range(5):
        (bot / f"f{n}").write_bytes(bytes(100))
    assert "holds more than 300 bytes unpacked" in refusal(bot, Limits(total_bytes=300))
    assert "holds more than 4 files and folders" in refusal(bot, Limits(members=4))


def test_an_unreadable_path_gets_its_line(tmp_path: Path) -> None:
    """A path that is not there, or is neither folder nor file, gets one line."""
    told = refusal(Path("no"))
    assert told == "can't read no: No such file or directory; name a bot's folder or archive"
    assert "File name too long; name" in refusal(tmp_path / ("n" * 300))
    os.mkfifo(tmp_path / "pipe")
    assert refusal(tmp_path / "pipe") == "the submission is neither a folder nor an archive file"


def test_a_missing_manifest_gets_its_line(bot: Path, tmp_path: Path) -> None:
    """A folder without a manifest is told what to add, or which folder was meant."""
    assert refusal(tmp_path) == "no bot.toml at the top, but one in 'bot'; submit that folder"
    (bot / "bot.toml").unlink()
    assert refusal(bot) == (
        'no bot.toml at the top; add one with the lines name = "my-bot" and game = "claims"'
    )


def test_a_missing_entrypoint_gets_its_line(bot: Path) -> None:
    """A manifest that names a file that is not there is told so."""
    (bot / "bot.py").unlink()
    assert refusal(bot) == (
        "bot.toml: \"entrypoint\" is 'bot.py', and there is no such file; add it, or name the file"
        " that starts the bot"
    )
