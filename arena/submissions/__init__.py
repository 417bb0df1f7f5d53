"""From a stranger's folder or archive to a digest, a checked tree of files and an image.

    read_submission / read_archive -> Submission       names, types and sizes checked, manifest read
    examine / check                -> Report           what else its author should know
    base.build_base, ensure_base   -> BaseImage        the organiser's: Python, arenabot, the rules
    bot.build_bot                  -> BotImage         base + the submission's files below /bot

What is unpacked or put into an image has been checked here before, and nothing of a submission runs
here, at build time or while it is checked. Qualifying (a first match under real limits) belongs
to whoever runs matches: it takes a Submission and its BotImage and adds to the Report.

This room must not know matches, tournaments, the store or who submits: names that are taken and
versions that are there already are the store's business.
"""

from arena.submissions.archive import read_archive, read_submission
from arena.submissions.checks import (
    Finding,
    Report,
    Severity,
    check,
    examine,
    examine_submission,
)
from arena.submissions.errors import ArchiveError, ImageError, ManifestError, SubmissionError
from arena.submissions.limits import DEFAULT_LIMITS, Limits
from arena.submissions.manifest import GAME_IDS, MANIFEST_NAME, Manifest, Runtime, parse_manifest
from arena.submissions.submission import Submission, to_tar, unpack
from arena.submissions.tree import File

# Images are made by arena.submissions.engine, .base and .bot, which load the engine's client:
# reading and checking a bot does not need it.

__all__ = [
    "DEFAULT_LIMITS",
    "GAME_IDS",
    "MANIFEST_NAME",
    "ArchiveError",
    "File",
    "Finding",
    "ImageError",
    "Limits",
    "Manifest",
    "ManifestError",
    "Report",
    "Runtime",
    "Severity",
    "Submission",
    "SubmissionError",
    "check",
    "examine",
    "examine_submission",
    "parse_manifest",
    "read_archive",
    "read_submission",
    "to_tar",
    "unpack",
]
