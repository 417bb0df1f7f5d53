"""Locks that tell the living from the dead."""

from pathlib import Path

import pytest

from arena.sandbox.instance import Instance, if_dead, store_labels


def test_a_run_leaves_no_folder(tmp_path: Path) -> None:
    """The last process to leave removes the run's folder, whoever began it."""
    first = Instance.create(tmp_path, "store")
    second = Instance.join(first.path)
    assert (second.id, second.store_id) == (first.id, "store")
    first.close()
    assert second.path.exists()
    second.close()
    second.close()
    assert list(tmp_path.iterdir()) == []


def test_the_living_are_not_cleaned(tmp_path: Path) -> None:
    """As long as one process holds a run, nobody takes it for dead."""
    with Instance.create(tmp_path, "store") as first:
        second = Instance.join(first.path)
        assert not if_dead(first.path, lambda: True)
        assert not if_dead(first.folder, lambda: True)
        second.close()
        assert not if_dead(first.path, lambda: True)


def test_the_dead_are_cleaned_once(tmp_path: Path) -> None:
    """What a closed run left is cleaned with its lock held, and its folder goes."""
    with Instance.create(tmp_path, "store") as instance:
        left = instance.folder / "1"
        left.mkdir()

    def clean() -> bool:
        assert not if_dead(instance.path, lambda: pytest.fail("two cleaners at once"))
        left.rmdir()
        for entry in instance.folder.iterdir():
            entry.unlink()
        instance.folder.rmdir()
        return True

    assert if_dead(instance.path, clean)
    assert list(tmp_path.iterdir()) == []


def test_what_cant_be_cleaned_stays_for_the_next_time(tmp_path: Path) -> None:
    """A cleaner that isn't done leaves folder and lock in place."""
    with Instance.create(tmp_path, "store") as instance:
        (instance.folder / "1").mkdir()
    assert if_dead(instance.path, lambda: False)
    assert if_dead(instance.path, lambda: False)
    assert instance.folder.exists()


def test_labels_tell_store_place_run_and_process_apart(tmp_path: Path) -> None:
    """Another store, a copied store, another run and another process each differ in a label."""
    with Instance.create(tmp_path / "a", "store") as first:
        with Instance.join(first.path) as worker, Instance.create(tmp_path / "a", "store") as other:
            labels = [first.labels(), worker.labels(), other.labels()]
        assert len({tuple(entry.values()) for entry in labels}) == 3
        shared = store_labels(tmp_path / "a", "store")
        assert all(shared.items() <= entry.items() for entry in labels)
    for elsewhere in (store_labels(tmp_path / "b", "store"), store_labels(tmp_path / "a", "other")):
        assert not elsewhere.items() <= first.labels().items()


def test_no_number_is_given_twice(tmp_path: Path) -> None:
    """Bots' folders have names that were never used before in their process."""
    with Instance.create(tmp_path, "store") as instance:
        assert len({instance.next_number() for _ in range(5)}) == 5
