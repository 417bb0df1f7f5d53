"""AdminService: authors and their tokens."""

from __future__ import annotations

from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.calling import SPECTATOR, Served, refused


async def test_a_caller_is_known_by_the_token(served: Served) -> None:
    """Its author, its role, its token; nobody without one."""
    known = await served["olga"].admin.WhoAmI(pb.WhoAmIRequest())
    assert (known.author.name, known.author.role) == ("olga", pb.ROLE_ORGANISER)
    assert (known.token.author, known.token.name) == ("olga", "first")
    nobody = await served[SPECTATOR].admin.WhoAmI(pb.WhoAmIRequest())
    assert not nobody.HasField("author")
    assert not nobody.HasField("token")


async def test_authors_are_for_admins(served: Served) -> None:
    """Others are told which role it takes, and that without a token nobody gets there."""
    with refused(pb.REASON_ROLE_TOO_LOW) as told:
        await served["olga"].admin.ListAuthors(pb.ListAuthorsRequest())
    assert "admin" in str(told)
    with refused(pb.REASON_TOKEN_MISSING):
        await served[SPECTATOR].admin.ListAuthors(pb.ListAuthorsRequest())
