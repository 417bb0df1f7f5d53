"""A root file system as a tar whose digest tells whether it was imported before."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from tempfile import NamedTemporaryFile

from arena.submissions.errors import ImageError, shown

_MOUNTED = ("./proc/", "./sys/", "./dev/", "./run/", "./tmp/")
"""What an engine mounts over, and what may hold a host's own things while it is in use."""


@contextmanager
def root_tar(root: Path) -> Iterator[tuple[Path, str]]:
    """A tar of the folder `root`, or `root` itself if it is a file, with the digest of its bytes.

    Raises ImageError if something can't be read.
    """
    try:
        if root.is_file():
            yield root, _digest(root)
            return
        if not (root / "usr").is_dir():
            raise ImageError(f"{shown(str(root))} is no root file system: it has no usr folder")
        with NamedTemporaryFile(suffix=".tar") as target:
            with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as tar:
                tar.add(root, arcname=".", filter=_kept)
            target.flush()
            yield Path(target.name), _digest(Path(target.name))
    except OSError as error:
        raise ImageError(
            f"can't read the root file system {shown(str(root))}: {error.strerror}; is it complete,"
            " and are you root?"
        ) from error


def _kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    if member.name.startswith(_MOUNTED):
        return None
    member.uname = member.gname = ""  # the numbers count
    return member


def _digest(path: Path) -> str:
    with path.open("rb") as source:
        return file_digest(source, "sha256").hexdigest()
