"""User ids: each to one running bot of the machine."""

from pathlib import Path

import pytest

from arena.sandbox import SandboxFailed, uids
from arena.sandbox.leases import release_dead
from arena.sandbox.uids import take_uid


def test_two_leases_never_share_an_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every id is given out once, and when all are taken the error says where to look."""
    monkeypatch.setattr(uids, "_COUNT", 20)
    leases = [take_uid(tmp_path, "me") for _ in range(20)]
    assert len({lease.number for lease in leases}) == 20
    with pytest.raises(SandboxFailed, match=f"all 20 user ids .*{tmp_path}"):
        take_uid(tmp_path, "me")
    leases.pop().release()
    leases.append(take_uid(tmp_path, "me"))
    for lease in leases:
        lease.release()


def test_the_id_of_a_dead_owner_waits_for_the_cleaning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An id whose bot may still run is taken until its owner's death is established."""
    monkeypatch.setattr(uids, "_COUNT", 1)
    take_uid(tmp_path, "dead").abandon()
    with pytest.raises(SandboxFailed):
        take_uid(tmp_path, "me")
    assert release_dead(tmp_path, lambda owner: owner == "other") == 0
    assert release_dead(tmp_path, lambda owner: owner == "dead") == 1
    take_uid(tmp_path, "me").release()


def test_a_held_id_is_never_released_by_others(tmp_path: Path) -> None:
    """Cleaning up skips what somebody holds, whatever its owner is called."""
    lease = take_uid(tmp_path, "me")
    assert release_dead(tmp_path, lambda _owner: True) == 0
    lease.release()


def test_ids_lie_where_nobody_elses_are(tmp_path: Path) -> None:
    """Above the ids of people, of systemd and of /etc/subuid, below the engine's limit."""
    lease = take_uid(tmp_path, "me")
    assert 1_879_048_192 <= lease.number < 2**31 - 1
    lease.release()
