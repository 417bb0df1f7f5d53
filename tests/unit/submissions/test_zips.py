"""Zips that an honest tool writes are read; every other one is refused with its line."""

import io
import stat
import struct
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.submissions.archive import read_archive
from arena.submissions.errors import SubmissionError
from arena.submissions.limits import Limits

BOT = {"bot.toml": b'name = "a"\ngame = "claims"\n', "bot.py": b"print(1)\n"}


def packed(
    *members: tuple[zipfile.ZipInfo | str, bytes], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """A zip of a good bot and `members`."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as target:
        for name, content in (*BOT.items(), *members):
            target.writestr(name, content)
    return buffer.getvalue()


def typed(name: str, mode: int) -> zipfile.ZipInfo:
    """A member with a Unix type and mode."""
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def refusal(content: bytes, limits: Limits | None = None) -> str:
    """The line that an archive is refused with."""
    with pytest.raises(SubmissionError) as caught:
        read_archive(content, limits or Limits())
    line = str(caught.value)
    assert line.isprintable()
    assert line.isascii()
    return line


def patched(content: bytes, magic: bytes, at: int, form: str, value: int) -> bytes:
    """`content` with the number at `at` of its last record that begins with `magic` changed."""
    start = content.rindex(magic) + at
    field = struct.pack(form, value)
    return content[:start] + field + content[start + len(field) :]


LOCAL, ENTRY, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"


@pytest.mark.parametrize(
    ("info", "line"),
    [
        ("../evil.py", "'../evil.py' has \"..\" in its path"),
        ("/etc/passwd", "'/etc/passwd' is an absolute path"),
        ("a\\b.py", "'a\\\\b.py' has a backslash in its name"),
        ("C:/x.py", "'C:/x.py' has a colon in its name"),
        ("BOT.py", "'bot.py' and 'BOT.py' differ only in upper and lower case"),
        ("bot.py/x.py", "'bot.py' is both a file and a folder"),
        ("a\x1b.py", "'a\\x1b.py' has a control character in its name"),
        ("a\u202e.py", "has a name that is not plain ASCII; rename it"),
        ("\u00e9.py", "has a name that is not plain ASCII; rename it"),
        ("n" * 101, "has a name longer than 100 characters"),
        ("d/" * 12 + "x", "lies more than 10 levels deep"),
        (typed("link", stat.S_IFLNK | 0o777), "'link' is a symbolic link; put the file itself"),
        (typed("fifo", stat.S_IFIFO | 0o644), "'fifo' is neither a file nor a folder"),
        (typed("dev", stat.S_IFCHR | 0o644), "'dev' is neither a file nor a folder"),
        (typed("su", stat.S_IFREG | 0o4755), "'su' has its set-user-id or set-group-id bit on"),
        (typed("d", stat.S_IFDIR | 0o755), "'d' is both a file and a folder"),
        (typed("d/", stat.S_IFREG | 0o644), "'d/' is both a file and a folder"),
    ],
)
def test_each_name_and_type_gets_its_line(info: zipfile.ZipInfo | str, line: str) -> None:
    """A member with a bad name or type has the zip refused with the line that names it."""
    assert line in refusal(packed((info, b"x")))


def test_a_name_with_nul_is_refused() -> None:
    """A NUL, at which other readers cut the name, has the zip refused."""
    content = packed(("good.pyX", b"x")).replace(b"good.pyX", b"good.py\0")
    assert "'good.py\\x00' has a control character in its name" in refusal(content)


def test_two_members_of_one_name_are_refused() -> None:
    """Readers disagree on which of two members counts, so neither does."""
    content = packed(("xot.py", b"x")).replace(b"xot.py", b"bot.py")
    assert refusal(content) == "the zip has two members of one name; pack the folder again"


@pytest.mark.parametrize(
    ("magic", "at", "form", "value", "line"),
    [
        (ENTRY, 8, "<H", 1, "described in two ways"),
        (ENTRY, 10, "<H", 12, "described in two ways"),
        (ENTRY, 16, "<L", 0, "described in two ways"),
        (ENTRY, 20, "<L", 1, "described in two ways"),
        (ENTRY, 24, "<L", 1, "described in two ways"),
        (ENTRY, 24, "<L", 0xFFFFFFFF, "written as zip64"),
        (ENTRY, 20, "<L", 0xFFFFFFFF, "written as zip64"),
        (ENTRY, 42, "<L", 0xFFFFFFFF, "written as zip64"),
        (ENTRY, 42, "<L", 0xFFFFFFF0, "the zip is damaged"),
        (ENTRY, 42, "<L", 0, "shares bytes with another file"),
        (ENTRY, 28, "<H", 0xFFFF, "the zip is damaged"),
        (ENTRY, 0, "<L", 0, "the zip is damaged"),
        (LOCAL, 0, "<L", 0, "the zip is damaged"),
        (LOCAL, 26, "<H", 3, "described in two ways"),
        (LOCAL, 30, "<B", 0x7A, "described in two ways"),
        (LOCAL, 18, "<L", 5, "described in two ways"),
        (LOCAL, 22, "<L", 5, "described in two ways"),
        (END, 4, "<H", 1, "one of several parts"),
        (END, 10, "<H", 2, "one of several parts"),
        (END, 16, "<L", 0xFFFFFFFF, "written as zip64"),
        (END, 16, "<L", 0, "the zip is damaged"),
        (END, 12, "<L", 0, "the zip is damaged"),
        (END, 20, "<H", 9, "the zip is cut short"),
    ],
)
def test_each_lie_gets_its_line(magic: bytes, at: int, form: str, value: int, line: str) -> None:
    """A number changed in one record only, or out of range, has the zip refused."""
    assert line in refusal(patched(packed(("x.py", b"x" * 50)), magic, at, form, value))


def both(content: bytes, local_at: int, entry_at: int, form: str, value: int) -> bytes:
    """`content` with the same lie in the last member's own header and in the directory."""
    return patched(patched(content, LOCAL, local_at, form, value), ENTRY, entry_at, form, value)


@pytest.mark.parametrize(
    ("local_at", "entry_at", "form", "value", "line"),
    [
        (6, 8, "<H", 1, "'x.py' is encrypted; pack the folder without a password"),
        (6, 8, "<H", 1 << 6, "'x.py' is encrypted; pack the folder without a password"),
        (6, 8, "<H", 1 << 13, "'x.py' is encrypted; pack the folder without a password"),
        (8, 10, "<H", 12, "'x.py' is packed by a method other than deflate"),
        (8, 10, "<H", 0, "'x.py' is not what the zip says it is"),
        (14, 16, "<L", 7, "'x.py' is not what the zip says it is"),
        (22, 24, "<L", 49, "'x.py' is not what the zip says it is"),
        (22, 24, "<L", 51, "'x.py' is not what the zip says it is"),
        (22, 24, "<L", 0, "'x.py' is not what the zip says it is"),
        (22, 24, "<L", 0x7FFFFFFF, "unpacks to more than 200 times its size"),
        (18, 20, "<L", 3, "'x.py' is not what the zip says it is"),
        (18, 20, "<L", 500, "the zip is damaged"),
    ],
)
def test_each_consistent_lie_gets_its_line(
    local_at: int, entry_at: int, form: str, value: int, line: str
) -> None:
    """A lie that both records tell is found when the content is looked at, or before."""
    content = both(packed(("x.py", b"x" * 50)), local_at, entry_at, form, value)
    assert line in refusal(content)


def test_all_members_sharing_one_bomb_is_refused() -> None:
    """Overlapping members, a bomb without a large file, are refused before any is unpacked."""
    content = packed(("x.py", bytes(900_000)), ("y.py", bytes(900_000)))
    first = content.index(LOCAL, content.index(b"x.py") - 30)
    overlapping = patched(content, ENTRY, 42, "<L", first)
    assert "shares bytes with another file of the zip" in refusal(overlapping)


def test_a_bomb_by_ratio_is_refused_before_it_is_unpacked() -> None:
    """Two MiB of zeros in two KiB are refused; the same with a raised limit is read."""
    content = packed(("x.bin", bytes(2 << 20)))
    assert "unpacks to more than 200 times its size" in refusal(content)
    assert len(read_archive(content, Limits(ratio=5000)).content("x.bin")) == 2 << 20


def test_a_zip64_end_is_refused() -> None:
    """The zip64 end record, which could tell another story, has the zip refused."""
    content = packed()
    at = content.rindex(END)
    end64 = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 2, 2, 0, 0)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    assert "written as zip64" in refusal(content[:at] + end64 + locator + content[at:])


def test_a_zip64_field_in_the_directory_is_refused() -> None:
    """A zip64 field of a member is refused even where the plain sizes are there."""
    info = zipfile.ZipInfo("x.py")
    info.extra = struct.pack("<2H2Q", 1, 16, 1, 1)
    assert "written as zip64" in refusal(packed((info, b"x")))


def test_bytes_before_the_zip_are_refused() -> None:
    """A zip that begins with a zip of other content is refused, whichever is meant."""
    assert "the zip is damaged" in refusal(packed(("x.py", b"x")) + packed())


def test_a_comment_is_read_past() -> None:
    """A zip with a comment is read, also if the comment looks like the end of a zip."""
    for comment in (b"a" * 40, END, END + bytes(18)):
        buffer = io.BytesIO(packed())
        with zipfile.ZipFile(buffer, "a") as target:
            target.comment = comment + b"."
        assert read_archive(buffer.getvalue()).manifest.name == "a"


def test_the_number_of_members_is_limited() -> None:
    """Reading stops at the limit of members."""
    content = packed(*[(f"f{n}", b"") for n in range(30)])
    assert "holds more than 20 files and folders" in refusal(content, Limits(members=20))


def test_a_large_file_is_refused_by_what_it_says() -> None:
    """A file over the limit is refused before it is unpacked."""
    content = packed(("x.bin", b"x" * 2000))
    limits = Limits(file_bytes=1000)
    assert refusal(content, limits) == "'x.bin' is larger than 1000 bytes; make the file smaller"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_methods_are_refused(method: int) -> None:
    """bzip2 and lzma, whose memory is not bounded so easily, are refused."""
    assert "by a method other than deflate" in refusal(packed(method=method))


def test_a_stored_zip_is_read() -> None:
    """Files that are not compressed are read."""
    assert read_archive(packed(method=zipfile.ZIP_STORED)).content("bot.py") == b"print(1)\n"


def test_a_zip_written_as_a_stream_is_read() -> None:
    """A writer that learns sizes late puts zeros into the file's own header; that is no lie."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.written = b""

        def writable(self) -> bool:
            return True

        def write(self, data: bytes, /) -> int:  # type: ignore[override]
            self.written += bytes(data)
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in BOT.items():
            target.writestr(name, content)
    assert read_archive(pipe.written).content("bot.py") == b"print(1)\n"


def test_an_empty_zip_says_what_is_missing() -> None:
    """A zip of nothing is told to bring a manifest."""
    buffer = io.BytesIO()
    zipfile.ZipFile(buffer, "w").close()
    assert refusal(buffer.getvalue()).startswith("no bot.toml at the top; add one")


def test_links_in_what_is_left_out_are_no_reason() -> None:
    """A link in `.venv` and macOS's own members do not matter."""
    junk = packed(
        (typed(".venv/bin/python", stat.S_IFLNK | 0o777), b"/usr/bin/python3"),
        ("__MACOSX/._bot.py", b"junk"),
    )
    assert read_archive(junk).digest == read_archive(packed()).digest


@settings(deadline=None)
@given(st.data())
def test_a_changed_byte_never_escapes(data: st.DataObject) -> None:
    """Whatever byte is changed, the zip gives the same files or is refused with one line."""
    content = packed()
    changed = bytearray(content)
    at = data.draw(st.integers(0, len(content) - 1))
    changed[at] = data.draw(st.integers(0, 255))
    try:
        submission = read_archive(bytes(changed))
    except SubmissionError as error:
        assert str(error).isprintable()  # noqa: PT017 - either outcome is right
    else:
        assert submission == read_archive(content)


def test_the_checksum_is_looked_at() -> None:
    """A stored file whose content was changed is refused."""
    content = packed(("x.py", b"abcdef"), method=zipfile.ZIP_STORED)
    assert zlib.crc32(b"abcdef") != zlib.crc32(b"abcdeX")
    assert "is not what the zip says it is" in refusal(content.replace(b"abcdef", b"abcdeX"))
