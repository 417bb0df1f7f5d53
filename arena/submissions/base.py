"""Base images: a public Python, and on top what bots are promised. The organiser's, never a bot's.

/opt/arena/site holds gRPC, NumPy and the organiser's packages, the running arena's own arenabot and
the pure arena.games, all compiled, since a bot's container is read-only and would compile them at
each start. No step needs a network inside a container. An image is named by what went into it, so
it is made again only when something of that has changed.
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import arenabot
from arena.sandbox.instance import LABEL_PREFIX
from arena.submissions import wheels
from arena.submissions.engine import Image, ImageEngine
from arena.submissions.errors import ImageError, one_line, shown
from arena.submissions.manifest import Runtime
from arena.submissions.names import ignored
from arena.submissions.rootfs import root_tar
from arena.submissions.submission import digest_of
from arena.submissions.tree import File
from arena.submissions.wheels import Python

REPOSITORY: Final = "claim-arena/base"
SITE: Final = "opt/arena/site"
NOBODY: Final = "65534:65534"
"""Who an image's container is by itself; a sandbox gives each bot a user of its own."""
ENVIRONMENT: Final = {
    "PYTHONPATH": f"/{SITE}",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    # One thread a core of the host would pass a bot's limit of processes on a large machine.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
_RECIPE: Final = 1
"""To be raised when this module makes another image of the same inputs."""


@dataclass(frozen=True, slots=True)
class PublicImage:
    """A Python image by its name; the engine fetches it if it has it not."""

    reference: str


@dataclass(frozen=True, slots=True)
class RootFs:
    """A root file system with Python in it: a folder, or a tar that the engine can read."""

    path: Path


@dataclass(frozen=True, slots=True)
class BaseImage:
    """An image that bots' images are made from."""

    id: str
    """The engine's id of its content, `sha256:...`."""
    name: str
    """`claim-arena/base:<runtime>-<digest of its inputs>`."""
    runtime: Runtime
    python: str
    """Such as "3.12.7"."""
    source: str
    """The engine's id of the image that it was made from."""
    packages: tuple[str, ...]
    """What the organiser added."""
    installed: tuple[str, ...]
    """Everything in it that isn't ours, as `name==version`."""
    arenabot: str
    """The version of arenabot in it."""
    inputs: str
    """The digest of everything that it was made of, our own code included."""

    @property
    def current(self) -> bool:
        """Whether this arena would make the same: the same arenabot, rules, pins and recipe."""
        return self.inputs == inputs_digest(self.source, self.runtime, self.packages)


def default_tag(runtime: Runtime = Runtime.PYTHON) -> str:
    """The name under which the newest base image of a runtime is found."""
    return f"{REPOSITORY}:{runtime}"


def build_base(
    engine: ImageEngine,
    *,
    source: PublicImage | RootFs,
    runtime: Runtime = Runtime.PYTHON,
    packages: Sequence[str] = (),
    tag: str | None = None,
) -> BaseImage:
    """The base image of these inputs, made unless it is there, and named `tag` from now on.

    `packages` are further Python packages as `name` or `name==version`; `tag` is by default
    `default_tag(runtime)`.

    Raises ImageError with one line that says what the operator can do.
    """
    if runtime is Runtime.NODE:
        raise ImageError('the runtime "node" is not built here yet; use "python"')
    wheels.check_packages(packages)
    packages = tuple(sorted(set(packages)))
    image = _source_image(engine, source)
    inputs = inputs_digest(image.id, runtime, packages)
    name = f"{REPOSITORY}:{runtime}-{inputs[:24]}"
    made = engine.image(name)
    if made is None or made.labels.get(LABEL_PREFIX + "inputs") != inputs:
        made = _make(engine, image, name, {"inputs": inputs, "packages": json.dumps(packages)})
    engine.tag(made.id, tag or default_tag(runtime))
    return _described(made, name)


def find_base(engine: ImageEngine, tag: str | None = None) -> BaseImage | None:
    """The base image that is named `tag`, None if there is none.

    Raises ImageError if there is one of that name that isn't ours.
    """
    tag = tag or default_tag()
    image = engine.image(tag)
    return None if image is None else _described(image, tag)


def ensure_base(engine: ImageEngine, tag: str | None = None) -> BaseImage:
    """The base image that is named `tag`, made again of its source if it is not `current`.

    Raises ImageError if there is none to start from.
    """
    tag = tag or default_tag()
    found = find_base(engine, tag)
    if found is None:
        raise ImageError(f"there is no base image {tag}; make one with: arena image build")
    if found.current:
        return found
    if engine.image(found.source) is None:
        raise ImageError(
            f"the base image {tag} holds another version of arenabot, and what it was made from is"
            " gone; make one with: arena image build"
        )
    source = PublicImage(found.source)
    return build_base(
        engine, source=source, runtime=found.runtime, packages=found.packages, tag=tag
    )


def _source_image(engine: ImageEngine, source: PublicImage | RootFs) -> Image:
    if isinstance(source, RootFs):
        with root_tar(source.path) as (tar, digest):
            name = f"claim-arena/root:{digest[:24]}"
            if engine.image(name) is None:
                engine.import_root(tar, name)
    else:
        name = source.reference
        if engine.image(name) is None:
            engine.pull(name)
    image = engine.image(name)
    if image is None:
        raise ImageError(f"the engine has no image {shown(name)}; name another one")
    if image.volumes:
        raise ImageError(
            f"the image {shown(name)} declares volumes, which a bot could write to; use another"
        )
    return image


def inputs_digest(source: str, runtime: Runtime, packages: Sequence[str]) -> str:
    """The digest of everything that a base image is made of; `source` is an image's id."""
    inputs = [_RECIPE, source, runtime, packages, wheels.requirements(), code_digest()]
    return sha256(json.dumps(inputs).encode()).hexdigest()


def _make(engine: ImageEngine, source: Image, name: str, labels: Mapping[str, str]) -> Image:
    python = _probe(engine, source)
    packages: tuple[str, ...] = tuple(json.loads(labels["packages"]))
    with TemporaryDirectory(prefix="arena-base-") as scratch:
        installed = wheels.fetch(python, packages, Path(scratch))
        layer = Path(scratch, "layer.tar")
        _write_layer(Path(scratch, "site"), layer)
        told = {
            **labels,
            "kind": "base",
            "runtime": Runtime.PYTHON,
            "python": python.version,
            "source": source.id,
            "installed": json.dumps(installed),
            "arenabot": arenabot.__version__,
        }
        setup = ("python3", "-c", _SETUP, f"/{SITE}")
        with engine.draft(source.id, setup) as draft, layer.open("rb") as tar:
            draft.put(tar)
            draft.run("prepare the base image")
            return draft.commit(name, image_config(("python3",), "/", told))


_PROBE: Final = """\
import json, platform, sys
libc = " ".join(platform.libc_ver()).strip() or "musl"
print(json.dumps(["%d.%d.%d" % sys.version_info[:3], platform.machine(), libc]))
"""

# A public image may come without any compiled standard library, to be small.
_SETUP: Final = """\
import compileall, py_compile, re, sys, sysconfig
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
unused = re.compile(r"/(tests?|idlelib|lib2to3|turtledemo|(site|dist)-packages)/")
site, stdlib = sys.argv[1], sysconfig.get_path("stdlib")
for folder in (site, stdlib):
    compileall.compile_dir(folder, quiet=2, rx=unused, invalidation_mode=mode)
sys.path.insert(0, site)
import arena.games, arenabot.serving, grpc, numpy
"""


def _probe(engine: ImageEngine, source: Image) -> Python:
    """Ask the image's Python what it is."""
    with engine.draft(source.id, ("python3", "-I", "-c", _PROBE)) as draft:
        output = draft.run("run python3 of the source image")
    try:
        version, machine, libc = json.loads(output)
    except ValueError:
        raise ImageError(
            f"python3 of the source image answers {shown(one_line(output))}; use another image"
        ) from None
    return Python(version, machine, libc)


def _write_layer(site: Path, target: Path) -> None:
    """What goes on top of the source image: the packages and our own code, owned by root."""
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as tar:
        for folder in ("opt", "opt/arena"):
            member = tarfile.TarInfo(folder)
            member.type, member.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(member)
        tar.add(site, arcname=SITE, filter=_owned_by_root)
        for file in our_code():
            member = tarfile.TarInfo(f"{SITE}/{file.path}")
            member.size, member.mode = len(file.content), 0o644
            tar.addfile(member, io.BytesIO(file.content))


def _owned_by_root(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    if member.name in {f"{SITE}/bin", f"{SITE}/.lock"} or ignored(member.name):
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


def code_digest() -> str:
    """The digest of arenabot and arena.games as they are installed here."""
    return digest_of(our_code())


@cache  # what is named by its digest must be what is put in, also if an upgrade comes between
def our_code() -> tuple[File, ...]:
    """What goes into a base image of ours: arenabot as it runs here, and of the arena the rules."""
    files = list(_files(resources.files("arenabot"), "arenabot"))
    rules = resources.files("arena")
    files.append(File("arena/__init__.py", rules.joinpath("__init__.py").read_bytes()))
    files += _files(rules.joinpath("games"), "arena/games")
    return tuple(sorted(files, key=lambda file: file.path))


def _files(folder: Traversable, path: str) -> Iterator[File]:
    for entry in folder.iterdir():
        inner = f"{path}/{entry.name}"
        if ignored(inner):
            continue
        if entry.is_dir():
            yield from _files(entry, inner)
        else:
            yield File(inner, entry.read_bytes())


def image_config(command: Sequence[str], folder: str, labels: Mapping[str, str]) -> dict[str, Any]:
    """The engine's configuration of an image of ours: everything that could be someone else's."""
    return {
        "Entrypoint": [],
        "Cmd": list(command),
        "WorkingDir": folder,
        "User": NOBODY,
        "Env": [f"{name}={value}" for name, value in ENVIRONMENT.items()],
        "Labels": {LABEL_PREFIX + name: value for name, value in labels.items()},
        "Healthcheck": {"Test": ["NONE"]},
    }


def _described(image: Image, name: str) -> BaseImage:
    told = {key.removeprefix(LABEL_PREFIX): value for key, value in image.labels.items()}
    if told.get("kind") != "base":
        raise ImageError(f"the image {shown(name)} is no base image of ours; give another name")
    try:
        return BaseImage(
            id=image.id,
            name=name,
            runtime=Runtime(told["runtime"]),
            python=told["python"],
            source=told["source"],
            packages=tuple(json.loads(told["packages"])),
            installed=tuple(json.loads(told["installed"])),
            arenabot=told["arenabot"],
            inputs=told["inputs"],
        )
    except (KeyError, ValueError) as error:
        raise ImageError(
            f"the base image {shown(name)} was made by another version of the arena; make one with:"
            " arena image build"
        ) from error
