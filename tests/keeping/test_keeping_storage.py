"""Folders are replaced as a whole: the write is cut at many places, by errors and by a killer."""

from __future__ import annotations

import errno
import multiprocessing
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.keeping import storage
from autograph.keeping.errors import DamagedError, KeepingError


def checkpoint_of(number: float, size: int = 5) -> ag.Checkpoint:
    array = np.full(size, number, np.float32)
    return ag.Checkpoint(v=ag.Variable(array), w=ag.Variable(array * 2), n=number)


def content(path: Path, size: int = 5) -> float:
    """The number that a checkpoint was made with; fails unless it is whole."""
    checkpoint = checkpoint_of(-1.0, size)
    checkpoint.restore(path)
    number = checkpoint.n
    assert set(checkpoint.v.numpy()) == {number} and set(checkpoint.w.numpy()) == {2 * number}
    return float(number)


class Cut:
    """Files that take `allowed` bytes together, then `stop` is called."""

    def __init__(self, allowed: int, stop: Callable[[], None]) -> None:
        self.allowed = allowed
        self.stop = stop
        self.asked = 0

    def open(self, path: Path) -> Any:
        return _CutFile(self, open(path, "xb"))

    def take(self, count: int) -> int:
        """How many of so many bytes may be written."""
        self.asked += count
        given = min(count, self.allowed)
        self.allowed -= given
        return given


class _CutFile:
    def __init__(self, cut: Cut, file: Any) -> None:
        self.cut = cut
        self.file = file

    def __enter__(self) -> _CutFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    def write(self, data: bytes) -> None:
        given = self.cut.take(len(data))
        self.file.write(data[:given])
        self.file.flush()
        if given < len(data):
            self.cut.stop()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def full_disk() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def interrupted() -> None:
    raise KeyboardInterrupt


def size_of_a_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    whole = Cut(10**9, full_disk)
    with monkeypatch.context() as patch:
        patch.setattr(storage, "open_new", whole.open)
        checkpoint_of(2.0).save(tmp_path / "measured")
    return whole.asked


@pytest.mark.parametrize("stop", [full_disk, interrupted])
def test_a_write_that_fails_at_any_byte_leaves_the_one_before(
    stop: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = size_of_a_write(tmp_path, monkeypatch)
    assert size > 500
    path = tmp_path / "c"
    checkpoint_of(1.0).save(path)
    before = {one.name: one.read_bytes() for one in path.iterdir()}
    second = checkpoint_of(2.0)
    monkeypatch.setattr(os, "fsync", lambda number: None)  # nothing fails there; it takes long
    for allowed in range(0, size, 3):
        with monkeypatch.context() as patch, pytest.raises((KeepingError, KeyboardInterrupt)):
            patch.setattr(storage, "open_new", Cut(allowed, stop).open)
            second.save(path)
        assert {one.name: one.read_bytes() for one in path.iterdir()} == before
    second.save(path)
    assert content(path) == 2.0 and len(list(path.iterdir())) == 2


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_a_system_call_that_fails_leaves_a_whole_one(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "c"
    checkpoint_of(1.0).save(path)
    works = getattr(os, call)
    for number in range(8):
        calls: Iterator[int] = iter(range(100))

        def fails(*args: Any, number: int = number, calls: Iterator[int] = calls) -> Any:
            return works(*args) if next(calls) != number else full_disk()

        with monkeypatch.context() as patch:
            patch.setattr(os, call, fails)
            try:
                checkpoint_of(2.0).save(path)
            except KeepingError:
                pass
        assert content(path) in (1.0, 2.0)


KILLED = """
    import os, sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from autograph.keeping import storage
    from tests.keeping.test_keeping_storage import Cut, checkpoint_of

    path = Path(sys.argv[1])
    second = checkpoint_of(2.0)
    for allowed in map(int, sys.argv[2:]):
        child = os.fork()
        if child == 0:
            storage.open_new = Cut(allowed, lambda: os._exit(7)).open
            second.save(path)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        first = checkpoint_of(-1.0)
        first.restore(path).check()
        assert first.n == 1.0, first.n
        assert set(first.v.numpy()) == {{1.0}}
    second.save(path)
    assert len(list(path.iterdir())) == 2, "what was cut off is removed"
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are ended by fork")
def test_a_process_that_ends_at_any_byte_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = size_of_a_write(tmp_path, monkeypatch)
    path = tmp_path / "c"
    checkpoint_of(1.0).save(path)
    root = Path(__file__).resolve().parents[2]
    program = textwrap.dedent(KILLED.format(tests=str(root)))
    places = map(str, range(0, size, 37))
    command = [sys.executable, "-c", program, str(path), *places]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert content(path) == 2.0


def _save_often(path: Path, number: float) -> None:
    for _ in range(15):
        checkpoint_of(number, 2_000).save(path)


def test_several_processes_write_and_read_the_same_folder(tmp_path: Path) -> None:
    path = tmp_path / "c"
    checkpoint_of(1.0, 2_000).save(path)
    context = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")
    writers = [context.Process(target=_save_often, args=(path, n)) for n in (2.0, 3.0)]
    for one in writers:
        one.start()
    while any(one.is_alive() for one in writers):
        try:
            assert content(path, 2_000) in (1.0, 2.0, 3.0)
        except DamagedError as error:
            # Twice replaced while it was read: refused, with the name of the file.
            assert "is missing" in str(error)
    assert all(one.exitcode == 0 for one in writers)
    assert content(path, 2_000) in (2.0, 3.0) and len(list(path.iterdir())) == 2


def test_other_files_in_the_folder_stay(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "c"
    checkpoint_of(1.0).save(path)
    (path / "notes.txt").write_text("mine")
    (path / "other-0123456789abcdef.txt").write_text("mine")
    checkpoint_of(2.0).save(path)
    assert (path / "notes.txt").read_text() == "mine"
    assert (path / "other-0123456789abcdef.txt").exists() and len(list(path.iterdir())) == 4


# series -------------------------------------------------------------------------------------------
def names(manager: ag.CheckpointManager) -> list[int]:
    return [int(one.name.removeprefix("step-")) for one in manager.checkpoints]


def test_the_last_and_the_best_are_kept(tmp_path: Path) -> None:
    checkpoint = checkpoint_of(0.0)
    manager = ag.CheckpointManager(checkpoint, tmp_path / "run", keep=2, keep_best=2)
    assert manager.restore() is None and manager.latest is None and manager.best is None
    for step, metric in enumerate([0.5, 0.9, float("nan"), 0.7, 0.9, None, 0.1]):
        checkpoint.n = float(step)
        checkpoint.v.assign(np.full(5, step, np.float32))
        checkpoint.w.assign(np.full(5, 2 * step, np.float32))
        manager.save(step, metric)
    assert names(manager) == [1, 4, 5, 6]
    assert content(manager.best) == 1.0 and content(manager.latest) == 6.0  # type: ignore[arg-type]
    assert sorted(one.name for one in (tmp_path / "run").iterdir()) == [
        f"step-0000000{step}" for step in (1, 4, 5, 6)
    ]
    # Another process finds the same, and goes on.
    again = ag.CheckpointManager(checkpoint, tmp_path / "run", keep=1, best="lowest")
    assert again.restore() is not None and checkpoint.n == 6.0
    assert again.restore_best() is not None and checkpoint.n == 6.0
    again.save(metric=5.0)
    assert names(again) == [6, 7]
    with pytest.raises(KeepingError, match="step 3 does not follow 7"):
        again.save(3)


def test_what_was_cut_off_is_no_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoint = checkpoint_of(1.0)
    manager = ag.CheckpointManager(checkpoint, tmp_path / "run", keep=1)
    manager.save()
    with monkeypatch.context() as patch, pytest.raises(KeepingError):
        patch.setattr(storage, "open_new", Cut(100, full_disk).open)
        manager.save()
    assert names(manager) == [0] and manager.restore() is not None
    (tmp_path / "run" / ".dropped-step-00000000-x").mkdir()
    manager.save()
    assert names(manager) == [1] and len(list((tmp_path / "run").iterdir())) == 1


@pytest.mark.parametrize("options", [{"keep": 0}, {"keep_best": -1}, {"best": "most"}], ids=str)
def test_bad_options(options: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        ag.CheckpointManager(checkpoint_of(1.0), tmp_path, **options)


def test_a_damaged_one_stands_in_no_others_way(tmp_path: Path) -> None:
    checkpoint = checkpoint_of(0.0)
    manager = ag.CheckpointManager(checkpoint, tmp_path / "run", keep=3)
    for step in range(3):
        checkpoint.n = float(step)
        manager.save(step, metric=step)
    (tmp_path / "run" / "step-00000001" / "checkpoint.json").write_text("{")
    assert names(manager) == [0, 1, 2]
    assert manager.restore() is not None and checkpoint.n == 2.0
    with pytest.raises(DamagedError, match="step-00000001"):
        manager.restore_best()
    with pytest.raises(DamagedError, match="step-00000001"):
        checkpoint.restore(manager.checkpoints[1])
    manager.save(3, metric=9.0)
    manager.save(4, metric=1.0)
    assert names(manager) == [2, 3, 4] and manager.restore_best() is not None
    assert checkpoint.n == 2.0
