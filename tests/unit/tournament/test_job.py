"""Names and seeds of matches."""

from __future__ import annotations

import hashlib

from arena.tournament.job import match_id, match_seed
from tests.unit.tournament.jobs import SEED


def test_all_matches_of_a_block_have_one_seed_and_blocks_have_others() -> None:
    """Duplicate play: equal deals within a block; later deals can't be told from earlier ones."""
    assert match_seed(SEED, 7) == hashlib.sha256(SEED + b"|block|7").digest()
    assert len({match_seed(SEED, block) for block in range(1000)}) == 1000


def test_a_match_has_the_same_opaque_name_in_every_run() -> None:
    """Nobody reads block or rotation off it, and no two are the same."""
    names = {match_id(SEED, block, rotation) for block in range(100) for rotation in range(8)}
    assert len(names) == 800
    assert all(len(name) == 16 and int(name, 16) >= 0 for name in names)
    assert match_id(SEED, 3, 1) == hashlib.sha256(SEED + b"|match|3|1").hexdigest()[:16]
