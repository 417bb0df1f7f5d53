"""Signing in with a token: what opens a session, what ends it, and what slows down who guesses."""

import re
from collections.abc import Callable

import pytest
from starlette.applications import Starlette

from arena.app import accounts
from arena.store import Store
from tests.unit.web.asking import Browser
from tests.unit.web.conftest import Patience

SignedIn = Callable[[str], Browser]
Secret = Callable[[str], str]


def test_a_token_opens_a_session(browser: Browser, secret: Secret) -> None:
    """And the page says who one is."""
    answer = browser.sign_in(secret("ana"))
    assert (answer.status, answer.to) == (303, "/account")
    assert browser.get("/account").sees("You submit bots and enter them")


def test_the_cookie_is_for_this_host_and_no_script(
    browser: Browser, secret: Secret, pages: Starlette
) -> None:
    """Over TLS it is for TLS alone."""
    told = browser.sign_in(secret("ana")).headers["set-cookie"].lower()
    assert "httponly" in told
    assert "samesite=lax" in told
    assert "secure" not in told
    over_tls = Browser(pages, scheme="https").sign_in(secret("ana")).headers
    assert over_tls["set-cookie"].startswith("__Host-arena=")
    assert "; secure" in over_tls["set-cookie"].lower()
    assert "strict-transport-security" in over_tls


def test_the_cookie_holds_no_token(browser: Browser, secret: Secret) -> None:
    """Nor anything that one could be made from."""
    token = secret("ana")
    browser.sign_in(token)
    (cookie,) = browser.cookies.values()
    assert token not in cookie
    assert accounts.hashed(token) not in cookie


@pytest.mark.parametrize(
    "token", ["", "arena_x", "\udcff".encode(errors="replace").decode(), "x" * 5000]
)
def test_an_unknown_token_opens_nothing(browser: Browser, token: str) -> None:
    """And is not told back."""
    answer = browser.sign_in(token)
    assert answer.status == 403
    assert answer.sees("not known here")
    assert browser.get("/account").to.startswith("/sign-in")


def test_whoever_guesses_is_slowed_down_by_address(
    browser: Browser, patience: Patience, secret: Secret, pages: Starlette
) -> None:
    """Also with a good token from there; somebody elsewhere isn't."""
    patience.most = 3
    for _ in range(3):
        assert browser.sign_in("arena_guess").status == 403
    answer = browser.sign_in(secret("ana"))
    assert answer.status == 429
    assert answer.headers["retry-after"] == "30"
    assert Browser(pages, place="192.0.2.2").sign_in(secret("ana")).status == 303


def test_revoking_its_token_ends_a_session(signed_in: SignedIn, store: Store) -> None:
    """At once, wherever the cookie is."""
    ana = signed_in("ana")
    for token in store.accounts.tokens("ana"):
        accounts.revoke_token(store, token.id)
    assert ana.get("/account").to.startswith("/sign-in")


def test_locking_an_author_out_ends_their_sessions(signed_in: SignedIn, store: Store) -> None:
    """At once, too."""
    ana = signed_in("ana")
    accounts.set_author(store, "ana", locked=True)
    assert ana.get("/account").to.startswith("/sign-in")


def test_signing_out_ends_every_copy_of_the_cookie(signed_in: SignedIn, pages: Starlette) -> None:
    """Not only the one in this browser."""
    ana = signed_in("ana")
    thief = Browser(pages, cookies=dict(ana.cookies))
    assert ana.send("/account", "/sign-out").status == 303
    assert ana.cookies == {}
    assert thief.get("/account").to.startswith("/sign-in")


@pytest.mark.parametrize(
    "then", ["//evil.test/", "https://evil.test/", "/\\evil.test", "javascript:alert(1)", "x"]
)
def test_one_is_never_sent_on_to_another_site(browser: Browser, secret: Secret, then: str) -> None:
    """Whatever a link to the sign-in page says."""
    answer = browser.send("/sign-in", "/sign-in", {"token": secret("ana"), "then": then})
    assert answer.to == "/account"


def test_one_comes_back_to_where_one_was(browser: Browser, secret: Secret) -> None:
    """With the query."""
    asked = browser.get("/submissions?before=x").to
    page = browser.get(asked).text
    (then,) = re.findall(r'name="then" value="([^"]*)"', page)
    assert then == "/submissions?before=x"
    answer = browser.send(asked, "/sign-in", {"token": secret("ana"), "then": then})
    assert answer.to == then


FORMS = [
    ("/sign-out", {}),
    ("/account/tokens", {"name": "x"}),
    ("/account/tokens/1/revoke", {}),
    ("/submissions", {}),
    ("/new-tournament", {"name": "x", "game": "claims"}),
    ("/tournaments/cup/enter", {"bot": "bot0"}),
    ("/tournaments/cup/leave", {"bot": "bot0"}),
    ("/tournaments/cup/open", {}),
    ("/tournaments/cup/close", {}),
    ("/tournaments/cup/draw", {}),
    ("/tournaments/cup/run", {}),
    ("/tournaments/cup/cancel", {"sure": "yes"}),
    ("/tournaments/cup/withdraw", {"bot": "bot0", "why": "x"}),
    ("/bots/bot0/retire", {}),
]


@pytest.mark.parametrize(("path", "form"), FORMS)
def test_a_form_needs_its_reader_s_word(
    signed_in: SignedIn, path: str, form: dict[str, str]
) -> None:
    """None, a made-up one, and another reader's are refused; so is one from another site."""
    root, other = signed_in("root"), signed_in("olga")
    for word in ("", "0" * 64, other.word("/account")):
        answer = root.post(path, {**form, "word": word})
        assert answer.status == 403, path
        assert answer.sees("out of date")
    good = {**form, "word": root.word("/account")}
    assert root.post(path, good, sec_fetch_site="cross-site").status == 403


@pytest.mark.parametrize(("path", "form"), FORMS)
def test_a_form_needs_somebody_signed_in(browser: Browser, path: str, form: dict[str, str]) -> None:
    """Nothing is changed for a spectator."""
    assert browser.post(path, form).to.startswith("/sign-in")
    assert browser.get(path, x="y").status in {303, 404, 405}


def test_a_form_without_a_length_or_with_too_much_is_refused(signed_in: SignedIn) -> None:
    """Before it is read."""
    ana = signed_in("ana")
    assert ana.post("/account/tokens", {}, content_length="").status == 411
    assert ana.post("/account/tokens", {}, content_length=str(1 << 30)).status == 413


def test_a_new_token_is_shown_once_and_can_be_revoked(
    signed_in: SignedIn, store: Store, pages: Starlette
) -> None:
    """Only by its owner."""
    ana, bob = signed_in("ana"), signed_in("bob")
    page = ana.send("/account", "/account/tokens", {"name": "laptop <b>"})
    (made,) = re.findall(r"arena_[A-Za-z0-9_-]{20,}", page.text)
    assert "no-store" in page.headers["cache-control"]
    assert made not in ana.get("/account").text
    assert Browser(pages).sign_in(made).status == 303
    token = store.accounts.tokens("ana")[-1]
    assert bob.send("/account", f"/account/tokens/{token.id}/revoke").status == 404
    assert ana.send("/account", f"/account/tokens/{token.id}/revoke").status == 303
    assert Browser(pages).sign_in(made).status == 403


def test_what_was_changed_stands_in_the_audit_log(signed_in: SignedIn, store: Store) -> None:
    """With who did it, from where, and what came of it; a token never does."""
    ana = signed_in("ana")
    ana.send("/account", "/account/tokens", {"name": "laptop"})
    ana.send("/account", "/new-tournament", {"name": "cup", "game": "claims"})
    newest = store.audit.entries(most=3)
    assert [(e.author, e.method, e.target, e.outcome) for e in newest] == [
        (None, "Pages/CreateTournament", "", "REFUSED 403"),
        ("ana", "Pages/CreateToken", "laptop", "OK"),
        (None, "Pages/SignIn", "", "OK"),
    ]
    assert {e.peer for e in newest} == {"192.0.2.1"}


def test_what_is_refused_is_noted_as_it_was_answered(
    browser: Browser, signed_in: SignedIn, store: Store
) -> None:
    """Who isn't signed in, a form that can't be read: none of it is a defect of the arena."""
    browser.post("/account/tokens", {"name": "laptop"})
    ana = signed_in("ana")
    ana.send("/account", "/account/tokens", {f"field{number}": "" for number in range(500)})
    newest = store.audit.entries(most=3)
    assert [(e.method, e.outcome) for e in newest] == [
        ("Pages/CreateToken", "REFUSED 400"),
        ("Pages/SignIn", "OK"),
        ("Pages/CreateToken", "REFUSED 401"),
    ]


def test_nobody_fills_the_audit_log_by_trying_too_often(
    browser: Browser, store: Store, patience: Patience
) -> None:
    """A token that is one too many is not noted, as over gRPC."""
    patience.most = 0
    assert browser.sign_in("arena_unknown").status == 429
    assert store.audit.entries(most=3) == []
