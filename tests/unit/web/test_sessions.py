"""Session cookies: only ours count, only for so long, and forms belong to one of them."""

import stat
from pathlib import Path

import pytest

from arena.web.sessions import LASTS, Session, Sessions, kept_key


class Clock:
    """A wall clock that a test moves."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(clock: Clock) -> Sessions:
    return Sessions(b"k" * 32, clock)


def test_a_cookie_names_its_token(sessions: Sessions) -> None:
    """And the session that it was made for."""
    session, cookie = sessions.begin(7)
    assert sessions.read(cookie) == session
    assert session.token == 7


def test_a_changed_cookie_is_none(sessions: Sessions) -> None:
    """Whichever of its letters is another one."""
    _, cookie = sessions.begin(7)
    for at, letter in enumerate(cookie):
        other = "0" if letter != "0" else "1"
        assert sessions.read(cookie[:at] + other + cookie[at + 1 :]) is None


@pytest.mark.parametrize("cookie", ["", ".", "...", "1.a.9999999999999.", "\udcff", "7.x.y.z"])
def test_no_cookie_of_ours_is_none(sessions: Sessions, cookie: str) -> None:
    """Nothing is raised, whatever a browser sends."""
    assert sessions.read(cookie) is None


def test_a_cookie_of_another_key_is_none(sessions: Sessions, clock: Clock) -> None:
    """Such as one of another arena."""
    _, cookie = Sessions(b"o" * 32, clock).begin(7)
    assert sessions.read(cookie) is None


def test_a_session_is_over_after_its_time(sessions: Sessions, clock: Clock) -> None:
    """Also if the browser keeps the cookie."""
    _, cookie = sessions.begin(7)
    clock.now += LASTS - 1
    assert sessions.read(cookie) is not None
    clock.now += 2
    assert sessions.read(cookie) is None


def test_an_ended_session_is_over_for_every_copy(sessions: Sessions) -> None:
    """Others go on."""
    session, cookie = sessions.begin(7)
    _, other = sessions.begin(7)
    sessions.end(session)
    assert sessions.read(cookie) is None
    assert sessions.read(other) is not None


def test_a_form_s_word_belongs_to_one_session(sessions: Sessions) -> None:
    """Not to another one of the same token."""
    one, _ = sessions.begin(7)
    other, _ = sessions.begin(7)
    assert sessions.is_word(one, sessions.word(one))
    assert not sessions.is_word(other, sessions.word(one))
    assert not sessions.is_word(one, "")


def test_a_form_s_word_is_no_cookie(sessions: Sessions) -> None:
    """What signs one thing signs no other."""
    session = Session(None, "1.x.99999999999")
    assert sessions.read(f"1.x.99999999999.{sessions.word(session)}") is None


def test_the_key_stays_and_is_for_its_owner(tmp_path: Path) -> None:
    """So people stay signed in when the arena starts again."""
    key = kept_key(tmp_path)
    assert kept_key(tmp_path) == key
    assert len(key) == 32
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_broken_key_is_made_anew(tmp_path: Path) -> None:
    """An empty file must not be a key that anybody knows."""
    kept_key(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"")
    assert len(kept_key(tmp_path)) == 32
