"""AdminService: authors and their tokens."""

from __future__ import annotations

from arena.match.replay import ENGINE
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.calling import ROLES, SPECTATOR, Caller, Served, refused


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


async def test_an_author_begins_with_a_token(served: Served) -> None:
    """That is shown this once: the same request again tells all but that, and makes nothing."""
    asked = pb.CreateAuthorRequest(request_id="r1", name="zoe", role=pb.ROLE_ORGANISER)
    made = await served["ada"].admin.CreateAuthor(asked)
    zoe = Caller(served["ada"].channel, made.secret)
    known = await zoe.admin.WhoAmI(pb.WhoAmIRequest())
    assert (known.author, known.token.id) == (made.author, made.token.id)
    again = await served["ada"].admin.CreateAuthor(asked)
    assert again.secret == ""
    assert (again.author, again.token.id) == (made.author, made.token.id)
    assert len(served.store.accounts.tokens("zoe")) == 1
    with refused(pb.REASON_REQUEST_ID_REUSED):
        await served["ada"].admin.CreateAuthor(
            pb.CreateAuthorRequest(request_id="r1", name="zac", role=pb.ROLE_AUTHOR)
        )
    with refused(pb.REASON_NAME_TAKEN):
        await served["ada"].admin.CreateAuthor(
            pb.CreateAuthorRequest(name="zoe", role=pb.ROLE_AUTHOR)
        )


async def test_an_authors_name_and_role_are_checked(served: Served) -> None:
    """Names as bots have them; a role that there is."""
    for name in ("", "Zoe", "zoe ", "-zoe", "z" * 33, "zoé", "a\nb"):
        with refused(pb.REASON_INVALID):
            await served["ada"].admin.CreateAuthor(
                pb.CreateAuthorRequest(name=name, role=pb.ROLE_AUTHOR)
            )
    with refused(pb.REASON_INVALID):
        await served["ada"].admin.CreateAuthor(pb.CreateAuthorRequest(name="zoe"))
    assert {author.name for author in served.store.accounts.authors()} == set(ROLES)


async def test_another_role_counts_from_the_next_call(served: Served) -> None:
    """Up as well as down."""
    await served["bo"].admin.WhoAmI(pb.WhoAmIRequest())
    with refused(pb.REASON_ROLE_TOO_LOW):
        await served["bo"].admin.ListAuthors(pb.ListAuthorsRequest())
    await served["ada"].admin.UpdateAuthor(pb.UpdateAuthorRequest(name="bo", role=pb.ROLE_ADMIN))
    await served["bo"].admin.ListAuthors(pb.ListAuthorsRequest())
    await served["bo"].admin.UpdateAuthor(pb.UpdateAuthorRequest(name="ada", role=pb.ROLE_AUTHOR))
    with refused(pb.REASON_ROLE_TOO_LOW):
        await served["ada"].admin.ListAuthors(pb.ListAuthorsRequest())


async def test_a_locked_author_is_out_at_once(served: Served) -> None:
    """And in again, once the lock is taken off; the role stays."""
    await served["olga"].admin.WhoAmI(pb.WhoAmIRequest())
    locked = await served["ada"].admin.UpdateAuthor(
        pb.UpdateAuthorRequest(name="olga", locked=True)
    )
    assert (locked.author.locked, locked.author.role) == (True, pb.ROLE_ORGANISER)
    with refused(pb.REASON_TOKEN_INVALID):
        await served["olga"].admin.WhoAmI(pb.WhoAmIRequest())
    await served["ada"].admin.UpdateAuthor(pb.UpdateAuthorRequest(name="olga", locked=False))
    await served["olga"].admin.WhoAmI(pb.WhoAmIRequest())
    assert served.conductor.told.count(("locked out", "olga")) == 1


async def test_the_last_admin_stays(served: Served) -> None:
    """Also against their own will."""
    for change in ({"role": pb.ROLE_AUTHOR}, {"locked": True}):
        with refused(pb.REASON_WRONG_STATE) as told:
            await served["ada"].admin.UpdateAuthor(pb.UpdateAuthorRequest(name="ada", **change))
        assert "last admin" in str(told)
    await served["ada"].admin.ListAuthors(pb.ListAuthorsRequest())


async def test_tokens_are_ones_own_affair(served: Served) -> None:
    """One makes, lists and revokes them; a revoked one is worthless at once."""
    ana = served["ana"].admin
    asked = pb.CreateTokenRequest(request_id="r", name="laptop")
    made = await ana.CreateToken(asked)
    assert (await ana.CreateToken(asked)).secret == ""
    laptop = Caller(served["ana"].channel, made.secret).admin
    assert (await laptop.WhoAmI(pb.WhoAmIRequest())).author.name == "ana"
    listed = (await ana.ListTokens(pb.ListTokensRequest())).tokens
    assert [token.name for token in listed] == ["first", "laptop"]
    assert listed[1].HasField("last_used")
    revoked = await ana.RevokeToken(pb.RevokeTokenRequest(request_id="v", id=made.token.id))
    assert revoked.token.HasField("revoked")
    with refused(pb.REASON_TOKEN_INVALID):
        await laptop.WhoAmI(pb.WhoAmIRequest())
    assert await ana.RevokeToken(pb.RevokeTokenRequest(request_id="v", id=made.token.id)) == revoked


async def test_no_secret_is_anywhere_but_in_the_answer(served: Served) -> None:
    """Neither in the lists, nor in the audit log, nor in any file of the store."""
    made = await served["ana"].admin.CreateToken(pb.CreateTokenRequest(name="laptop"))
    told = str(await served["ana"].admin.ListTokens(pb.ListTokensRequest()))
    told += str(await served["ada"].admin.ListAudit(pb.ListAuditRequest()))
    assert made.secret not in told
    files = [file for file in served.store.folder.rglob("*") if file.is_file()]
    assert files
    assert not any(made.secret.encode() in file.read_bytes() for file in files)


async def test_a_token_that_isnt_ones_own_isnt_there(served: Served) -> None:
    """In the same words as one that is nowhere."""
    theirs = served.store.accounts.tokens("bo")[0].id
    told = []
    for id_ in (theirs, 4711):
        with refused(pb.REASON_NOT_FOUND) as refusal:
            await served["ana"].admin.RevokeToken(pb.RevokeTokenRequest(id=id_))
        told.append(str(refusal).replace(str(id_), "N"))
    for author in ("bo", "nobody"):
        with refused(pb.REASON_NOT_FOUND) as refusal:
            await served["ana"].admin.ListTokens(pb.ListTokensRequest(author=author))
        told.append(str(refusal).replace(author, "N"))
    assert told[0] == told[1]
    assert told[2] == told[3]
    assert served.store.accounts.token(theirs).revoked is None


async def test_lists_come_in_pages(served: Served) -> None:
    """Each thing once, in order, and no page after the last."""
    ada = served["ada"].admin
    names: list[str] = []
    token, pages = "", 0
    while not pages or token:
        page = await ada.ListAuthors(pb.ListAuthorsRequest(page_size=2, page_token=token))
        names += [author.name for author in page.authors]
        token, pages = page.next_page_token, pages + 1
    assert (names, pages) == (sorted(ROLES), 3)
    for number in range(4):
        await ada.CreateToken(pb.CreateTokenRequest(name=f"t{number}"))
    first = await ada.ListTokens(pb.ListTokensRequest(page_size=4))
    rest = await ada.ListTokens(pb.ListTokensRequest(page_size=4, page_token=first.next_page_token))
    assert [token.name for token in [*first.tokens, *rest.tokens]] == [
        "first",
        "t0",
        "t1",
        "t2",
        "t3",
    ]
    assert rest.next_page_token == ""


async def test_a_page_has_its_bounds(served: Served) -> None:
    """A size beyond the cap, and a token of nowhere or of another list, are refused."""
    ada = served["ada"].admin
    with refused(pb.REASON_TOO_LARGE):
        await ada.ListAudit(pb.ListAuditRequest(page_size=501))
    authors = await ada.ListAuthors(pb.ListAuthorsRequest(page_size=1))
    for token in ("junk", "!!", authors.next_page_token):
        with refused(pb.REASON_INVALID):
            await ada.ListAudit(pb.ListAuditRequest(page_token=token))


async def test_the_audit_log_tells_who_did_what(served: Served) -> None:
    """The newest first, in pages, of one author if that is asked for."""
    with refused(pb.REASON_ROLE_TOO_LOW):
        await served["ana"].admin.Drain(pb.DrainRequest(drain=True))
    await served["ada"].admin.Drain(pb.DrainRequest(drain=True))
    await served["ada"].admin.UpdateAuthor(pb.UpdateAuthorRequest(name="bo", locked=True))
    told = await served["ada"].admin.ListAudit(pb.ListAuditRequest(page_size=2))
    newest, drained = told.entries
    assert (newest.author, newest.method, newest.target, newest.outcome) == (
        "ada",
        "AdminService/UpdateAuthor",
        "bo",
        "OK",
    )
    assert newest.token == served.store.accounts.tokens("ada")[0].id
    assert drained.target == "True"
    rest = await served["ada"].admin.ListAudit(pb.ListAuditRequest(page_token=told.next_page_token))
    (refusal,) = rest.entries
    assert (refusal.author, refusal.outcome) == ("ana", "PERMISSION_DENIED ROLE_TOO_LOW")
    anas = await served["ada"].admin.ListAudit(pb.ListAuditRequest(author="ana"))
    assert list(anas.entries) == [refusal]


async def test_draining_is_asked_for_and_taken_back(served: Served) -> None:
    """The conductor is told to wait for what runs, however long that takes."""
    drained = await served["ada"].admin.Drain(pb.DrainRequest(drain=True))
    assert drained.status.draining
    assert ("drain", "forever") in served.conductor.told
    assert (await served["ana"].admin.GetStatus(pb.GetStatusRequest())).status.draining
    resumed = await served["ada"].admin.Drain(pb.DrainRequest(drain=False))
    assert not resumed.status.draining


async def test_anybody_learns_what_this_arena_is(served: Served) -> None:
    """Its versions, its games, the largest upload."""
    told = (await served[SPECTATOR].admin.GetStatus(pb.GetStatusRequest())).status
    assert told.arena
    assert told.sdk
    assert told.engine == ENGINE
    assert list(told.games) == ["claims", "claim", "claro"]
    assert told.upload_limit == served.arena.settings.upload_bytes
