"""Lock files; two handles in one process exclude each other as two processes do."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path

import pytest

from arena.store.locks import LockHeld, UseLock, exclusive


def test_a_held_lock_names_its_holder(tmp_path: Path) -> None:
    """And can be had again once it is given back, also after an error."""
    path = tmp_path / "lock"
    for _ in range(2):
        with suppress(ValueError), exclusive(path):
            with pytest.raises(LockHeld) as held, exclusive(path):
                pass
            assert held.value.holder is not None
            assert held.value.holder.pid == os.getpid()
            assert held.value.holder.host == socket.gethostname()
            assert str(held.value.holder) in str(held.value)
            raise ValueError


@pytest.mark.parametrize("written", [b"", b"\n", b"garbage", b"12\n", b"1 2 3", b"\xff" * 50])
def test_a_holder_that_has_not_written_who_it_is_is_unknown(tmp_path: Path, written: bytes) -> None:
    """Whatever stands in the file."""
    path = tmp_path / "lock"
    with exclusive(path):
        path.write_bytes(written)
        with pytest.raises(LockHeld) as held, exclusive(path):
            pass
    assert held.value.holder is None
    assert str(held.value) == "held by another process"


def test_many_may_use_and_only_one_may_prepare(tmp_path: Path) -> None:
    """Shared holders keep out the lone one, and the other way round."""
    one, two = UseLock(tmp_path / "lock"), UseLock(tmp_path / "lock")
    assert one.try_alone()
    assert not two.try_alone()
    assert not two.try_shared()
    one.share()
    assert not two.try_alone()
    assert two.try_shared()
    assert not one.try_alone()
    one.close()
    assert two.try_alone()
    two.release()
    two.close()
