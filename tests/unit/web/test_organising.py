"""Authors enter bots, organisers set tournaments up and run them: by forms, each only one's own."""

import math
import re
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette

from arena.app.tournaments.live import Playing
from arena.store import Store, Tournament, TournamentState
from arena.store.testing import make_tournament, new_tournament, new_version
from arena.web import make_pages, planning
from tests.unit.web.asking import Answer, Browser
from tests.unit.web.conftest import Patience

SignedIn = Callable[[str], Browser]

AT = "/tournaments/secret%20cup"


@pytest.fixture
def bots(store: Store) -> None:
    """One each of ana's, bob's and olga's."""
    for bot, author in (("anas", "ana"), ("bobs", "bob"), ("olgas", "olga")):
        store.add_version(new_version(bot, author=author), bot.encode())


def test_a_tournament_s_whole_life(signed_in: SignedIn, store: Store, bots: None) -> None:
    """Set up, entered, closed, opened, drawn, an entry withdrawn, cancelled."""
    olga, ana = signed_in("olga"), signed_in("ana")
    made = olga.send(
        "/new-tournament",
        "/new-tournament",
        {
            "name": "a/b <i>",
            "game": "claims",
            "blocks": "6",
            "turn": "0.5",
            "options": "target=150",
        },
    )
    at = made.to.partition("?")[0]
    assert olga.get(made.to).sees("The tournament is set up.")
    assert ana.send(at, f"{at}/enter", {"bot": "anas"}).status == 303
    assert ana.get(at).sees("anas v1")
    for bot in ("bobs:1", "olgas"):
        assert olga.send(at, f"{at}/enter", {"bot": bot}).status == 303
    assert olga.send(at, f"{at}/close").status == 303
    assert ana.send("/account", f"{at}/leave", {"bot": "anas"}).status == 409
    assert olga.send(at, f"{at}/open").status == 303
    assert ana.send(at, f"{at}/leave", {"bot": "anas"}).status == 303
    assert ana.send(at, f"{at}/enter", {"bot": "anas"}).status == 303
    assert olga.send(at, f"{at}/draw").status == 303
    found = store.tournament("a/b <i>")
    assert store.progress(found.id).matches == 12
    assert (found.organiser, found.timers["turn"], found.options["target"]) == ("olga", 0.5, 150)
    gone = {"bot": "anas:1", "why": "it was <b>asleep</b>", "annul": "yes"}
    assert olga.send(at, f"{at}/withdraw", gone).status == 303
    assert olga.get(at).sees("it was <b>asleep</b>")
    assert olga.send(at, f"{at}/cancel").status == 400
    assert olga.send(at, f"{at}/cancel", {"sure": "yes"}).status == 303
    assert store.progress(found.id).state is TournamentState.CANCELLED
    assert olga.get(at).sees("Cancelled")


def test_bots_that_are_named_have_their_schedule_drawn_at_once(
    signed_in: SignedIn, store: Store, bots: None
) -> None:
    """As from the command line."""
    form = {"name": "cup", "game": "claims", "bots": "anas, bobs:1", "blocks": "2"}
    assert signed_in("olga").send("/new-tournament", "/new-tournament", form).status == 303
    assert store.progress(store.tournament("cup").id).matches == 4


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"game": "chess"}, "there is no game"),
        ({"table_size": "9"}, "table size"),
        ({"table_size": "x"}, "table size is a number"),
        ({"blocks": "nan"}, "blocks is a number"),
        ({"blocks": "-1"}, "blocks is a number"),
        ({"options": "deck=/etc/passwd"}, "not here"),
        ({"options": "target=7"}, "target"),
        ({"options": "nonsense"}, "name=value"),
        ({"bots": "nobody"}, "no bot"),
        ({"name": " "}, "tournament name"),
        ({"until_clear": "100"}, "probability"),
    ],
)
def test_what_can_t_be_is_told_beside_the_form(
    signed_in: SignedIn, store: Store, form: dict[str, str], says: str
) -> None:
    """And what was filled in stays there."""
    whole = {"name": "my cup", "game": "claims", "ready": "7", **form}
    answer = signed_in("olga").send("/new-tournament", "/new-tournament", whole)
    assert answer.status in {400, 404}
    assert answer.sees(says)
    assert 'value="7"' in answer.text
    assert store.tournaments() == []


def test_a_name_is_taken_once(signed_in: SignedIn, cup: Tournament) -> None:
    """The second organiser is told so."""
    form = {"name": "cup", "game": "claims"}
    answer = signed_in("olga").send("/new-tournament", "/new-tournament", form)
    assert answer.status == 409
    assert answer.sees("already")


def offered(answer: Answer) -> list[str]:
    """The bots that a form has to choose from."""
    return re.findall(r'name="bot" value="([^"]*)"', answer.text)


def test_one_chooses_among_the_bots_that_can_be_entered(
    signed_in: SignedIn, store: Store, cup: Tournament
) -> None:
    """Those that play the game and aren't retired: the best ranked first, then by name."""
    for bot, games in (("aa", ("claims",)), ("ab", ("claro",)), ("ac", ("claims",))):
        store.add_version(new_version(bot, games=games), bot.encode())
    store.roster.retire("ac")
    olga = signed_in("olga")
    best = re.findall(r"/bots/(bot[01])/1", olga.get("/rankings/claims").text)
    assert offered(olga.get("/new-tournament?game=claims")) == [*dict.fromkeys(best), "aa"]
    assert offered(olga.get("/new-tournament?game=claro")) == ["ab"]
    assert olga.get("/new-tournament?game=claim").sees("No bot that plays Claim! can be entered")
    assert olga.get("/new-tournament?game=chess").status == 404


def test_of_very_many_bots_some_are_offered_and_the_others_named(
    signed_in: SignedIn, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form says so; what was chosen is kept when something else is refused."""
    monkeypatch.setattr(planning, "MOST", 2)
    for bot in ("bot a", "bot b", "c", "d"):
        store.add_version(new_version(bot), bot.encode())
    olga, page = signed_in("olga"), "/new-tournament"
    assert offered(olga.get(page)) == ["bot a", "bot b"]
    assert olga.get(page).sees("2 of the 4 bots that play Claims")
    word = olga.word(page)
    form = [("word", word), ("game", "claims"), ("bot", "bot b"), ("bot", "d"), ("bots", "c:1 d")]
    refused = olga.post(page, [*form, ("name", "cup"), ("table_size", "9")])
    assert re.findall(r'value="([^"]*)" checked', refused.text) == ["bot b", "d"]
    assert olga.post(page, [*form, ("name", "cup")]).status == 303
    entries = store.tournament("cup").entries
    assert [entry.version.bot for entry in entries] == ["bot b", "d", "c"]


def test_one_chooses_among_one_s_own_leagues(signed_in: SignedIn, store: Store) -> None:
    """Those of the game; an admin among all of them."""
    for name, game, organiser in (
        ("hers", "claims", "olga"),
        ("others", "claims", "otto"),
        ("elsewhere", "claro", "olga"),
    ):
        new = new_tournament(name, game=game, organiser=organiser, league=f"{name} league")
        store.create_tournament(new)
    for who, leagues in (("olga", {"hers league"}), ("root", {"hers league", "others league"})):
        form = signed_in(who).get("/new-tournament?game=claims").text
        assert set(re.findall(r'<option value="([^"]*)"', form)) == leagues


def test_what_is_offered_to_be_entered_plays_the_game(
    signed_in: SignedIn, store: Store, bots: None
) -> None:
    """To an author the own bots, to its organiser everybody's."""
    store.create_tournament(new_tournament("open", blocks=0, organiser="olga"))
    store.add_version(new_version("claro-bot", author="ana", games=("claro",)), b"claro")
    ana = signed_in("ana").get("/tournaments/open").text
    assert re.findall(r"<option>([^<]*)", ana) == ["anas"]
    olga = signed_in("olga").get("/tournaments/open").text
    assert re.findall(r'<option value="([^"]*)"', olga) == ["anas", "bobs", "olgas"]


#: Who may see olga's private tournament, and who may change it.
VISITORS = [
    ("olga", 200, 303),
    ("root", 200, 303),
    ("otto", 404, 404),
    ("ana", 404, 403),
]


@pytest.mark.parametrize(("name", "sees", "changes"), VISITORS)
def test_a_private_tournament_is_there_only_for_who_has_to_do_with_it(
    signed_in: SignedIn, secret_cup: Tournament, name: str, sees: int, changes: int
) -> None:
    """For others it is as if it weren't: the same page as for one that never was."""
    visitor = signed_in(name)
    for what in ("", "/ranking", "/matches", "/tournament.json", "/ranking.csv", "/history"):
        answer = visitor.get(f"{AT}{what}")
        assert answer.status == sees, what
        if sees == 404:
            assert answer.text == visitor.get(f"/tournaments/none{what}").text
    assert visitor.get("/tournaments").sees("secret cup") == (sees == 200)
    assert visitor.get("/").sees("secret cup") == (sees == 200)
    assert visitor.send("/account", f"{AT}/close").status == changes


def test_a_private_tournament_is_not_there_for_spectators(
    browser: Browser, secret_cup: Tournament
) -> None:
    """Neither its page nor its events, nor a hint in an error."""
    for what in ("", "/events", "/export.zip", "/matches/m0-0", "/matches/m0-0/replay"):
        assert browser.get(f"{AT}{what}").status == 404, what
    assert "secret cup" not in browser.get("/tournaments/secret%20cu").text
    assert "secret cup" not in browser.get("/tournaments").text


def test_an_author_of_an_entry_sees_a_private_tournament(
    signed_in: SignedIn, secret_cup: Tournament, store: Store, bots: None
) -> None:
    """But can't change what is its organiser's."""
    olga, ana = signed_in("olga"), signed_in("ana")
    assert olga.send(AT, f"{AT}/enter", {"bot": "anas"}).status == 303
    assert ana.get(AT).status == 200
    assert not ana.get(AT).sees("For its organiser")
    assert ana.send("/account", f"{AT}/draw").status == 403


def test_one_enters_only_one_s_own_bots(signed_in: SignedIn, store: Store, bots: None) -> None:
    """And takes out only those."""
    olga, ana = signed_in("olga"), signed_in("ana")
    at = olga.send("/new-tournament", "/new-tournament", {"name": "cup", "game": "claims"}).to
    at = at.partition("?")[0]
    assert ana.send(at, f"{at}/enter", {"bot": "bobs"}).status == 403
    olga.send(at, f"{at}/enter", {"bot": "bobs"})
    assert ana.send("/account", f"{at}/leave", {"bot": "bobs"}).status == 403
    assert [e.version.bot for e in store.tournament("cup").entries] == ["bobs"]


def test_another_organiser_s_tournament_can_t_be_changed(signed_in: SignedIn, store: Store) -> None:
    """By any form."""
    make_tournament(store, "cup", organiser="olga")
    otto = signed_in("otto")
    for what in ("open", "close", "draw", "run", "cancel", "withdraw"):
        form = {"sure": "yes", "bot": "bot0", "why": "x"}
        assert otto.send("/account", f"/tournaments/cup/{what}", form).status == 404, what
    assert store.progress(1).state is TournamentState.CREATED


def test_running_needs_something_that_plays(signed_in: SignedIn, store: Store) -> None:
    """Pages of an archive say so."""
    make_tournament(store, "cup", organiser="olga")
    answer = signed_in("olga").send("/tournaments/cup", "/tournaments/cup/run")
    assert answer.status == 409
    assert answer.sees("Nothing plays here")


class Conducting:
    """Hears what a conductor would."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []
        self.people = SimpleNamespace(draining=None)

    async def want(self, name: str) -> None:
        self.heard.append(("want", name))

    async def changed(self, name: str) -> None:
        self.heard.append(("changed", name))

    async def cancelled(self, name: str) -> None:
        self.heard.append(("cancelled", name))

    def playing(self, tournament_id: int) -> Playing:
        return Playing(wanted=False, in_play=("m0-0",), trouble="the engine is away")


def test_the_conductor_hears_of_what_changes(
    store: Store, patience: Patience, secret: Callable[[str], str], bots: None
) -> None:
    """And the page shows what it does."""
    conductor = Conducting()
    pages: Starlette = make_pages(store, wrong_tokens=patience, conductor=conductor)  # type: ignore[arg-type]
    make_tournament(store, "cup", organiser="olga")
    olga = Browser(pages)
    olga.sign_in(secret("olga"))
    assert olga.get("/tournaments/cup").sees("the engine is away")
    assert olga.get("/tournaments/cup/matches/m0-0").sees("Being played")
    olga.send("/tournaments/cup", "/tournaments/cup/run")
    olga.send("/tournaments/cup", "/tournaments/cup/cancel", {"sure": "yes"})
    olga.send("/account", "/tournaments/cup/withdraw", {"bot": "bot0:1", "why": "x"})
    assert conductor.heard == [("want", "cup"), ("cancelled", "cup"), ("changed", "cup")]


@pytest.mark.parametrize("field", ["turn", "ready", "start", "budget", "max_faults", "blocks"])
def test_the_form_s_bounds_are_those_of_what_is_refused(signed_in: SignedIn, field: str) -> None:
    """The least and the most can be had, and nothing beyond."""
    olga = signed_in("olga")
    form = olga.get("/new-tournament").text
    found = re.search(rf'<input id="{field}"[^>]* min="([^"]*)" max="([^"]*)"', form)
    assert found is not None
    least, most = map(float, found.groups())
    for value, held in ((least, True), (most, True), (least - 0.04, False), (most + 1, False)):
        plan = {"name": f"{field} {value}", "game": "claims", field: f"{value:g}"}
        if field in {"max_faults", "blocks"}:
            plan[field] = str(math.floor(value))
        sent = olga.send("/new-tournament", "/new-tournament", plan)
        assert (sent.status == 303) is held, (value, sent.text)
