"""Tars that an honest tool writes are read; every other one is refused with its line."""

import io
import tarfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.submissions.archive import read_archive
from arena.submissions.errors import SubmissionError
from arena.submissions.limits import Limits

BOT = (("bot.toml", b'name = "a"\ngame = "claims"\n'), ("bot.py", b"print(1)\n"))


def header(
    name: bytes = b"x.py",
    size: bytes | int = 0,
    kind: bytes = b"0",
    *,
    mode: bytes = b"0000644\0",
    magic: bytes = b"ustar\x0000",
    prefix: bytes = b"",
) -> bytes:
    """A tar header as hostile as wanted, with a checksum that holds."""
    stated = b"%011o\0" % size if isinstance(size, int) else size
    block = bytearray(512)
    for at, field in ((0, name), (100, mode), (124, stated), (156, kind), (257, magic)):
        block[at : at + len(field)] = field
    block[345 : 345 + len(prefix)] = prefix
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def member(name: bytes, content: bytes, kind: bytes = b"0") -> bytes:
    """A header and its content, padded."""
    return header(name, len(content), kind) + content + bytes(-len(content) % 512)


END = bytes(1024)
GOOD = b"".join(member(name.encode(), content) for name, content in BOT)


def refusal(content: bytes, limits: Limits | None = None) -> str:
    """The line that an archive is refused with."""
    with pytest.raises(SubmissionError) as caught:
        read_archive(content, limits or Limits())
    line = str(caught.value)
    assert line.isprintable()
    assert line.isascii()
    return line


def test_a_plain_tar_is_read() -> None:
    """The tar that the attacks below are made from is taken by itself."""
    assert [f.path for f in read_archive(GOOD + END).files] == ["bot.py", "bot.toml"]


@pytest.mark.parametrize(
    ("attack", "line"),
    [
        (header(b"../evil.py"), "'../evil.py' has \"..\" in its path"),
        (header(b"a/../../evil.py"), "'a/../../evil.py' has \"..\" in its path"),
        (header(b"evil.py", prefix=b".."), "'../evil.py' has \"..\" in its path"),
        (header(b"/etc/passwd"), "'/etc/passwd' is an absolute path"),
        (header(b"passwd", prefix=b"/etc"), "'/etc/passwd' is an absolute path"),
        (header(b"a\\b.py"), "'a\\\\b.py' has a backslash in its name"),
        (header(b"C:/x.py"), "'C:/x.py' has a colon in its name"),
        (header(b"link", kind=b"2"), "'link' is a symbolic link; put the file itself there"),
        (
            header(b"link", kind=b"2") + member(b"link/x.py", b"x"),
            "'link' is a symbolic link; put the file itself there",
        ),
        (header(b"hard", kind=b"1"), "'hard' is a hard link; put the file itself there"),
        (header(b"dev", kind=b"3"), "'dev' is a device; remove it"),
        (header(b"dev", kind=b"4"), "'dev' is a device; remove it"),
        (header(b"fifo", kind=b"6"), "'fifo' is a named pipe; remove it"),
        (header(b"thin", kind=b"S"), "'thin' is stored as a sparse file"),
        (header(b"odd", kind=b"Z"), "'odd' is of a kind that is not known; leave it out"),
        (header(b"su", mode=b"0004755\0"), "'su' has its set-user-id or set-group-id bit on"),
        (header(b"sg", mode=b"0002755\0"), "'sg' has its set-user-id or set-group-id bit on"),
        (header(size=b"-0000000001\0"), "'x.py' has a size or mode that is no number"),
        (header(size=b"\xff" * 12), "'x.py' has a size or mode that is no number"),
        (header(size=b"\x80" + b"\xff" * 11), "'x.py' is larger than 16 MiB"),
        (header(size=b"77777777777\0"), "'x.py' is larger than 16 MiB"),
        (header(size=b"0x10\0"), "'x.py' has a size or mode that is no number"),
        (header(size=1000), "the archive is cut short"),
        (header(b"dir", size=5, kind=b"5"), "'dir' is a folder with content"),
        (member(b"bot.py", b"x"), "'bot.py' is there twice; pack the folder again"),
        (member(b"./bot.py", b"x"), "'bot.py' is there twice; pack the folder again"),
        (member(b"Bot.py", b"x"), "'bot.py' and 'Bot.py' differ only in upper and lower case"),
        (member(b"bot.py/x.py", b"x"), "'bot.py' is both a file and a folder; rename one"),
        (header(b"bot.py/", kind=b"5"), "'bot.py' is both a file and a folder; rename one"),
        (
            member(b"A/x.py", b"x") + member(b"a/y.py", b"x"),
            "'A' and 'a' differ only in upper and lower case",
        ),
        (header(b"a\x1b[31m.py"), "'a\\x1b[31m.py' has a control character in its name"),
        (header(b"a\nb.py"), "'a\\nb.py' has a control character in its name"),
        (header("a\u202epy.b".encode()), "'a\\xe2\\x80\\xaepy.b' has a name that is not plain"),
        (header(b"a//b.py"), "'a//b.py' has an empty part"),
        (header(b"a/./b.py"), "'a/./b.py' has an empty part"),
        (header(b"a./b.py"), "'a./b.py' has a name that begins or ends with a space"),
        (header(b""), "'' has an empty part"),
        (header(b"d/" * 12 + b"x.py"), "lies more than 10 levels deep; make the folders flatter"),
        (member(b"long", b"n" * 101 + b"\0", b"L") + header(), "has a name longer than 100"),
        (member(b"long", b"a\0b.py\0", b"L") + header(), "'a\\x00b.py' has a control character"),
        (
            member(b"long", b"/".join([b"n" * 60] * 6), b"L") + header(),
            "is a path longer than 200 characters; shorten it",
        ),
        (header(b"long", size=70_000, kind=b"L"), "longer than 64 KiB; pack the folder again"),
        (member(b"l", b"a", b"L") * 2 + header(), "the tar has two long names for one file"),
        (member(b"pax", b"18 path=../evil.py\n"[:18], b"x") + header(), "damaged extended header"),
        (member(b"pax", b"19 path=../evil.py\n", b"x") + header(), "'../evil.py' has \"..\""),
        (member(b"pax", b"999999 path=x\n", b"x") + header(), "damaged extended header"),
        (member(b"pax", b"0 path=x\n", b"x") + header(), "damaged extended header"),
        (member(b"pax", b"10 size=5\n", b"x") + header(), "'x.py' states two sizes"),
        (member(b"pax", b"11 size=-5\n", b"x") + header(), "'x.py' states two sizes"),
        (
            member(b"pax", b"22 GNU.sparse.major=1\n", b"x") + header(),
            "'x.py' is stored as a sparse file",
        ),
        (member(b"pax", b"15 path=evil.p\n", b"g"), "the tar sets 'path' for all its files"),
        (member(b"l", b"a", b"L"), "the archive is cut short"),
        (b"\1" * 512, "the tar is damaged (a header's checksum is wrong)"),
    ],
)
def test_each_attack_gets_its_line(attack: bytes, line: str) -> None:
    """Each attack, added to a good tar, has it refused with the line that names it."""
    assert line in refusal(GOOD + attack + END)


def test_data_after_the_end_is_refused() -> None:
    """What follows the end, where other readers may go on reading, has the tar refused."""
    assert "data after its end" in refusal(GOOD + END + GOOD + END)
    assert "data after its end" in refusal(GOOD + bytes(512) + GOOD + END)


@pytest.mark.parametrize("size", [1, 511, 512, 700, len(GOOD)])
def test_a_tar_that_ends_early_is_refused(size: int) -> None:
    """A tar that is cut anywhere before its end is refused."""
    assert refusal(GOOD[:size]) in {
        "the archive is cut short; pack or send it again",
        "this is no archive that can be read; send a folder, .zip, .tar, .tar.gz or .tar.zst",
    }


def test_a_million_tiny_files_are_refused_early() -> None:
    """Reading stops at the limit of members, however many more there are."""
    many = b"".join(member(b"f%d" % n, b"") for n in range(30))
    line = refusal(GOOD + many + END, Limits(members=20))
    assert line.startswith("holds more than 20 files and folders")


def test_folders_and_left_out_files_count_as_members() -> None:
    """An archive of nothing but folders, or of what is left out, meets the limit as well."""
    folders = b"".join(header(b"d%d/" % n, kind=b"5") for n in range(30))
    junk = b"".join(member(b".git/%d" % n, b"") for n in range(30))
    for many in (folders, junk):
        assert "holds more than 20" in refusal(GOOD + many + END, Limits(members=20))


def test_the_sum_of_the_files_is_limited() -> None:
    """Files that are small enough one by one are refused when they are too much together."""
    files = b"".join(member(b"f%d" % n, b"x" * 900) for n in range(10))
    line = refusal(GOOD + files + END, Limits(total_bytes=5000))
    assert line == "holds more than 4.883 KiB unpacked; send only what the bot needs"


def test_what_is_left_out_can_not_grow_without_end() -> None:
    """Contents that are skipped are bounded too: reading them costs time."""
    junk = b"".join(member(b".git/%d" % n, bytes(4096)) for n in range(10))
    line = refusal(GOOD + junk + END, Limits(total_bytes=10_000, members=12))
    assert line.startswith("the archive unpacks to more than 43.53 KiB")


def test_what_is_left_out_may_be_anything() -> None:
    """A link in `.venv` is no reason to refuse: it is never looked at again."""
    junk = header(b".venv/bin/python", kind=b"2") + header(b".git/fifo", kind=b"6")
    assert read_archive(GOOD + junk + END).digest == read_archive(GOOD + END).digest


@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_names_are_read_in_all_three_formats(format: int) -> None:  # noqa: A002
    """A path of 190 characters comes through ustar, GNU and pax headers alike."""
    long = "/".join(["n" * 94, "m" * 95])
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=format) as tar:
        for name, content in (*BOT, (long, b"data")):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    assert read_archive(buffer.getvalue()).content(long) == b"data"


def test_a_v7_header_is_read() -> None:
    """The oldest form, without a magic and with NUL as a file's kind, is read."""
    old = header(b"old.py", kind=b"\0", magic=b"")
    assert read_archive(GOOD + old + END).content("old.py") == b""


def test_a_global_comment_is_read() -> None:
    """git's own tars begin with a global header that holds the commit's id."""
    comment = member(b"pax_global_header", b"52 comment=" + b"a" * 40 + b"\n", b"g")
    assert read_archive(comment + GOOD + END).manifest.name == "a"


@settings(deadline=None)
@given(st.integers(0, len(GOOD) - 1), st.integers(0, 255))
def test_a_changed_byte_never_escapes(at: int, value: int) -> None:
    """Whatever byte is changed, the tar is read or refused with one line."""
    changed = bytearray(GOOD + END)
    changed[at] = value
    try:
        read_archive(bytes(changed))
    except SubmissionError as error:
        assert str(error).isprintable()  # noqa: PT017 - either outcome is right
