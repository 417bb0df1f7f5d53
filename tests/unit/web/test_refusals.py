"""What is refused in a browser is said as to somebody with a browser: no command is named."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import arena.store
import arena.web
from arena.store import Store, Tournament
from arena.store.testing import make_tournament, new_result, replay_of
from tests.unit.web.asking import Browser

SignedIn = Callable[[str], Browser]

COMMANDS = ("`arena ", "arena tournament ", "arena bot ", "arena match ")

#: What only an operator can do, at the machine, and what there is no page for.
OPERATORS = ("`arena serve`", "`arena doctor`", "`arena backup`", "`arena tournament create`")

REFUSED = [
    ("get", "/bots/zzz", {}),
    ("get", "/tournaments/cup/matches/zzz", {}),
    ("post", "/new-tournament", {"name": "cup", "game": "claims"}),
    ("post", "/new-tournament", {"name": "new", "game": "claims", "bots": "zzz"}),
    ("post", "/tournaments/cup/enter", {"bot": "zzz"}),
    ("post", "/tournaments/cup/enter", {"bot": "bot0:7"}),
    ("post", "/tournaments/cup/open", {}),
    ("post", "/tournaments/cup/withdraw", {"bot": "zzz", "why": "x"}),
    ("post", "/bots/zzz/retire", {}),
    ("post", "/bots/bot0/retire", {"version": "7"}),
]


@pytest.mark.parametrize(("method", "path", "form"), REFUSED)
def test_a_refusal_names_no_command(
    signed_in: SignedIn, cup: Tournament, method: str, path: str, form: dict[str, str]
) -> None:
    """Whatever it is about; but what can be done instead."""
    root = signed_in("root")
    answer = root.get(path) if method == "get" else root.send("/account", path, form)
    assert answer.status >= 400
    assert not [command for command in COMMANDS if command in answer.text]


def test_a_log_that_is_not_released_yet_names_no_command(signed_in: SignedIn, store: Store) -> None:
    """Its deals are still being played."""
    tournament = make_tournament(store, "half played")
    match = store.matches(tournament.id)[0]
    store.record_result(tournament.id, new_result(match), replay_of(match))
    answer = signed_in("root").get(f"/tournaments/half%20played/matches/{match.id}/log/0")
    assert (answer.status, answer.sees("have been played")) == (409, True)
    assert not [command for command in COMMANDS if command in answer.text]


def sentences(package: Path) -> Iterator[tuple[str, str]]:
    """All texts in a package's code but its docstrings, with where they stand."""
    for path in sorted(package.rglob("*.py")):
        tree = ast.parse(path.read_text())
        documented = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or id(node) in documented:
                continue
            if isinstance(node.value, str):
                yield f"{path.name}:{node.lineno}", node.value


@pytest.mark.parametrize("package", [arena.store, arena.web])
def test_what_the_store_and_the_pages_say_fits_a_browser(package: object) -> None:
    """The store's refusals are shown there as they are, and by commands as well."""
    folder = Path(str(getattr(package, "__file__", ""))).parent
    wrong = [
        f"{where}: {text}"
        for where, text in sentences(folder)
        if any(command in text for command in COMMANDS)
        and not any(command in text for command in OPERATORS)
    ]
    assert not wrong, "\n".join(wrong)
