"""What a base image is made of, and that a change of it is noticed; without an engine."""

import gc
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from arena.submissions import base, wheels
from arena.submissions.base import PublicImage, build_base, code_digest, our_code
from arena.submissions.engine import ImageEngine
from arena.submissions.errors import ImageError
from arena.submissions.manifest import Runtime
from arena.submissions.rootfs import root_tar
from arena.submissions.wheels import Python

ROOT = Path(__file__).parents[3]


def test_of_the_arena_only_the_rules_go_in() -> None:
    """A base image gets arenabot, arena.games and nothing else of ours."""
    paths = [file.path for file in our_code()]
    assert {"arena/__init__.py", "arena/games/__init__.py", "arenabot/serving.py"} <= set(paths)
    homes = ("arenabot/", "arena/games/")
    assert all(path.startswith(homes) for path in paths if path != "arena/__init__.py")
    assert not any("__pycache__" in path for path in paths)


def test_the_rules_run_on_what_goes_in(tmp_path: Path) -> None:
    """The files that go in, and the standard library, are enough to import and start every game."""
    for file in our_code():
        target = tmp_path / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from arena.games import GAMES\n"
        "for game in GAMES.values(): game.new_match(seats=3, seed=bytes(32))\n"
        "assert 'grpc' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-I", "-S", "-c", program], check=True, cwd=tmp_path)


def pinned() -> dict[str, list[Requirement]]:
    """The pinned packages by name; one may be there for several versions of Python."""
    found: dict[str, list[Requirement]] = {}
    lines = [line for line in wheels.requirements().splitlines() if not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        assert " --hash=sha256:" in line
        requirement = Requirement(line.split(" --hash")[0])
        assert re.fullmatch(r"==[0-9.]+", str(requirement.specifier))
        found.setdefault(requirement.name, []).append(requirement)
    return found


def test_every_package_is_pinned_and_hashed() -> None:
    """The base's packages are those that bots are promised, each with a version and hashes."""
    promised = {"grpcio", "grpcio-health-checking", "protobuf", "numpy"}
    assert set(pinned()) == promised | {"typing-extensions"}


def test_the_pins_are_new_enough_for_the_sdk() -> None:
    """Each package that arenabot asks for is pinned at a version that it takes."""
    project = tomllib.loads((ROOT / "sdk" / "pyproject.toml").read_text())["project"]
    for wanted in map(Requirement, project["dependencies"]):
        for requirement in pinned()[wanted.name]:
            (pin,) = requirement.specifier
            assert wanted.specifier.contains(pin.version)


@pytest.mark.parametrize(
    ("python", "platform"),
    [
        (Python("3.11.2", "x86_64", "glibc 2.36"), "x86_64-manylinux_2_28"),
        (Python("3.12.0", "aarch64", "glibc 2.28"), "aarch64-manylinux_2_28"),
        (Python("3.12.0", "arm64", "glibc 2.17"), "aarch64-manylinux_2_17"),
        (Python("3.13.0", "x86_64", "musl"), "x86_64-unknown-linux-musl"),
    ],
)
def test_wheels_are_chosen_for_the_images_python(python: Python, platform: str) -> None:
    """The image's own machine and C library choose the wheels, not the host's."""
    assert python.platform == platform


def test_an_unknown_machine_gets_its_line() -> None:
    """A machine for which nobody makes wheels is refused with one line."""
    with pytest.raises(ImageError, match=r"^the image is made for 'riscv64'; use one for x86_64"):
        _ = Python("3.12.0", "riscv64", "glibc 2.36").platform


def test_an_old_python_gets_its_line(tmp_path: Path) -> None:
    """A Python older than the SDK's oldest is refused before anything is fetched."""
    with pytest.raises(ImageError, match=r"^the image has Python 3\.9\.2; use one with 3\.11 or"):
        wheels.fetch(Python("3.9.2", "x86_64", "glibc 2.36"), (), tmp_path)


@pytest.mark.parametrize("package", ["scipy", "scipy==1.17.1", "a.b-c_d>=2", "x[extra]==1.0"])
def test_usual_packages_are_taken(package: str) -> None:
    """A name, with or without a version, is a package."""
    wheels.check_packages([package])


@pytest.mark.parametrize(
    "package", ["", "--index-url=x", "-e", "./here", "x @ file:///y", "git+ssh://x", "x; os_name"]
)
def test_options_and_addresses_are_no_packages(package: str) -> None:
    """Nothing that a package tool would take for an option, path or address is let through."""
    with pytest.raises(ImageError, match="is no package; write a name"):
        wheels.check_packages([package])


def test_a_machine_without_network_and_cache_gets_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be fetched the operator gets one line with two ways out."""
    for name in [name for name in os.environ if name.startswith("UV_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    with pytest.raises(ImageError) as caught:
        wheels.fetch(Python("3.12.0", "x86_64", "glibc 2.36"), (), tmp_path)
    line = str(caught.value)
    assert line.startswith("can't fetch the base image's packages: ")
    assert line.endswith("connect to a package index, or set UV_FIND_LINKS to a folder of wheels")
    assert line.isprintable()


def test_the_node_runtime_gets_its_line() -> None:
    """A base image for Node is not built yet, and the line says so before an engine is asked."""
    engine = ImageEngine("unix:///nowhere/docker.sock")
    with pytest.raises(ImageError, match=r'^the runtime "node" is not built here yet; use "pyth'):
        build_base(engine, source=PublicImage("x"), runtime=Runtime.NODE)


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # docker-py's, on refusal
def test_an_engine_that_is_away_gets_its_line() -> None:
    """Without an engine the operator gets one line, not a traceback of three libraries."""
    engine = ImageEngine("unix:///nowhere/docker.sock")
    with pytest.raises(ImageError) as caught:
        build_base(engine, source=PublicImage("x"))
    line = str(caught.value)
    del caught
    gc.collect()
    assert line == (
        "the container engine at unix:///nowhere/docker.sock doesn't answer (No such file or"
        " directory): start it or set DOCKER_HOST, then try again"
    )


def test_a_change_of_our_code_changes_the_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other rules or another arenabot, source, package or pin make another base image."""
    python = Runtime.PYTHON
    inputs = {base.inputs_digest("a", python, ()), base.inputs_digest("b", python, ())}
    inputs.add(base.inputs_digest("a", python, ("scipy",)))
    with monkeypatch.context() as patch:
        patch.setattr(base, "code_digest", lambda: "0" * 64)
        inputs.add(base.inputs_digest("a", python, ()))
    with monkeypatch.context() as patch:
        patch.setattr(wheels, "requirements", lambda: "numpy==1")
        inputs.add(base.inputs_digest("a", python, ()))
    assert len(inputs) == 5
    assert base.inputs_digest("a", python, ()) in inputs
    assert code_digest() == code_digest()


def small_root(folder: Path) -> Path:
    """A folder that passes for a root file system."""
    for name in ("usr/bin", "etc", "proc/1", "dev", "tmp"):
        (folder / name).mkdir(parents=True)
    (folder / "usr/bin/tool").write_bytes(b"tool")
    (folder / "bin").symlink_to("usr/bin")
    (folder / "proc/1/environ").write_text("HOST=secret")
    (folder / "tmp/note").write_text("host's own")
    return folder


def test_a_root_file_system_is_known_again(tmp_path: Path) -> None:
    """The digest of a root file system stays with its content, and changes with it."""
    root = small_root(tmp_path / "root")
    with root_tar(root) as (tar, first), tarfile.open(tar) as opened:
        names = opened.getnames()
    with root_tar(root) as (_, again):
        assert again == first
    (root / "usr/bin/tool").write_bytes(b"other")
    with root_tar(root) as (_, other):
        assert other != first
    assert {"usr/bin/tool", "bin", "proc", "tmp"} <= {name.removeprefix("./") for name in names}
    assert not any("environ" in name or "note" in name for name in names)


def test_a_tar_of_a_root_file_system_is_taken_as_it_is(tmp_path: Path) -> None:
    """A tar goes to the engine unchanged."""
    (tmp_path / "root.tar").write_bytes(b"any bytes")
    with root_tar(tmp_path / "root.tar") as (tar, _):
        assert tar == tmp_path / "root.tar"


def test_what_is_no_root_file_system_gets_its_line(tmp_path: Path) -> None:
    """A folder without usr, or a path that is not there, is refused with one line."""
    for path in (tmp_path, tmp_path / "missing"):
        line = r"is no root file system: it has no usr folder$"
        with pytest.raises(ImageError, match=line), root_tar(path):
            pytest.fail("a folder without usr was taken")
