"""The digest and the tree are the same however a bot was packed, and come out as they went in."""

import gzip
import io
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.submissions.archive import read_archive, read_submission
from arena.submissions.errors import ArchiveError, SubmissionError
from arena.submissions.limits import Limits
from arena.submissions.names import check_path, ignored
from arena.submissions.submission import Submission, assemble, to_tar, unpack
from arena.submissions.tree import File

MANIFEST = File("bot.toml", b'name = "a"\ngame = "claims"\nentrypoint = "bot.py"\n')
ENTRYPOINT = File("bot.py", b"print(1)\n")

Files = Sequence[File]


def as_tar(files: Files, mtime: int = 0, format: int = tarfile.PAX_FORMAT) -> bytes:  # noqa: A002
    """A tar of the files in the given order."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=format) as tar:
        for file in files:
            info = tarfile.TarInfo(file.path)
            info.size, info.mtime, info.uid, info.mode = len(file.content), mtime, 1000, 0o755
            tar.addfile(info, io.BytesIO(file.content))
    return buffer.getvalue()


def as_zip(files: Files) -> bytes:
    """A zip of the files in the given order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for file in files:
            target.writestr(file.path, file.content)
    return buffer.getvalue()


PACKERS: tuple[Callable[[Files], bytes], ...] = (
    as_tar,
    as_zip,
    lambda files: as_tar(files, mtime=1_700_000_000, format=tarfile.GNU_FORMAT),
    lambda files: gzip.compress(as_tar(files)),
    lambda files: zstandard.compress(as_tar(files)),
    lambda files: as_tar([File(f"wrapper/{f.path}", f.content) for f in files]),
    lambda files: as_zip([File(f"{'w' * 100}/{f.path}", f.content) for f in files]),
)

names = st.text("abcdefghij-_.0123456789 ", min_size=1, max_size=12).filter(
    lambda name: name == name.strip(" ") and not name.endswith(".") and not ignored(name)
)
paths = st.lists(names, min_size=1, max_size=4).map("/".join)


@st.composite
def trees(draw: st.DrawFn) -> list[File]:
    """The files of a good bot in any order, no path of which lies below another's."""
    contents = draw(st.dictionaries(paths, st.binary(max_size=700), max_size=6))
    contents = {
        path: content
        for path, content in contents.items()
        if not any(other.startswith(f"{path}/") for other in contents)
        and path.split("/")[0] not in {"bot.py", "bot.toml"}
    }
    files = [MANIFEST, ENTRYPOINT, *(File(p, c) for p, c in contents.items())]
    return draw(st.permutations(files))


@settings(deadline=None)
@given(trees())
def test_packing_makes_no_difference(files: list[File]) -> None:
    """Order, archive type, times, modes, owners and a wrapping folder leave all as it is."""
    first = assemble(files)
    for pack in PACKERS:
        assert read_archive(pack(files)) == first


@settings(deadline=None)
@given(trees())
def test_our_own_tar_is_deterministic_and_read_back(files: list[File]) -> None:
    """to_tar depends on nothing but the files, and gives them back."""
    submission = assemble(files)
    assert to_tar(submission) == to_tar(assemble(sorted(files, key=lambda f: f.content)))
    assert read_archive(to_tar(submission)) == submission
    assert read_archive(to_tar(submission, "bot/")) == submission


@settings(deadline=None)
@given(trees(), st.data())
def test_any_change_changes_the_digest(files: list[File], data: st.DataObject) -> None:
    """Changing one file's content, moving it or leaving it out gives another digest."""
    one = data.draw(st.sampled_from(files))
    rest = [file for file in files if file is not one]
    digests = {
        digest_of_lines(tree)
        for tree in (
            files,
            rest,
            [*rest, File(one.path, one.content + b"x")],
            [*rest, File(f"{one.path}x", one.content)],
        )
    }
    assert len(digests) == 4


def digest_of_lines(files: Files) -> str:
    """The digest written down once more from its description."""
    lines = sorted(f"{f.path}\n{sha256(f.content).hexdigest()}  {f.path}\n" for f in files)
    return sha256("".join(line.split("\n", 1)[1] for line in lines).encode()).hexdigest()


@settings(deadline=None)
@given(trees())
def test_the_digest_is_as_described(files: list[File]) -> None:
    """The digest equals one that is made from its description alone."""
    assert assemble(files).digest == digest_of_lines(files)


def test_the_digest_can_be_made_in_a_shell(tmp_path: Path) -> None:
    """The line of shell in the documentation gives the digest."""
    submission = assemble([MANIFEST, ENTRYPOINT, File("b/-x y.py", b"x"), File("b.py", b"")])
    unpack(submission, tmp_path / "bot")
    line = "find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 sha256sum -- | sha256sum"
    done = subprocess.run(
        ["sh", "-c", line], cwd=tmp_path / "bot", capture_output=True, check=True, text=True
    )
    assert done.stdout.split()[0] == submission.digest


def test_the_digest_never_changes() -> None:
    """A version that was uploaded once keeps its name for ever."""
    digest = assemble([MANIFEST, ENTRYPOINT]).digest
    assert digest == "51076c1df1aae7054034893e3d33261dbbc470d05e0505bd1744629451804844"


def test_unpack_gives_the_same_folder(tmp_path: Path) -> None:
    """What unpack writes is read back as the same submission, whatever lies elsewhere."""
    submission = assemble([MANIFEST, ENTRYPOINT, File("a/b/c.py", b"x")])
    unpack(submission, tmp_path / "new" / "bot")
    assert read_submission(tmp_path / "new" / "bot") == submission


def test_unpack_refuses_a_folder_that_holds_something(tmp_path: Path) -> None:
    """unpack never writes over or beside anything."""
    (tmp_path / "bot.py").write_text("mine")
    with pytest.raises(FileExistsError, match="is not empty; give a new folder"):
        unpack(assemble([MANIFEST, ENTRYPOINT]), tmp_path)
    assert (tmp_path / "bot.py").read_text() == "mine"


def test_our_tar_says_root_and_plain_modes() -> None:
    """Files are 0644, folders 0755, parents first, all owned by root and without a date."""
    submission = assemble([MANIFEST, ENTRYPOINT, File("a/b/c.py", b"x")])
    with tarfile.open(fileobj=io.BytesIO(to_tar(submission, "bot/"))) as tar:
        members = tar.getmembers()
    assert [m.name for m in members] == [
        "bot", "bot/a", "bot/a/b", "bot/a/b/c.py", "bot/bot.py", "bot/bot.toml",
    ]  # fmt: skip
    assert {(m.isdir(), m.mode) for m in members} == {(True, 0o755), (False, 0o644)}
    assert {(m.uid, m.gid, m.mtime, m.uname, m.gname) for m in members} == {(0, 0, 0, "", "")}


def test_only_one_wrapping_folder_is_taken_off() -> None:
    """Two folders around a bot are refused, and the line says where it lies."""
    files = [File(f"a/b/{f.path}", f.content) for f in (MANIFEST, ENTRYPOINT)]
    with pytest.raises(SubmissionError) as caught:
        read_archive(as_tar(files))
    assert str(caught.value) == "no bot.toml at the top, but one in 'a/b'; submit that folder"


def test_a_folder_beside_another_is_no_wrapper() -> None:
    """A wrapping folder is one only if nothing lies beside it."""
    files = [File(f"a/{f.path}", f.content) for f in (MANIFEST, ENTRYPOINT)]
    with pytest.raises(SubmissionError, match="but one in 'a'; submit that folder"):
        read_archive(as_tar([*files, File("README", b"")]))


def test_depth_counts_without_the_wrapper() -> None:
    """A bot of the greatest depth may be packed with its folder; one level more may not."""
    for depth, fits in ((10, True), (11, False)):
        deep = File("/".join("d" * depth), b"")
        wrapped = [File(f"w/{f.path}", f.content) for f in (MANIFEST, ENTRYPOINT, deep)]
        if fits:
            assert deep in read_archive(as_tar(wrapped)).files
        else:
            with pytest.raises(ArchiveError, match="lies more than 10 levels deep"):
                read_archive(as_tar(wrapped))


#: With no time in it, since tests are named after their parameters.
GZIPPED = gzip.compress(as_tar([MANIFEST]), mtime=0)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "this is no archive that can be read; send a folder, .zip, .tar, .tar.gz or"),
        (b"hello" * 500, "this is no archive that can be read"),
        (gzip.compress(b"hello" * 500, mtime=0), "the tar is damaged"),
        (GZIPPED[:-9], "the archive is cut short; pack or send it again"),
        (GZIPPED + b"x", "the gzip has data after its end"),
        (GZIPPED * 2, "the gzip has data after its end"),
        (GZIPPED[:12] + b"\xff" * 9, "the gzip is damaged"),
        (zstandard.compress(as_tar([MANIFEST]))[:-9], "the archive is cut short"),
        (zstandard.compress(as_tar([MANIFEST])) + b"x", "the zstd is damaged"),
        (zstandard.compress(as_tar([MANIFEST])) * 2, "the tar has data after its end"),
        (b"\x28\xb5\x2f\xfd" + b"\xff" * 30, "the zstd is damaged"),
        (b"PK\x03\x04" + bytes(40), "the zip is cut short; pack or send it again"),
    ],
)  # fmt: skip
def test_each_broken_archive_gets_its_line(content: bytes, line: str) -> None:
    """An archive that is cut, continued or no archive at all is refused with its line."""
    with pytest.raises(ArchiveError) as caught:
        read_archive(content)
    assert line in str(caught.value)


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_a_bomb_by_ratio_is_refused(compress: Callable[[bytes], bytes]) -> None:
    """A file of zeros that packs a thousand times smaller is refused while it is unpacked."""
    bomb = compress(as_tar([MANIFEST, ENTRYPOINT, File("x.bin", bytes(8 << 20))]))
    with pytest.raises(ArchiveError, match="unpacks to more than 200 times its size"):
        read_archive(bomb)


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_zeros_without_end_after_the_tar_are_refused(compress: Callable[[bytes], bytes]) -> None:
    """Padding after the tar's end is bounded as well."""
    bomb = compress(as_tar([MANIFEST, ENTRYPOINT]) + bytes(80 << 20))
    with pytest.raises(ArchiveError, match="the archive unpacks to more than"):
        read_archive(bomb, Limits(ratio=1_000_000))


def test_a_zstd_that_wants_much_memory_is_refused() -> None:
    """A window of 128 MiB is refused whatever is in it."""
    parameters = zstandard.ZstdCompressionParameters(window_log=27)
    packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    content = packer.compress(as_tar([MANIFEST, ENTRYPOINT])) + packer.flush()
    with pytest.raises(ArchiveError, match="the zstd is damaged"):
        read_archive(content)


def test_an_archive_that_is_too_large_is_not_looked_at(tmp_path: Path) -> None:
    """The size of the archive itself has a limit, in memory and as a file."""
    with pytest.raises(ArchiveError, match=r"^the archive is larger than 100 bytes; send only"):
        read_archive(bytes(101), Limits(archive_bytes=100))
    with (tmp_path / "bot.zip").open("wb") as huge:
        huge.truncate(1 << 40)
    with pytest.raises(ArchiveError, match="the archive is larger than 24 MiB"):
        read_submission(tmp_path / "bot.zip")


def test_an_archive_on_disk_is_read_by_its_content(tmp_path: Path) -> None:
    """The type of an archive is read from its bytes, not from its name."""
    (tmp_path / "bot.dat").write_bytes(as_zip([MANIFEST, ENTRYPOINT]))
    assert read_submission(tmp_path / "bot.dat") == assemble([MANIFEST, ENTRYPOINT])


def test_content_of_a_missing_path_is_an_error() -> None:
    """Asking a submission for a file that it has not is a KeyError."""
    submission: Submission = assemble([MANIFEST, ENTRYPOINT])
    with pytest.raises(KeyError, match=r"no\.py"):
        submission.content("no.py")


@settings(deadline=None)
@given(st.text(max_size=250))
def test_a_path_that_is_taken_is_harmless(path: str) -> None:
    """Any path that passes is relative, plain, without `..`, and stays below its folder."""
    try:
        check_path(path, Limits())
    except ArchiveError as error:
        assert str(error).isprintable()  # noqa: PT017 - either outcome is right
        assert str(error).isascii()  # noqa: PT017
    else:
        assert path.isascii()
        assert path.isprintable()
        assert not Path(path).is_absolute()
        assert ".." not in Path(path).parts
        assert str(Path(path)) == path


@settings(deadline=None)
@given(paths)
def test_usual_paths_are_taken(path: str) -> None:
    """Paths of letters, digits, dots, dashes and spaces in the middle pass."""
    check_path(path, Limits())
