"""Random programs do the same staged as in plain Python: results, errors, and what they change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograph.checking.comparison import difference
from autograph.checking.picture import Picture, freeze
from tests.corpus.registry import fresh
from tests.corpus_harness import TooLong, in_mode, time_limit
from tests.program_generator import arguments, build, source_of
from tests.program_shrinker import shrink

IN_TEST = 100
IN_TEXT = 10
IN_CHECK = 15
IN_SWEEP = 2000
TURNS = 3


def run(
    function: Callable[..., Any], look: Callable[[], Any], args: tuple[Any, ...]
) -> tuple[Any, Picture]:
    """What a call gives or raises, and the picture of result, arguments and state after it."""
    args = fresh(args)
    outcome: Any = "returned"
    result = None
    try:
        with time_limit(20):
            result = function(*args)
    except (Exception, TooLong) as error:
        outcome = (type(error).__name__, str(error))
    return outcome, freeze((result, args, look()))


def expected(source: str, seed: int) -> list[tuple[Any, Picture]]:
    """What plain Python does in every call; one that raises leaves nothing behind."""
    shown: list[tuple[Any, Picture]] = []
    succeeded: list[int] = []
    for turn in range(TURNS):
        function, look = build(source, str(seed))
        for earlier in succeeded:
            function(*arguments(seed, earlier))
        before = freeze((None, arguments(seed, turn), look()))
        outcome, picture = run(function, look, arguments(seed, turn))
        shown.append((outcome, picture if outcome == "returned" else before))
        if outcome == "returned":
            succeeded.append(turn)
    return shown


def tolerance(source: str, mode: str) -> int:
    """How many ulps are granted: gradients may add up in another order."""
    return 64 if "tape.gradient" in source else 4 if mode.endswith("text") else 0


def check(source: str, seed: int, mode: str) -> str | None:
    """The first difference between eager and staged; calls that raise must change nothing."""
    function, look = build(source, str(seed))
    staged = in_mode(mode, function)
    for turn, (wanted, picture) in enumerate(expected(source, seed)):
        actual, seen = run(staged, look, arguments(seed, turn))
        if wanted != actual:
            return f"call {turn}: {wanted}, but {actual}"
        found = difference(picture, seen, tolerance(source, mode))
        if found:
            return f"call {turn}: {found}"
    return None


def fails(source: str, seed: int, mode: str, kind: str) -> bool:
    """Whether a smaller program fails in the same way."""
    try:
        found = check(source, seed, mode)
    except Exception:
        return False
    return found is not None and _kind(found) == kind


def _kind(found: str) -> str:
    error = found.partition("but (")[2].partition(",")[0]
    return error or "difference"


def verify(seed: int, mode: str) -> None:
    source = source_of(seed)
    found = check(source, seed, mode)
    if found is None:
        return
    small = shrink(source, lambda text: fails(text, seed, mode, _kind(found)))
    again = check(small, seed, mode) or found
    pytest.fail(f"random program {seed} in mode {mode}: {again}\n\n{small}", pytrace=False)


@pytest.mark.parametrize("seed", range(IN_TEST))
def test_evaluated(seed: int) -> None:
    verify(seed, "evaluate")


@pytest.mark.parametrize("seed", range(IN_TEXT))
def test_as_text(seed: int) -> None:
    verify(seed, "text")


@pytest.mark.parametrize("seed", range(IN_CHECK))
def test_in_check_mode(seed: int) -> None:
    verify(seed, "checked-text")


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(IN_TEST, IN_TEST + IN_SWEEP))
def test_sweep(seed: int) -> None:
    verify(seed, "evaluate")


def test_programs_are_varied() -> None:
    """The generator writes what it promises: every construct, and programs that end."""
    text = "".join(source_of(seed) for seed in range(IN_TEST))
    for construct in (
        "while ",
        "for ",
        "elif ",
        "break",
        "continue",
        "return ",
        "xs.append",
        "xs.pop",
        "v[",
        " and ",
        " or ",
        "not (",
        "m is None",
        "late0",
        "pair = ",
        "box.n",
        "w.assign",
        "bump(",
        "calls = ",
        "tape.gradient",
    ):
        assert construct in text, construct
    outcomes = [expected(source_of(seed), seed)[0][0] for seed in range(40)]
    assert outcomes.count("returned") > 20
