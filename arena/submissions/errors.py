"""What can be wrong with a submission or an image, as one line each.

    SubmissionError              the author must change something
    +-- ManifestError            ... in bot.toml
    +-- ArchiveError             ... in the folder's or archive's names, types or sizes
    ImageError                   the operator must change something

Every message is one printable ASCII line that says what to do. Text that came from a stranger gets
into a message only through `shown`.
"""


class SubmissionError(Exception):
    """The submission is refused; the message says what its author should change."""


class ManifestError(SubmissionError):
    """`bot.toml` is missing, unreadable or says something that it may not."""


class ArchiveError(SubmissionError):
    """The folder or archive breaks a rule about names, types, sizes or its own format."""


class ImageError(Exception):
    """An image could not be built or used; the message says what the operator can do."""


def shown(value: object, limit: int = 60) -> str:
    """A stranger's text made safe to print: quoted, escaped, cut to about `limit` characters."""
    text = ascii(value if len(str(value)) <= limit else str(value)[:limit])
    return text if len(str(value)) <= limit else f"{text}..."


def one_line(text: str, limit: int = 300) -> str:
    """A foreign program's or library's message as one printable line of at most `limit`."""
    words = " ".join(text.split())
    plain = "".join(c if c.isprintable() and c.isascii() else "?" for c in words)
    return plain if len(plain) <= limit else plain[: limit - 3] + "..."


def innermost(error: BaseException) -> str:
    """What lies at the bottom of a chain of exceptions, such as "Permission denied"."""
    while deeper := error.__cause__ or error.__context__:
        error = deeper
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return one_line(said) or type(error).__name__
