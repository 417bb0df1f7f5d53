"""Handing in a bot from the browser: checked at once, followed afterwards, for its author alone."""

import io
import zipfile
from collections.abc import Callable

import pytest

from arena.store import Store, SubmissionState, Tournament
from arena.store.testing import new_version
from tests.unit.web.asking import Browser

SignedIn = Callable[[str], Browser]

TOML = """\
name = "{name}"
games = ["claims"]
runtime = "python"
entrypoint = "bot.py"
"""


def archive(name: str = "newbie", code: str = "x = 1\n") -> bytes:
    """A bot in a .zip."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("bot.toml", TOML.format(name=name))
        made.writestr("bot.py", code)
    return file.getvalue()


def submit(author: Browser, content: bytes) -> str:
    """Hand it in, and say where its page is."""
    answer = author.upload("/submissions", "/submissions", "bot.zip", content)
    assert answer.status == 303, answer.text
    return answer.to


def test_a_bot_is_taken_in_and_checked(signed_in: SignedIn, store: Store) -> None:
    """Its page says how far it is; the same files again are the same submission."""
    ana = signed_in("ana")
    page = submit(ana, archive())
    assert ana.get(page).sees("newbie Checked")
    assert submit(ana, archive()) == page
    assert ana.get("/submissions").sees("newbie")
    assert [each.author for each in store.submissions.page(None, size=9)] == ["ana"]


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "Choose a file"), (b"nonsense", "archive"), (archive("Bad Name!"), "name")],
)
def test_what_is_no_bot_is_told_beside_the_form(
    signed_in: SignedIn, content: bytes, says: str
) -> None:
    """In one sentence."""
    name = "bot.zip" if content else ""
    answer = signed_in("ana").upload("/submissions", "/submissions", name, content)
    assert answer.status == 400
    assert answer.sees(says)
    assert "Traceback" not in answer.text


def test_an_error_in_the_code_is_a_rejection_with_its_reason(signed_in: SignedIn) -> None:
    """Which its author reads."""
    ana = signed_in("ana")
    page = submit(ana, archive(code="def (:\n"))
    assert ana.get(page).sees("Rejected")
    assert ana.get(page).sees("bot.py")


def test_another_s_bot_name_is_taken(signed_in: SignedIn) -> None:
    """Names belong to their first author."""
    submit(signed_in("ana"), archive("mine"))
    answer = signed_in("bob").upload(
        "/submissions", "/submissions", "x.zip", archive("mine", "y=2")
    )
    assert answer.status == 409


def test_a_submission_is_for_its_author(signed_in: SignedIn, browser: Browser) -> None:
    """Its page, its log and its events; for admins, too."""
    page = submit(signed_in("ana"), archive())
    for what in ("", "/log", "/events"):
        assert signed_in("bob").get(f"{page}{what}").status == 404
        assert browser.get(f"{page}{what}").to.startswith("/sign-in")
    assert signed_in("root").get(page).status == 200


def test_reports_are_words_and_their_log_is_plain_text(signed_in: SignedIn, store: Store) -> None:
    """Whatever a bot printed."""
    ana = signed_in("ana")
    page = submit(ana, archive())
    id_ = page.rpartition("/")[2]
    store.submissions.reject(
        id_, "<script>alert(1)</script>", advice=["<b>"], log=b"<i>\x1b[31m\x00"
    )
    assert "<script>alert" not in ana.get(page).text
    assert ana.get(page).sees("<script>alert(1)</script>")
    log = ana.get(f"{page}/log")
    assert log.headers["content-type"].startswith("text/plain")
    assert "\x1b" not in log.text


def test_the_events_end_when_the_submission_is_over(signed_in: SignedIn, store: Store) -> None:
    """With the state that it came to."""
    ana = signed_in("ana")
    page = submit(ana, archive())
    store.submissions.reject(page.rpartition("/")[2], "no")
    answer = ana.get(f"{page}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert '"state": "rejected"' in answer.text
    assert store.submissions.page("ana", size=1)[0].state is SubmissionState.REJECTED


def test_a_tournament_s_events_end_with_it(browser: Browser, cup: Tournament) -> None:
    """And say how far it came."""
    answer = browser.get("/tournaments/cup/events")
    assert '"ended": 16' in answer.text


def test_logs_of_matches_are_for_their_bot_s_author(signed_in: SignedIn, cup: Tournament) -> None:
    """Not for other authors."""
    path = "/tournaments/cup/matches/m0-0/log/0"
    assert signed_in("ana").get(path).text == "m0-0, seat 0\n"
    assert signed_in("bob").get(path).status == 404
    assert signed_in("ana").get("/tournaments/cup/matches/m0-0/log/7").status == 404


def test_a_bot_is_retired_by_its_author_alone(signed_in: SignedIn, store: Store) -> None:
    """One version, or all."""
    store.add_version(new_version("anas"), b"x")
    assert signed_in("bob").send("/account", "/bots/anas/retire", {"version": "1"}).status == 404
    ana = signed_in("ana")
    assert ana.send("/bots/anas", "/bots/anas/retire", {"version": "1"}).status == 303
    assert ana.get("/bots/anas").sees("Retired")
