"""What `arena bot check` says: what makes a submission impossible, and what its author may want.

This is what can be known without running anything. Whether the bot also starts and answers is found
out by qualifying, a first match under real limits, which adds its own findings to a Report.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from arena.submissions import syntax_child
from arena.submissions.archive import read_submission
from arena.submissions.errors import SubmissionError, one_line, shown
from arena.submissions.limits import DEFAULT_LIMITS, Limits
from arena.submissions.manifest import Runtime
from arena.submissions.submission import Submission
from arena.submissions.tree import File

_INSTALLED = frozenset(
    {"arena", "arenabot", "google", "grpc", "grpc_health", "numpy", "typing_extensions"}
)
"""The top-level modules of the Python base image beside the standard library's."""
_NEVER_RUN = frozenset({"sitecustomize", "usercustomize"})
_COMPILE_SECONDS = 30


class Severity(StrEnum):
    """How bad a finding is."""

    FATAL = "fatal"
    """The submission can't play; it is refused."""
    ADVICE = "advice"
    """It may be meant so; it is taken all the same."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the author should know, as one printable line."""

    severity: Severity
    text: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.text}"


@dataclass(frozen=True, slots=True)
class Report:
    """All findings on one submission; `submission` is None if it could not even be read."""

    submission: Submission | None
    findings: tuple[Finding, ...]

    @property
    def fatal(self) -> tuple[Finding, ...]:
        """The findings for which the submission is refused."""
        return tuple(f for f in self.findings if f.severity is Severity.FATAL)


def check(path: Path, limits: Limits = DEFAULT_LIMITS) -> Submission:
    """The submission at `path`, if nothing speaks against it.

    Raises SubmissionError with the first fatal finding.
    """
    submission = read_submission(path, limits)
    for finding in examine_submission(submission).fatal:
        raise SubmissionError(finding.text)
    return submission


def examine(path: Path, limits: Limits = DEFAULT_LIMITS, python: str | None = None) -> Report:
    """Everything that can be said about the folder or archive at `path`; never raises for it.

    `python` is the version on the base image, if it is known, such as "3.13.1".
    """
    try:
        submission = read_submission(path, limits)
    except SubmissionError as error:
        return Report(None, (Finding(Severity.FATAL, str(error)),))
    return examine_submission(submission, python)


def examine_submission(submission: Submission, python: str | None = None) -> Report:
    """As `examine`, for a submission that has been read."""
    if submission.manifest.runtime is Runtime.NODE:
        advice = 'runtime "node" is not built here yet, so that this bot can not play yet'
        return Report(submission, (Finding(Severity.ADVICE, advice),))
    findings = (
        *_syntax(submission, python),
        *_shadows(submission),
        *_entrypoint(submission),
    )
    return Report(submission, findings)


def _syntax(submission: Submission, python: str | None) -> Iterator[Finding]:
    """What doesn't compile. Our Python speaks for the base image's if they are of one version."""
    ours = "{}.{}".format(*sys.version_info)
    agree = python is None or python.split(".")[:2] == ours.split(".")
    note = "" if agree else f" (says Python {ours}; the bot will run on {python})"
    files = [file for file in submission.files if file.path.endswith(".py")]
    for file, (line, problem) in _compile(files):
        # A module that nobody imports may be broken; the file that is started may not.
        started = file.path == submission.manifest.entrypoint
        severity = Severity.FATAL if started and agree else Severity.ADVICE
        yield Finding(severity, f"{shown(file.path)}, line {line}: {one_line(problem)}{note}")


def _compile(files: Sequence[File]) -> Iterator[tuple[File, tuple[int, str]]]:
    """The files that don't compile, with the line and the reason."""
    answers, died = _child_answers(files)
    for file, answer in zip(files, answers, strict=False):
        if (found := json.loads(answer)) is not None:
            yield file, (int(found[0]), str(found[1]))
    if died:
        yield files[len(answers)], (1, "is too large or too deeply nested to compile")


def _child_answers(files: Sequence[File]) -> tuple[list[bytes], bool]:
    """The answers of a child process, and whether a file was the death of it."""
    frames = (json.dumps([f.path, len(f.content)]).encode() + b"\n" + f.content for f in files)
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(syntax_child.__file__)],
            input=b"".join(frames),
            capture_output=True,
            timeout=_COMPILE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        answers = (late.stdout or b"").split(b"\n")[:-1]
        return answers, len(answers) < len(files)
    if done.returncode > 0:
        raise RuntimeError(f"the syntax check failed: {one_line(done.stderr.decode()[-300:])}")
    return done.stdout.split(b"\n")[:-1], done.returncode < 0


def _shadows(submission: Submission) -> Iterator[Finding]:
    """Modules beside the entrypoint, which Python finds before its own and the installed ones."""
    for path, module in _top_modules(submission):
        if module in _NEVER_RUN:
            yield Finding(Severity.ADVICE, f"{shown(path)} is never run here; remove it")
        elif module in _INSTALLED or module in sys.stdlib_module_names:
            whose = "the installed" if module in _INSTALLED else "Python's own"
            yield Finding(
                Severity.ADVICE,
                f'{shown(path)} hides {whose} module "{module}" from everything that the bot'
                " imports; rename it",
            )


def _top_modules(submission: Submission) -> Iterator[tuple[str, str]]:
    home = PurePosixPath(submission.manifest.entrypoint).parent
    for file in submission.files:
        path = PurePosixPath(file.path)
        if path.parent == home and path.suffix in {".py", ".so"}:
            yield file.path, path.name.split(".")[0]
        elif path.parent.parent == home != path.parent and path.name == "__init__.py":
            yield file.path, path.parent.name


def _entrypoint(submission: Submission) -> Iterator[Finding]:
    entrypoint = submission.manifest.entrypoint
    if b"serve" not in submission.content(entrypoint):
        yield Finding(
            Severity.ADVICE,
            f"{shown(entrypoint)} never mentions serve; a bot ends with serve(MyBot())",
        )
