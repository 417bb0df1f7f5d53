"""A client in another language, written from the protos alone, against a served arena."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

import pytest

from arena.app import accounts
from arena.app.bots import contestants
from arena.app.rankings import ranking
from arena.store import Role, Store, SubmissionState, TournamentState
from tests.integration.server import node
from tests.integration.server.archives import packed
from tests.integration.server.process import serving

BOT = "from-node"
OTHER = "greedy"
CUP = "node-cup"


@pytest.mark.docker
@pytest.mark.timeout(1200)
def test_a_client_from_the_protos_alone_does_what_ours_can(store: Store, image: None) -> None:
    """From handing a bot in to the ranking, and what it is told of refusals is what it can use."""
    node.packages()
    secret = accounts.add_author(store, "olga", Role.ORGANISER).secret
    contestants.submit(store, contestants.find(store, OTHER))
    archive = store.folder / "from-node.zip"
    # More than fits in one piece, and never built before.
    archive.write_bytes(packed(BOT, mark=uuid.uuid4().hex, filler="." * 200_000))
    with serving(store.folder) as server:
        seen = node.visit(server.target, secret, archive, CUP, OTHER)
        server.stop()
        assert server.ended() == 0
        assert "Traceback" not in server.log.read_text()
    assert seen["author"]["name"] == "olga"
    assert seen["author"]["role"] == "ROLE_ORGANISER"
    assert seen["status"]["games"] == ["claims", "claim", "claro"]
    assert_submitted(store, seen["submission"])
    assert_played(store, seen)
    assert_replay(store, seen)
    assert_refused(store, seen["refused"])


def assert_submitted(store: Store, told: dict[str, Any]) -> None:
    """Handed in twice with one request id, it is there once; each state came in its order."""
    (kept,) = store.submissions.page(None, size=10)
    version = store.find_version(BOT)
    assert (told["id"], told["again"]) == (kept.id, kept.id)
    assert kept.state is SubmissionState.READY
    assert (told["author"], version.author) == ("olga", "olga")
    assert (told["digest"], told["version"]) == (version.digest, version.number)
    names = [f"SUBMISSION_STATE_{state.name}" for state in SubmissionState]
    assert told["states"] == sorted(told["states"], key=names.index)
    assert told["states"][-1] == "SUBMISSION_STATE_READY"


def assert_played(store: Store, seen: dict[str, Any]) -> None:
    """The tournament as it was made, each match's end told once, and all of them on the pages."""
    tournament = store.tournament(CUP)
    assert store.progress(tournament.id).state is TournamentState.FINISHED
    assert seen["made"]["organiser"] == "olga"
    assert seen["made"]["seed_hash"] == tournament.seed_hash
    assert {entry["version"]["bot"] for entry in seen["made"]["entries"]} == {BOT, OTHER}
    results = {result.match_id: result for result in store.results(tournament.id)}
    watched = seen["watched"]
    assert watched["states"][-1] == "TOURNAMENT_STATE_FINISHED"
    assert watched["last"]["done"] == len(results) == 4
    assert len(watched["ended"]) == len(set(watched["ended"]))
    assert set(watched["ended"]) <= results.keys()
    assert seen["matches"]["pages"] == 2
    listed = {match["id"]: match["result"] for match in seen["matches"]["list"]}
    assert listed.keys() == results.keys()
    for match_id, told in listed.items():
        kept = results[match_id]
        assert told["digest"] == kept.replay_digest
        points = [(seat["entry"], seat["rank"], seat["points"]) for seat in told["seats"]]
        assert points == [(seat.entry, seat.rank, seat.total) for seat in kept.seats]
    ranked = ranking.overview(store, CUP).ranked
    rows = [(row["bot"], row["rank"], row["score"]) for row in seen["ranking"]["ranked"]]
    assert rows == [(row.version.bot, row.rank, row.standing.score) for row in ranked]


def assert_replay(store: Store, seen: dict[str, Any]) -> None:
    """The bytes that the arena keeps, which it finds to hold when they are sent back."""
    told = seen["replay"]
    results = store.results(store.tournament(CUP).id)
    (kept,) = (result for result in results if result.match_id == told["match"])
    blob = store.blob(kept.replay)
    assert told["size"] == len(blob)
    assert told["sha256"] == hashlib.sha256(blob).hexdigest()
    assert told["verified"]["holds"]
    assert told["verified"]["digest"] == kept.replay_digest


def assert_refused(store: Store, refused: dict[str, dict[str, str]]) -> None:
    """Status, reason, domain and a sentence of each, and nothing came of it."""
    assert {what: (told["status"], told["reason"]) for what, told in refused.items()} == {
        "an organiser adds an author": ("PERMISSION_DENIED", "ROLE_TOO_LOW"),
        "a spectator cancels a tournament": ("UNAUTHENTICATED", "TOKEN_MISSING"),
        "a tournament that is not there": ("NOT_FOUND", "NOT_FOUND"),
        "a tournament that is over is cancelled": ("FAILED_PRECONDITION", "WRONG_STATE"),
        "a submission without its bytes": ("INVALID_ARGUMENT", "DIGEST_MISMATCH"),
    }
    assert {told["domain"] for told in refused.values()} == {"claim-arena"}
    assert all(told["message"] for told in refused.values())
    assert "friend" not in {author.name for author in store.accounts.authors()}
