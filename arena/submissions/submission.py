"""A checked submission: its manifest, its files and the digest that names it.

The digest is made so that any language, or a shell, can make it too: one line for each file in the
order of the paths' bytes, `<SHA-256 of the content in hex>`, two spaces, `<path>`, a line feed; the
SHA-256 of all the lines, in hex, is the digest. In a folder without any of the ignored names:

    find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 sha256sum -- | sha256sum

Times, modes, owners, empty folders, the type of archive and a wrapping folder make no difference.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from arena.submissions.errors import SubmissionError, shown
from arena.submissions.limits import DEFAULT_LIMITS, Limits
from arena.submissions.manifest import MANIFEST_NAME, Manifest, parse_manifest
from arena.submissions.tree import File


@dataclass(frozen=True, slots=True)
class Submission:
    """One immutable upload of a bot, checked; made by the readers and by `assemble` only."""

    manifest: Manifest
    files: tuple[File, ...]
    """Sorted by path."""
    digest: str
    """64 hex digits over `files`; equal bytes have equal digests, however they were packed."""

    def content(self, path: str) -> bytes:
        """The content of the file at `path`. Raises KeyError if there is none."""
        for file in self.files:
            if file.path == path:
                return file.content
        raise KeyError(path)

    @property
    def folders(self) -> tuple[str, ...]:
        """Every folder that holds something, parents first."""
        parents = {str(p) for file in self.files for p in PurePosixPath(file.path).parents}
        return tuple(sorted(parents - {"."}))


def assemble(files: Iterable[File], limits: Limits = DEFAULT_LIMITS) -> Submission:
    """Make a submission of files whose paths and sizes have been checked.

    Raises ManifestError, or SubmissionError if the file that is to be started is missing.
    """
    tree = tuple(sorted(files, key=lambda file: file.path))
    contents = {file.path: file.content for file in tree}
    if MANIFEST_NAME not in contents:
        raise SubmissionError(_missing_manifest(contents))
    manifest = parse_manifest(contents[MANIFEST_NAME], limits)
    if manifest.entrypoint not in contents:
        raise SubmissionError(
            f'{MANIFEST_NAME}: "entrypoint" is {shown(manifest.entrypoint)}, and there is no such'
            " file; add it, or name the file that starts the bot"
        )
    return Submission(manifest, tree, digest_of(tree))


def digest_of(files: Iterable[File]) -> str:
    """The digest, as the module's docstring defines it, of files in any order."""
    ordered = sorted(files, key=lambda file: file.path)
    lines = "".join(f"{sha256(file.content).hexdigest()}  {file.path}\n" for file in ordered)
    return sha256(lines.encode("ascii")).hexdigest()


def to_tar(submission: Submission, prefix: str = "") -> bytes:
    """The submission as an uncompressed tar: equal submissions give equal bytes.

    `prefix` is a folder, `bot/` say, that everything then lies in. Files are 0644, folders 0755,
    all owned by root and as old as the epoch.
    """
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        names = [prefix.rstrip("/")] if prefix else []
        names += [prefix + folder for folder in submission.folders]
        for name in names:
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(folder)
        for file in submission.files:
            member = tarfile.TarInfo(prefix + file.path)
            member.mode, member.size = 0o644, len(file.content)
            tar.addfile(member, io.BytesIO(file.content))
    return buffer.getvalue()


def unpack(submission: Submission, folder: Path) -> None:
    """Write the submission's files below `folder`, which must be empty or not there yet.

    For the process sandbox, which runs trusted code where it lies. Raises FileExistsError rather
    than write over or through anything, and OSError as the file system does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; give a new folder")
    for name in submission.folders:
        (folder / name).mkdir()
    for file in submission.files:
        with (folder / file.path).open("xb") as target:
            target.write(file.content)


def _missing_manifest(paths: Iterable[str]) -> str:
    elsewhere = sorted(p for p in paths if p.split("/")[-1] == MANIFEST_NAME)
    if elsewhere:
        where = shown(elsewhere[0].removesuffix(f"/{MANIFEST_NAME}"))
        return f"no {MANIFEST_NAME} at the top, but one in {where}; submit that folder"
    return (
        f'no {MANIFEST_NAME} at the top; add one with the lines name = "my-bot" and game = "claims"'
    )
