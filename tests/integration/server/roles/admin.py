"""AdminService in the role table. The things are tokens."""

from __future__ import annotations

from arena.app import accounts
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.role_table import OK, Row, Thing, admins, everybody


def _token(thing: Thing) -> int:
    return accounts.add_token(thing.served.store, thing.owner, thing.name).token.id


_OWN = ("TOKEN_MISSING", OK, "NOT_FOUND", OK, "NOT_FOUND", OK)

ROWS = [
    Row(
        "AdminService/WhoAmI",
        lambda caller, _: caller.admin.WhoAmI(pb.WhoAmIRequest()),
        everybody(),
    ),
    Row(
        "AdminService/CreateAuthor",
        lambda caller, name: caller.admin.CreateAuthor(
            pb.CreateAuthorRequest(name=name, role=pb.ROLE_AUTHOR)
        ),
        admins(),
    ),
    Row(
        "AdminService/ListAuthors",
        lambda caller, _: caller.admin.ListAuthors(pb.ListAuthorsRequest()),
        admins(),
    ),
    Row(
        "AdminService/UpdateAuthor",
        lambda caller, owner: caller.admin.UpdateAuthor(
            pb.UpdateAuthorRequest(name=owner, locked=False)
        ),
        admins(),
        lambda thing: thing.owner,
    ),
    Row(
        "AdminService/CreateToken",
        lambda caller, owner: caller.admin.CreateToken(
            pb.CreateTokenRequest(author=owner, name="laptop")
        ),
        _OWN,
        lambda thing: thing.owner,
    ),
    Row(
        "AdminService/ListTokens",
        lambda caller, owner: caller.admin.ListTokens(pb.ListTokensRequest(author=owner)),
        _OWN,
        lambda thing: thing.owner,
    ),
    Row(
        "AdminService/RevokeToken",
        lambda caller, id_: caller.admin.RevokeToken(pb.RevokeTokenRequest(id=id_)),
        _OWN,
        _token,
    ),
    Row(
        "AdminService/ListAudit",
        lambda caller, _: caller.admin.ListAudit(pb.ListAuditRequest()),
        admins(),
    ),
    Row(
        "AdminService/Drain",
        lambda caller, _: caller.admin.Drain(pb.DrainRequest(drain=False)),
        admins(),
    ),
    Row(
        "AdminService/GetStatus",
        lambda caller, _: caller.admin.GetStatus(pb.GetStatusRequest()),
        everybody(),
    ),
]
