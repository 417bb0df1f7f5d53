"""Every kind of moment of a replay, of all games, on a phone and on a desk."""

from __future__ import annotations

import pytest

from arena.web.addresses import match
from tests.e2e.web import showcase
from tests.e2e.web.looks.looking import DESK_DARK, PHONE_LIGHT, Look, Readers, faults, settle


@pytest.mark.parametrize(("game", "seats"), showcase.REPLAYS)
@pytest.mark.parametrize("look", [PHONE_LIGHT, DESK_DARK], indirect=True)
def test_every_moment_of_a_match_looks_well(
    reader: Readers, look: Look, game: str, seats: int
) -> None:
    """Its beginning, a turn, a claim and what came of it, a fault, the end; hands open and not."""
    who = reader(phone=look.phone, dark=look.dark)
    at = match(f"{game}-{seats}", "m0-0") + "/replay"
    page = who.open(at)
    settle(page, at)
    steps = page.request.get(f"{who.base}{at}/steps.json").json()["steps"]
    wrong: list[str] = []
    for what, step in moments(steps).items():
        page.evaluate("id => { location.hash = id }", step)
        page.wait_for_function(
            "id => document.querySelector(`[href='#${id}'][data-part]`)", arg=step
        )
        for eyes in ("open", "none") if what == "turn" else ("open",):
            page.locator("[data-part=eyes]").select_option(eyes)
            where = f"{game} {what} {eyes}"
            wrong += [f"{where}: {each}" for each in faults(page, phone=look.phone)]
            look.save(page, where)
        page.locator("[data-part=eyes]").select_option("open")
    assert not wrong, "\n".join(wrong)


def moments(steps: list[dict[str, object]]) -> dict[str, str]:
    """The ids of the steps that matter, by what they are."""
    found: dict[str, str] = {}
    for at, step in enumerate(steps):
        end = step.get("end")
        kinds = {
            "deal": at == 0,
            "turn": at == 5,
            "claim": step["kind"] == "claim",
            "fault": bool(step.get("faultBegins")),
            "round won": isinstance(end, dict) and end.get("success") is True,
            "claim failed": isinstance(end, dict) and end.get("success") is False,
            "round over": isinstance(end, dict) and "winner" in end,
            "result": step["kind"] == "result",
        }
        for kind, is_it in kinds.items():
            if is_it:
                found.setdefault(kind, str(step["id"]))
    return found
