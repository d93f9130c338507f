"""Programs of the corpus, saved and loaded: the loaded one does what the staged one does."""

from __future__ import annotations

import contextlib
import io
import zlib
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
from autograph.checking.comparison import difference
from autograph.checking.picture import freeze
from autograph.keeping.functions.attachments import SavingError
from tests.corpus.registry import Program
from tests.harness.corpus_harness import Case, fresh_case
from tests.test_corpus import PROGRAMS

SHARE = 12
"""One of so many programs is saved each time; all of them with `make sweep`."""


def can_be_staged(program: Program) -> bool:
    return not (program.refused or program.decorates)


def outcome(function: Any, one: Case) -> Any:
    """All that a call shows: its result with its arguments, its exception, its output."""
    printed = io.StringIO()
    ag.set_seed(3)
    with contextlib.redirect_stdout(printed):
        try:
            seen = ("returned", function(*one.args, **one.kwargs), one.args, dict(one.kwargs))
        except ag.errors.ArgumentError:
            raise
        except Exception as error:
            seen = ("raised", type(error).__name__, str(error), one.args)
    return freeze((seen, printed.getvalue()))


ASK_FOR_AN_OBJECT = ("numpy_scalars.which_scalar",)
"""Programs that ask whether an argument is an object of this process: of a loaded one, never."""


def compare(name: str, folder: Path, mode: str = "evaluate") -> str:
    """Nothing where both sides agree, else why it could not be saved."""
    program = PROGRAMS[name]
    try:
        world = program.world(lambda function: ag.function(function, mode="evaluate"))
        for _ in range(2):
            for one in program.cases:
                with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
                    case = fresh_case(one)
                    world.function(*case.args, **case.kwargs)
        try:
            ag.save(world.function, folder)
        except SavingError as error:
            return str(error)
        loaded = ag.load(folder, mode=mode)
        for number, one in enumerate(program.cases):
            expected = outcome(world.function, fresh_case(one))
            try:
                found = outcome(loaded, fresh_case(one))
            except ag.errors.ArgumentError:
                info = world.function.cache_info()
                # What is traced anew at every call has nothing to keep.
                assert not info.hits or name in ASK_FOR_AN_OBJECT
                return "no trace that is valid for another call"
            wrong = difference(expected, found)
            assert wrong is None, f"case {number}: {wrong}"
        return ""
    finally:
        program.reset()


def sampled(name: str) -> bool:
    return zlib.crc32(name.encode()) % SHARE == 0


NAMES = [name for name, program in PROGRAMS.items() if can_be_staged(program)]


@pytest.mark.parametrize("name", filter(sampled, NAMES))
def test_a_loaded_program_does_the_same(name: str, tmp_path: Path) -> None:
    reason = compare(name, tmp_path / "f")
    if reason:
        assert "cannot be saved" in reason or "no trace that is valid" in reason
        pytest.skip(reason.splitlines()[0])


@pytest.mark.sweep
@pytest.mark.parametrize("name", NAMES)
def test_every_loaded_program_does_the_same(name: str, tmp_path: Path) -> None:
    compare(name, tmp_path / "f")
