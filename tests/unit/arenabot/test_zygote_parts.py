"""What the zygote imports ahead, when it must not, and how a bot's file then runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arenabot.zygote_preload import script_of

WARM_UP = """
import json, os, sys
from arenabot.zygote_preload import warm_up
warm = warm_up("bot.py")
print(json.dumps([warm, "arenabot.server" in sys.modules, "numpy" in sys.modules]))
"""
RUN = "from arenabot.zygote_child import _run; _run('bot.py', ['bot.py', 'one', 'two'])"


def write(folder: Path, **files: str) -> Path:
    """A bot's folder with these modules."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def said(folder: Path, *arguments: str) -> str:
    """What Python prints when it is run there; its own path is its installation's alone."""
    ran = subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        # As in a base image: else NumPy's algebra starts a thread for each core.
        env={"PATH": os.defpath, "OPENBLAS_NUM_THREADS": "1"},
    )
    return f"{ran.returncode}\n{ran.stdout}{ran.stderr}"


def warmed(folder: Path) -> str:
    """Whether it is warm, and whether the server and NumPy were imported."""
    return said(folder, "-c", WARM_UP).replace("0\n", "", 1).strip()


def test_only_a_python_file_runs_within_the_zygotes_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else is started is a program of its own."""
    monkeypatch.chdir(write(tmp_path, bot=""))
    assert script_of(["python3", "bot.py"]) == "bot.py"
    assert script_of(["python3", "bot.py", "an argument"]) == "bot.py"
    for command in (
        ["python3"],
        ["python3", "-u", "bot.py"],
        ["python3", "missing.py"],
        ["sh", "bot.py"],
    ):
        assert script_of(command) is None


@pytest.mark.parametrize(
    "line",
    [
        "import numpy",
        "import os, numpy as np",
        "    from numpy.linalg import norm",
        "from numpy import array",
    ],
)
def test_what_a_bots_files_import_is_imported_ahead(tmp_path: Path, line: str) -> None:
    """Wherever the line stands, and in whichever of its files."""
    folder = write(tmp_path, bot="import helper\n", helper=f"if True:\n{line}\n")
    assert warmed(folder) == "[true, true, true]"


def test_what_is_not_imported_is_not_imported_ahead(tmp_path: Path) -> None:
    """NumPy costs 15 MiB and 100 ms."""
    folder = write(tmp_path, bot="# import numpy\nimport missing, .odd\nnumpy = 'import numpy'\n")
    assert warmed(folder) == "[true, true, false]"


def test_a_module_that_imports_badly_is_left_to_the_bot(tmp_path: Path) -> None:
    """What can't be imported fails in the bot's own process, where its author reads it."""
    assert warmed(write(tmp_path, bot="import antlr_of_nobody\n")) == "[true, true, false]"


@pytest.mark.parametrize("name", ["random", "grpc", "asyncio", "arenabot"])
def test_a_bots_own_module_of_a_known_name_wins(tmp_path: Path, name: str) -> None:
    """Then the bot starts in a process of its own, where nothing was imported before."""
    folder = write(tmp_path, bot=f"import {name}\n", **{name: "mine = True\n"})
    assert warmed(folder).startswith("[false, ")


def test_a_package_that_keeps_a_file_open_is_not_kept(tmp_path: Path) -> None:
    """All matches would share its place in the file."""
    site = tmp_path / "site"
    site.mkdir()
    write(site, keeper="kept = open('/etc/hostname')\n")
    folder = tmp_path / "bot"
    folder.mkdir()
    write(folder, bot="import keeper\n")
    program = f"import sys; sys.path.append({str(site)!r})\n{WARM_UP}"
    assert said(folder, "-c", program) == "0\n[false, true, false]\n"


@pytest.mark.parametrize(("inside", "warm"), [("lib", "false"), ("package", "true")])
def test_a_module_below_counts_where_it_could_be_found(
    tmp_path: Path, inside: str, warm: str
) -> None:
    """In a folder that the bot may put on its path, but not in a package."""
    write(tmp_path, bot="import sys; sys.path.insert(0, 'lib')\n")
    (tmp_path / inside).mkdir()
    write(tmp_path / inside, random="mine = True\n")
    if inside == "package":
        write(tmp_path / inside, __init__="")
    assert warmed(tmp_path) == f"[{warm}, true, false]"


def test_a_package_that_starts_threads_is_not_kept(tmp_path: Path) -> None:
    """A fork would not copy them."""
    program = (
        f"import threading, time; threading.Thread(target=time.sleep, args=[1]).start()\n{WARM_UP}"
    )
    write(tmp_path, bot="")
    assert said(tmp_path, "-c", program) == "0\n[false, true, false]\n"


def test_nothing_of_the_bots_own_is_imported_ahead(tmp_path: Path) -> None:
    """Its modules, which would run as the zygote, are looked at as text alone."""
    folder = write(tmp_path, bot="import helper\n", helper="open('ran', 'w')\n")
    assert warmed(folder) == "[true, true, false]"
    assert not (folder / "ran").exists()


@pytest.mark.parametrize(
    "code",
    [
        "import sys; print(__name__, __file__, sys.argv, sys.path)",
        "import sys; print(vars(sys.modules['__main__']).keys() >= {'__builtins__', '__loader__'})",
        "import helper; print(helper.__file__)",
        "def f():\n    raise ValueError('no')\nf()",
        "this is no python",
        "import sys; sys.exit('bye')",
        "import sys; sys.exit(7)",
        "import atexit; atexit.register(print, 'at the end')",
        "import threading\nthreading.Timer(0.1, print, ['late']).start()",
        "import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A)",
        "import dataclasses\n@dataclasses.dataclass\nclass A:\n    a: 'int'\nprint(A(1))",
    ],
)
def test_a_file_runs_as_python_would_run_it(tmp_path: Path, code: str) -> None:
    """The same output, traceback and exit code, but for the traceback's path of the file."""
    folder = write(tmp_path, bot=code, helper="")
    plain = subprocess.run(
        [sys.executable, "bot.py", "one", "two"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.defpath},
    )
    expected = f"{plain.returncode}\n{plain.stdout}{plain.stderr}"
    assert said(folder, "-c", RUN) == expected


def test_chance_is_each_processes_own(tmp_path: Path) -> None:
    """Two processes of one zygote draw other numbers, from `random` and from NumPy alike."""
    draw = "import random, numpy\nprint(random.random())\nprint(numpy.random.rand(), flush=True)\n"
    fork_two = (
        "import os, random, sys, numpy.random\n"
        "from arenabot.zygote_child import _run\n"
        "for _ in range(2):\n"
        "    if os.fork() == 0:\n"
        "        _run('bot.py', ['bot.py'])\n"
        "        sys.exit(0)\n"
        "    os.wait()\n"
    )
    code, *numbers = said(write(tmp_path, bot=draw), "-c", fork_two).split()
    assert code == "0"
    assert len(numbers) == len(set(numbers)) == 4
