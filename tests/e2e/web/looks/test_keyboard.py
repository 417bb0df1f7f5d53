"""Whoever has no mouse sees where he is."""

from __future__ import annotations

import pytest

from arena.web.addresses import match
from tests.e2e.web.looks.looking import GRAND, Readers, settle


@pytest.mark.parametrize(
    "path",
    ["/", "/rankings/claims", GRAND, "/bots/greedy-10", match("claims-4", "m0-0") + "/replay"],
)
def test_the_keyboard_goes_everywhere_and_is_seen(reader: Readers, path: str) -> None:
    """Each stop of the first forty has a frame round it and stands where it can be seen."""
    page = reader().open(path)
    settle(page, path)
    wrong: list[str] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at is None:
            break
        if not (at["framed"] and at["inside"]):
            wrong.append(f"{at}")
    assert not wrong, "\n".join(wrong)


FOCUSED = """() => {
    const it = document.activeElement;
    if (!it || it === document.body) return null;
    const style = getComputedStyle(it);
    const box = it.getBoundingClientRect();
    return {
        html: it.outerHTML.slice(0, 90),
        framed: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
}"""
