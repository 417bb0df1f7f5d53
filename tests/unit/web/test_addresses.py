"""Names in addresses: whatever a tournament is called, its address leads back to it."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.convertors import CONVERTOR_TYPES

from arena.web import addresses


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_every_name_comes_back_from_its_address(name: str) -> None:
    """A server unquotes a path once, before it is taken apart at its slashes."""
    part = unquote(addresses.part(name))
    assert "/" not in part
    assert "\\" not in part
    assert part not in {".", ".."}
    assert CONVERTOR_TYPES["name"].convert(part) == name


@pytest.mark.parametrize("name", ["..", ".", "a/b", "~", "~~", "~-", ".~-", "//x", "\\\\x"])
def test_names_that_mean_something_in_paths_come_back(name: str) -> None:
    """Also those that a browser or a proxy would take as other folders."""
    assert CONVERTOR_TYPES["name"].convert(unquote(addresses.part(name))) == name


def test_what_is_empty_is_left_out_of_a_query() -> None:
    """So that an address says no more than it must."""
    assert addresses.with_query("/x", a="", b=None, c="1&2", d=0) == "/x?c=1%262&d=0"
