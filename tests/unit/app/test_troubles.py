"""What everybody is told of trouble: what is missing, and not where things lie."""

from __future__ import annotations

import pytest

from arena.app.errors import ArenaError
from arena.app.failures import FOR_PEOPLE
from arena.app.troubles import in_public
from arena.sandbox.errors import EngineUnavailable
from arena.store import StoreError, StoreFull, StoreUnavailable, TournamentBusy
from arena.submissions.errors import ImageError
from arena.tournament.executor import ExecutorFailed

PRIVATE = "/srv/arena of user 7 on host db.internal"


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (EngineUnavailable(PRIVATE), "engine"),
        (ImageError(PRIVATE), "engine"),
        (StoreFull(PRIVATE), "disk"),
        (StoreUnavailable(PRIVATE), "database"),
        (StoreError(PRIVATE), "database"),
        (TournamentBusy(PRIVATE), "another program"),
        (ExecutorFailed(PRIVATE), "worker"),
        (OSError(PRIVATE), "machine"),
        (ZeroDivisionError(PRIVATE), "defect"),
    ],
)
def test_trouble_is_told_by_its_kind(error: Exception, word: str) -> None:
    """In one line, without paths or addresses."""
    told = in_public(error)
    assert word in told
    assert PRIVATE not in told
    assert "\n" not in told


def test_what_the_application_says_is_said_as_it_is() -> None:
    """It is written for everybody."""
    assert in_public(ArenaError("began with engine 2")) == "began with engine 2"


def test_what_an_engine_says_is_not_told_by_another_name() -> None:
    """Also where the application has added to it what a person at the machine can do."""
    error = ArenaError(f"{PRIVATE}: do without containers")
    error.__cause__ = ImageError(PRIVATE)
    assert PRIVATE not in in_public(error)
    assert "engine" in in_public(error)


def test_every_error_for_people_has_words_of_its_own() -> None:
    """Only what nobody foresaw is called a defect."""
    likely = (ArenaError, ExecutorFailed, ImageError, StoreError)
    assert set(likely) < set(FOR_PEOPLE)
    assert all("defect" not in in_public(kind("x")) for kind in likely)
