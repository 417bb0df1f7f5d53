"""Leagues: series of tournaments of one game, each under the name of whoever used it first."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store import InvalidRecord, NameTaken, NotFound, Store
from arena.store.restore import restore
from arena.store.testing import make_tournament


def test_the_first_tournament_begins_a_league_and_others_go_on_with_it(store: Store) -> None:
    """Which is then found with its tournaments, in order, and nobody else's."""
    for name in ("one", "two"):
        made = make_tournament(store, name, league="winter", organiser="olga")
        assert made.league == "winter"
    assert make_tournament(store, "alone").league is None
    found = store.leagues.find("winter")
    assert (found.name, found.game, found.organiser) == ("winter", "claims", "olga")
    assert found.tournaments == 2
    assert [one.name for one in store.tournaments(league="winter")] == ["one", "two"]
    assert [one.league for one in store.tournaments()] == ["winter", "winter", None]
    assert store.tournaments("claro", league="winter") == []


def test_leagues_are_listed_the_newest_first(store: Store) -> None:
    """With how many tournaments each has."""
    for name, league in (("a", "one"), ("b", "two"), ("c", "one")):
        make_tournament(store, name, league=league)
    assert [(one.name, one.tournaments) for one in store.leagues.listed()] == [
        ("two", 1),
        ("one", 2),
    ]


def test_leagues_are_listed_by_game_and_in_parts(store: Store) -> None:
    """Those of one game, and from one that is known on."""
    for name, game in (("one", "claims"), ("two", "claro"), ("three", "claims")):
        make_tournament(store, name, league=name, game=game)
    assert [one.name for one in store.leagues.listed("claims")] == ["three", "one"]
    assert [one.name for one in store.leagues.listed(most=2)] == ["three", "two"]
    two = store.leagues.find("two").id
    assert [one.name for one in store.leagues.listed(before=two, most=2)] == ["one"]
    assert store.leagues.listed("claro", before=two) == []


def test_a_league_has_one_game_and_one_organiser(store: Store) -> None:
    """Another's is refused, and nothing of it is kept; who may use any league may."""
    make_tournament(store, "first", league="winter", organiser="olga")
    with pytest.raises(InvalidRecord, match="is one of claims, so no tournament of claro"):
        make_tournament(store, "second", league="winter", organiser="olga", game="claro")
    with pytest.raises(NameTaken, match="the league 'winter' is another organiser's"):
        make_tournament(store, "second", league="winter", organiser="otto")
    assert [one.name for one in store.tournaments()] == ["first"]
    make_tournament(store, "second", league="winter", organiser="root", any_league=True)
    found = store.leagues.find("winter")
    assert (found.organiser, found.tournaments) == ("olga", 2)


def test_a_league_is_for_all_to_see(store: Store) -> None:
    """So there are no private tournaments in it, and its name tells of none."""
    with pytest.raises(InvalidRecord, match="a league is for all to see"):
        make_tournament(store, "secret", league="winter", private=True)
    assert store.leagues.listed() == []


@pytest.mark.parametrize("name", ["", " x", "two\nlines", "x" * 201])
def test_a_leagues_name_is_as_a_tournaments(store: Store, name: str) -> None:
    with pytest.raises(InvalidRecord, match="is no league name"):
        make_tournament(store, league=name)


def test_a_league_that_is_not_there_is_not_found(store: Store) -> None:
    """Whoever has mistyped it is told the one that was meant."""
    with pytest.raises(NotFound, match="no league 'winter': a tournament begins one"):
        store.leagues.find("winter")
    make_tournament(store, league="winter")
    with pytest.raises(NotFound, match="did you mean 'winter'"):
        store.leagues.find("wimter")


def test_a_backup_has_the_leagues(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what is put back goes on with them."""
    make_tournament(store, "one", league="winter", organiser="olga")
    store.back_up(tmp_path / "backup")
    monkeypatch.delenv("ARENA_DATABASE", raising=False)
    restore(tmp_path / "backup", tmp_path / "other")
    with Store.open(tmp_path / "other") as back:
        assert back.leagues.listed() == store.leagues.listed()
        assert make_tournament(back, "two", league="winter", organiser="olga").league == "winter"
        make_tournament(back, "three", league="spring", organiser="olga")
        assert [one.name for one in back.leagues.listed()] == ["spring", "winter"]
